// The view of ?debug=1: a strip with the state of the connection, and settings for the next conversation.
import { h } from "../shared/dom.js";
import "./extras.js";

/** The parameters of the page as a form; they hold for a talk that begins with them. */
function settings(languages) {
	const query = new URLSearchParams(location.search);
	const choice = (name, values) => h("select", { name },
		values.map((value) => h("option", { value, selected: query.get(name) === value }, value || "as configured")));
	const text = (name, size = 8, type = "text") => h("input", { name, type, size, value: query.get(name) ?? "" });
	const parts = {
		Token: text("token", 32), Streaming: choice("streaming", ["", "1", "0"]),
		Progressive: choice("progressive", ["", "1", "0"]), Platform: text("platform"),
		Language: choice("lang", ["", ...languages]), Theme: choice("theme", ["", "auto", "light", "dark"]),
		Layout: choice("layout", ["", "widget", "comments"]), Reconnects: text("reconnects", 8, "number"),
	};
	return h("details", {}, h("summary", {}, "Settings"),
		h("form", { "aria-label": "Settings of the next conversation", onsubmit: (event) => {
		event.preventDefault();
		query.set("start", "new");
		for (const [name, value] of new FormData(event.target)) value ? query.set(name, value) : query.delete(name);
		location.search = query;
	} }, Object.entries(parts).map(([name, part]) => h("label", {}, h("span", {}, name), part)),
	h("button", { class: "outlined" }, "Apply and start a new conversation")));
}

export function strip(chat, languages) {
	const element = h("div", { class: "strip-debug", "data-part": "diagnostics" }),
		link = h("a", { target: "_blank" }, "Open in inspector"), text = h("span");
	element.append(text, link, settings(languages));
	chat.querySelector(".top").append(element);
	let last = null;
	const show = () => {
		if (!last) return;
		const [connection, state, phase] = last, { counts } = connection;
		const echo = state.items.findLast((each) => each.delivery === "sent" && each.since);
		const values = {
			phase, sequence: state.sequence, out: counts.out, in: counts.in, chunks: state.chunks, heartbeats: counts.heartbeats,
			reconnects: counts.reconnects,
			errors: counts.spoilt, quiet: counts.last ? Math.round((Date.now() - counts.last) / 1000) + " s" : "-",
			echo: echo?.took ? echo.took + " ms" : "-",
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
