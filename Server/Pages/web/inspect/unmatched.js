// Unmatched messages and requests, with their near misses.

import { app } from "./app.js";
import { placeLink } from "./detail.js";
import { heard, ruleFor } from "./copy.js";
import { attempt, box, button, chip, copy, empty, field, fill, h, remark, top } from "./ui.js";
import { short, timeOfDay } from "./words.js";

/** Two words letter by letter: what has to go and what has to come, as elements. */
const letters = (from, to) => {
	let start = 0, end = 0;
	while (start < from.length && from[start] === to[start]) start += 1;
	while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
	const cut = (text) => text.slice(start, text.length - end);
	return h("span", { class: "mono" }, from.slice(0, start), cut(from) && h("del", null, cut(from)),
		cut(to) && h("ins", null, cut(to)), end ? from.slice(-end) : "");
};

/** The near rules of a message: name, place, reason, and the smallest change. */
export const nearest = (list) => h("ol", { class: "nearest", "aria-label": "Nearest rules" }, list.map((miss) => {
	return h("li", null, h("div", { class: "line" }, h("strong", null, miss.rule), placeLink(`${miss.file}:${miss.line}`),
		h("span", { class: "note" }, miss.where)),
		h("p", null, miss.why, miss.reason === "spelling" ? [" ", letters(miss.heard, miss.word)] : ""),
		miss.advice && h("p", { class: "advice" }, "Change: ", miss.advice));
}));

const fixtureOf = (name) => app.fixtures.find((f) => f.name === name) ?? (
	name ? { name } : app.fixtures.find((f) => f.default));

/** Tries a message against a fixture; nothing is sent. */
export const trial = ({ fixture, stage = "", message = "", stages = [] }) => {
	const said = h("input", { type: "text", "aria-label": "Try message", value: message, placeholder: "a table for two",
		onkeydown: (event) => { if (event.key === "Enter") run() } });
	const at = h("input", { "aria-label": "Stage", value: stage, placeholder: "where it begins", size: 14 });
	if (stages.length) at.setAttribute("list", "stages");
	const rule = h("input", { "aria-label": "Why not this rule?", placeholder: "a rule’s name", size: 16 });
	const out = h("div", { role: "status", "aria-label": "Result", class: "result" });
	const run = () => attempt(async () => {
		const asked = { fixture, message: said.value, ...at.value ? { stage: at.value } : {},
			...rule.value ? { rule: rule.value } : {} };
		const answer = await app.server.post("fixtures/try", asked);
		fill(out, ...[
			answer.heard ? h("p", null, chip("heard", "good"), " ", h("strong", null, answer.rule.name), " ",
				placeLink(`${answer.rule.file}:${answer.rule.line}`))
				: h("p", null, chip("not heard", "warn"), ` in stage “${answer.stage}”`),
			answer.said.map((text) => h("blockquote", null, text)),
			answer.then?.length ? remark(`Then: ${answer.then.join(", ")}`) : null,
			answer.stageAfter ? remark(`Next stage: ${answer.stageAfter}`) : null,
			answer.asked && [h("h3", null, "Why not this rule"), nearest([answer.asked])],
			answer.nearest?.length ? [h("h3", null, "Nearest rules"), nearest(answer.nearest)] : null,
		].flat(3).filter(Boolean));
	});
	if (message) run();
	return box("Try a message", h("div", { class: "row" }, field("Message", said), field("Stage", at),
		field("Why not this rule?", rule), button("Try", run, { class: "primary" })),
		stages.length ? h("datalist", { id: "stages" }, stages.map((s) => h("option", { value: s.name }))) : null, out);
};

const card = (item) => {
	const session = app.sessions.get(item.session);
	const fixture = fixtureOf(session?.fixture ?? /([^/\s]+)\.json5/.exec(item.place ?? "")?.[1]);
	const { stage, row: frame, nearest: near } = item;
	const again = h("div");
	const first = near[0];
	return h("article", { class: "box", "aria-label": `Unmatched ${item.text}` },
		h("div", { class: "line" }, h("h3", { class: "said" },
			item.kind === "message" ? ["“", item.text, "”"] : h("code", null, item.text)), h("span", { class: "grow" }),
			stage ? chip(`stage ${stage}`) : null, h("span", { class: "note" }, timeOfDay(item.time)),
			item.session ? h("a", { class: "mono", href: `#/sessions/${item.session}/unmatched` }, short(item.session)) : null),
		item.place ? remark("Said instead: ", placeLink(item.place, session)) : null, near.length ? nearest(near) : null,
		h("div", { class: "row" }, item.kind === "message"
			? [button("Copy rule for this message", () => copy(ruleFor(item.text), "Rule")),
			button("Copy words", () => copy(`${heard(item.text)}, `, "Words")),
			first || item.place ? h("a",
				{ class: "button", href: placeLink(first ? `${first.file}:${first.line}` : item.place, session).href }, "Open rule")
				: null, button("Try again", () => fill(again, trial({ fixture: fixture?.name, stage, message: item.text })))]
				: null,
		frame ? h("a", { class: "button",
			href: item.session ? `#/sessions/${item.session}/wire?row=${frame}` : `#/log?row=${frame}` }, "Open frame") : null,
			button("Copy report", () => copy(item.report, "Report"), { class: "quiet" })),
		h("details", null, h("summary", null, "Report"), h("pre", { class: "raw wrap" }, item.report)), again);
};

const make = (session) => {
	const node = h("div", { class: "page" });
	// Cards stay the same elements, with what is open in them.
	const cards = new Map();
	const cardOf = (item) => cards.get(item.number) ?? cards.set(item.number, card(item)).get(item.number);
	const draw = () => {
		const list = app.unmatched.filter((item) => !session || item.session === session.id).slice(-200).reverse();
		for (const number of cards.keys()) if (!list.some((item) => item.number === number)) cards.delete(number);
		fill(node, session ? "" : top("Unmatched", remark(`Policy: ${app.policy || "warn"}`)),
			...list.length ? list.map(cardOf) : [
				empty("Everything was heard", session ? "Each message of this session found its rule."
				: "Messages that no rule hears, and requests that nothing answers, are explained here.")]);
	};
	draw();
	return { node, title: "Unmatched", destroy: app.on("unmatched reset", draw) };
};
export const view = () => make();
export const part = ({ session }) => make(session);
