// The shell of the inspector: routes by hash, the bar on top, keys, search, and the chat next to them.

import { app, Server, start } from "./app.js";
import { button, chip, dialog, empty, failure, fill, h, icon, notice, plain, remark } from "./ui.js";
import { count, length as span, name, short, summary } from "./words.js";

const byID = (id) => document.getElementById(id);
const main = byID("main");

/** Views by the first part of the hash; each module is loaded when it is first wanted. */
const views = {
	sessions: ["Sessions", "s", () => import("./sessions.js")],
	fixtures: ["Fixtures", "f", () => import("./fixtures.js")],
	faults: ["Faults", "t", () => import("./faults.js")],
	clock: ["Clock", "c", () => import("./clock.js")],
	metrics: ["Metrics", "m", () => import("./metrics.js")],
	log: ["Server log", "l", () => import("./serverlog.js")],
	import: ["Import", "i", () => import("./transfer.js")],
	unmatched: [null, null, () => import("./unmatched.js")],
	violations: [null, null, () => import("./violations.js")],
};

// MARK: - Routes

let view = null;
let turn = 0;

const parse = () => {
	const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
	const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
	return { parts: parts.length ? parts : ["sessions"], query: new URLSearchParams(query) };
};

export const go = (hash) => { location.hash = hash };
/** Changes the query of the present place, without a step in the history. */
go.replace = (members) => {
	const [path, old = ""] = location.hash.split("?");
	const query = new URLSearchParams(old);
	for (const [key, value] of Object.entries(members)) value == null || value === "" ? query.delete(key)
		: query.set(key, value);
	history.replaceState(null, "", `${path || "#/sessions"}${query.size ? `?${query}` : ""}`);
};

const show = async () => {
	const { parts, query } = parse();
	const [word] = parts;
	for (const link of byID("views").querySelectorAll("a")) {
		if (link.hash === `#/${word}`) link.setAttribute("aria-current", "page");
		else link.removeAttribute("aria-current");
	}
	// A view that knows how to go on in another of its parts is kept.
	const entitle = () => { document.title = `${view.title ?? views[word][0] ?? word} · Inspector` };
	if (view?.word === word && view.update?.(parts.slice(1), query)) return entitle();
	const mine = turn += 1;
	failure("");
	const found = views[word];
	if (!found) {
		view?.destroy?.();
		view = null;
		fill(main, empty("There is no such view", `#/${word}`, h("a", { class: "button", href: "#/sessions" }, "Sessions")));
		return
	}
	try {
		const module = await found[2]();
		if (mine !== turn) return
		view?.destroy?.();
		view = module.view({ parts: parts.slice(1), query, go });
		view.word = word;
		// Who was in the view before is at the beginning of this one.
		const had = main.contains(document.activeElement);
		main.replaceChildren(view.node);
		if (had) main.focus({ preventScroll: true });
		main.dataset.view = word;
		entitle();
	} catch (error) {
		fill(main, empty("This view failed", error.message, button("Try again", show)));
		throw error;
	}
};

// MARK: - Top bar

const state = h("span", { role: "status", "aria-label": "Feed", class: "feed", "data-state": "Loading" }, "Loading");
const pause = button("Pause", () => setPaused(!app.isPaused));
const setPaused = (isPaused) => {
	app.isPaused = isPaused;
	pause.textContent = isPaused ? "Resume" : "Pause";
	feedState();
	app.emit("pause");
};
const feedState = () => {
	const text = app.state === "Live" && app.isPaused ? "Paused" : app.state;
	if (state.textContent !== text) state.textContent = text;
	state.dataset.state = text;
	document.body.dataset.feed = text;
};
const clear = button("Clear", () => {
	const old = app.clearedAt;
	app.clearedAt = app.log.last;
	app.emit("cleared");
	notice("Rows cleared from view", { text: "Undo", do: () => { app.clearedAt = old; app.emit("cleared") } });
});

const clockText = () => {
	if (!app.clock) return "";
	if (app.clock.mode !== "real") return app.clock.mode === "frozen" ? "clock frozen" : `clock × ${app.clock.scale}`;
	const ahead = app.now() - Date.now();
	return ahead > 5000 ? `clock ${span(ahead)} ahead` : "";
};
const chips = h("div", { class: "chips" });
const drawChips = () => {
	const wrong = app.fixtures.filter((fixture) => fixture.error
		|| app.fixtureNews.get(fixture.name)?.what === "refused").length;
	fill(chips, ...[
		app.faults.length > 0 && chip(count(app.faults.length, "fault"), "warn", { href: "#/faults" }),
		clockText() && chip(clockText(), "info", { href: "#/clock" }),
		wrong && chip(count(wrong, "fixture error"), "bad", { href: "#/fixtures" }),
		app.unmatched.length > 0 && chip(`${app.unmatched.length} unmatched`, "warn", { href: "#/unmatched" }),
		app.violations.length > 0 && chip(count(app.violations.length, "violation"), "bad", { href: "#/violations" }),
	].filter(Boolean));
};

const results = h("div", { class: "results", role: "region", "aria-label": "Search results", hidden: true });
let searching;
const search = h("input", { type: "search", "aria-label": "Search everything",
	placeholder: "Search sessions and frames", spellcheck: "false", autocomplete: "off",
	oninput: () => { clearTimeout(searching); searching = setTimeout(find, 200) }, onkeydown: (event) => {
	if (event.key === "Escape") { search.value = ""; results.hidden = true; search.blur() }
	else if (event.key === "ArrowDown") results.querySelector("a")?.focus();
	else if (event.key === "Enter") results.querySelector("a")?.click();
	else return
	event.preventDefault();
} });
const find = async () => {
	const text = search.value.trim();
	results.hidden = !text;
	if (!text) return;
	const low = text.toLowerCase();
	const sessions = [...app.sessions.values()].filter((s) =>
		[s.id, s.fixture, s.scenario, s.tag, s.platform].some((v) => v?.toLowerCase().includes(low))).slice(-6);
	let rows = [];
	let problem = "";
	try {
		rows = (await app.server.get("wire", { filter: `"${text.replaceAll('"', " ")}"`, last: 40 })).rows.filter(
			(row) => row.kind !== "rest" || row.session).slice(-12).reverse();
	} catch (error) { problem = error.message }
	if (text !== search.value.trim()) return;
	const close = () => { results.hidden = true; search.value = "" };
	fill(results, ...[
		sessions.length > 0 && h("h2", null, "Sessions"),
		...sessions.map((s) => h("a", { href: `#/sessions/${s.id}/conversation`, onclick: close },
			h("span", { class: "mono" }, short(s.id)), h("span", { class: "note" }, s.scenario ?? s.fixture))),
		rows.length > 0 && h("h2", null, "Frames"),
		...rows.map((row) => h("a", { href: row.session ? `#/sessions/${row.session}/wire?row=${row.n}`
			: `#/log?row=${row.n}`, onclick: close },
			h("span", { class: "mono" }, `${short(row.session) || "no session"} #${row.n} ${name(row.type)}`),
			h("span", { class: "note" }, summary(row, 60)))),
		!sessions.length && rows.length === 0 && remark(problem || "Nothing found"),
	].filter(Boolean));
};
results.addEventListener("keydown", (event) => {
	const all = [...results.querySelectorAll("a")];
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	if (event.key === "Escape") { results.hidden = true; search.focus() }
	else if (step) (all[all.indexOf(document.activeElement) + step] ?? search).focus();
	else return
	event.preventDefault();
});
document.addEventListener("click",
	(event) => { if (!results.contains(event.target) && event.target !== search) results.hidden = true });

// MARK: - The chat next to the views

const beside = byID("beside");
export const chatBeside = (token) => {
	if (token === undefined && !beside.hidden) {
		beside.hidden = true;
		fill(beside);
		document.body.classList.remove("with-chat");
		return
	}
	const address = `/chat?start=new${token ? `&token=${encodeURIComponent(token)}` : ""}`;
	beside.hidden = false;
	document.body.classList.add("with-chat");
	fill(beside, h("iframe", { src: address, title: "Chat page" }));
};
app.chatBeside = chatBeside;

// MARK: - Keys

const shortcuts = [
	["/", "focus the filter; Escape clears it, then leaves"],
	["g then s, f, t, c, m, l", "Sessions, Fixtures, Faults, Clock, Metrics, Server log"],
	["j, k or arrows", "next and previous row; Home, End, Page Up, Page Down"],
	["Enter", "open the detail; Escape goes back"],
	["c, Shift + C", "copy the row as JSON, as a command"], ["p", "pause and resume"],
	["x, Shift + X", "select a row, a range"],
	["[ and ]", "previous and next row that belongs to this one"], ["Ctrl + S", "save the fixture that is open"],
	["?", "this list"],
];
/** What each view is for, in two sentences. */
const about = {
	sessions: "Each conversation that a client began. Open one to read it, to see every frame of it, or to take over.",
	fixtures: "Files that say what the agent hears and says. Text is checked while you type; New begins with a template; "
		+ "a session plays one with the token mock:name.",
	faults: "Things that go wrong on purpose: a connection that breaks, an event that is late or lost. "
		+ "A preset is a few of them by one name.",
	clock: "The clock of the server: freeze it, or move it on to see timeouts without waiting. "
		+ "It is one for all sessions.",
	metrics: "Counters of the server, and how long answers took.",
	log: "Every request and frame of all sessions, as the server saw them.",
	import: "Rows that another server wrote to a file, to look at here.",
		unmatched: "Messages no rule matched, requests no route handled, and the closest matches.",
	violations: "What the protocol asks of clients, and who did otherwise.",
};
const help = () => {
	const [word] = parse().parts;
	return dialog("Help", [
		about[word] && h("p", null, h("strong", null, views[word][0] ?? view?.title, ": "), about[word]),
		h("p", null, "More: ", h("a", { href: "/", target: "_blank" }, "the start page"),
			" has addresses and commands to copy, ", h("a", { href: "/docs", target: "_blank" }, "the documentation"), " all else; ",
			h("code", null, "polymock help"), " lists all verbs."),
		h("h3", null, "Keyboard shortcuts"), plain("Keys", null, shortcuts)]);
};

let goes = 0;
document.addEventListener("keydown", (event) => {
	const isText = event.target.closest?.("input:not([type=checkbox]), textarea, select, dialog");
	if (isText || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
	if (Date.now() - goes < 1500) {
		const found = Object.entries(views).find(([, item]) => item[1] === event.key);
		goes = 0;
		if (found) { go(`#/${found[0]}`); return event.preventDefault() }
	}
	if (event.key === "g") goes = Date.now();
	else if (event.key === "?") help();
	else if (view?.key?.(event)) { /* the view took it */ }
	else if (event.key === "p") setPaused(!app.isPaused);
	else if (event.key === "/") { search.focus(); search.select() }
	else return
	event.preventDefault();
});

// MARK: - Start

byID("top").append(
	h("h1", null, h("span", { class: "full" }, "Mock server inspector")), h("div", { class: "search" }, search, results),
	chips, h("span", { class: "grow" }), state, pause, clear,
	button([icon("chat"), h("span", { class: "hidden" }, "Side chat")], () => chatBeside(),
		{ class: "quiet", title: "Side chat" }),
	button("?", help, { class: "quiet", "aria-label": "Help and keyboard shortcuts" }));
byID("views").append(...Object.entries(views).filter(([, item]) => item[0]).map(
	([word, item]) => h("a", { href: `#/${word}` }, icon(word), h("span", null, item[0]))),
	h("p", { class: "server note" }));

Server.prototype.askToken = async (wasWrong) => {
	const box = h("input", { type: "password", "aria-label": "Control token", autocomplete: "off" });
	const answer = await dialog("Control token",
		[h("p", null, wasWrong ? "That is not the token of this server."
		: "This server wants the token it was started with (--control-token)."), box],
		[["Cancel", ""], ["Use it", "yes", "primary"]]);
	if (answer === "yes" && box.value) app.server.setToken(box.value);
	return answer === "yes" && Boolean(box.value);
};

app.on("feed", feedState);
app.on("faults clock fixtures fixture unmatched violations reset", drawChips);
app.on("health", () => { byID("views").lastChild.textContent = `polymock ${app.health.version ?? ""}` });
addEventListener("hashchange", show);
// Other views keep what is under way; another page would not.
addEventListener("beforeunload", (event) => { if (app.drafts.unsaved.length > 0) event.preventDefault() });
addEventListener("unhandledrejection", (event) => { failure(event.reason?.message ?? String(event.reason)) });

const begin = async () => {
	fill(main, h("div", { class: "loading", role: "status" }, "Loading…"));
	try {
		await start();
		drawChips();
		await show();
	} catch (error) {
		app.set("feed", { state: "Disconnected" });
		fill(main, empty("The server cannot be asked", error.message, button("Try again", begin, { class: "primary" })));
	}
};
begin();
