// Model of the conversation on screen, twin of ChatModel.swift (Tests/Data/chat): events in, rows out. Each step brings its
// time in ms; `due` is the time of the next.
import { dayOf } from "./i18n.js";

const TYPING = 10_000, LABEL = 500, FAIL = 12_000, QUEUE = 15_000, GAP = 2000, GROUP = 300_000, SEEN = 10_000;

/**
 * A talk in which nothing has happened.
 *
 * options: zone ("UTC"), agent (a name for one that has none), progressive (true), queueForever, resend ("base"),
 * idleGrace (seconds), heard (called with each new event).
 */
export const create = (options = {}) => ({
	options: { zone: undefined, agent: "Agent", progressive: true, idleGrace: 30, ...options },
	items: [], messages: new Map(), locals: new Map(), seen: new Set(), drafts: new Set(), growing: new Set(),
	// sequence: the highest; cursor: the highest below which nothing is missing.
	sequence: 0, cursor: 0, early: new Set(), offset: 0, version: 0,
	started: null, joined: false, loaded: false, open: false, visible: true, bottom: true,
	agent: null, person: null, presence: null, language: null, typing: null, queue: null, idle: null,
	ended: null, own: false, mark: null, markUntil: null, unread: 0, below: 0, chunks: 0,
});

// Network values may have any type.
const text = (value) => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");
const object = (value) => (value && typeof value === "object" ? value : {});

const number = (text) => (/\d/.test(text ?? "") ? (/^\s*\+/.test(text) ? "+" : "") + text.replace(/\D/g, "") : null);
const web = (url) => (/^https?:\/\/[^\s<>"\\/?#][^\s<>"\\]*$/i.test(url ?? "") ? url : null);
const picture = (url) => web(url) ?? (/^data:image\//i.test(url ?? "") ? url : null);

function attachment(raw) {
	const image = raw?.content_type === "ATTACHMENT_CONTENT_TYPE_IMAGE";
	if (!image && raw?.content_type !== "ATTACHMENT_CONTENT_TYPE_URL") return null;
	const content = text(raw.content_url), preview = picture(text(raw.preview_image_url));
	const url = image ? picture(content) ?? preview : web(content);
	return url && { kind: image ? "image" : "link", url, title: text(raw.title) || undefined,
		preview: preview ?? undefined, button: text(raw.call_to_action_text) || undefined };
}

const list = (value) => (Array.isArray(value) ? value : []);
/** The parts of a message that has none. */
const bare = () => ({ attachments: [], suggestions: [], calls: [], unknown: 0 });

/** Adds the parts of a message or a chunk to an item. */
function carry(item, payload) {
	for (const raw of list(payload.attachments)) {
		const found = attachment(raw);
		if (found) item.attachments.push(found);
		else item.unknown += 1;
	}
	for (const raw of list(payload.response_suggestions))
		if (text(raw?.message_text)) item.suggestions.push(
			{ text: text(raw.message_text), payload: text(raw.payload) || undefined });
	for (const raw of list(payload.chat_call_actions).map(object))
		item.calls.push({ title: text(raw.title) || text(raw.contact_number), number: number(text(raw.contact_number)) });
}

/**
 * Takes one step at the time `now`. Gives back what is to be done besides showing it: {send: item}, {announce: …}.
 *
 * action.do: frame (frame), say (id, text, payload, custom), retry (id, fresh), remove (id), open, lost, closed, end,
 * hide, show, away, bottom, resume (id), active, note (key), tick.
 */
export function step(state, action, now) {
	const out = [];
	const { options } = state;
	state.version += 1;

	const place = (item) => {
		const { items } = state;
		let i = items.length;
		while (i > 0 && items[i - 1].order > item.order) i -= 1;
		items.splice(i, 0, item);
		item.placed = true;
		touch(item);
	};
	const touch = (item) => (item.version = state.version);
	const take = (item) => {
		const i = state.items.lastIndexOf(item);
		if (i >= 0) state.items.splice(i, 1);
		item.placed = false;
	};
	const note = (event, level, key, args, more) => {
		const order = more?.order ?? state.sequence + 0.5;
		const item = { key: `${event}-${order}-${state.version}`, kind: "system", event, level, text: undefined, ...more,
			label: key, args, order, at: more?.at ?? now + state.offset };
		place(item);
		if (state.loaded && more?.silent !== true) out.push({ announce: { key, args, text: item.text } });
		return item;
	};
	/** The item of a message. Its first piece decides on place and time, though that may arrive last. */
	const begin = ({ id: event, payload }, from, where) => {
		const id = text(payload.message_id) || event, who = from === "person" ? state.person : state.agent;
		let item = state.messages.get(id);
		if (item && where.order < item.order) {
			const { placed } = item;
			take(item);
			Object.assign(item, where);
			if (placed) place(item);
		}
		if (item) return item;
		item = {
			key: id, id, kind: "message", from, ...where,
			name: text(payload.agent_name) || who?.name || options.agent,
			avatar: text(payload.avatar_url) || who?.avatar || null,
			text: "", ...bare(), done: false,
		};
		state.messages.set(id, item);
		revive();
		return item;
	};
	const reveal = (item) => {
		const content = item.text || (item.done && (item.attachments.length || item.calls.length));
		if (!item.placed && content && (item.done || options.progressive)) place(item);
		else touch(item);
		if (item.placed) state.typing = null;
	};
	const finish = (item) => {
		item.done = true;
		item.cut = item.interrupted = false;
		state.growing.delete(item);
		state.typing = null;
		reveal(item);
		if (!item.placed || !state.loaded || item.told) return;
		item.told = true;
		out.push({ announce: { item } });
		if (!state.bottom) state.below += 1;
		if (!state.visible) {
			state.unread += 1;
			state.mark ??= item.key;
			state.markUntil = null;
		}
	};
	const assemble = (item) => {
		const indices = [...item.chunks.keys()].sort((a, b) => a - b);
		let next = indices[0] === 0 ? 0 : 1, joined = "";
		for (const index of indices) {
			if (index !== next && !item.loose) break;
			joined += item.chunks.get(index);
			next = index + 1;
		}
		item.text = joined;
		const whole = indices.length === 0 || next > indices.at(-1);
		item.gap = whole ? null : item.gap ?? now + GAP;
		if (item.last >= 0 && whole && (item.loose || next > item.last)) finish(item);
		else reveal(item);
	};
	const revive = () => {
		if (state.ended?.by === "person" && !state.ended.final) state.ended = null;
	};
	const speak = (frame, from, where) => {
		const { payload } = frame, item = begin(frame, from, where);
		if (item.edited || item.deleted) return;
		Object.assign(item, { text: text(payload.text), ...bare(), gap: null });
		carry(item, payload);
		finish(item);
	};
	const confirm = (item, frame) => {
		if (item.delivery === "sent") return;
		const slow = now - item.since > 2000;
		const replaced = item.retried && state.locals.get(item.retried);
		if (replaced && replaced.delivery !== "sent") {
			take(replaced);
			state.drafts.delete(replaced);
			state.locals.set(item.retried, item);
		}
		take(item);
		state.drafts.delete(item);
		Object.assign(item, { delivery: "sent", id: text(frame.payload.message_id) || item.id,
			text: text(frame.payload.text) || item.text,
			order: frame.sequence ?? item.order, at: Date.parse(text(frame.timestamp)) || item.at });
		state.messages.set(item.id, item);
		place(item);
		if (slow && state.loaded) out.push({ announce: { key: "delivery.sent" } });
	};
	const transmit = (item) => {
		if (!state.open) return (item.fail = options.queueForever ? null : now + QUEUE);
		item.wire = true;
		item.fail = now + FAIL;
		item.copies = options.resend === "base" ? [3000, 6000, 9000].map((each) => now + each) : [];
		out.push({ send: item });
	};
	const say = (id, text, payload, custom) => {
		const item = {
			key: id, id, kind: "message", from: "user", order: Infinity, at: now + state.offset, since: now, text, payload,
			custom, ...bare(), done: true, delivery: "pending", wire: false, copies: [],
		};
		state.locals.set(id, item);
		state.drafts.add(item);
		place(item);
		state.mark = state.idle = null;
		dropIdle();
		transmit(item);
		return item;
	};
	const dropIdle = () => {
		for (const item of state.items.slice(-20)) if (item.event === "idleWarning") take(item);
		state.idle = null;
	};
	const end = (by) => {
		state.ended ??= { by };
		state.typing = null;
		dropIdle();
		for (const item of state.growing) if (item.placed) (item.interrupted = true), touch(item);
		state.growing.clear();
	};
	const handoff = (presence, event, level, key, args, more) => {
		state.presence = presence;
		return note(event, level, key, args, more);
	};

	const hear = (raw) => {
		const frame = { ...object(raw), payload: object(raw?.payload), id: text(raw?.id),
			type: text(raw?.type).replace("EVENT_TYPE_", ""), sequence: Number.isInteger(raw?.sequence) ? raw.sequence : null };
		const { id, sequence } = frame;
		if (state.seen.has(id)) return;
		if (id) state.seen.add(id);
		if (sequence !== null) {
			state.sequence = Math.max(state.sequence, sequence);
			state.early.add(sequence);
			while (state.early.delete(state.cursor + 1)) state.cursor += 1;
		}
		event(frame);
		options.heard?.(frame);
	};
	const event = (frame) => {
		const { sequence, payload, type } = frame;
		const at = Date.parse(text(frame.timestamp)) || now + state.offset;
		const person = () => text(payload.agent_name) || state.person?.name || options.agent;
		const where = { order: sequence ?? state.sequence + 0.5, at };
		switch (type) {
			case "SESSION_START":
				return (state.started = object(payload.capabilities));
			case "POLY_AGENT_JOINED":
				revive();
				state.joined = true;
				state.person = null;
				state.presence = "agent";
				return (state.agent = { name: text(payload.agent_name) || options.agent, avatar: text(payload.agent_avatar_url) });
			case "POLY_AGENT_THINKING":
				return (state.typing = { name: state.agent?.name ?? options.agent, until: now + TYPING });
			case "POLY_AGENT_MESSAGE":
				return speak(frame, "agent", where);
			case "POLY_AGENT_MESSAGE_CHUNK": {
				const item = begin(frame, "agent", where), index = payload.chunk_index;
				state.chunks += 1;
				item.chunks ??= new Map();
				if (item.done || item.chunks.has(index) || !(Number.isInteger(index) && index >= 0)) return;
				item.chunks.set(index, text(payload.text));
				item.cut = item.interrupted = false;
				state.growing.add(item);
				carry(item, payload);
				if (payload.is_complete) item.last = index;
				if (!options.progressive) state.typing = { name: item.name, until: now + TYPING };
				return assemble(item);
			}
			case "USER_MESSAGE": {
				dropIdle();
				const local = text(frame.metadata?.custom?.local_id), draft = local && state.locals.get(local);
				if (draft) return confirm(draft, frame);
				const id = text(payload.message_id) || frame.id;
				if (state.messages.has(id)) return;
				const item = {
					key: id, id, kind: "message", from: "user", ...where, text: text(payload.text), ...bare(),
					done: true, delivery: "sent", custom: frame.metadata?.custom,
				};
				state.messages.set(id, item);
				if (local) state.locals.set(local, item);
				state.mark = null;
				return place(item);
			}
			case "LIVE_AGENT_JOINED": {
				const agent = object(payload.agent);
				state.person = { name: text(agent.name) || options.agent, avatar: text(agent.avatar_url) };
				state.queue = null;
				revive();
				return handoff("person", "liveAgentJoined", "info", "handoff.joined", { name: state.person.name }, where);
			}
			case "LIVE_AGENT_TYPING": {
				const started = /STARTED$/i.test(text(payload.state));
				return (state.typing = started ? { name: person(), until: now + TYPING } : null);
			}
			case "LIVE_AGENT_MESSAGE":
				return speak(frame, "person", where);
			case "LIVE_AGENT_LEFT":
				handoff(null, "liveAgentLeft", "info", "handoff.left", { name: person() }, where);
				state.person = null;
				return end("person");
			case "POLY_AGENT_LEFT":
				return (state.typing = null);
			case "POLY_AGENT_TRIGGERED_HANDOFF":
				state.queue = null;
				return handoff("transferring", "triggeredHandoff", "info", "handoff.started", {}, where);
			case "HANDOFF_ACCEPTED":
				return handoff("queue", "handoffAccepted", "info", "handoff.accepted", {}, where);
			case "HANDOFF_QUEUE_STATUS": {
				const [n, wait] = [payload.position_in_queue, payload.estimated_wait_seconds].map((each) =>
					(Number.isFinite(each) ? each : undefined));
				const m = wait == null ? undefined : Math.max(1, Math.round(wait / 60));
				const key = n == null ? (m ? "handoff.wait" : "handoff.waiting") : m ? "handoff.queue" : "handoff.position";
				const words = text(payload.display_message) || undefined, args = { n, m };
				state.presence = "queue";
				if (!state.queue) return (state.queue = note("queueStatus", "info", key, args,
					{ ...where, text: words, history: [] }));
				const row = state.queue;
				row.history.push({ label: row.label, args: row.args, text: row.text, at: row.told ?? row.at });
				if (state.loaded && row.args.n !== n) out.push({ announce: { key, args, text: words } });
				Object.assign(row, { label: key, args, text: words, told: at });
				return touch(row);
			}
			case "HANDOFF_FAILED":
			case "HANDOFF_TIMEOUT": {
				const late = type === "HANDOFF_TIMEOUT";
				state.queue = null;
				return handoff("agent", late ? "handoffTimeout" : "handoffFailed", "error",
					late ? "handoff.timeout" : "handoff.failed", {}, where);
			}
			case "CLIENT_HANDOFF_REQUIRED":
				return handoff(null, "clientHandoffRequired", "warning", "handoff.client", {},
					{ ...where, link: web(text(payload.route)) ?? undefined });
			case "SYSTEM_MESSAGE":
				return note("systemMessage", { WARNING: "warning",
					ERROR: "error" }[text(payload.level).replace("SYSTEM_MESSAGE_LEVEL_", "")] ?? "info", "system", {},
					{ ...where, text: text(payload.message) });
			case "LANGUAGE_CHANGED":
				return (state.language = text(payload.language_code) || state.language);
			case "SESSION_IDLE_WARNING":
				dropIdle();
				state.idle = now + options.idleGrace * 1000;
				return note("idleWarning", "warning", "idle.warning", { n: options.idleGrace }, where);
			case "SESSION_END": {
				const by = { REASON_USER_END: "user", REASON_USER_ABANDONED: "idle" }[text(payload.reason)] ?? "agent";
				const told = state.ended || state.own || by === "user";
				state.presence = null;
				state.person = null;
				end(state.own ? "user" : by);
				if (state.ended) state.ended.final = true;
				return told || note("sessionEnd", "info", by === "idle" ? "ended.idle" : "ended.note", {}, where);
			}
			case "USER_END_SESSION":
				return (state.own = true);
		}
	};

	switch (action.do) {
		case "frame":
			if (action.frame.type === "EVENT_TYPE_EVENT_BATCH") for (const each of list(action.frame.payload?.events)) hear(
				each);
			else hear(action.frame);
			if (action.frame.timestamp) state.offset = (Date.parse(text(action.frame.timestamp)) || now + state.offset) - now;
			break;
		case "say":
			say(action.id, action.text, action.payload, action.custom);
			break;
		case "retry": {
			const old = state.locals.get(action.id);
			if (old?.delivery !== "failed") break;
			take(old);
			old.retried = action.fresh;
			say(action.fresh, old.text, old.payload, old.custom).files = old.files;
			break;
		}
		case "remove": {
			const item = state.locals.get(action.id);
			if (item?.delivery === "failed") take(item);
			break;
		}
		case "open":
			state.open = true;
			for (const item of state.growing) if (item.cut) (item.interrupted = true), touch(item);
			for (const item of state.drafts) transmit(item);
			state.loaded = true;
			break;
		case "lost":
			state.open = false;
			state.typing = null;
			for (const item of state.growing) item.cut = true;
			for (const item of state.drafts) (item.copies = []), (item.fail = options.queueForever ? null : now + QUEUE);
			break;
		case "closed":
			end("closed");
			state.ended.final = true;
			break;
		case "end":
			state.own = true;
			break;
		case "hide":
			state.visible = false;
			break;
		case "show":
			state.visible = true;
			state.unread = 0;
			break;
		case "away":
			state.bottom = false;
			break;
		case "bottom":
			state.bottom = true;
			state.below = 0;
			break;
		case "resume": {
			const { items } = state, seen = items.findLastIndex((each) => each.id === action.id);
			const next = seen < 0 ? null : items.slice(seen + 1).find((each) => each.kind === "message" && each.from !== "user");
			if (next) state.mark ??= next.key;
			break;
		}
		case "active":
			dropIdle();
			break;
		case "note":
			note(action.event ?? "client", action.level ?? "info", action.key, {}, {});
			break;
	}

	if (state.typing && now >= state.typing.until) state.typing = null;
	for (const item of [...state.growing]) if (item.gap && now >= item.gap) (item.loose = true), assemble(item);
	for (const item of [...state.drafts]) {
		if (item.delivery === "pending" && now >= item.since + LABEL) (item.delivery = "sending"), touch(item);
		while (item.copies[0] <= now) item.copies.shift(), out.push({ send: item });
		if (item.fail && now >= item.fail) {
			item.delivery = "failed";
			state.drafts.delete(item);
			touch(item);
			out.push({ announce: { key: "announce.failed" } });
		}
	}
	if (!state.mark || !state.visible || !state.bottom) state.markUntil = null;
	else if (!state.markUntil) state.markUntil = now + SEEN;
	else if (now >= state.markUntil) state.mark = state.markUntil = null;
	if (state.idle) {
		const item = state.items.findLast((each) => each.event === "idleWarning");
		const n = Math.max(0, Math.ceil((state.idle - now) / 1000));
		if (item && item.args.n !== n) (item.args = { n }), touch(item);
	}
	return out;
}

/** The time of the next tick, or null. */
export function due(state, now) {
	const times = [state.typing?.until, state.markUntil];
	for (const item of state.growing) times.push(item.gap);
	for (const item of state.drafts) times.push(item.fail, item.copies[0],
		item.delivery === "pending" ? item.since + LABEL : null);
	if (state.idle > now) times.push(now + (((state.idle - now - 1) % 1000) + 1));
	const next = Math.min(...times.filter(Boolean));
	return next === Infinity ? null : next;
}

const day = (state, item) => {
	if (item.dated !== item.at) item.day = dayOf((item.dated = item.at), state.options.zone);
	return item.day;
};
const speaker = (item) => item.from + "|" + (item.name ?? "");

function together(state, a, b) {
	return a?.kind === "message" && b?.kind === "message" && speaker(a) === speaker(b) && state.mark !== b.key
		&& Math.abs(b.at - a.at) <= GROUP && day(state, a) === day(state, b);
}

/**
 * The rows of the items from `from` to `to`: {row: "time", at}, {row: "unread"}, {row: "message", item, position} and
 * {row: "system", item}. Each has a key of its own that stays.
 */
export function rows(state, from = 0, to = state.items.length) {
	const { items } = state, out = [];
	let last = from - 1;
	while (last >= 0 && items[last].kind !== "message") last -= 1;
	let before = items[last];
	for (let i = from; i < to; i++) {
		const item = items[i];
		if (item.kind === "system") {
			out.push({ row: "system", key: item.key, item });
			continue;
		}
		if (!before || item.at - before.at > GROUP || day(state, item) !== day(state, before)) out.push(
			{ row: "time", key: "time-" + item.key, at: item.at });
		if (state.mark === item.key) out.push({ row: "unread", key: "unread" });
		const up = together(state, items[i - 1], item), down = together(state, item, items[i + 1]);
		out.push({ row: "message", key: item.key, item,
			position: up ? (down ? "middle" : "last") : down ? "first" : "single" });
		before = item;
	}
	return out;
}

/** The rows with the newest on top; names and times stay above their groups. */
export function newestFirst(rows) {
	const out = [];
	let held = [];
	for (const row of rows.reverse()) {
		held.push(row.position ? { ...row, position: { first: "last", last: "first" }[row.position] ?? row.position } : row);
		if (row.row === "time") {
			out.push(held.pop(), ...held);
			held = [];
		}
	}
	return [...out, ...held];
}

/** The suggestions that may be chosen now, and their message's key; or null. */
export function suggestions(state) {
	const item = state.items.findLast((each) => each.event !== "idleWarning");
	const offered = item?.kind === "message" && item.from !== "user" && item.done && !state.ended
		&& item.suggestions.length;
	return offered ? { key: item.key, list: item.suggestions } : null;
}
