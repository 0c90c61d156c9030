// The live agent: a person at the controls who answers in place of the script.

import { app } from "./app.js";
import { attempt, box, button, chip, dialog, empty, field, fill, h, toggle } from "./ui.js";
import { ago, json as content, millis } from "./words.js";

const remembered = { name: "Sam", avatar: "" };

export const part = ({ session }) => {
	const id = session.id;
	if (session.isGone || session.state === "ended") return { node: empty("The session has ended", "Nobody can speak in it any more.") };
	let chair = null, extras = {}, isTyping = false, typingTimer;

	/** Where the handoff stands after an action, until the rows say it. */
	const leads = { triggerHandoff: "triggered", accept: "accepted", updateQueue: "queued", join: "joined", leave: "over", fail: "over", timeOut: "over" };
	let told = null, acting = Promise.resolve();
	const act = (action, members = {}) => acting = attempt(async () => {
		const answer = await app.server.post(`sessions/${id}/agent`, { action, by: app.by, ...members });
		chair = answer.chair;
		told = leads[action] ?? told;
		draw();
	});
	const step = async (action, members, ...places) => {
		await acting;
		if (!places.includes(stands()) && await dialog("Out of order", h("p", null, "This step does not follow from where the handoff stands. Clients may not expect it."), [["Cancel", ""], ["Send anyway", "yes", "primary"]], { role: "alertdialog" }) !== "yes") return;
		await act(action, members);
	};

	// Where the handoff stands, by what was told.
	const stands = () => {
		if (told) return told;
		let place = "none";
		for (const row of app.log.of(id)) {
			if (row.dir !== "out") continue;
			const type = row.type ?? "";
			if (/TRIGGERED_HANDOFF|HANDOFF_TRIGGERED/.test(type)) place = "triggered";
			else if (/HANDOFF_ACCEPTED/.test(type)) place = "accepted";
			else if (/QUEUE_STATUS/.test(type)) place = "queued";
			else if (type === "LIVE_AGENT_JOINED") place = "joined";
			else if (/HANDOFF_(FAILED|TIMEOUT)|LIVE_AGENT_LEFT/.test(type)) place = "over";
		}
		return place;
	};
	const steps = [["none", "The agent talks"], ["triggered", "Handed off"], ["accepted", "Accepted"], ["queued", "In the queue"], ["joined", "A person is here"], ["over", "Over"]];

	const input = (label, props = {}) => h("input", { "aria-label": label, ...props });
	const by = input("Your name", { value: app.by, oninput: () => { app.by = by.value || "Inspector" } });
	const answers = toggle("Answer the last message", true, () => {});
	const position = input("Position", { type: "number", min: 1, value: 3 }), wait = input("Wait (s)", { type: "number", min: 0, value: 60 }), queue = input("Queue", { value: "" });
	const route = input("Route"), reason = input("Reason");
	const name = input("Agent name", { value: remembered.name, oninput: () => { remembered.name = name.value } }), avatar = input("Avatar URL", { value: remembered.avatar, oninput: () => { remembered.avatar = avatar.value } });
	const given = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== "" && !Number.isNaN(value)));

	const reply = h("textarea", { "aria-label": "Reply", rows: 3, placeholder: "Enter sends, Shift + Enter begins a new line", oninput: () => {
		if (!reply.value) return stopTyping();
		if (!isTyping) { isTyping = true; act("typing", { state: "started" }) }
		clearTimeout(typingTimer);
		typingTimer = setTimeout(stopTyping, 5000);
	}, onkeydown: (event) => {
		if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
		event.preventDefault();
		send();
	} });
	const stopTyping = () => {
		clearTimeout(typingTimer);
		if (!isTyping) return
		isTyping = false;
		act("typing", { state: "stopped" });
	};
	const send = async () => {
		const text = reply.value.trim();
		if (!text && !Object.keys(extras).length) return
		clearTimeout(typingTimer);
		isTyping = false;
		reply.value = "";
		const parts = extras;
		extras = {};
		await act("send", { text, ...parts });
		drawExtras();
	};
	const more = h("div", { class: "row" });
	const drawExtras = () => more.replaceChildren(...Object.entries(extras).flatMap(([kind, list]) => list.map((item, at) => h("span", { class: "chip info" }, `${kind.slice(0, -1)}: ${item.title ?? item.text ?? item} `, button("×", () => { list.splice(at, 1); if (!list.length) delete extras[kind]; drawExtras() }, { class: "link", "aria-label": `Remove ${item.title ?? item}` })))));
	const add = (kind, fields, make) => async () => {
		const boxes = fields.map(([label, value = ""]) => input(label, { value }));
		if (await dialog(`Add ${kind.slice(0, -1)}`, fields.map(([label], at) => field(label, boxes[at])), [["Cancel", ""], ["Add", "yes", "primary"]]) !== "yes") return;
		for (const item of [make(...boxes.map((box) => box.value.trim()))].flat()) (extras[kind] ??= []).push(item);
		drawExtras();
		reply.focus();
	};

	const raw = async () => {
		const frame = h("textarea", { "aria-label": "Frame", rows: 8, value: '{"type":"EVENT_TYPE_SYSTEM_MESSAGE","payload":{"level":"SYSTEM_MESSAGE_LEVEL_INFO","message":"Hello"}}' });
		const exact = toggle("Exactly this text, not journaled", false, () => {});
		if (await dialog("Send as server", [field("Event", frame), exact], [["Cancel", ""], ["Send", "yes", "primary"]]) !== "yes") return
		await attempt(async () => {
			if (exact.firstChild.checked) return app.server.post(`sessions/${id}/events`, { as: "raw", by: app.by, frame: frame.value });
			const { type, payload } = JSON.parse(frame.value);
			return app.server.post(`sessions/${id}/events`, { as: "raw", by: app.by, type, payload });
		}, "Sent");
	};
	const asUser = async () => {
		const text = h("textarea", { "aria-label": "Message of the user", rows: 3 });
		if (await dialog("Send as client", field("Message of the user", text), [["Cancel", ""], ["Send", "yes", "primary"]]) === "yes") await attempt(() => app.server.post(`sessions/${id}/events`, { as: "user", by: app.by, text: text.value }), "Said");
	};
	const hold = toggle("Hold outgoing", Boolean(session.holds), (isOn) => attempt(() => app.server.post(`sessions/${id}/hold`, { hold: isOn })).then(loadHeld));
	const held = h("div");
	const heldNow = async () => (await app.server.get("held", { session: id })).held;
	const loadHeld = () => heldNow().then((held) => app.set("held", { held: [...app.held.filter((item) => item.session !== id), ...held] })).catch(() => {});
	const decide = (method, item, text) => attempt(() => app.server.ask(method, `held/${item.id}`, { body: { by: app.by, text } })).then(loadHeld);
	const edit = async (item) => {
		if (item.cut) item = (await heldNow()).find((each) => each.id === item.id) ?? item;
		const text = h("textarea", { "aria-label": "Frame", rows: 10, value: item.text });
		if (await dialog("Edit frame", text, [["Cancel", ""], ["Release", "yes", "primary"]]) === "yes") decide("POST", item, text.value);
	};
	const drawHeld = () => fill(held, app.held.filter((item) => item.session === id).map((item) => h("div", { class: "callout" }, h("code", null, `${item.type} ${item.seq ?? ""}`), " ",
		button("Release", () => decide("POST", item)), " ", button("Edit", () => edit(item)), " ", button("Drop", () => decide("DELETE", item), { class: "danger" }))));

	const canned = h("ul", { class: "canned", "aria-label": "Canned replies" });
	app.server.get(`fixtures/${encodeURIComponent(session.fixture)}`).then((fixture) => {
		const said = fixture.handoffs?.flatMap((handoff) => handoff.says ?? []) ?? [];
		canned.replaceChildren(...said.map((text) => h("li", null, button(text, () => { reply.value = text; reply.focus() }, { class: "link" }))));
	}).catch(() => {});

	const visitor = h("p", { role: "status", "aria-label": "Visitor", class: "note" });
	const drawVisitor = () => {
		const rows = app.log.of(id).filter((row) => row.dir === "in");
		const typing = rows.findLast((row) => row.type === "USER_TYPING"), said = rows.findLast((row) => row.type === "USER_MESSAGE");
		const isOn = typing && (!said || typing.n > said.n) && /STARTED|started/.test(content(typing)?.payload?.state ?? "") && app.now() - millis(typing.mt) < 10_000;
		const newest = rows.at(-1);
		visitor.textContent = isOn ? "Visitor is typing" : newest ? `Visitor last seen ${ago(Math.max(0, app.now() - millis(newest.mt)))}` : "Visitor not seen yet";
	};

	const seat = h("div", { class: "row" }), list = h("ol", { class: "steps", "aria-label": "Handoff" }), node = h("div", { class: "page" });
	const draw = () => {
		seat.replaceChildren(chair ? chip(`${chair.by} answers as ${chair.name}`, "live") : chip("The script answers", "info"),
			chair ? "" : button("Take over", () => act("takeOver"), { class: "primary" }), chair ? button("Hand back", () => act("handBack", { answersLast: answers.firstChild.checked }), { class: "primary" }) : "", chair ? answers : "", chair?.unanswered ? h("p", { class: "note" }, `Unanswered: “${chair.unanswered}”`) : "");
		const now = stands();
		list.replaceChildren(...steps.map(([key, text]) => h("li", { "aria-current": key === now ? "step" : null }, text)));
	};
	node.append(h("div", { class: "row" }, field("Your name", by), seat), visitor, list,
		h("div", { class: "boxes" },
			box("Say", more, reply, h("div", { class: "row" }, button("Send", send, { class: "primary" }), button("Suggestions…", add("suggestions", [["Texts, with commas between"]], (text) => text.split(",").map((t) => t.trim()).filter(Boolean))),
				button("Attachment…", add("attachments", [["Title"], ["Image address"], ["or link address"]], (title, image, link) => given({ title, image, link }))), button("Call button…", add("calls", [["Title"], ["Number"]], (title, number) => ({ title, number })))), canned),
			box("Person", h("div", { class: "row" }, field("Agent name", name), field("Avatar URL", avatar)), h("div", { class: "row" }, button("Join", () => act("join", given({ name: name.value, avatar: avatar.value }))), button("Leave", () => step("leave", given({ reason: reason.value }), "joined")), button("Leave and end", () => step("leave", { ends: true, ...given({ reason: reason.value }) }, "joined"), { class: "danger" }))),
			box("Handoff", h("div", { class: "row" }, button("Trigger handoff", () => step("triggerHandoff", {}, "none", "over")), button("Accept", () => step("accept", given({ queue: queue.value }), "triggered"))),
				h("div", { class: "row" }, field("Position", position), field("Wait (s)", wait), field("Queue", queue), button("Update queue", () => step("updateQueue", given({ position: Number(position.value), waitSeconds: Number(wait.value), queue: queue.value }), "accepted", "queued"))),
				h("div", { class: "row" }, field("Reason", reason), button("Fail", () => step("fail", given({ reason: reason.value }), "triggered", "accepted", "queued")), button("Time out", () => step("timeOut", given({ reason: reason.value }), "triggered", "accepted", "queued"))),
				h("div", { class: "row" }, field("Route", route), button("Require client handoff", () => act("requireClientHandoff", given({ route: route.value, reason: reason.value }))))),
			box("Frames", h("div", { class: "row" }, button("Send as server…", raw), button("Send as client…", asUser)), hold, held)));
	const load = () => app.server.get(`sessions/${id}`).then((s) => { chair = s.chair; draw() }).catch(() => {});
	load();
	loadHeld();
	draw();
	drawVisitor();
	const off = [app.on("rows", (rows) => { if (rows.some((row) => row.session === id)) { told = null; drawVisitor(); draw() } }), app.on("sessions", load), app.on("held", drawHeld)];
	const ticking = setInterval(drawVisitor, 1000);
	return { node, destroy: () => { stopTyping(); off.forEach((f) => f()); clearInterval(ticking) } };
};
