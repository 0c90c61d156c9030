// The runs of a session as trees in time, the talk by protocol, and answers to what waits.

import { app } from "./app.js";
import { tree as json } from "./detail.js";
import { guess, sideBySide, tree } from "./runtree.js";
import { attempt, box, button, chip, empty, field, fill, h, plain, remark, tabs } from "./ui.js";
import { count, length, timeOfDay } from "./words.js";

document.head.append(h("link", { rel: "stylesheet", href: "/pages/inspect/runs.css" }));

const names = { poly: "Messaging", connect: "Connect", "ag-ui": "AG-UI" };
const looks = { done: "good", failed: "bad", working: "warn", waits: "warn", asks: "warn", running: "live" };
let shown = "Tree";

const block = (title, it) => it !== undefined && [h("h4", null, title),
	typeof it === "string" ? h("pre", null, it) : h("div", { class: "tree" }, json(it, [], 3))];
const parsed = (text) => { try { return JSON.parse(text) } catch { return text } };
const brief = ({ kind, args, value }) => (
	kind === "ask" ? "" : args ?? (typeof value === "string" ? value : JSON.stringify(value) ?? "")).slice(0, 200);

export const part = ({ session }) => {
	const id = session.id, open = new Map();
	const asked = h("div", { class: "asked" }), body = h("div", { id: "runs-panel", role: "tabpanel" }), bar = h("div");
	const node = h("div", { class: "runs" }, empty("Loading…"));
	let last = "", answer, waits = "", soon;

	/** Stays open though it is drawn anew; its inside is made when it is first open. */
	const fold = (key, isOpen, summary, make) => {
		const element = h("details", { open: open.get(key) ?? isOpen, "data-key": key }, summary);
		const filling = () => { if (element.open && !element.children[1]) element.append(...make()) };
		element.addEventListener("toggle", () => { open.set(key, element.open); filling() });
		filling();
		return element;
	};
	const messages = (key, list) => list.map(({ type, texts }, at) =>
		fold(`${key} ${at}`, false, h("summary", { class: "mono" }, type, texts.length > 1 && ` × ${texts.length}`),
		() => [h("pre", null, texts.join("\n").trim())]));

	/** What protocols send of a node. */
	const sent = ({ entries, id }, { number }) => {
		const all = {};
		for (const row of sideBySide(answer.talk.filter(
			({ run, n, message }) => run === number && entries.includes(n) || id && message === id)))
			for (const [wire, list] of Object.entries(row.sent)) if (list.length) (all[wire] ??= []).push(...list);
		return Object.entries(all).map(([wire, list]) => ({ wire: names[wire] ?? wire, list }));
	};

	const branch = (it, run, root, path) => {
		const key = run.number + path, whole = Math.max(1, root.to - root.from);
		const line = h("i"), wires = it === root ? [] : sent(it, run);
		line.style.left = `${(it.from - root.from) / whole * 97}%`;
		line.style.width = `${(it.to - it.from) / whole * 100}%`;
		const rows = it.id ? app.log.of(id).filter((row) => row.corr === it.id).length : 0;
		return h("li", { class: it.state && `is-${it.state}` },
			fold(key, it === root || it.kind === "step", h("summary", null,
			h("span", { class: "what" }, h("strong", null, it.title), it.state && chip(it.state, looks[it.state]),
				h("span", { class: "note" }, brief(it))),
			h("span", { class: "run-bar", "aria-hidden": "true" }, line),
			h("span", { class: "number" }, it.to > it.from ? length(it.to - it.from) : `+${length(it.from - root.from)}`),
			h("span", { class: "wires" },
				wires.map(({ wire, list }) => h("span", { class: "mark", title: list.map(({ type }) => type).join(", ") },
				`${wire} ${list.reduce((sum, { texts }) => sum + texts.length, 0)}`)))),
		() => [
			h("ol", null, it.children.map((child, at) => branch(child, run, root, `${path}.${at}`))),
			h("div", { class: "run-more" },
				it.label && remark(`${it.name}: “${it.label}”`),
				it.args && block("Arguments", parsed(it.args)), block(it.args ? "Result" : "Content", it.value),
				block("Suggestions", it.offers),
				wires.map(({ wire, list }) => [h("h4", null, `As ${wire} sends it`), messages(key + wire, list)]),
				rows > 0 && h("a", { href: `#/sessions/${id}/wire?filter=corr:${it.id}` }, `${count(rows, "frame")} on the wire`)),
		]));
	};

	const views = {
		Tree: () => answer.runs.toReversed().map((run) => {
			const root = tree(run);
			return box(root.title, remark(`${run.run} · ${timeOfDay(run.entries[0]?.time)} · by ${run.asked}`),
				h("ol", { class: "run-tree", "aria-label": root.title }, branch(root, run, root, "")));
		}),
		"Side by side": () => {
			const rows = sideBySide(answer.talk), wires = Object.keys(rows[0].sent);
			return [remark("What each protocol sends when nothing goes wrong; what really left is under Wire."),
				h("div", { class: "scrolls side", tabIndex: 0, role: "group", "aria-label": "Side by side" },
					plain("The talk by protocol", ["Time", "Engine", ...wires.map((wire) => names[wire] ?? wire)],
					rows.map((row, at) => [
					timeOfDay(row.time), [h("strong", null, row.kind),
						h("span", { class: "note" }, row.sequence ? ` #${row.sequence}` : row.run && ` run ${row.run}`,
						row.count > 1 && ` × ${row.count}`), row.text && h("p", null, row.text.slice(0, 300))],
					...wires.map((wire) => row.sent[wire].length ? messages(`${at} ${wire}`, row.sent[wire]) : h("span",
						{ class: "note" }, "–")),
				])))];
		},
	};

	// Drawn anew only when something else waits: somebody may be writing.
	const post = (path, body) => attempt(() => app.server.post(`sessions/${id}/${path}`, { by: "Inspector", ...body }),
		"Answered").then(load);
	const waiting = (label, ...content) => h("section",
		{ class: "callout warn asked", role: "group", "aria-label": label }, content);
	const drawAsked = ({ asks, calls }) => {
		const boxes = asks.map(({ name, ask, schema }) =>
			h("textarea", { "aria-label": `Answer to ${name || ask}`, rows: 2, class: "mono",
			value: JSON.stringify(guess(schema)) }));
		const decide = (cancel) => post("runs",
			{ answers: asks.map(({ ask }, at) => cancel ? { ask, cancel } : { ask, payload: parsed(boxes[at].value) }) });
		fill(asked, asks[0] && waiting("The agent asks",
			asks.map((ask, at) => [h("strong", null, ask.text ?? ask.name),
				ask.expires && h("span", null, `until ${timeOfDay(ask.expires)}`),
				!asks[1] && h("div", { class: "row" },
					ask.choices.map(({ text }) => button(text, () => post("events", { as: "user", text })))),
					field("or as JSON", boxes[at])]),
			h("div", { class: "row" }, button("Send JSON", () => decide(), { class: "primary" }),
				button("Cancel it", () => decide(true)))),
		calls.map(({ call, name }) => {
			const text = h("textarea", { "aria-label": `Result of ${name}`, rows: 2 }),
				give = (result) => post("runs", { answers: [{ call, ...result }] });
			return waiting(`${name} waits`, h("strong", null, `The client’s tool ${name} is called`),
				field("What it gives back", text),
				h("div", { class: "row" }, button("Send result", () => give({ content: text.value }), { class: "primary" }),
					button("Decline", () => give({ error: text.value || "declined" }))));
		}));
	};

	const draw = () => {
		if (!answer.runs.length) return fill(node,
			empty("No run yet", answer.hasRuns ? "A run begins with the next message."
			: "The fixture has no tools, state or questions."));
		if (bar.parentNode !== node) fill(node, asked, bar, body);
		const now = JSON.stringify(answer.waits), active = document.activeElement;
		if (now !== waits) drawAsked(answer.waits);
		waits = now;
		const hadBar = bar.contains(active), key = body.contains(active) && active.closest("[data-key]")?.dataset.key;
		fill(bar, tabs("Run views", Object.keys(views), shown, (name) => { shown = name; draw() }, "runs-panel"));
		fill(body, views[shown]());
		body.setAttribute("aria-labelledby", `tab-Run-views-${shown.replaceAll(" ", "-")}`);
		if (hadBar) bar.querySelector("[aria-selected=true]").focus();
		if (key) body.querySelector(`[data-key="${CSS.escape(key)}"] > summary`)?.focus();
	};
	const load = async () => {
		soon = undefined;
		try {
			answer = await app.server.get(`sessions/${id}/runs`, { wires: true });
		} catch (error) { return fill(node, empty("The session is gone", error.message)) }
		const text = JSON.stringify(answer);
		if (text !== last) draw(last = text);
	};
	load();
	const off = app.on("sessions", () => { if (!app.isPaused) soon ??= setTimeout(load, 150) });
	return { node, destroy: () => { off(); clearTimeout(soon) } };
};
