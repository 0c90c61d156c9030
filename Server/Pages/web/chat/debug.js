// The strip of ?debug=1: what the connection is doing.
import { h } from "../shared/dom.js";

export function strip(chat) {
	const element = h("div", { class: "strip-debug", "data-part": "diagnostics" }), link = h("a", { target: "_blank" }, "Open in inspector"), text = h("span");
	element.append(text, link);
	chat.querySelector(".top").append(element);
	let last = null;
	const show = () => {
		if (!last) return;
		const [connection, state, phase] = last, { counts } = connection;
		const echo = state.items.findLast((each) => each.delivery === "sent" && each.since);
		const values = {
			phase, sequence: state.sequence, out: counts.out, in: counts.in, chunks: state.chunks, heartbeats: counts.heartbeats, reconnects: counts.reconnects,
			errors: counts.spoilt, quiet: counts.last ? Math.round((Date.now() - counts.last) / 1000) + " s" : "-", echo: echo?.took ? echo.took + " ms" : "-",
		};
		text.textContent = Object.entries(values).map(([name, value]) => `${name} ${value}`).join(" · ");
		link.href = connection.session ? `/inspect#/sessions/${connection.session.id}` : "/inspect";
	};
	setInterval(show, 1000);
	return (...values) => {
		last = values;
		show();
	};
}
