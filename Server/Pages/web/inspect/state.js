// All that the server reports about one session.

import { app } from "./app.js";
import { placeLink, tree } from "./detail.js";
import { timersTable } from "./clock.js";
import { box, button, copy, empty, facts, fill, h, plain, remark } from "./ui.js";
import { count, effectText, length, millis, timeOfDay } from "./words.js";

export const part = ({ session }) => {
	const id = session.id;
	const node = h("div", { class: "page" }, empty("Loading…"));
	let capabilities;
	const draw = async () => {
		let s;
		try {
			s = await app.server.get(`sessions/${id}`);
			capabilities ??= s.capabilities ?? (await app.server.get(`sessions/${id}/journal`)).entries.find((entry) =>
				entry.event?.type === "EVENT_TYPE_SESSION_START")?.event.payload.capabilities;
		} catch (error) { return fill(node, empty("The session is gone", error.message)) }
		const table = (label, heads, rows) => rows.length ? plain(label, heads, rows) : remark("None.");
		fill(node, h("div", { class: "boxes" },
			box("Session", facts([
				["Id", h("span", { class: "mono" }, s.id)], ["State", s.state + (s.endReason ? `, ${s.endReason}` : "")],
				["Speaker", s.currentSpeaker && [s.currentSpeaker, s.speaker].filter(Boolean).join(", ")], ["Stage", s.stage || "none"],
				["Fixture", h("a", { href: `#/fixtures/${encodeURIComponent(s.fixture)}` }, s.fixture)],
				["Scenario line", s.scenario && h("code", null, s.scenario)], ["Seed", s.seed],
				["Replay", button(s.replay, () => copy(s.replay, "Command"), { class: "link mono", title: "Copy" })],
				["Started", timeOfDay(s.openedAt)], ["Platform", s.platform], s.userAgent && ["Client", s.userAgent],
				["Streaming", s.streaming ? `yes, chunks ${s.chunks}` : "no"],
				["Counts", `${count(s.entries, "event")}, ${count(s.userMessages, "user message")}, ${count(s.replies, "reply", "replies")}`], ["Takeover", s.takeover ? `${s.takeover.by} as ${s.takeover.name}` : "none: the agent answers"],
			])),
			box("Memory", table("Memory", ["Name", "Value"], Object.entries(s.memory))),
			box("Capabilities", capabilities
				? facts(Object.entries(capabilities).map(
				([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)])) : remark("Not sent yet.")),
			box("Sockets", s.sockets ? table("Sockets", ["Number", "Cursor", "Open for", "Address"],
				s.sockets.map((c) => [c.connection, c.cursor, length(app.now() - millis(c.openedAt)), c.address]))
				: h("p", null, count(s.connections, "open socket"))),
			box("Rules that answered", table("Rules that answered", ["Rule", "Place", "Times"],
				s.ruleUses.map((use) => [use.rule, placeLink(`${use.file}:${use.line}`), use.count]))),
			box("Faults", table("Session faults", ["Name", "At", "Effect", "Fired"],
				s.faults.map((t) => [t.name, t.at, h("code", null, effectText(t.do)), `${t.fired} of ${t.times}`]))),
		), box("Pending timers", timersTable(s.timers)),
		h("section", { class: "box", "aria-label": "As JSON" },
			h("div", { class: "line" }, h("h3", null, "As JSON"), h("span", { class: "grow" }),
			button("Copy", () => copy(JSON.stringify(s, null, 2), "JSON"))), h("div", { class: "tree" }, tree(s, [], 3))));
	};
	draw();
	const off = app.on("sessions", draw);
	return { node, destroy: off };
};
