// What goes wrong on purpose: armed troubles, presets, and a form in the words of fixtures.

import { app, load } from "./app.js";
import { curlOf } from "./copy.js";
import { attempt, box, button, chip, confirm, copy, empty, field, fill, h, menu, pick, plain, top } from "./ui.js";

/** What people ask for by name, in the product's words. */
const kinds = [
	["Drop connection", "reply 1", { drop: "connection" }, "The connection breaks without a close frame."],
	["Close", "reply 1", { close: 4001 }, "A close frame with this code: 1000–1003, 1007–1014, 3000–4999."],
	["Delay outgoing", "any event", { delay: "500ms" }, "Late, and so is what comes behind it."],
	["Freeze", "reply 1", { stall: "12s" }, 'It and all behind it wait; "forever" never ends.'],
	["Mute echoes", "user message 1", { lose: "event" }, "The echo is not sent; the journal has it."],
	["Drop next frames", "any event", { lose: "event" }, "Events are not sent; the journal has them."],
	["Duplicate", "reply 1", { repeat: "event" }, "Sent twice."],
	["Reorder", "reply 1", { swap: "event" }, "Changes places with the next one."],
	["Skip sequence", "reply 1", { garble: "wrong sequence" }, "The sequence is wrong."],
	["Corrupt", "reply 1", { garble: "bad JSON" }, 'Also "bad UTF-8", "half a frame", "unknown event", "oversized".'],
	["Refuse handshake", "handshake 1", { refuse: 429, retryAfter: "5s" }, "A browser sees only that the socket did not open."],
	["REST error", "session", { refuse: 429, retryAfter: "2s" }, "At token or session: the call is refused."],
	["Slow first byte", "connect 1", { delay: "5s" }, "The history of a new connection comes late."],
	["Stop heartbeat echo", "heartbeat 1", { lose: "event" }, "A client should find the socket dead."],
	["Agent error", "user message 1", { agentError: "high load" }, "A documented error text in place of the reply."],
];
const about = { tunnel: "the first answer is cut off, and two attempts to come back", lift: "12 s of nothing, then everything", train: "late, now and then a break", "hotel-wifi": "a slow start, late, some twice", "bad-deploy": "a failed session, close 1012, two 503" };

const change = (ask, done) => attempt(async () => { await ask(); await load.troubles() }, done);
const arm = (body) => change(() => app.server.post("troubles", body), "Trouble armed");
const disarm = (t) => change(() => app.server.delete(`troubles/${t.id}`), "Trouble cleared");
export const clearAll = async () => {
	if (await confirm("Clear all troubles?", "What they hold back leaves at once, in order.", "Clear all")) await change(() => app.server.delete("troubles"), "No trouble is armed");
};
const bodyOf = (t) => ({ at: t.at, do: t.do, times: t.times, ...t.per !== "session" ? { per: t.per } : {}, ...t.chance !== 1 ? { chance: t.chance } : {}, ...t.scope?.includes(":") ? { [t.scope.split(":")[0]]: t.scope.slice(t.scope.indexOf(":") + 1) } : {} });

const make = (session) => {
	const mine = () => session ? app.troubles.filter((t) => t.scope === "all" || t.scope === `session:${session.id}` || session.tag && t.scope === `tag:${session.tag}`) : app.troubles;
	const armed = h("div");
	const draw = () => {
		const list = mine();
		fill(armed, list.length ? h("div", { class: "scrolls" }, plain("Armed troubles", ["Trouble", "At", "Effect", "Times", "Strikes", "Scope", "By", ""], list.map((t) => [
			chip(t.name, "warn"), t.at, h("code", null, JSON.stringify(t.do)), `${t.times}${t.chance !== 1 ? ` · chance ${t.chance}` : ""}`, t.strikes, t.scope, t.by,
			h("div", { class: "line" }, button("Clear", () => disarm(t), { "aria-label": `Clear ${t.name}` }), menu(`Copy ${t.name}`, [["Copy as JSON", () => copy(JSON.stringify(bodyOf(t)), "JSON")], ["Copy as curl", () => copy(curlOf("troubles", bodyOf(t), location.origin), "Command")], ["Frames it struck", `#/log?filter=${encodeURIComponent(`fault:"${t.name}"`)}`]]))])))
			: empty("No trouble is armed", "Choose a profile or an effect below. It counts in each session by itself."));
		clear.disabled = !app.troubles.length;
	};
	const clear = button("Clear all troubles", clearAll);

	const scopeOf = () => scope.value === "all" ? {} : scope.value === "session" ? { session: session?.id ?? who.value } : { [scope.value]: scope.value === "connection" ? Number(who.value) : who.value };
	const scope = pick("Scope", [...session ? [{ value: "session", text: "this session" }] : [], { value: "all", text: "all sessions" }, ...session ? [] : [{ value: "session", text: "a session" }], { value: "tag", text: "a tag" }, { value: "connection", text: "a connection" }], session ? "session" : "all", () => { whoField.hidden = scope.value === "all" || scope.value === "session" && Boolean(session) });
	const who = h("input", { "aria-label": "Which", placeholder: "id, tag or number" });
	const whoField = field("Which", who);
	whoField.hidden = true;
	const at = h("input", { "aria-label": "At", value: "reply 1" });
	at.setAttribute("list", "moments");
	const effect = h("input", { "aria-label": "Effect", class: "mono", value: '{"drop":"connection"}', size: 30 });
	const times = h("input", { type: "number", "aria-label": "Times", min: 1, value: 1 });
	const chance = h("input", { "aria-label": "Chance", placeholder: "100%", size: 6 });
	const hint = h("p", { class: "note" }, kinds[0][3]);
	const kind = pick("Trouble", kinds.map(([name]) => name), kinds[0][0], (value) => {
		const found = kinds.find(([name]) => name === value);
		at.value = found[1];
		effect.value = JSON.stringify(found[2]);
		hint.textContent = found[3];
		times.value = value === "Delay outgoing" ? 1000 : 1;
	});
	const read = (text) => { try { return JSON.parse(text) } catch { return text } };
	const add = () => arm({ at: at.value, do: read(effect.value), times: Number(times.value) || 1, ...chance.value ? { chance: chance.value } : {}, ...scopeOf() });

	const named = h("div", { class: "row" });
	const fixture = session?.fixture ?? app.fixtures.find((f) => f.standard)?.name;
	if (fixture) app.server.get(`fixtures/${encodeURIComponent(fixture)}`).then((f) => fill(named, ...f.troubles.map((t) => button(t.name, () => arm({ name: t.name, fixture, ...scopeOf() }), { title: `${t.at}: ${JSON.stringify(t.do)}` })))).catch(() => {});

	const node = h("div", { class: "page" }, top(session ? null : "Troubles", h("span", { class: "grow" }), clear), armed,
		box("Profiles", h("div", { class: "row" }, app.profiles.map((name) => button(name, () => arm({ name, ...scopeOf() }), { title: about[name] ?? "" }))), named),
		box("New trouble", h("div", { class: "row" }, field("Trouble", kind), field("At", at), field("Effect", effect), field("Times", times), field("Chance", chance), field("Scope", scope), whoField, button("Arm", add, { class: "primary" })), hint,
			h("datalist", { id: "moments" }, app.moments.map((m) => h("option", { value: m.at }))),
			h("details", null, h("summary", null, "All effects"), plain("Effects", null, app.effects.map((e) => [e.do, e.takes, e.about])))));
	draw();
	const off = app.on("troubles", draw);
	return { node, title: "Troubles", destroy: off };
};
export const view = () => make();
export const part = ({ session }) => make(session.isGone ? null : session);
