// Faults: what goes wrong on purpose. Active ones, presets, and a form in the words of fixtures.

import { app, load } from "./app.js";
import { curlOf } from "./copy.js";
import { attempt, box, button, chip, confirm, copy, empty, field, fill, h, menu, pick, plain, remark,
	top } from "./ui.js";
import { effectText, short } from "./words.js";

/** What people ask for by name: where it happens, what it does, and what a client sees of it. */
const kinds = [
	["Drop connection", "reply 1", { drop: "connection" }, "The connection breaks without a close frame."],
	["Close", "reply 1", { close: 4001 }, "A close frame with this code comes instead."],
	["Delay outgoing", "any event", { delay: "500ms" }, "It is late, and so is everything after it."],
	["Freeze", "reply 1", { stall: "12s" }, 'It and everything after it wait; "forever" never ends.'],
	["Mute echoes", "user message 1", { lose: "event" }, "The echo is not sent; the journal has it."],
	["Drop next frames", "any event", { lose: "event" }, "Events are not sent; the journal has them."],
	["Duplicate", "reply 1", { repeat: "event" }, "It is sent twice."],
	["Reorder", "reply 1", { swap: "event" }, "It changes places with the next one."],
	["Skip sequence", "reply 1", { garble: "wrong sequence" }, "The sequence number is wrong."],
	["Corrupt", "reply 1", { garble: "bad JSON" }, "It is damaged on its way."],
	["Refuse handshake", "handshake 1", { refuse: 429, retryAfter: "5s" },
		"A browser sees only that the socket did not open."],
	["REST error", "session", { refuse: 429, retryAfter: "2s" }, "The call for a token or a session is refused."],
	["Slow first byte", "connect 1", { delay: "5s" }, "The history of a new connection comes late."],
	["Stop heartbeat echo", "heartbeat 1", { lose: "event" }, "A client should find the socket dead."],
	["Agent error", "user message 1", { agentError: "high load" }, "A documented error text in place of the reply."],
];
const about = {
	tunnel: "the first answer is cut off, and so are two attempts to come back", lift: "12 s of nothing, then everything",
	train: "late, now and then a break", "hotel-wifi": "a slow start, late, some twice",
	"bad-deploy": "a failed session, close 1012, two 503",
};

/** A fixture's fault takes the place of the preset with its name. */
export const offered = (presets, own) => presets.filter((name) => !own.some((t) => t.name === name));

/**
 * The input for what an effect takes, in the server's words.
 * `1000–1003, 1007–1014` is a number, `bad JSON, bad UTF-8` a choice.
 */
export const inputOf = (takes) => {
	if (/^\d/.test(takes)) return { kind: "number",
		hint: takes.split(",")[0].includes("–") ? takes.replace(/, with it.*/, "") : takes };
	const options = takes.split(",").map((each) => each.trim());
	if (options[0] === "a length of time") return { kind: "text",
		hint: ["500ms, 2s, 5m", ...options.slice(1)].join(", ") };
	return options.length > 1 ? { kind: "choice", options } : { kind: "fixed", value: options[0] };
};

const change = (ask, done) => attempt(async () => { await ask(); await load.faults() }, done);
const add = (body) => change(() => app.server.post("faults", body), "Fault added");
const drop = (t) => change(() => app.server.delete(`faults/${t.id}`), "Fault removed");
export const clearAll = async () => {
	if (await confirm("Remove all faults?", "Delayed frames are sent immediately, in order.", "Remove all"))
		await change(() => app.server.delete("faults"), "No fault is active");
};
const bodyOf = (t) => ({
	at: t.at, do: t.do, times: t.times, ...t.per !== "session" ? { per: t.per } : {},
	...t.chance !== 1 ? { chance: t.chance } : {},
	...t.scope?.includes(":") ? { [t.scope.split(":")[0]]: t.scope.slice(t.scope.indexOf(":") + 1) } : {},
});
/** Fields for an effect: which one, and what it takes. Gives {node, value, set(effect)}. */
const effectFields = () => {
	const json = h("textarea", { "aria-label": "Effect as JSON", class: "mono", rows: 2, spellcheck: "false" });
	const details = h("details", null, h("summary", null, "As JSON"), json,
		remark("What stands here is sent; the fields above write it."));
	const values = h("div", { class: "fields" }), text = h("span");
	const name = h("select", { "aria-label": "Effect", onchange: () => choose({ [name.value]: undefined }) });
	let boxes = {};
	const write = () => {
		const read = ([key, element]) => [key,
			element.type === "number" && element.value !== "" ? Number(element.value) : element.value];
		json.value = JSON.stringify(Object.fromEntries(Object.entries(boxes).map(read).filter(([, value]) => value !== "")));
	};
	const boxOf = (key, takes, value) => {
		const { kind, hint, options, value: only } = inputOf(takes);
		if (kind === "fixed") return h("input", { type: "hidden", value: only });
		if (kind === "choice") return pick(key, options, value ?? options[0], write);
		return h("input", { "aria-label": key, type: kind, placeholder: hint, value: value ?? "", oninput: write });
	};
	const choose = (effect) => {
		const key = Object.keys(effect)[0], found = app.effects.find((each) => each.do === key);
		fill(name, app.effects.map((e) => h("option", { value: e.do }, e.do)));
		name.value = key;
		boxes = { [key]: boxOf(key, found?.takes ?? "", effect[key]) };
		if (key === "refuse") boxes.retryAfter =
			h("input", { "aria-label": "retryAfter", placeholder: "2s", value: effect.retryAfter ?? "", oninput: write });
		fill(values, Object.entries(boxes).filter(([, element]) => element.type !== "hidden")
			.map(([label, element]) => field(label, element,
				inputOf(found?.takes ?? "").kind === "number" && label === key ? inputOf(found.takes).hint : "")));
		fill(text, found?.about ?? "");
		write();
	};
	return {
		name, text, node: h("div", { class: "wide" }, values, details), set: choose,
		get value() { try { return JSON.parse(json.value) } catch { return json.value } },
	};
};

const make = (session) => {
	const mine = () => session
		? app.faults.filter((t) => t.scope === "all" || t.scope === `session:${session.id}` || session.tag
			&& t.scope === `tag:${session.tag}`) : app.faults;
	const active = h("div");
	const clear = button("Remove all faults", clearAll);
	const row = (t) => [
		chip(t.name, "warn"), t.at, h("code", null, effectText(t.do)),
		`${t.times}${t.chance !== 1 ? ` · chance ${t.chance}` : ""}`, t.fired,
		h("span", { title: t.scope }, t.scope.replace(/[^:]{20,}$/, short)), t.by,
		h("div", { class: "line" }, button("Remove", () => drop(t), { "aria-label": `Remove ${t.name}` }),
			menu(`More about ${t.name}`, [
			["Copy as JSON", () => copy(JSON.stringify(bodyOf(t)), "JSON")],
			["Copy as curl", () => copy(curlOf("faults", bodyOf(t), location.origin), "Command")],
			["Frames it changed", `#/log?filter=${encodeURIComponent(`fault:"${t.name}"`)}`]])),
	];
	const draw = () => {
		const list = mine();
		fill(active, list.length
			? h("div", { class: "scrolls" }, plain("Active faults",
				["Fault", "At", "Effect", "Times", "Fired", "Scope", "By", ""], list.map(row)))
			: empty("No fault is active",
				"A fault is something that goes wrong on purpose: a connection that breaks, an event that is late or lost. "
				+ "Choose a preset, or add one below. It is counted separately for each session."));
		clear.disabled = app.faults.length === 0;
	};

	// MARK: Scope

	const scopeOf = () => scope.value === "all" ? {} : scope.value === "session" ? { session: session?.id ?? who.value }
		: { [scope.value]: scope.value === "connection" ? Number(who.value) : who.value };
	const scopes = [["all", "all sessions"], ["tag", "a tag"], ["connection", "a connection"]];
	scopes.splice(session ? 0 : 1, 0, ["session", session ? "this session" : "a session"]);
	const scope = pick("Scope", scopes.map(([value, text]) => ({ value, text })), scopes[0][0], () => {
		whoField.hidden = scope.value === "all" || scope.value === "session" && Boolean(session);
	});
	const who = h("input", { "aria-label": "Which", placeholder: "id, tag or number" });
	const whoField = field("Which", who);
	whoField.hidden = true;

	// MARK: A new one

	const at = h("input", { "aria-label": "At", value: kinds[0][1], list: "moments" });
	const times = h("input", { type: "number", "aria-label": "Times", min: 1, value: 1 });
	const chance = h("input", { "aria-label": "Chance", placeholder: "100%" });
	const effect = effectFields(), hint = remark(kinds[0][3]);
	const kind = pick("Fault", kinds.map(([name]) => name), kinds[0][0], (value) => {
		const [, moment, what, text] = kinds.find(([name]) => name === value);
		at.value = moment;
		effect.set(what);
		fill(hint, text);
		times.value = value === "Delay outgoing" ? 1000 : 1;
	});
	effect.set(kinds[0][2]);
	const send = () => add({ at: at.value, do: effect.value, times: Number(times.value) || 1, ...chance.value ? {
		chance: chance.value } : {}, ...scopeOf() });

	const presets = (names, from) => h("div", { class: "row" },
		names.map(([name, title]) => button(name, () => add({ name, fixture: from, ...scopeOf() }), { title })));
	const fixture = session?.fixture ?? app.fixtures.find((f) => f.default)?.name;
	const path = `fixtures/${encodeURIComponent(fixture)}`, named = h("div");
	const offer = (own) => {
		const names = offered(app.presets, own);
		fill(named, presets(names.map((name) => [name])), h("ul", { class: "note" },
			names.map((name) => h("li", null, h("strong", null, name), ` ${about[name] ?? ""}`))),
		own.length > 0 && [h("h4", null, "Of the fixture ", h("a", { href: `#/${path}` }, fixture)),
			presets(own.map((t) => [t.name, `${t.at}: ${effectText(t.do)}`]), fixture)]);
	};
	offer([]);
	if (fixture) app.server.get(path).then((f) => offer(f.faults)).catch(() => {});

	const node = h("div", { class: "page" }, top(session ? null : "Faults", h("span", { class: "grow" }), clear), active,
		box("Presets", named),
		box("New fault", h("div", { class: "form-grid" },
			field("Fault", kind, hint), field("At", at, "When it happens: reply 2, user message 1"),
			field("Effect", effect.name, effect.text), effect.node,
			field("Times", times, "Counted separately for each session"), field("Chance", chance, "How often it happens there"),
			field("Scope", scope), whoField),
		h("div", { class: "row" }, button("Add", send, { class: "primary" })),
		h("datalist", { id: "moments" }, app.moments.map((m) => h("option", { value: m.at }, m.about))),
		h("details", null, h("summary", null, "All effects"),
			plain("Effects", ["Effect", "Takes", "What happens"], app.effects.map((e) => [e.do, e.takes, e.about])))));
	draw();
	return { node, title: "Faults", destroy: app.on("faults", draw) };
};
export const view = () => make();
export const part = ({ session }) => make(session.isGone ? null : session);
