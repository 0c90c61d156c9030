// The chat page: it shows the conversation and handles input.
import { announcer, copy, download, foreign, h, icon, keyed, set } from "../shared/dom.js";
import { candidates, words } from "../shared/i18n.js";
import { avatar, change, make } from "../shared/rows.js";
import { announcement, spoken } from "../shared/speech.js";
import { create, due, newestFirst, rows, step, suggestions } from "../shared/store.js";
import { composer, cut, length, sends, typist } from "./composer.js";
import { connect, keeper } from "./proto.js";
import { scroller } from "./scroll.js";

const now = () => Date.now(), after = (ms, run) => setTimeout(run, ms), cancel = (timer) => clearTimeout(timer);
const root = document.documentElement, chat = document.getElementById("chat");
const query = new URLSearchParams(location.search);
const json = (path) => fetch(path).then((answer) => (answer.ok ? answer.json() : {})).catch(() => ({}));
const extras = () => import("./extras.js");
let more;

const [config, english] = await Promise.all([json("/pages/config.json"), json("/pages/shared/strings/en.json")]);
const languages = ["en", "en-GB", "es", "fr-CA", "de", "ar", "he"];
const setting = (name, other) => query.get(name) ?? config[name] ?? other;
const extensions = setting("extensions")?.split(","), zone = query.get("tz") ?? undefined;
// A plus in a query reads as a blank; the words of a scenario line have none.
const token = query.get("token")?.replace(/^mock:.*/, (line) => line.replaceAll(" ", "+")) ?? config.token;
const still = () => root.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
const touch = matchMedia("(pointer: coarse)").matches;
// comments: newest on top, below the box; suggestions stay without a box.
const flip = query.get("layout") === "comments", writes = setting("inputs", "text").split(",").includes("text");
const home = (hands = touch) => (hands || !writes ? log : textbox).focus();

// Words

let say, view;
async function speak(language) {
	const names = candidates(language);
	const packs = await Promise.all(
		names.filter((each) => languages.includes(each)).map((each) => json(`/pages/shared/strings/${each}.json`)));
	const own = [...names, "en"].map((each) => config.strings?.[each]).filter(Boolean);
	const told = packs.some((pack) => pack["composer.label"]) || /^en\b/.test(language);
	const spoken = words([...own, ...packs, english], told ? language : "en", zone);
	view = Object.assign(view ?? {}, spoken, { version: (view?.version ?? 0) + 1 });
	({ say } = spoken);
	view.pack = language;
	set(root, { lang: told ? language : "en", dir: spoken.direction });
}
await speak(query.get("lang") ?? config.language ?? navigator.language);

Object.assign(view, {
	now: () => now() + state.offset, picture: config.agentImage, still, after,
	lang: () => (state.language && state.language.split("-")[0] !== root.lang.split("-")[0] ? state.language : null),
	copy: (text) => copy(text).then((done) => done && tell(say("copied"))),
	look: async (images, first, button) => ((await (await extras()).viewer(images, first, view)), button.focus()),
	actions: messageMenu,
	retry: (item) => (act({ do: "retry", id: item.key, fresh: crypto.randomUUID() }), scroll.end(), home(false)),
	remove: (item) => (act({ do: "remove", id: item.key }), home(false)),
	stay: () => (link.heartbeat(), act({ do: "active" }), home(false)),
});


set(root, { "data-theme": setting("theme", "auto"), "data-motion": query.get("motion") });
for (const [name, value] of Object.entries(config.tokens ?? {})) if (name.startsWith("--chat-")) root.style.setProperty(
	name, value);
if (config.accent) {
	const light = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) =>
		(c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce(
		(sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const own = /^#[\da-f]{6}$/i.test(config.accent) ? light(config.accent) : NaN, white = 1.05 / (own + 0.05);
	// The lowest contrast against the backgrounds of the schemes that may be shown.
	if (white >= 3) {
		root.style.setProperty("--chat-accent", config.accent);
		root.style.setProperty("--chat-on-accent", white > (own + 0.05) / 0.05 ? "#fff" : "#000");
	} else console.info(`accent ${config.accent}: less than 3:1 against white, or not #rrggbb; the page keeps its own`);
}

// The page

let asking = false, consent = Boolean(config.consent), debug = null;
let state, link, phase = "boot", failure = {}, shownConversation = false, resumed = "", wasOpen = false, times = false;
const heading = h("h1"), presence = h("p", { class: "presence" }), face = h("div", { class: "face" });
const menuButton = h("button", { class: "quiet", "aria-haspopup": "menu", "aria-expanded": "false", onclick: openMenu },
	icon("more"));
const head = h("header", {}, face, h("div", { class: "titles" }, heading, presence), menuButton);
const notice = h("section", { class: "notice", hidden: true });
const connection = h("div", { class: "connection", role: "status" });
const start = h("div", { class: "system start" });
const above = h("div"), below = h("div");
const list = h("div", { class: "rows" });
const offered = h("div", { class: "suggestions", role: "group", hidden: true });
const dots = h("div", { class: "typing", "aria-hidden": "true", hidden: true },
	h("span", { class: "dots" }, h("i"), h("i"), h("i")));
const tail = h("div", { class: "tail" }, dots);
const skeleton = h("div", { class: "skeleton", "data-part": "skeleton", "aria-hidden": "true", hidden: true }, h("i"),
	h("i"), h("i"));
const empty = h("div", { class: "empty", hidden: true });
const turned = (parts) => (flip ? parts.reverse() : parts);
const log = h("div", { class: "log", role: "log", "aria-live": "off", tabindex: 0 },
	turned([start, flip ? below : above, empty, skeleton, list, flip ? above : below, offered, tail]));
const jump = h("button", { class: "jump", hidden: true, onclick: () => (scroll.end(), draw(), log.focus()) });
const overlay = h("section", { class: "card-view", hidden: true });
const main = h("main", {}, log, connection, jump, overlay);
const textbox = h("textarea", { rows: 1, autocapitalize: "sentences", autocomplete: "off", enterkeyhint: "send",
	dir: "auto" });
const sendButton = h("button", { class: "send", type: "submit" }, icon("send", true));
const hint = h("p", { class: "hint" });
const form = h("form", { class: "composer" }, textbox, sendButton);
const ended = h("section", { class: "ended", hidden: true });
const foot = h("div", { class: "foot" }, form, hint, ended);
const activity = h("div", { class: "hidden", role: "status" }),
	announcements = h("div", { class: "hidden", role: "status" });
chat.classList.toggle("comments", flip);
chat.append(h("div", { class: "top" }, head), notice, ...turned([main, foot]), activity, announcements);
const tell = announcer(announcements, after);

function label() {
	const names = new Map([[menuButton, "menu.open"], [connection, "connection"], [notice, "notice"], [log, "log"], [
		offered, "suggestions.label"], [activity, "activity"],
		[announcements, "announcements"], [form, "composer"], [textbox, "composer.label"], [sendButton, "composer.send"]]);
	for (const [element, key] of names) set(element,
		{ "aria-label": say(key), title: element.tagName === "BUTTON" ? say(key) : null });
	set(textbox, { placeholder: say("composer.placeholder") });
	if (config.disclaimer || config.links) {
		notice.hidden = false;
		notice.replaceChildren(h("p", {}, config.disclaimer ?? "", " ",
			(config.links ?? []).map(({ text, url }) => h("a", { href: url, ...foreign }, text))));
	}
}

// The talk

let timer = null, planned = false;
function act(action) {
	const effects = step(state, action, now());
	// Of many only the last ones are read out.
	const told = effects.filter((each) => each.announce).slice(-3);
	for (const effect of effects) {
		if (effect.send) {
			const { key, text, payload, custom } = effect.send;
			link.send("USER_MESSAGE", { text }, { local_id: key, ...(payload && { suggestion_payload: payload }), ...custom });
		}
		if (told.includes(effect)) tell(announcement(effect.announce, say)), notify(effect.announce.item);
	}
	if (state.language && state.language !== view.told) {
		view.told = state.language;
		speak(state.language).then(() => (label(), draw()));
	}
	cancel(timer);
	const next = due(state, now());
	if (next !== null) timer = after(Math.max(0, next - now()), () => act({ do: "tick" }));
	draw();
}

const draw = () => {
	if (planned) return;
	planned = true;
	chat.dataset.idle = "false";
	if (document.hidden) after(0, render);
	else requestAnimationFrame(render);
};

function fresh(key) {
	const drafts = state ? [...state.drafts] : [];
	state = create({
		zone, agent: config.agent, progressive: query.get("progressive") !== "0", idleGrace: config.idleGrace ?? 30,
		heard: (frame) => more?.hear(frame),
		queueForever: query.get("queue") === "forever", resend: query.get("resend"),
	});
	if (document.hidden) state.visible = false;
	list.replaceChildren();
	scroll.reset();
	shownConversation = false;
	if (key) act({ do: "note", key, event: "session" });
	for (const { key, text, payload } of drafts) if (text) act({ do: "say", id: key, text, payload });
}

/** Shows the tools at work, by the control API; without tools it is asked once. */
const work = async () => {
	config.runs = false;
	const { id } = link.session, path = `/_mock/sessions/${id}/runs?last=`, { hasRuns } = await json(path + 0);
	if (hasRuns) await (await import("./runs.js")).watch(() => json(path + 1),
		() => state.typing && id === link.session?.id, dots, (text) => ((state.work = text), draw()));
	config.runs = hasRuns !== false;
};
function hear(what) {
	if (what.frame) act({ do: "frame", frame: what.frame }), config.runs && state.typing && work();
	else if (what.open) act({ do: "open" });
	else if (what.lost !== undefined) act({ do: "lost" });
	else if (what.closed) act({ do: "closed" });
	else if (what.renewed) fresh(what.renewed);
	else if (what.phase) {
		phase = what.phase;
		failure = what;
		if (what.resumed) resumed = "wanted";
		if (phase === "connecting") after(800, draw), (failure.since = now());
		if (phase === "open") {
			if (resumed === "wanted" && state.items.length) (resumed = "shown"), after(3000, () => ((resumed = ""), draw()));
			else if (resumed === "wanted") resumed = "";
			if (!wasOpen) arrive();
			wasOpen = true;
			textbox.value ||= storage.note("draft");
			grow();
		}
		if (phase === "failed") shownConversation = false;
	}
	draw();
}

/** On first sight: what came since the reader left, and the message of an address #m-…. */
function arrive() {
	const seen = storage.note("seen"), wanted = /^#m-(.+)/.exec(location.hash)?.[1];
	if (seen) act({ do: "resume", id: seen });
	const at = wanted ? state.items.findIndex((each) => each.id === decodeURIComponent(wanted)) : -1;
	if (at < 0) return;
	scroll.up();
	scroll.show(at);
	render();
	const article = document.getElementById("m-" + state.items[at].id);
	article.scrollIntoView({ block: "center" });
	article.focus();
}

const scroll = scroller({
	log, list, flip, above, below, after, cancel, draw,
	items: () => state.items, changed: (following) => act({ do: following ? "bottom" : "away" }),
});
const storage = keeper(setting("persist", "tab"), "polymock", () =>
	fetch("/pages/config.json", { cache: "no-store" }).then((answer) => answer.ok, () => false), after);
fresh();
link = connect(
	{
		now, after, cancel, random: Math.random, fetch: (...all) => fetch(...all), Socket: WebSocket,
		online: () => navigator.onLine, storage,
		cursor: () => state.cursor, joined: () => state.joined || Boolean(state.person || state.queue),
		ended: () => Boolean(state.ended?.final), capabilities: () => state.started,
	},
	{ server: config.server ?? location.origin, token, host: query.get("host") ?? config.host ?? location.origin,
		streaming: setting("streaming", "1") !== "0" && config.streaming !== false,
		reconnects: query.has("reconnects") ? +query.get("reconnects") : config.reconnects,
		platform: query.get("platform") ?? "web", extensions },
	hear,
);
if (extensions) more = (await import("./changes.js")).extend(
	{ act, draw, form, link, list, state: () => state, tell, textbox, view });

// Drawing

function render() {
	planned = false;
	const { lo, hi } = scroll.window(), had = list.contains(document.activeElement);
	set(chat, { "data-phase": consent ? "consent" : phase });
	drawHead();
	drawConnection();
	const shown = rows(state, lo, hi);
	keyed(list, flip ? newestFirst(shown) : shown, make,
		(element, row) => ((element.item = row.item), change(element, row, view)));
	if (had && !list.contains(document.activeElement)) log.focus({ preventScroll: true });
	list.toggleAttribute("data-times", times);
	more?.draw();
	const first = state.items.length < 100 ? "" : say("history.start");
	if (start.textContent !== first) set(start,
		{ role: first ? "note" : null, "aria-label": first || null }).replaceChildren(
		first && h("span", { class: "pill" }, first));
	const early = phase === "connecting" || phase === "boot",
		waiting = early && !state.items.length && !asking && !consent;
	skeleton.hidden = !waiting;
	drawEmpty();
	drawSuggestions();
	const typing = state.typing && phase === "open" ? state.work || say("typing.one", { name: state.typing.name }) : "";
	dots.hidden = !typing;
	set(activity, { text: typing });
	drawFoot();
	drawOverlay();
	set(jump, { "aria-label": state.below ? say("jump.new", { n: state.below }) : say("jump.latest") });
	if (jump.dataset.n !== String(state.below)) {
		jump.dataset.n = state.below;
		jump.replaceChildren(icon("down"), state.below ? h("span", {}, String(state.below)) : "");
	}
	jump.hidden = scroll.following || log.hidden;
	scroll.settle();
	document.title = (state.unread ? `(${state.unread}) ` : "") + heading.textContent;
	debug?.(link, state, phase);
	const busy = early || phase === "reconnecting" || state.typing || state.growing.size || state.drafts.size;
	chat.dataset.idle = String(!busy && !planned);
}

function drawHead() {
	const name = state.person?.name ?? config.header ?? state.agent?.name ?? "Chat";
	const url = state.person ? state.person.avatar : config.image ?? config.agentImage ?? state.agent?.avatar;
	set(heading, { text: name });
	head.classList.toggle("live", Boolean(state.person));
	if (face.dataset.of !== name + url) {
		face.dataset.of = name + url;
		face.replaceChildren(avatar(name, url));
	}
	const who = phase === "ended" || !state.presence ? "" : state.presence;
	const over = { ended: "ended.title", failed: "failed.title" }[phase];
	set(presence, { text: over ? say(over) : who && say("presence." + who), "data-of": over ?? who });
}

let ticking = null;
function drawConnection() {
	const lines = [];
	if (!navigator.onLine) lines.push(say("conn.offline"));
	let pause = 0;
	if (phase === "reconnecting" && wasOpen) {
		lines.push(say("conn.reconnecting", { n: failure.attempt ?? 1 }));
		pause = navigator.onLine && failure.until ? Math.ceil((failure.until - now()) / 1000) : 0;
		cancel(ticking);
		if (pause > 0) ticking = after(1000 - ((now() - failure.until) % 1000), draw);
	}
	else if ((phase === "connecting" || phase === "reconnecting") && now() - (failure.since ?? 0) >= 800) lines.push(
		say("conn.connecting"));
	if (resumed === "shown") lines.push(say("conn.resumed"));
	if (connection.dataset.of !== lines.join("|")) {
		connection.dataset.of = lines.join("|");
		connection.replaceChildren(...lines.map(
			(text) => h("span", { class: text === say("conn.resumed") ? "good" : null }, text)));
	}
	// The seconds are for the eye: a status is read out at each change.
	let seconds = connection.querySelector("i");
	if (pause > 1) connection.lastElementChild.append((seconds ??= h("i", { "aria-hidden": "true" }))),
	set(seconds, { text: " " + say("conn.in", { n: pause }) });
	else seconds?.remove();
}

function drawEmpty() {
	const show = phase === "open" && !state.items.some((each) => each.kind === "message") && !state.growing.size
		&& !state.typing;
	empty.hidden = !show;
	if (!show || empty.dataset.of === view.version + "") return;
	empty.dataset.of = view.version;
	empty.replaceChildren(icon("chat"), h("p", {}, say("empty.hello")),
		h("div", { class: "suggestions starters" },
			(config.starters ?? []).map((text) => h("button", { dir: "auto", onclick: (event) => choose({ text }, event) },
			h("span", {}, text)))));
}

function drawSuggestions() {
	const found = phase === "ended" ? null : suggestions(state),
		key = found ? found.key + found.list.map((each) => each.text) : "";
	if (offered.dataset.of === key) return;
	offered.dataset.of = key;
	// A button that goes must not take the focus along.
	if (offered.contains(document.activeElement)) home();
	offered.hidden = !found;
	offered.replaceChildren(...(found?.list ?? []).map((each) =>
		h("button", { dir: "auto", "aria-label": each.text, title: each.text.length > 60 ? each.text : null,
			onclick: (event) => choose(each, event) }, h("span", {}, each.text))));
}

const button = (text, run, solid) => h("button", { class: solid ? "solid" : "outlined", onclick: run }, text);
const row = (...all) => h("div", { class: "row" }, all);
function drawFoot() {
	const over = phase === "ended", had = document.activeElement === textbox;
	form.hidden = hint.hidden = over || phase === "failed" || asking || consent || !writes;
	ended.hidden = !over;
	if (over && ended.dataset.of !== state.ended?.by + view.version) {
		ended.dataset.of = state.ended?.by + view.version;
		set(ended, { "aria-label": say("ended.title") });
		ended.replaceChildren(h("h2", {}, say(state.ended?.by === "person" ? "ended.live" : "ended.title")),
			row(button(say("ended.start"), restart, true), button(say("menu.download"), save)));
		if (had) ended.querySelector("button").focus();
	} else if (!over) ended.dataset.of = "";
	const { state: can, count } = composed();
	textbox.disabled = can === "disabled";
	sendButton.disabled = can !== "ready";
	const wrong = can === "tooLong" ? say("composer.tooLong") : "",
		counted = count === null ? "" : say("composer.count", { n: count, max });
	if (hint.dataset.of !== wrong + counted) {
		hint.dataset.of = wrong + counted;
		hint.replaceChildren(h("span", { class: "wrong", role: "status" }, wrong), h("span", {}, counted));
	}
}

function drawOverlay() {
	const kind = consent ? "consent" : asking ? "ask" : phase === "replaced" ? "replaced"
		: phase === "failed" && !shownConversation ? "failed" : "";
	const key = [kind, failure.reason, failure.code, failure.detail, failure.n, view.version].join(),
		had = overlay.contains(document.activeElement);
	overlay.hidden = !kind;
	log.hidden = Boolean(kind);
	if (overlay.dataset.of === key) return;
	overlay.dataset.of = key;
	set(overlay, { "aria-label": kind === "failed" ? say("failed") : null, role: kind === "failed" ? "region" : null });
	const retry = () => ((shownConversation = false), link.retry());
	const content = {
		"": () => [],
		consent: () => [h("p", {}, config.consent.text ?? config.disclaimer ?? ""),
			row(button(config.consent.button ?? "OK", () => ((consent = false), begin()), true))],
		ask: () => [row(button(say("ask.resume"), () => begin("resume"), true), button(say("ask.new"), () => begin("new")))],
		replaced: () => [h("p", {}, say("conn.replaced")), button(say("conn.useHere"), () => link.retry(), true)],
		failed: () => [icon("alert"), h("h2", {}, say("failed.title")),
			h("p", {}, say("failed." + failure.reason, { n: failure.n })),
			failure.detail && h("p", { class: "reason", dir: "auto" }, failure.detail),
			failure.code && h("p", {}, h("small", {}, say("failed.code", { code: failure.code }))),
			row(button(say("failed.retry"), retry, true),
				failure.reason === "sessionLost" && button(say("ended.start"), restart),
				button(say("failed.show"), () => ((shownConversation = true), draw(), after(0, () => log.focus())))),
			failure.reason === "config" && h("a", { href: "/inspect" }, say("failed.inspect"))],
	}[kind]();
	overlay.replaceChildren(...content.filter(Boolean));
	if (kind && kind !== "ask") overlay.querySelector("button").focus();
	else if (!kind && had) home();
}

// Writing

const max = config.maxLength ?? 500;
const composed = () => composer(
	{ text: textbox.value, max, wire: state.started?.max_message_size_bytes ?? Infinity,
	phase: consent ? "consent" : phase });
const typing = typist((state) => link.send("USER_TYPING", { state }), now, after, cancel);
let lastSend = { at: 0, text: "" }, draftTimer = null;
function grow() {
	if (CSS.supports("field-sizing", "content")) return;
	textbox.style.height = "auto";
	textbox.style.height = textbox.scrollHeight + "px";
}
function submit(repeat) {
	const { state: can, message } = composed();
	if (can !== "ready") return;
	if (repeat && now() - lastSend.at < 300 && lastSend.text === message) return;
	lastSend = { at: now(), text: message };
	textbox.value = "";
	storage.note("draft", "");
	cancel(draftTimer);
	typing.stop();
	sayIt(message);
	grow();
}
function sayIt(text, payload) {
	act({ do: "say", id: crypto.randomUUID(), text, payload, custom: more?.custom() });
	scroll.end();
	draw();
}
form.onsubmit = (event) => {
	event.preventDefault();
	const had = document.activeElement === textbox;
	submit();
	if (!touch || had) textbox.focus();
};
// A press must not take the focus, or phones hide their keyboard.
sendButton.onpointerdown = (event) => document.activeElement === textbox && event.preventDefault();
textbox.onkeydown = (event) => {
	if (sends(event)) {
		event.preventDefault();
		if (!event.repeat) submit();
	} else if (event.key === "Escape") log.focus();
	else if (event.key === "ArrowUp" && !textbox.value) {
		const last = state.items.findLast((each) => each.from === "user");
		if (last) (textbox.value = last.text), changed(), event.preventDefault();
	} else if (event.key === "PageUp" || event.key === "PageDown") page(event);
};
let composing = false, limited = false;
textbox.addEventListener("compositionstart", () => (composing = true));
textbox.addEventListener("compositionend", () => ((composing = false), changed()));
textbox.oninput = changed;
function changed() {
	if (!composing && length(textbox.value) > max) {
		textbox.value = cut(textbox.value, max);
		if (!limited) tell(say("composer.limit", { max }));
		limited = true;
	} else if (length(textbox.value) < max) limited = false;
	if (state.idle) act({ do: "active" });
	if (phase === "open") textbox.value.trim() ? typing.key() : typing.stop();
	cancel(draftTimer);
	draftTimer = after(300, () => storage.note("draft", textbox.value));
	grow();
	draw();
}
function choose({ text, payload }, event) {
	// The focus goes first: an element that is removed would take it along to the page.
	home(event && (event.pointerType === "touch" || (touch && event.detail > 0)));
	offered.hidden = true;
	sayIt(text, payload);
}

// Keys and menus

const articles = () => [...list.querySelectorAll("article")];
const smooth = () => (still() ? "instant" : "smooth");
function page(event) {
	const way = event.key === "PageUp" ? -1 : 1;
	if (scroll.away(way)) scroll.up();
	log.scrollBy({ top: way * log.clientHeight * 0.9, behavior: smooth() });
	event.preventDefault();
}
log.onkeydown = (event) => {
	const here = document.activeElement, article = here.closest("article"), { key } = event;
	if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA)$/.test(here.tagName)) return;
	if (key === "PageUp" || key === "PageDown") page(event);
	else if (key === "Home" || key === "End") {
		if ((key === "End") !== flip) scroll.end(), draw();
		else scroll.up(), (log.scrollTop = flip ? log.scrollHeight : 0);
		event.preventDefault();
	}
	else if ((key === "ArrowUp" || key === "ArrowDown") && (here === log || here === article)) {
		const all = articles(), way = key === "ArrowUp" ? -1 : 1;
		if (scroll.away(way)) scroll.up();
		all[(article ? all.indexOf(article) : flip ? -1 : all.length) + way]?.focus();
		event.preventDefault();
	} else if ((key === "ArrowLeft" || key === "ArrowRight") && offered.contains(here)) {
		const all = [...offered.children], way = (key === "ArrowRight") === (root.dir !== "rtl") ? 1 : -1;
		all[(all.indexOf(here) + way + all.length) % all.length].focus();
	} else if (article && here === article) {
		if (key === "ContextMenu" || (key === "F10" && event.shiftKey)) messageMenu(itemOf(article), article.actions,
			article), event.preventDefault();
		else if (key.toLowerCase() === "c") view.copy(spoken(itemOf(article)));
		else if (key === "Escape") home(false);
	} else if (key === "?" && here === log) extras().then((each) => each.shortcuts(view));
};
document.onkeydown = (event) => {
	if (!event.altKey || event.ctrlKey || event.metaKey) return;
	const digit = /^Digit([1-9])$/.exec(event.code)?.[1], button = digit && offered.children[digit - 1];
	if (button && !offered.hidden) button.click();
	else if (event.code === "KeyM") home(false);
	else if (event.code === "KeyL") log.focus();
	else return;
	event.preventDefault();
};
const itemOf = (article) => state.items.find((each) => each.key === article.dataset.key);
let press = null;
log.addEventListener("touchstart", ({ target, touches }) => {
	const article = target.closest("article");
	cancel(press);
	if (article && touches.length === 1 && !target.closest("a, button")) press =
		after(500, () => messageMenu(itemOf(article), article.actions, article));
}, { passive: true });
for (const name of ["touchend", "touchmove", "touchcancel"]) log.addEventListener(name, () => cancel(press),
	{ passive: true });

async function messageMenu(item, anchor, article) {
	const { details, menu } = await extras();
	menu(anchor, say("message.actions"), [
		{ text: say("action.copy"), run: () => view.copy(spoken(item)) },
		touch && { text: say("action.select"), run: () => (article.classList.add("selecting"),
			getSelection().selectAllChildren(article.bubble)) },
		...more?.actions(item) ?? [],
		{ text: say("message.details"), run: () => details(item, view) },
	].filter(Boolean), article);
}

async function openMenu() {
	const { confirm, menu, transcript } = await extras();
	const choice = (key, list, current, run) => () =>
		menu(menuButton, say(key), list.map(([value, text]) => ({ text, checked: value === current, radio: true, run: () =>
		run(value) })));
	const entries = [
		{ text: say("ended.start"), run: restart },
		phase !== "ended" && { text: say("menu.end"), danger: true, run: async () => {
			if (!(await confirm(say("end.confirm"), say("end.text"), say("menu.end"), say("cancel")))) return;
			act({ do: "end" });
			link.send("USER_END_SESSION");
		} },
		{ text: say("menu.download"), run: save },
		{ text: say("menu.copy"), run: () => view.copy(transcript(state.items, view)) },
		{ text: say("menu.theme"), run: choice("menu.theme",
			["auto", "light", "dark"].map((each) => [each, say("theme." + each)]), root.dataset.theme,
			(value) => set(root, { "data-theme": value })) },
		{ text: say("menu.language"), run: choice("menu.language",
			languages.map((each) => [each, new Intl.DisplayNames(each, { type: "language" }).of(each)]), view.pack,
			(value) => speak(value).then(() => (label(), draw()))) },
		{ text: say("menu.times"), checked: times, run: () => ((times = !times), draw()) },
		{ text: say("menu.docs"), run: () => open("/docs", "_blank", "noopener") },
		window.Notification && { text: say("menu.notify"), checked: notifies, run: async () =>
			(notifies = !notifies && (await Notification.requestPermission()) === "granted") },
	];
	menu(menuButton, say("menu.open"), entries.filter(Boolean));
}
const save = async () => download("transcript.txt", (await extras()).transcript(state.items, view));
function restart() {
	link.stop();
	storage.drop();
	state = null;
	fresh();
	link.start("new");
	render();
	home(false);
}
let notifies = false;
function notify(item) {
	if (notifies && item && document.hidden) new Notification(item.name,
		{ body: spoken(item).slice(0, 200), tag: item.id });
}


addEventListener("offline", () => (link.offline(), draw()));
addEventListener("online", () => (link.online(), draw()));
addEventListener("pagehide", () => {
	link.keep();
	storage.note("draft", textbox.value);
	if (state.visible && state.bottom) storage.note("seen",
		state.items.findLast((each) => each.kind === "message")?.id ?? "");
});
document.addEventListener("visibilitychange", () => act({ do: document.hidden ? "hide" : "show" }));
for (const name of ["resize", "scroll"]) window.visualViewport?.addEventListener(name, () => {
	root.style.setProperty("--height", window.visualViewport.height + "px");
	root.style.setProperty("--offset", window.visualViewport.offsetTop + "px");
	scroll.keep();
});

async function begin(how) {
	const wanted = how ?? setting("start", "auto");
	asking = wanted === "ask" && how === undefined;
	if (asking || consent) return draw();
	await link.start(wanted);
	draw();
}
label();
if (query.get("debug") === "1") {
	debug = (await import("./debug.js")).strip(chat, languages);
	window.chat = Object.freeze({ get phase() { return phase; }, get state() { return state; }, get counts() {
		return link.counts; } });
}
if (query.get("layout") === "widget") (await import("./widget.js")).panel(chat, say);
if (!touch) home();
begin();
