// The talk as its user sees it, by the modules of the chat page: the rows in sight are in the page, no others.

import { app } from "./app.js";
import { placeLink } from "./detail.js";
import { button, copy, empty, fill, h } from "./ui.js";
import { length, millis } from "./words.js";
import { scroller } from "../chat/scroll.js";
import { keyed } from "../shared/dom.js";
import { words } from "../shared/i18n.js";
import { change, make } from "../shared/rows.js";
import { create, rows as rowsOf, step } from "../shared/store.js";

let pack;
/** Milliseconds of work before the page may draw again. */
const slice = 12;
/** Times of the wire, 24 hours and UTC, in the reader's language. */
const language = `${navigator.language.split("-u-")[0]}-u-hc-h23`;

/**
 * - session: the one that is shown. - go(address): opens a frame. - isSmall: without number, time and rule of each row.
 * Gives {node, destroy}.
 */
export const talk = ({ session, go, isSmall = false }) => {
	const id = session.id;
	let state = create({ zone: "UTC", heard: (frame) => changes?.hear(frame) }), last = 0, asking = false, after = 0,
		planned = false, isGone = session.isGone, view, changes;
	const above = h("div"), below = h("div"), nothing = h("div"), list = h("div", { class: "rows talk" });
	const log = h("div", { class: "chat", role: "log", "aria-label": "Conversation", "aria-live": "off", tabIndex: 0 },
		nothing, above, list, below);
	const newest = button("Newest", () => { scroll.end(); draw() }, { class: "newer", hidden: true });
	const node = h("div", { class: `talk-view ${isSmall ? "is-small" : ""}` }, log, newest);

	// Frames by sequence: the key of a row.
	const frames = new Map(), loose = [];
	const note = (rows) => {
		for (const row of rows) {
			if (row.session !== id || row.dir !== "out") continue;
			if (row.seq != null && !frames.has(row.seq)) frames.set(row.seq, row);
			// What has no number is in no journal.
			else if (row.type === "SYSTEM_MESSAGE" && row.kind !== "rest") loose.push(row);
		}
	};
	note(app.log.of(id));

	const scroll = scroller({
		log, list, above, below, flip: false, items: () => state.items, draw: () => draw(),
		changed: (following) => { newest.hidden = following },
		after: (ms, work) => setTimeout(work, ms), cancel: (timer) => clearTimeout(timer),
	});
	const open = (item) => {
		const row = frames.get(item.order);
		if (row) go(`#/sessions/${id}/wire?row=${row.n}`);
	};
	const notes = (element, { item }) => {
		const row = item && frames.get(item.order);
		const key = [item?.order, item?.seen, row?.n, row?.place].join();
		if (element.of === key) return;
		element.of = key;
		fill(element, item && Number.isInteger(item.order)
			&& h("a", { class: "mono", href: row ? `#/sessions/${id}/wire?row=${row.n}` : null, title: "Open the frame" },
				`#${item.order}`),
		row?.lat != null && item.from !== "user" && h("span", { class: "mark" }, length(row.lat)),
		item?.seen && h("span", { class: "mark" }, item.seen.toLowerCase()),
		row?.rule && h("span", { class: "mark rule" }, row.rule), row?.rule && row.place && placeLink(row.place));
	};
	const built = (entry) => {
		const element = make(entry);
		element.addEventListener("click", (event) => {
			if (entry.item && !event.target.closest("a, button, summary") && !getSelection().toString()) open(entry.item);
		});
		element.addEventListener("keydown", (event) => {
			if (event.key !== "Enter" || event.target !== element || !entry.item) return;
			open(entry.item);
			event.stopPropagation();
		});
		return h("div", { class: "turn" }, isSmall ? null : h("div", { class: "gutter" }), element);
	};
	const render = () => {
		planned = false;
		if (!view) return;
		const { lo, hi } = scroll.window();
		// Pictures of agents may be elsewhere; the inspector asks its server alone.
		for (const item of state.items.slice(lo, hi)) if (!/^data:/.test(item.avatar ?? "")) item.avatar = null;
		keyed(list, rowsOf(state, lo, hi), built, (element, entry) => {
			element.item = entry.item;
			change(element.lastChild, entry, view);
			if (entry.row === "message") (element.lastChild.tabIndex = 0), changes?.decorate(element.lastChild, entry.item);
			if (!isSmall) notes(element.firstChild, entry);
		});
		fill(nothing, state.items.length === 0 && empty("Nothing said yet", "Messages appear here as they are sent."));
		scroll.settle();
	};
	const draw = () => {
		if (planned) return;
		planned = true;
		if (document.hidden) setTimeout(render);
		else requestAnimationFrame(render);
	};
	const prepare = async () => {
		pack ??= fetch("/pages/shared/strings/en.json").then((answer) => answer.json());
		view = {
			...words([await pack], language, "UTC"), version: 0, now: () => app.now(), lang: () => null, still: () => true,
			after: (ms, work) => setTimeout(work, ms), copy: (text) => copy(text, "Text"),
			look: (all, one) => window.open(one.url),
			actions: (item) => copy(item.text, "Text"), retry() {}, remove() {}, stay() {},
		};
	};

	const take = (frame) => {
		step(state, { do: "frame", frame }, Date.parse(frame.timestamp) || app.now());
	};
	const takeLoose = (before) => {
		while (loose.length > 0 && !(millis(loose[0].mt) > before)) {
			try { take(JSON.parse(loose.shift().raw)) } catch { /* damaged on its way */ }
		}
	};
	const takeAll = async (events) => {
		let began = performance.now();
		for (const event of events) {
			if (performance.now() - began > slice) {
				await new Promise((done) => setTimeout(done));
				began = performance.now();
			}
			if (isClosed) return;
			takeLoose(Date.parse(event.timestamp));
			take(event);
			if (state.started?.extensions)
				changes ??= (await import("../chat/changes.js")).changes({ state: () => state, view });
		}
		takeLoose(Infinity);
		draw();
	};
	const fromRows = async () => {
		const events = [];
		for (const row of app.log.of(id)) {
			if (row.n <= after || row.dir !== "out" || !["ws", "stream"].includes(row.kind)) continue;
			after = row.n;
			try { events.push(JSON.parse(row.raw)) } catch { /* damaged on its way */ }
		}
		await takeAll(events);
	};
	const ask = async () => {
		if (asking) return;
		asking = true;
		try {
			if (!view) await prepare();
			if (isGone) return await fromRows();
			const { entries, last: newestEntry } = await app.server.get(`sessions/${id}/journal`, { after: last, as: "poly" });
			last = newestEntry;
			await takeAll(entries.map(({ event }) => event).filter(Boolean));
		} catch (error) {
			if (error.status === 404) { isGone = true; await fromRows() }
			else if (state.items.length === 0) fill(nothing, empty("The conversation cannot be shown", error.message));
		} finally { asking = false }
	};
	ask();
	let soon, isClosed = false;
	const later = () => { soon ??= setTimeout(() => { soon = undefined; asking ? later() : ask() }, 100) };
	const off = [app.on("rows", (rows) => {
		note(rows);
		if (!app.isPaused && rows.some((row) => row.session === id)) later();
	}), app.on("pause", later)];
	return { node, destroy: () => { isClosed = true; clearTimeout(soon); off.forEach((f) => f()) } };
};

export const part = ({ session, go }) => talk({ session, go });
