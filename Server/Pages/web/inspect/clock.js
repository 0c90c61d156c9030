// The server's clock, and what will happen by itself.

import { app, refresh } from "./app.js";
import { attempt, button, chip, empty, field, fill, h, notice, plain, top } from "./ui.js";
import { length, millis, parseLength, short } from "./words.js";

export const timersTable = (timers, changed) => {
	if (!timers.length) return empty("No timer is pending", "Replies under way, idle ends and queues show here.");
	const table = plain("Pending timers", ["Timer", "Session", "Due in", "Kind", ""], timers.slice(0, 200).map((timer) => [
		timer.name, timer.session ? h("a", { class: "mono", href: `#/sessions/${timer.session}/state` }, short(timer.session)) : "", timer.dueIn, timer.script ? chip("script", "info") : chip("background"),
		[button("Fire now", () => act("POST", timer, "/fire", changed)), " ", button("Cancel", () => act("DELETE", timer, "", changed), { class: "danger" })]]));
	timers.slice(0, 200).forEach((timer, at) => Object.assign(table.tBodies[0].rows[at].cells[2], { due: millis(timer.due), className: "number" }));
	return h("div", { class: "scrolls" }, table);
};
const act = (method, timer, tail, changed) => attempt(async () => {
	await app.server.ask(method, `timers/${timer.id}${tail}`, { body: { by: app.by } });
	changed?.();
});

export const view = () => {
	const now = h("p", { class: "now mono" });
	const ran = h("p", { class: "note", role: "status", "aria-label": "What ran" });
	const timers = h("div");
	const scale = h("input", { type: "number", min: 0.001, max: 1000, step: "any", value: 10, "aria-label": "Scale" });
	const radios = [["real", "Real time"], ["frozen", "Frozen"], ["scaled", "Scaled"]].map(([name, text]) => {
		const radio = h("input", { type: "radio", name: "mode", value: name, onchange: () => set({ mode: name, ...name === "scaled" ? { scale: Number(scale.value) } : {} }) });
		return h("label", { class: "switch" }, radio, text);
	});
	const mode = h("div", { role: "radiogroup", "aria-label": "Mode", class: "row" }, radios, field("Scale", scale));
	const set = (body, done) => attempt(async () => {
		const clock = await app.server.post("clock", { ...body, by: app.by });
		app.set("clock", { clock, clockAt: performance.now() });
		const names = clock.ran ?? [];
		ran.textContent = body.mode ? "" : body.untilQuiet ? clock.quiet ? "Quiet" : "The limit came first" : names.length ? `Ran: ${names.slice(0, 12).join(", ")}${names.length > 12 ? ` and ${names.length - 12} more` : ""}` : "No timer was due";
		refresh("sessions");
		load();
	}, done);
	const load = async () => {
		try {
			const answer = await app.server.get("timers");
			fill(timers, timersTable(answer.timers, load));
		} catch (error) { fill(timers, empty("Timers cannot be told", error.message)) }
	};
	const draw = () => radios.forEach(({ firstChild: radio }) => { radio.checked = radio.value === app.clock?.mode });
	const tick = () => {
		const value = app.now();
		now.textContent = `${new Date(value).toISOString().replace("T", " ").replace("Z", "")} UTC`;
		for (const cell of timers.querySelectorAll("td.number")) cell.textContent = length(Math.max(0, cell.due - value));
	};
	const by = h("input", { type: "text", "aria-label": "Advance by", placeholder: "800ms, 1.5s, 5m", size: 12, onkeydown: (event) => { if (event.key === "Enter") advance() } });
	const advance = () => Number.isNaN(parseLength(by.value)) ? notice("Write a length of time: 800ms, 1.5s, 5m, 1h") : set({ advance: by.value.trim() });
	const node = h("div", { class: "page" },
		top("Clock"), now,
		h("section", { class: "box", "aria-label": "Steer the clock" }, mode,
			h("div", { class: "row" }, [["+100 ms", "100ms"], ["+1 s", "1s"], ["+10 s", "10s"], ["+1 min", "1m"], ["+10 min", "10m"], ["+1 h", "1h"]].map(([text, length]) => button(text, () => set({ advance: length }))), field("Advance by", by), button("Advance", advance)),
			h("div", { class: "row" }, button("Run next timer", () => set({ next: true })), button("Run until quiet", () => set({ untilQuiet: true })), button("Reset", () => set({ mode: "real" }, "Real time again; time never goes back"))), ran),
		h("h3", null, "Pending timers"), timers);
	draw();
	tick();
	load();
	const off = [app.on("clock", draw), app.on("rows sessions", () => { soon ??= setTimeout(() => { soon = undefined; load() }, 400) })];
	let soon;
	const ticking = setInterval(tick, 200);
	return { node, title: "Clock", destroy: () => { off.forEach((f) => f()); clearInterval(ticking) } };
};
