// The rules of the protocol: what a good client does, and who did not.

import { app } from "./app.js";
import { empty, fill, h, plain, top } from "./ui.js";
import { count, millis, short, timeOfDay } from "./words.js";

export const view = ({ parts: [chosen] }) => {
	const node = h("div", { class: "page" });
	/** The frame of a breach: told, or the message of its connection with that number. */
	const rowOf = (breach) => breach.row ?? app.log.rows.filter((row) =>
		row.socket === breach.connection && row.dir === "in" && row.kind === "ws")[(breach.message ?? 0) - 1]?.n
		?? app.log.rows.find((row) => row.kind === "law" && row.type === breach.law && Math.abs(
			millis(row.mt) - millis(breach.time)) < 5)?.n;
	const draw = () => {
		const laws = [...app.laws].sort((a, b) => (b.id === chosen) - (a.id === chosen) || b.breaches - a.breaches);
		fill(node, top("Protocol rules", h("p", { class: "note" },
			app.breaches.length ? count(app.breaches.length, "violation") : "No client broke one.")),
			laws.length ? h("div", { class: "laws" }, laws.map((law) => {
				const own = app.breaches.filter((breach) => breach.law === law.id);
				return h("details", { open: law.id === chosen || own.length > 0, id: `law-${law.id}` },
					h("summary", null, h("strong", null, law.title), " ",
						own.length ? h("span", { class: "chip bad" }, count(own.length, "violation")) : ""),
					law.statement ? h("blockquote", null, law.statement) : null,
					h("p", null, law.advice, " ", h("span", { class: "note" }, `Shared/Docs/${law.source}`)),
					own.length ? plain(`Violations of ${law.id}`, null, own.slice(-100).map((breach) => {
						const row = rowOf(breach);
						return [timeOfDay(breach.time), breach.session ? h("a",
							{ class: "mono", href: `#/sessions/${breach.session}/wire${row ? `?row=${row}` : ""}` },
							`${short(breach.session)}${row ? ` #${row}` : ""}`) : "no session", breach.detail];
					})) : null);
			})) : empty("Protocol rules cannot be shown", "The server does not say."));
		if (chosen) node.querySelector(`[id="law-${CSS.escape(chosen)}"]`)?.scrollIntoView({ block: "nearest" });
	};
	draw();
	return { node, title: "Protocol rules", destroy: app.on("laws reset", draw) };
};
