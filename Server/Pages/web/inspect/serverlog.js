// The wire of the whole server.

import { wire } from "./wire.js";
import { h, top } from "./ui.js";

export const view = (place) => {
	const inner = wire({ ...place });
	return { ...inner, title: "Server log", node: h("div", { class: "page" },
		top("Server log", h("p", { class: "note" },
		"Every request and frame of all sessions, and what the server did with them.")), inner.node) };
};
