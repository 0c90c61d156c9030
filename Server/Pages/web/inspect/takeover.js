// Takeover: an operator answers in place of the agent, or joins as a live agent, next to the conversation.

import { app } from "./app.js";
import { attempt, box, button, chip, dialog, empty, field, fill, h, menu, remark, toggle } from "./ui.js";
import { talk } from "./talk.js";
import { ago, filled, json as content, millis } from "./words.js";

/** Where a handoff stands, by the type of the last event about it. */
const places = [
	["triggered", /TRIGGERED_HANDOFF|HANDOFF_TRIGGERED/], ["accepted", /HANDOFF_ACCEPTED/], ["queued", /QUEUE_STATUS/],
	["joined", /^LIVE_AGENT_JOINED$/], ["over", /HANDOFF_(FAILED|TIMEOUT)|LIVE_AGENT_LEFT/],
];
const placeOf = (row) => row.dir === "out" && places.find(([, types]) => types.test(row.type ?? ""))?.[0];
const steps = [["none", "With the agent"], ["triggered", "Handed off"], ["accepted", "Accepted"],
	["queued", "In the queue"],
	["joined", "Live agent is here"], ["over", "Over"]];
/** The place after an action, until rows come. */
const leads = { triggerHandoff: "triggered", accept: "accepted", updateQueue: "queued", join: "joined", leave: "over",
	fail: "over", timeOut: "over" };

const input = (label, props = {}) => h("input", { "aria-label": label, autocomplete: "off", ...props });
const given = (members) => Object.fromEntries(
	Object.entries(members).filter(([, value]) => value !== "" && !Number.isNaN(value)));

/** Asks for values; undefined where cancelled. fields: `[label, value, properties]`. */
const asked = async (title, text, fields, go) => {
	const boxes = fields.map(([label, value, props]) => input(label, { value, ...props }));
	const form = h("div", { class: "form" }, fields.map(([label], at) => field(label, boxes[at])));
	const answer = await dialog(title, [text && remark(text), form], [["Cancel", ""], [go, "yes", "primary"]]);
	return answer === "yes" ? boxes.map((each) => each.value.trim()) : undefined;
};

/** What goes along with the next reply: chips to take away, and the menu that adds. */
const extrasOf = (done) => {
	let extras = {};
	const node = h("div", { class: "row" });
	const drop = (kind, list, at) => {
		list.splice(at, 1);
		if (list.length === 0) delete extras[kind];
		draw();
	};
	const draw = () => fill(node, Object.entries(extras).map(([kind, list]) => list.map((item, at) => {
		const name = item.title ?? item.text ?? item;
		return h("span", { class: "chip info" }, `${kind.slice(0, -1)}: ${name} `,
			button("×", () => drop(kind, list, at), { class: "link", "aria-label": `Remove ${name}` }));
	})));
	const add = (kind, fields, make) => async () => {
		const values = await asked(`Add ${kind.slice(0, -1)}`, "", fields, "Add");
		if (!values) return;
		for (const item of [make(...values)].flat()) (extras[kind] ??= []).push(item);
		draw();
		done();
	};
	const split = (text) => text.split(",").map((each) => each.trim()).filter(Boolean);
	return {
		node,
		menu: menu("Add to the reply", [
			["Suggestions…", add("suggestions", [["Texts, with commas between", ""]], split)],
			["Attachment…", add("attachments", [["Title", ""], ["Image address", ""], ["or link address", ""]],
				(title, image, link) => given({ title, image, link }))],
			["Call button…", add("calls", [["Title", ""], ["Number", ""]], (title, number) => ({ title, number }))],
		], { text: "Add…", class: "" }),
		get some() { return Object.keys(extras).length > 0 },
		take() {
			const taken = extras;
			extras = {};
			draw();
			return taken;
		},
	};
};

/** Intercepted frames, and what is done with them. */
const heldFrames = (session) => {
	const id = session.id, list = h("div");
	const now = async () => (await app.server.get("intercepted", { session: id })).intercepted;
	const load = () => now().then((frames) =>
		app.set("intercepted", { intercepted: [...app.intercepted.filter((item) => item.session !== id),
			...frames] })).catch(() => {});
	const decide = (method, item, text) => attempt(() =>
		app.server.ask(method, `intercepted/${item.id}`, { body: { by: app.by, text } })).then(load);
	const edit = async (item) => {
		if (item.cut) item = (await now()).find((each) => each.id === item.id) ?? item;
		const text = h("textarea", { "aria-label": "Frame", rows: 10, value: item.text });
		if (await dialog("Edit frame", text, [["Cancel", ""], ["Resume", "yes", "primary"]]) === "yes") decide("POST", item,
			text.value);
	};
	const row = (item) => h("div", { class: "callout" }, h("code", null, `${item.type} ${item.seq ?? ""}`), " ",
		button("Resume", () => decide("POST", item)), " ", button("Edit", () => edit(item)), " ",
		button("Drop", () => decide("DELETE", item), { class: "danger" }));
	const draw = () => fill(list, app.intercepted.filter((item) => item.session === id).map(row));
	load();
	return {
		node: h("div", null, toggle("Intercept", Boolean(session.intercepts), (isOn) =>
			attempt(() => app.server.post(`sessions/${id}/intercept`, { intercept: isOn })).then(load)), list),
		destroy: app.on("intercepted", draw),
	};
};

/** Events of any kind, as the server or as the user. */
const eventsMenu = (id) => {
	const raw = async () => {
		const event = { type: "EVENT_TYPE_SYSTEM_MESSAGE",
			payload: { level: "SYSTEM_MESSAGE_LEVEL_INFO", message: "Hello" } };
		const frame = h("textarea", { "aria-label": "Frame", rows: 8, value: JSON.stringify(event, null, 2) });
		const exact = toggle("Exactly this text, not journaled", false, () => {});
		if (await dialog("Send as server", [field("Event", frame), exact],
			[["Cancel", ""], ["Send", "yes", "primary"]]) !== "yes") return;
		await attempt(async () => {
			const body = exact.firstChild.checked ? { frame: frame.value }
				: (({ type, payload }) => ({ type, payload }))(JSON.parse(frame.value));
			await app.server.post(`sessions/${id}/events`, { as: "raw", by: app.by, ...body });
		}, "Sent");
	};
	const asUser = async () => {
		const text = h("textarea", { "aria-label": "Message of the user", rows: 3 });
		const answer = await dialog("Send as client", field("Message of the user", text),
			[["Cancel", ""], ["Send", "yes", "primary"]]);
		if (answer === "yes") await attempt(() => app.server.post(`sessions/${id}/events`,
			{ as: "user", by: app.by, text: text.value }), "Sent");
	};
	return menu("Send an event", [["Send as server…", raw], ["Send as client…", asUser]],
		{ text: "Send an event…", class: "" });
};

export const part = ({ session, go }) => {
	const id = session.id;
	if (session.isGone || session.state === "ended") return {
		node: empty("The session has ended", "Nobody can speak in it any more.") };
	const draft = app.drafts.of(`reply ${id}`);
	let taken = null, speaker = session.speaker, memory = {}, isTyping = false, typingTimer, told = null,
		acting = Promise.resolve();

	// One after the other, as they were pressed.
	const act = (action, members = {}) => acting = acting.then(() => attempt(async () => {
		const answer = await app.server.post(`sessions/${id}/takeover`, { action, by: app.by, ...members });
		taken = answer.takeover;
		told = leads[action] ?? told;
		drawCanned();
		draw();
	}));
	const stands = () => told ?? (placeOf(app.log.of(id).findLast(placeOf) ?? {}) || "none");
	const step = async (action, members, ...from) => {
		await acting;
		const isOdd = !from.includes(stands());
		if (isOdd && await dialog("Out of order",
			h("p", null, "This step does not follow from where the handoff stands. Clients may not expect it."),
			[["Cancel", ""], ["Send anyway", "yes", "primary"]], { role: "alertdialog" }) !== "yes") return;
		await act(action, members);
	};
	const stepAsked = (title, fields, action, make, ...from) => async () => {
		const values = await asked(title, "", fields, "Send");
		if (values) step(action, given(make(...values)), ...from);
	};

	// MARK: Say

	const by = input("Your name", { value: app.by,
		oninput: () => { app.by = by.value.trim() || "Inspector"; drawCanned() } });
	const reply = h("textarea", {
		"aria-label": "Reply", rows: 3, placeholder: "Enter sends, Shift + Enter begins a new line", value: draft.text,
		oninput: () => {
			draft.text = reply.value;
			if (!reply.value) return stopTyping();
			if (!isTyping) { isTyping = true; act("typing", { state: "started" }) }
			clearTimeout(typingTimer);
			typingTimer = setTimeout(stopTyping, 5000);
		},
		onkeydown: (event) => {
			if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
			event.preventDefault();
			send();
		},
	});
	const stopTyping = () => {
		clearTimeout(typingTimer);
		if (!isTyping) return;
		isTyping = false;
		act("typing", { state: "stopped" });
	};
	const extras = extrasOf(() => reply.focus());
	const send = async () => {
		const text = reply.value.trim();
		if (!text && !extras.some) return;
		clearTimeout(typingTimer);
		isTyping = false;
		reply.value = draft.text = "";
		await act("send", { text, ...extras.take() });
	};
	/** A gap that is left is chosen, so that nobody sends it by mistake. */
	const use = (text) => {
		reply.value = draft.text = text;
		reply.focus();
		const gap = /\{[^{}]+\}/.exec(text);
		if (gap) reply.setSelectionRange(gap.index, gap.index + gap[0].length);
	};
	let said = [];
	const canned = h("ul", { class: "canned", "aria-label": "Canned replies" });
	const drawCanned = () => {
		const names = { ...memory, "liveAgent.name": taken?.seat === "live-agent" ? taken.name : app.by,
			"agent.name": session.speaker ?? "" };
		fill(canned, said.map((text) => filled(text, names)).map(
			(text) => h("li", null, button(text, () => use(text), { class: "link" }))));
	};
	app.server.get(`fixtures/${encodeURIComponent(session.fixture)}`).then((fixture) => {
		said = fixture.handoffs?.flatMap((handoff) => handoff.says ?? []) ?? [];
		drawCanned();
	}).catch(() => {});

	// MARK: Who answers

	const user = h("p", { role: "status", "aria-label": "User", class: "note" });
	const drawUser = () => {
		const rows = app.log.of(id), isIn = (type) => (row) => row.dir === "in" && (!type || row.type === type);
		const typing = rows.findLast(isIn("USER_TYPING")), message = rows.findLast(isIn("USER_MESSAGE")),
			newest = rows.findLast(isIn());
		const isOn = typing && (!message || typing.n > message.n) && /started/i.test(content(typing)?.payload?.state ?? "")
			&& app.now() - millis(typing.mt) < 10_000;
		const text = isOn ? "User is typing" : newest ? `User last seen ${ago(Math.max(0, app.now() - millis(newest.mt)))}`
			: "User not seen yet";
		if (user.textContent !== text) user.textContent = text;
	};
	const answers = toggle("The agent answers the last message", true, () => {});
	const stateOf = () => {
		if (!taken) return [`${speaker ?? "The agent"} answers`, "info"];
		const who = taken.by === app.by ? "You" : taken.by;
		return taken.seat === "live-agent" ? [`${who} ${who === "You" ? "are" : "is"} live agent ${taken.name}`, "live"]
			: [`${who} ${who === "You" ? "answer" : "answers"} as agent ${taken.name}`, "live"];
	};
	const leave = (members, reason) => step("leave", { ...members, ...given({ reason }) }, "joined");
	const more = menu("More steps", () => [
		["Update queue…", stepAsked("Update queue",
			[["Position", 3, { type: "number", min: 1 }], ["Wait (s)", 60, { type: "number", min: 0 }], ["Queue", ""]],
			"updateQueue", (position, wait, queue) =>
				({ position: Number(position || NaN), waitSeconds: Number(wait || NaN), queue }), "accepted", "queued")],
		["Join with a picture…", async () => {
			const values = await asked("Join with a picture", "", [["Picture address", ""]], "Join");
			if (values) act("join", given({ name: app.by, avatar: values[0] }));
		}],
		["Fail…", stepAsked("Fail the handoff", [["Reason", ""]], "fail", (reason) => ({ reason }), "triggered", "accepted",
			"queued")],
		["Time out…", stepAsked("Let the handoff time out", [["Reason", ""]], "timeOut", (reason) => ({ reason }),
			"triggered", "accepted", "queued")],
		["Require client handoff…", async () => {
			const values = await asked("Require client handoff", "The client goes on elsewhere.",
				[["Route", ""], ["Reason", ""]], "Send");
			if (values) act("requireClientHandoff", given({ route: values[0], reason: values[1] }));
		}],
		["Leave with a reason…", async () => {
			const values = await asked("Leave", "", [["Reason", ""]], "Leave");
			if (values) leave({}, values[0]);
		}],
		["Leave and end", () => leave({ ends: true }, ""), true],
	], { text: "More steps…", class: "" });

	const state = h("div", { class: "row state" }), list = h("ol", { class: "steps", "aria-label": "Handoff" });
	const next = h("div", { class: "row" });
	const draw = () => {
		const [text, kind] = stateOf(), place = stands(), isLive = taken?.seat === "live-agent";
		fill(state, h("span", { role: "status", "aria-label": "Who answers" }, chip(text, kind)),
			!taken && button("Take over", () => act("takeOver"), { class: "primary" }),
			!isLive && button("Join as live agent", () => act("join", given({ name: app.by })),
				taken ? {} : { title: "Skips the handoff" }),
			isLive && button("Leave", () => leave({}, ""), { class: "primary" }),
			taken && button("Hand back", () => act("handBack", { answersLast: answers.firstChild.checked }),
				isLive ? {} : { class: "primary" }),
			taken?.unanswered && answers, taken?.unanswered && remark(`Unanswered: “${taken.unanswered}”`));
		fill(list, steps.map(([key, text]) => h("li", { "aria-current": key === place ? "step" : null }, text)));
		fill(next, button("Trigger handoff", () => step("triggerHandoff", {}, "none", "over")),
			button("Accept", () => step("accept", {}, "triggered")), more);
	};

	const shown = talk({ session, go, isSmall: true }), held = heldFrames(session);
	const node = h("div", { class: "takeover" }, shown.node, h("div", { class: "controls" },
		h("div", { class: "row" }, field("Your name", by), user), state,
		box("Say", extras.node, reply, h("div", { class: "row" }, button("Send", send, { class: "primary" }), extras.menu),
			canned),
		box("Handoff", list, next),
		box("Frames", h("div", { class: "row" }, eventsMenu(id)), held.node)));
	const load = () => app.server.get(`sessions/${id}`).then((answer) => {
		({ takeover: taken, speaker, memory } = answer);
		drawCanned();
		draw();
	}).catch(() => {});
	load();
	draw();
	drawUser();
	const off = [app.on("rows", (rows) => {
		if (!rows.some((row) => row.session === id)) return;
		if (rows.some((row) => row.session === id && placeOf(row))) told = null;
		drawUser();
		draw();
	}), app.on("sessions", load)];
	const ticking = setInterval(drawUser, 1000);
	return { node, destroy: () => { stopTyping(); shown.destroy(); held.destroy(); off.forEach((f) => f()); clearInterval(
		ticking) } };
};
