// The list of sessions, and one of them with its tabs.

import { app, load } from "./app.js";
import { Table } from "./table.js";
import { attempt, button, chip, confirm, copy, download, empty, fill, h, icon, menu, notice, pick, tabs, toggle,
	top } from "./ui.js";
import { ago, count, length, millis, short } from "./words.js";
import { wire } from "./wire.js";

const speakers = { nobody: "created", agent: "agent", queue: "queued", "live-agent": "live", left: "left" };
export const status = (s) => s.state === "ended" ? "ended" : speakers[s.currentSpeaker];
const kinds = { created: "", agent: "info", queued: "warn", live: "live", left: "", ended: "off" };
export const statusChip = (s) => chip(status(s), kinds[status(s)]);

export const lastActivity = (s) => millis(s.lastActivity);
export const faultsOf = (s) => app.faults.filter((t) =>
	t.scope === "all" || t.scope === `session:${s.id}` || s.tag && t.scope === `tag:${s.tag}`);
/** Platform and library; of the terminal chat its own name, since it speaks through the SDK. */
export const deviceOf = (s) => /^PolyMessaging-(\w+).* polymock$/.exec(s.userAgent ?? "")?.[1].replace(/^/,
	"polymock chat · ")
	?? [s.platform,
	/(Chrome|Firefox|Safari|PolyMessaging-\w+|okhttp|Dart)/.exec(s.userAgent ?? "")?.[1]].filter(Boolean).join(" · ");
/** The line that starts the same talk again; it is a connector token. */
export const scenarioOf = (s) => s.scenario ?? `mock:${s.fixture}`;
export const chatLink = (s) => `/chat?token=${encodeURIComponent(scenarioOf(s))}&start=new`;

export const end = (s) => attempt(() => app.server.post(`sessions/${s.id}/end`, {}), "Session ended");
export const remove = async (s) => {
	if (!await confirm("Delete session?", `${short(s.id)} is ended and forgotten, with its journal. Its rows stay.`,
		"Delete")) return
	await attempt(async () => {
		await app.server.delete(`sessions/${s.id}`);
		app.sessions.delete(s.id);
		app.emit("sessions");
	}, "Session deleted");
	if (location.hash.includes(s.id)) location.hash = "#/sessions";
};
export const exportFile = (format, session, filter) => attempt(async () => {
	const answer = await app.server.ask("GET", "export", { query: { format, session, filter }, raw: true });
	const ending = { jsonl: "jsonl", har: "har", transcript: "txt", "transcript.json": "json" }[format];
	download(`${session ? `session-${session.slice(0, 8)}` : "polymock"}.${ending}`, await answer.blob());
});
export const exportItems = (id) => [
	["Export wire (JSON lines)", () => exportFile("jsonl", id)], ["Export HAR", () => exportFile("har", id)],
	["Export transcript (text)", () => exportFile("transcript", id)],
	["Export transcript (JSON)", () => exportFile("transcript.json", id)],
];

const values = {
	Session: (s) => s.id, Status: status, Client: (s) => s.platform, Sockets: (s) => s.connections,
	Agent: (s) => s.speaker ?? "", Scenario: (s) => s.scenario ?? s.fixture,
	"Last seq": (s) => s.entries, Messages: (s) => s.userMessages, Unmatched: (s) => s.unmatched,
	Faults: (s) => faultsOf(s).length, "Last activity": lastActivity, Started: (s) => millis(s.openedAt),
};
const remembered = { sorted: { name: "Started", up: false }, text: "", state: "all", unmatched: false,
	faulted: false };

const list = ({ go }) => {
	const table = new Table({
		label: "Sessions", class: "sessions-table", height: 40,
		columns: [
			{ name: "Session", width: "12.5em" }, { name: "Status", width: "6.4em" },
			{ name: "Client", width: "9em", class: "wide-2" }, { name: "Sockets", width: "5.6em", class: "number" },
			{ name: "Agent", width: "7em", class: "wide-2" }, { name: "Scenario" },
			{ name: "Last seq", width: "5.8em", class: "number wide-1" }, { name: "Messages", width: "6.6em", class: "number" },
			{ name: "Unmatched", width: "7em", class: "number" }, { name: "Faults", width: "6.4em", class: "wide-1" },
			{ name: "Last activity", width: "8.4em", class: "wide-1" }, { name: "Started", width: "7.4em", class: "wide-1" },
			{ name: "Actions", label: h("span", { class: "hidden" }, "Actions"), width: "3.4em", class: "tail", sort: false },
		],
		key: (s) => s.id,
		version: (s) => JSON.stringify([s, lastActivity(s), s.unmatched, app.faults.length, Math.floor(app.now() / 5000)]),
		mark: (s) => s.state === "ended" ? "off" : "",
		cells: (s) => {
			const idle = s.idleEnds && s.state === "open" ? millis(s.idleEnds) - app.now() : null;
			const misses = s.unmatched;
			return [
				[h("span", { class: "mono", title: s.id }, short(s.id)), s.tag && h("span", { class: "mark" }, s.tag)],
				statusChip(s), deviceOf(s),
				s.connectionLimit ? h("span", { title: `of ${s.connectionLimit}` }, String(s.connections)) : String(s.connections),
				s.speaker ?? "",
				[h("span", null, s.scenario ?? s.fixture), s.stage && h("span", { class: "note" }, ` ${s.stage}`)],
				String(s.entries), `${s.userMessages} / ${s.replies}`,
				misses ? chip(String(misses), "warn") : "0", faultsOf(s).slice(0, 2).map((t) => chip(t.name, "warn")),
				[ago(Math.max(0, app.now() - lastActivity(s))),
					idle != null && idle < 60_000 && h("span", { class: "mark warn" }, `idle timeout in ${length(Math.max(0, idle))}`)],
					ago(Math.max(0, app.now() - millis(s.openedAt))),
				menu(`Actions of ${short(s.id)}`, [
					["Open", () => go(`#/sessions/${s.id}/conversation`)], ["Open scenario in chat", () => window.open(chatLink(s))],
					["Side chat", () => app.chatBeside(scenarioOf(s))],
					["Copy id", () => copy(s.id, "Id")], ["Copy scenario line", () => copy(scenarioOf(s), "Line")],
					["Copy replay command", () => copy(s.replay, "Command")],
					...exportItems(s.id), s.state === "open" && ["End", () => end(s), true], ["Delete", () => remove(s), true],
				]),
			];
		},
		open: (s) => go(`#/sessions/${s.id}/conversation`),
		sort: (name) => {
			const up = remembered.sorted.name === name ? !remembered.sorted.up
				: !["Started", "Unmatched", "Last activity", "Messages"].includes(name);
			remembered.sorted = { name, up };
			table.heading(remembered.sorted);
			draw();
		},
		sorted: remembered.sorted,
	});
	const nothing = h("div");
	const note = h("p", { class: "note", role: "status", "aria-label": "Sessions shown" });
	const draw = () => {
		const all = [...app.sessions.values()];
		const low = remembered.text.toLowerCase();
		const value = values[remembered.sorted.name], way = remembered.sorted.up ? 1 : -1;
		const shown = all.filter((s) => (remembered.state === "all" || s.state === remembered.state)
			&& (!remembered.unmatched || s.unmatched) && (!remembered.faulted || faultsOf(s).length || s.fired)
			&& (!low || [s.id, s.fixture, s.scenario, s.tag, s.platform, s.stage,
				s.speaker].some((v) => v?.toLowerCase().includes(low))))
			.map((s) => [value(s), s]).sort(([a, x], [b, y]) => (
				a < b ? -way : a > b ? way : x.openedAt < y.openedAt ? 1 : -1)).map(([, s]) => s);
		table.set(shown);
		note.textContent = shown.length === all.length ? count(all.length, "session")
			: `${shown.length} of ${count(all.length, "session")}`;
		fill(nothing, ...shown.length ? [] : [all.length
			? empty("No session fits", "Change the filters above.")
			: empty("No sessions yet",
				"Open the chat page, or point an SDK at this server: each session appears here as it begins.",
				h("a", { class: "button primary", href: "/chat", target: "_blank" }, "Open chat page"))]);
	};
	const box = h("input", { type: "search", "aria-label": "Filter sessions",
		placeholder: "Filter by id, scenario, tag, stage", value: remembered.text,
		oninput: () => { remembered.text = box.value; draw() },
		onkeydown: (event) => { if (event.key === "Escape") {
		if (box.value) { box.value = remembered.text = ""; draw() } else box.blur() } } });
	const imported = () => [...new Set(app.log.rows.map((row) => row.session).filter((id) => id?.startsWith(
		"imported-")))];
	const node = h("div", { class: "page fixed" },
		top("Sessions", note, h("span", { class: "grow" }),
			menu("Bulk actions", () => [
				["Export all", () => exportFile("jsonl")],
				...imported().map((id) => [`Open ${id}`, () => go(`#/sessions/${id}/wire`)]),
				["Delete ended", () => all("Delete ended sessions?", "ended", (s) => app.server.delete(`sessions/${s.id}`)), true],
				["End all", () => all("End all open sessions?", "open", (s) => app.server.post(`sessions/${s.id}/end`, {})), true],
			], { text: "Actions", class: "" })),
		h("div", { class: "bar" }, h("div", { class: "filter" }, box),
			pick("State", [{ value: "all", text: "All states" }, { value: "open", text: "Open" },
			{ value: "ended", text: "Ended" }], remembered.state, (v) => { remembered.state = v; draw() }),
			toggle("Unmatched", remembered.unmatched, (v) => { remembered.unmatched = v; draw() }),
			toggle("With faults", remembered.faulted, (v) => { remembered.faulted = v; draw() })),
		h("div", { class: "list" }, table.root, nothing));
	const all = async (title, state, work) => {
		const those = [...app.sessions.values()].filter((s) => s.state === state);
		if (!those.length) return notice(`No session is ${state}`);
		if (!await confirm(title, count(those.length, "session"), "Go ahead")) return
		await attempt(async () => { for (const s of those) await work(s); await load.sessions() }, "Done");
	};
	draw();
	const off = app.on("sessions faults unmatched reset", draw);
	const ticking = setInterval(draw, 5000);
	return { node, title: "Sessions", destroy: () => { off(); clearInterval(ticking) }, key: (event) => {
		if (event.key === "/") { box.focus(); box.select() }
		else if (["j", "k", "ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)
			&& !table.root.contains(document.activeElement)) { table.root.focus(); table.pressed(event) }
		else return false;
		return true;
	} };
};

// MARK: - One session

const parts = {
	conversation: ["Conversation", () => import("./talk.js")],
	wire: ["Wire", async () => ({ part: wire })],
	runs: ["Runs", () => import("./runs.js")],
	state: ["State", () => import("./state.js")],
	agent: ["Live agent", () => import("./takeover.js")],
	faults: ["Faults", () => import("./faults.js")],
	unmatched: ["Unmatched", () => import("./unmatched.js")],
};

const copies = (s) => [
	["Copy id", () => copy(s.id, "Id")], ["Copy scenario line", () => copy(scenarioOf(s), "Line")],
	["Copy chat link", () => copy(location.origin + chatLink(s), "Link")],
	["Copy replay command", () => copy(s.replay, "Command")],
];
/** Where there is no room for buttons, their items are in the menu. */
const isNarrow = () => matchMedia("(max-width: 900px)").matches;

const one = ({ parts: [id, first = "conversation"], query, go }) => {
	const session = () => app.sessions.get(id);
	const isImported = id.startsWith("imported-");
	let part = null, now = "", turn = 0;
	const head = h("header", { class: "page-head" });
	const tabBar = h("div");
	const panel = h("div", { class: "tab-panel", role: "tabpanel", id: "session-panel", tabIndex: -1 });
	const node = h("section", { class: "page fixed", role: "region", "aria-label": `Session ${short(id)}` }, head, tabBar,
		panel);
	let drawn = "";

	const draw = () => {
		const s = session();
		const key = JSON.stringify([s && [s.state, s.currentSpeaker, s.connections, s.stage, s.speaker], now, s?.unmatched,
			s && faultsOf(s).length, s?.runs > 0]);
		if (key === drawn) return
		drawn = key;
		fill(head,
			h("a", { href: "#/sessions", class: "quiet back", "aria-label": "All sessions" }, icon("back")),
			h("h2", { class: "mono", title: id }, short(id)),
			...s ? [statusChip(s), h("span", { class: "note ellipsis" },
				[s.scenario ?? s.fixture, s.stage && `stage ${s.stage}`, s.speaker,
				count(s.connections, "socket")].filter(Boolean).join(" · ")), h("span", { class: "grow" }),
				h("a", { class: "button wide-only", href: chatLink(s), target: "_blank" }, "Open scenario in chat"),
				menu("Copy", copies(s), { text: "Copy", class: "wide-only" }),
				menu("Export", exportItems(id), { text: "Export", class: "wide-only" }),
				menu("Session actions", () => [
					["Side chat", () => app.chatBeside(scenarioOf(s))],
					...isNarrow() ? [["Open scenario in chat", () => window.open(chatLink(s))], ...copies(s), ...exportItems(id)] : [],
					s.state === "open" && ["End session", () => end(s), true], ["Delete session", () => remove(s), true]]),
			] : [chip(isImported ? "imported, read-only" : "forgotten", "off"), h("span", { class: "grow" }),
			menu("Export", exportItems(id), { text: "Export", class: "" })]);
		const names = Object.entries(parts).filter(([word]) => word === "runs" ? s?.runs : s || word === "wire"
			|| word === "conversation")
			.map(([word, [text]]) => [word, text, s && { unmatched: s.unmatched, faults: faultsOf(s).length }[word]]);
		fill(tabBar, tabs("Session views", names, now, (word) => go(`#/sessions/${id}/${word}`), "session-panel"));
	};

	const open = async (word, query) => {
		if (!parts[word]) word = "conversation";
		if (part && word === now && part.update?.(query)) return
		now = word;
		const mine = turn += 1;
		draw();
		panel.setAttribute("aria-labelledby", `tab-Session-views-${word}`);
		const module = await parts[word][1]();
		if (mine !== turn) return
		part?.destroy?.();
		part = module.part({ session: session() ?? { id, isGone: true }, query, go });
		const had = panel.contains(document.activeElement);
		panel.replaceChildren(part.node);
		if (had) panel.focus({ preventScroll: true });
	};
	open(first, query);
	const off = app.on("sessions faults unmatched", draw);
	return {
		node, title: `Session ${short(id)}`,
		destroy: () => { off(); part?.destroy?.() },
		update: ([next, word = "conversation"], query) => {
			if (next !== id) return false;
			open(word, query);
			return true;
		},
		key: (event) => part?.key?.(event) || (event.key === "Escape" && (go("#/sessions"), true)),
	};
};

export const view = (place) => place.parts.length ? one(place) : list(place);
