// The talk as the visitor sees it, by the modules of the chat page, with the number, time and rule of each row.

import { app } from "./app.js";
import { placeLink } from "./detail.js";
import { copy, empty, h } from "./ui.js";
import { length } from "./words.js";
import { keyed } from "../shared/dom.js";
import { words } from "../shared/i18n.js";
import { change, make } from "../shared/rows.js";
import { create, rows as rowsOf, step } from "../shared/store.js";

let pack;

export const part = ({ session, go }) => {
	const id = session.id;
	let state = create(), last = 0, asking = false, after = 0;
	const list = h("div", { class: "rows talk", role: "log", "aria-label": "Conversation", "aria-live": "off", tabIndex: 0 });
	const nothing = h("div");
	const node = h("div", { class: "chat" }, nothing, list);

	const rowOf = (sequence) => app.log.of(id).find((row) => row.seq === sequence && row.dir === "out");
	const open = (item) => {
		const row = rowOf(item.order);
		if (row) go(`#/sessions/${id}/wire?row=${row.n}`);
	};
	const gutter = (element, { item }) => {
		const row = item && rowOf(item.order);
		const place = row?.place;
		const key = [item?.order, row?.n, place].join();
		if (element.of === key) return
		element.of = key;
		element.replaceChildren(...!item ? [] : [
			h("a", { class: "mono", href: row ? `#/sessions/${id}/wire?row=${row.n}` : null, title: "Open the frame" }, `#${item.order}`),
			row?.lat != null && item.from !== "user" ? h("span", { class: "mark" }, length(row.lat)) : "",
			row?.rule ? h("span", { class: "mark rule" }, row.rule) : "", row?.rule && place ? placeLink(place) : "",
		]);
	};
	const draw = async () => {
		pack ??= fetch("/pages/shared/strings/en.json").then((answer) => answer.json());
		const view = {
			...words([await pack], "en", "UTC"), version: 0, now: () => app.now(), lang: () => null, still: () => true, after: (ms, work) => setTimeout(work, ms),
			copy: (text) => copy(text, "Text"), look: (all, one) => window.open(one.url), actions: (item) => copy(item.text, "Text"), retry() {}, remove() {}, stay() {},
		};
		const isAtEnd = node.scrollTop + node.clientHeight > node.scrollHeight - 40;
		// Pictures of agents are elsewhere; the inspector asks its server alone.
		for (const item of state.items) item.avatar = null;
		keyed(list, rowsOf(state), (entry) => {
			const element = make(entry);
			if (entry.item) element.addEventListener("click", (event) => { if (!event.target.closest("a, button") && !getSelection().toString()) open(entry.item) });
			element.addEventListener("keydown", (event) => { if (event.key === "Enter" && event.target === element) { open(entry.item); event.stopPropagation() } });
			return h("div", { class: "turn" }, h("div", { class: "gutter" }), element);
		}, (element, entry) => {
			change(element.lastChild, entry, view);
			if (entry.row === "message") element.lastChild.tabIndex = 0;
			gutter(element.firstChild, entry);
		});
		nothing.replaceChildren(...list.children.length ? [] : [empty("Nothing said yet", "Messages appear here as they are told.")]);
		if (isAtEnd) node.scrollTop = node.scrollHeight;
	};
	const take = (frame) => step(state, { do: "frame", frame }, Date.parse(frame.timestamp) || app.now());
	const fromRows = () => {
		for (const row of app.log.of(id)) {
			if (row.n <= after || row.dir !== "out" || !["ws", "stream"].includes(row.kind)) continue;
			after = row.n;
			try { take(JSON.parse(row.raw)) } catch { /* damaged on its way */ }
		}
		return draw();
	};
	const ask = async () => {
		if (session.isGone) return fromRows();
		if (asking) return
		asking = true;
		try {
			const { entries, last: newest } = await app.server.get(`sessions/${id}/journal`, { after: last, as: "poly" });
			for (const { event } of entries) if (event) take(event);
			last = newest;
			await draw();
		} catch (error) {
			if (error.status === 404) { session = { id, isGone: true }; await fromRows() }
			else if (!list.children.length) nothing.replaceChildren(empty("The talk cannot be shown", error.message));
		} finally { asking = false }
	};
	ask();
	let soon;
	const off = app.on("rows", (rows) => {
		if (app.isPaused || !rows.some((row) => row.session === id)) return
		soon ??= setTimeout(() => { soon = undefined; ask() }, 100);
	});
	const resumed = app.on("pause", ask);
	return { node, destroy: () => { off(); resumed() } };
};
