// The rules of the protocol: what a good client does, and who did not.

import { app } from "./app.js";
import { empty, fill, h, plain, top } from "./ui.js";
import { count, millis, short, timeOfDay } from "./words.js";

export const view = ({ parts: [chosen] }) => {
	const node = h("div", { class: "page" });
	/** The frame that a violation names, or the message of its connection with that number. */
	const rowOf = (v) => v.row ?? app.log.rows.filter((row) =>
		row.socket === v.connection && row.dir === "in" && row.kind === "ws")[(v.message ?? 0) - 1]?.n
		?? app.log.rows.find((row) => row.kind === "violation" && row.type === v.protocolRule && Math.abs(
			millis(row.mt) - millis(v.time)) < 5)?.n;
	const draw = () => {
		const rules = [...app.protocolRules].sort((a, b) => (b.id === chosen) - (a.id === chosen)
			|| b.violations - a.violations);
		fill(node, top("Protocol rules", h("p", { class: "note" },
			app.violations.length ? count(app.violations.length, "violation") : "No client broke one.")),
			rules.length ? h("div", { class: "rules" }, rules.map((rule) => {
				const own = app.violations.filter((v) => v.protocolRule === rule.id);
				return h("details", { open: rule.id === chosen || own.length > 0, id: `rule-${rule.id}` },
					h("summary", null, h("strong", null, rule.title), " ",
						own.length ? h("span", { class: "chip bad" }, count(own.length, "violation")) : ""),
					rule.statement ? h("blockquote", null, rule.statement) : null,
					h("p", null, rule.advice, " ", h("span", { class: "note" }, `Shared/Docs/${rule.source}`)),
					own.length ? plain(`Violations of ${rule.id}`, null, own.slice(-100).map((v) => {
						const row = rowOf(v);
						return [timeOfDay(v.time), v.session ? h("a",
							{ class: "mono", href: `#/sessions/${v.session}/wire${row ? `?row=${row}` : ""}` },
							`${short(v.session)}${row ? ` #${row}` : ""}`) : "no session", v.detail];
					})) : null);
			})) : empty("Protocol rules cannot be shown", "The server does not say."));
		if (chosen) node.querySelector(`[id="rule-${CSS.escape(chosen)}"]`)?.scrollIntoView({ block: "nearest" });
	};
	draw();
	return { node, title: "Protocol rules", destroy: app.on("violations reset", draw) };
};
