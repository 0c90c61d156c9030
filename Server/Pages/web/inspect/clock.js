// The server's clock, and what will happen when it goes on.

import { app, refresh } from "./app.js";
import { attempt, box, button, chip, dialog, empty, field, fill, h, notice, plain, remark, top } from "./ui.js";
import { count, length, millis, parseLength, short } from "./words.js";

/** What a timer does, in the words of its user; the beginning of its name decides. Those of the third kind clear up. */
const kinds = [
	["idle timeout", "The session ends, since nobody wrote"], ["next chunk", "The next piece of a reply is sent"],
	["thinking", "A reply begins"], ["queue update", "The user gets the next place in the queue"],
	["session cleanup", "An ended session is forgotten, with its journal", true],
	["close delay", "The connection of an ended session is closed", true],
	["connection idle", "A silent WebSocket is closed", true],
	["keep-alive limit", "An unused HTTP connection is closed", true],
	["request limit", "A request that takes too long is given up", true],
];
const kindOf = (timer) => kinds.find(([name]) => timer.name.startsWith(name)) ?? [timer.name, "",
	!timer.script && !timer.session];
const shownAtOnce = 200;

/** Sessions that an advance by so many milliseconds ends. */
export const ends = (timers, now, by) => new Set(
	timers.filter(({ name, due }) => name === "idle timeout" && millis(due) <= now + by).map(({ session }) => session));

const act = (method, timer, tail, changed) => attempt(async () => {
	await app.server.ask(method, `timers/${timer.id}${tail}`, { body: { by: app.by } });
	changed?.();
});
const table = (label, timers, changed) => {
	const shown = timers.slice(0, shownAtOnce);
	const made = plain(label, ["Timer", "Session", "Due in", "What happens", ""], shown.map((timer) => [
		timer.name, timer.session ? h("a", { class: "mono", href: `#/sessions/${timer.session}/state` }, short(timer.session))
			: "", timer.dueIn,
		[timer.script && [chip("script", "info"), " "], kindOf(timer)[1]],
		h("div", { class: "line" }, button("Fire now", () => act("POST", timer, "/fire", changed)),
			button("Cancel", () => act("DELETE", timer, "", changed), { class: "danger" }))]));
	shown.forEach((timer, at) => Object.assign(made.tBodies[0].rows[at].cells[2],
		{ due: millis(timer.due), className: "number" }));
	return [h("div", { class: "scrolls" }, made),
		timers.length > shown.length && remark(`and ${count(timers.length - shown.length, "more timer")}`)];
};
/** Those that a user's session waits for; housekeeping below a fold, which stays as the reader left it. */
export const timersTable = (timers, changed, fold) => {
	const own = timers.filter((timer) => !kindOf(timer)[2]), others = timers.filter((timer) => kindOf(timer)[2]);
	return h("div", null,
		own.length > 0 ? table("Pending timers", own, changed)
			: empty("No timer is pending", "Replies under way, idle timeouts and queues are shown here."),
		others.length > 0 && h("details",
			{ open: fold?.isOpen, ontoggle: (event) => { if (fold) fold.isOpen = event.target.open } },
			h("summary", null, `Housekeeping: ${count(others.length, "timer")}`), table("Housekeeping", others, changed)));
};

export const view = () => {
	const now = h("p", { class: "now mono" });
	const ran = h("p", { class: "note", role: "status", "aria-label": "What ran" });
	const timers = h("div"), fold = { isOpen: false };
	let pending = [];
	const scale = h("input", { type: "number", min: 0.001, max: 1000, step: "any", value: 10, "aria-label": "Scale" });
	const radios = [["real", "Real time"], ["frozen", "Frozen"], ["scaled", "Scaled"]].map(([name, text]) => {
		const radio = h("input", { type: "radio", name: "mode", value: name, onchange: () => set({ mode: name,
			...name === "scaled" ? { scale: Number(scale.value) } : {} }) });
		return h("label", { class: "switch" }, radio, text);
	});
	const mode = h("div", { role: "radiogroup", "aria-label": "Mode", class: "row" }, radios,
		field("Scale", scale));
	const told = (clock, body) => {
		const names = clock.ran ?? [];
		if (body.mode) return "";
		if (body.untilIdle) return clock.idle ? "Idle" : "The limit came first";
		if (names.length === 0) return "No timer was due";
		return `Ran: ${names.slice(0, 12).join(", ")}${names.length > 12 ? ` and ${names.length - 12} more` : ""}`;
	};
	const set = (body, done) => attempt(async () => {
		const clock = await app.server.post("clock", { ...body, by: app.by });
		app.set("clock", { clock, clockAt: performance.now() });
		fill(ran, told(clock, body));
		refresh("sessions");
		load();
	}, done);
	/** Moves the clock; whoever would end sessions by it is asked first. */
	const advance = async (text) => {
		const by = parseLength(text);
		if (Number.isNaN(by)) return notice("Write a length of time: 800ms, 1.5s, 5m, 1h");
		await load();
		const those = ends(pending, app.now(), by).size;
		if (those > 0 && await dialog(`This ends ${count(those, "open session")}`,
			h("p", null, "Nobody wrote in them for as long as they stay open, and their chats see the end. "
				+ "To look at one of them, fire its timer below."),
			[["Cancel", ""], ["Advance", "yes", "danger"]], { role: "alertdialog" }) !== "yes") return;
		await set({ advance: text });
	};
	const load = async () => {
		try {
			pending = (await app.server.get("timers")).timers;
			fill(timers, timersTable(pending, load, fold));
		} catch (error) { fill(timers, empty("Timers cannot be shown", error.message)) }
	};
	const draw = () => radios.forEach(({ firstChild: radio }) => { radio.checked = radio.value === app.clock?.mode });
	const tick = () => {
		const value = app.now();
		now.textContent = `${new Date(value).toISOString().replace("T", " ").replace("Z", "")} UTC`;
		for (const cell of timers.querySelectorAll("td.number")) cell.textContent = length(Math.max(0, cell.due - value));
	};
	const by = h("input", { type: "text", "aria-label": "Advance by", placeholder: "800ms, 1.5s, 5m", size: 12,
		onkeydown: (event) => { if (event.key === "Enter") advance(by.value.trim()) } });
	const jumps = [["+100 ms", "100ms"], ["+1 s", "1s"], ["+10 s", "10s"], ["+1 min", "1m"], ["+10 min", "10m"],
		["+1 h", "1h"]];
	const node = h("div", { class: "page" },
		top("Clock"), now,
		box("Steer the clock", mode,
			h("div", { class: "row" }, jumps.map(([text, length]) => button(text, () => advance(length))),
				field("Advance by", by), button("Advance", () => advance(by.value.trim()))),
			h("div", { class: "row" }, button("Run next timer", () => set({ next: true })),
				button("Run until idle", () => set({ untilIdle: true })),
				button("Reset", () => set({ mode: "real" }, "Real time again; time never goes back"))), ran,
			remark("It is the clock of all sessions. Times in payloads are by it; the Time column of the wire is real time.")),
		h("h3", null, "Pending timers"), timers);
	draw();
	tick();
	load();
	const off = [app.on("clock", draw), app.on("rows sessions",
		() => { soon ??= setTimeout(() => { soon = undefined; load() }, 400) })];
	let soon;
	const ticking = setInterval(tick, 200);
	return { node, title: "Clock", destroy: () => { off.forEach((f) => f()); clearInterval(ticking) } };
};
