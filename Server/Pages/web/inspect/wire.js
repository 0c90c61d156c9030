// The wire of a session, or of the whole server: a windowed table, a filter in the server's language, one frame in
// detail.

import { app, Feed, fillGap } from "./app.js";
import { violations } from "./cause.js";
import { curl, fixtureRule, rowJSON, swiftTest } from "./copy.js";
import { detail } from "./detail.js";
import { Lines, noise, related, Spans } from "./log.js";
import { Table } from "./table.js";
import { attempt, button, copy, download, empty, fill, h, notice, pick, toggle } from "./ui.js";
import { arrow, count, direction, isError, isFaulted, length, millis, mistake, name, short, size, summary, timeOfDay,
	within } from "./words.js";

const settings = { hide: new Set(["Heartbeats", "Control frames"]), time: "Absolute", join: false, timeline: false };

export const wire = ({ session, query, go }) => {
	const rowsOf = () => session ? app.log.of(session.id) : app.log.rows;
	let filter = query.get("filter") ?? "", found = null, feed, lines, spans, base, follow = true, news = 0, chosen = null;
	let kin = new Set(), broken = new Map(), open = new Set(), waiting = 0;

	const table = new Table({
		label: "Wire timeline", class: "mono wire-table", height: 28, inOrder: true, canPick: true,
		columns: [
			{ name: "#", width: "5.4em", class: "number" }, { name: "Time", width: "8.6em" },
			{ name: "Δ", width: "5.6em", class: "number wide-1" },
			{ name: "Direction", label: h("span", { class: "hidden" }, "Direction"), width: "1.9em", class: "way" },
			...session ? [] : [{ name: "Session", width: "9.2em", class: "wide-1" }],
			{ name: "Kind", width: "4.6em", class: "wide-2" }, { name: "Type", class: "type" },
			{ name: "Seq", width: "3.4em", class: "number" },
			{ name: "Size", width: "5em", class: "number wide-2" }, { name: "Latency", width: "5.4em", class: "number" },
			{ name: "Summary" }, { name: "Timeline", width: "11em", class: "timeline" },
		],
		// A joined message stands right before its first chunk.
		key: (line) => line.chunks ? line.n - 0.5 : line.n,
		version: (line) => line.chunks?.length,
		mark: (line) => {
			const row = line.row ?? line;
			return [isError(row) && "bad", isFaulted(row) && "faulted", row.kind === "violation" && "violation",
				row.flags?.includes("unmatched") && "odd", row.kind, row.dir, kin.has(line.n) && "kin",
				broken.has(line.n) && "violated"].filter(Boolean).join(" ");
		},
		cells: (line, at) => cells(line, table.items[at - 1]),
		open: (line) => line.chunks ? expand(line) : show(line),
		choose: (line) => {
			if (line.chunks) return
			chosen = line;
			root.classList.add("has-detail");
			kin = new Set(related(line, rowsOf()));
			table.draw();
			pane.show(line);
			address();
		},
		picking: () => pane.picked([...table.picked].map((n) => app.log.find(n)).filter(Boolean)),
	});
	const time = (row) => settings.time === "Absolute" ? timeOfDay(row.t)
		: settings.time === "Since start" ? length(
			millis(row.t) - (base ??= millis(session?.openedAt) || millis(rowsOf()[0]?.t))) : "";
	const cells = (line, before) => {
		const row = line.row ?? line;
		const last = line.chunks?.at(-1) ?? row;
		const gap = before ? millis(row.t) - millis((before.chunks?.at(-1) ?? before.row ?? before).t) : 0;
		const delta = before && gap >= 0.05 ? "+" + length(gap) : "";
		const marks = [
			row.flags?.includes("replayed") && h("span", { class: "mark" }, "replayed"),
			row.flags?.includes("unmatched") && h("span", { class: "mark warn" }, "unmatched"),
			row.flags?.includes("intercepted") && h("span", { class: "mark" }, "intercepted"),
			isFaulted(row) && row.kind !== "fault" && h("span", { class: "mark warn" }, `fault ${row.fault || ""}`),
			broken.has(row.n) && h("span", { class: "mark bad" }, count(broken.get(row.n).length, "violation")),
			row.rule && row.kind !== "rule" && h("span", { class: "mark rule" }, row.rule),
		];
		return [
			line.n, settings.time === "Delta" ? delta : time(row), delta,
			h("span", { title: direction[row.dir] }, h("span", { "aria-hidden": "true" }, arrow[row.dir]),
				h("span", { class: "hidden" }, direction[row.dir])),
			...session ? [] : [row.session
				? h("a", { href: `#/sessions/${row.session}/wire?row=${row.n}`, tabIndex: -1 }, short(row.session)) : ""],
			row.kind,
			line.chunks ? button([open.has(line.key) ? "▾ " : "▸ ", `Message (${count(line.chunks.length, "chunk")})`],
				() => expand(line), { class: "link", "aria-expanded": String(open.has(line.key)) })
				: [isError(row) && h("span", { class: "dot bad", title: "error" }, h("span", { class: "hidden" }, "error ")),
					name(row.type), row.status ? h("span", { class: "status" }, ` ${row.status}`) : ""],
			row.seq ?? "", size(line.chunks ? line.chunks.reduce((sum, r) => sum + r.size, 0) : row.size),
			row.lat != null ? length(last.lat) : "",
			[marks, h("span", { class: "summary" },
				highlighted(line.chunks ? line.chunks.map((r) => summary(r, 60)).join("") : summary(row)))],
			...settings.timeline ? [span(last)] : [],
		];
	};

	/** When a reply began after what it answers, and how long it streamed, as part of the slowest one. */
	const span = (row) => {
		const found = spans.of(row);
		if (!found) return "";
		const bar = h("i"), share = (ms) => `${Math.round(ms / spans.longest * 1000) / 10}%`;
		bar.style.insetInlineStart = share(found.from);
		bar.style.inlineSize = share(found.to - found.from);
		const text = found.to > found.from ? `after ${length(found.from)}, for ${length(found.to - found.from)}`
			: `after ${length(found.to)}`;
		return h("span", { class: "span", title: text }, bar, h("span", { class: "hidden" }, text));
	};

	/** Words of the filter without a colon are texts: they are marked where they are seen. */
	let words = [];
	const highlighted = (text) => {
		const word = words.find((w) => text.toLowerCase().includes(w));
		if (!word) return text;
		const at = text.toLowerCase().indexOf(word);
		return [text.slice(0, at), h("mark", null, text.slice(at, at + word.length)), text.slice(at + word.length)];
	};

	const expand = (line) => {
		table.root.focus({ preventScroll: true });
		if (!open.delete(line.key)) open.add(line.key);
		rebuild();
		table.go(line.n - 0.5);
	};
	const show = (row) => { root.classList.add("is-detail"); pane.show(row, true) };

	// MARK: Rows

	const rebuild = () => {
		lines = new Lines({ hide: [...settings.hide], joinChunks: settings.join, open, from: app.clearedAt });
		broken = violations(rowsOf());
		lines.push(found ?? rowsOf());
		spans = new Spans().push(found ?? rowsOf());
		root.classList.toggle("shows-timeline", settings.timeline);
		gone = app.log.gone;
		table.set(lines.lines);
		counts();
		if (follow) table.toEnd();
	};
	let gone = app.log.gone;

	const add = (rows, { isFound = false } = {}) => {
		if (Boolean(found) !== isFound) return;
		if (app.isPaused) { waiting += rows.length; return pausedNote() }
		if (!isFound && session) rows = rows.filter((row) => row.session === session.id);
		if (!rows.length) return;
		if (isFound) { found.push(...rows); if (found.length > 10_500) found.splice(0, 500) }
		const isLater = !lines.lines.length || rows[0].n > lines.lines.at(-1).n;
		if (rows.some((row) => row.kind === "violation")) { broken = violations(rowsOf()); table.refresh() }
		if (!isLater || gone !== app.log.gone || settings.join) return rebuild();
		const before = lines.lines.length;
		lines.push(rows);
		const longest = spans.longest;
		if (spans.push(rows).longest > longest && settings.timeline) table.refresh();
		table.grow();
		counts();
		if (follow) table.toEnd();
		else { news += lines.lines.length - before; moreNote() }
	};

	table.resized = () => { if (follow) table.toEnd() };
	table.moved = () => {
		const was = follow;
		follow = table.isAtEnd;
		if (follow && !was) { news = 0; moreNote() }
	};

	const more = button("", () => { follow = true; news = 0; moreNote(); table.toEnd() },
		{ class: "newer", hidden: true });
	const moreNote = () => { more.hidden = !news; more.textContent = count(news, "new row") ; announce() };
	let announcedAt = 0;
	const announcer = h("p", { class: "hidden", role: "status" });
	const announce = () => {
		if (!news || !table.root.contains(document.activeElement) || performance.now() - announcedAt < 10_000) return
		announcedAt = performance.now();
		announcer.textContent = count(news, "new row");
	};
	const pausedNote = () => { status.textContent = `Paused, ${count(waiting, "row")} waiting` };

	const status = h("p", { class: "note", role: "status", "aria-label": "Rows" });
	// One button that changes its words: a new one moves under the pointer.
	const gap = button("", () => attempt(fillGap), { class: "link", hidden: true });
	const nothing = h("div");
	const counts = () => {
		const hidden = Object.entries(lines.hidden);
		status.textContent = [
			count(lines.lines.length, "row"),
			hidden.length > 0
				&& `${hidden.reduce((sum, [, n]) => sum + n, 0)} hidden (${hidden.map(([what, n]) => `${n} ${what.toLowerCase()}`).join(", ")})`,
			app.dropped && `${count(app.dropped, "older row")} dropped by the server`,
			app.clearedAt && "cleared",
		].filter(Boolean).join(" · ");
		gap.hidden = !app.skipped;
		gap.textContent = `${count(app.skipped, "row")} left out at this rate: load`;
		fill(nothing, ...lines.lines.length ? [] : [
			app.state === "Loading" ? empty("Loading rows…")
				: found ? empty("No row matches", hint || "The filter takes none of the rows that the server holds.",
					button("Clear filter", () => { box.value = ""; apply("") }))
					: hidden.length ? empty("Only hidden rows so far", "The switches above show them.")
						: empty("Nothing crossed the wire yet",
							session ? "This session’s frames will appear here as they come."
							: "Open a chat, and its requests and frames appear here as they come.",
							session ? null : h("a", { class: "button", href: "/chat", target: "_blank" }, "Open chat"))]);
	};

	// MARK: Filter

	let hint = "";
	const box = h("input", { type: "search", "aria-label": "Filter wire",
		placeholder: "Filter: type:USER_MESSAGE  dir:in  lat:>200ms  $.payload.text=hi", value: filter, spellcheck: false,
		autocomplete: "off", "aria-describedby": "filter-error",
		oninput: () => { clearTimeout(typing); typing = setTimeout(() => apply(box.value), 250) }, onkeydown: (event) => {
		if (event.key === "Enter") {
			clearTimeout(typing);
			apply(box.value);
			if (table.items.length) step(event.shiftKey ? -1 : 1);
		} else if (event.key === "Escape") {
			if (box.value) { box.value = ""; apply("") } else box.blur();
			event.preventDefault();
		} else if (event.key === "ArrowDown") table.go(table.key(table.items[0] ?? {}));
		else return
		event.stopPropagation();
	} });
	let typing;
	const wrong = h("p", { id: "filter-error", class: "wrong", role: "status" });

	let asked = 0;
	const apply = async (text) => {
		filter = text.trim();
		const turn = asked += 1;
		feed?.close();
		address();
		words = filter.split(/\s+/).filter((w) => w && !/[:$/"-]/.test(w)).map((w) => w.toLowerCase());
		if (!filter) {
			found = null;
			wrong.textContent = "";
			box.removeAttribute("aria-invalid");
			return rebuild();
		}
		const full = within(session?.id, filter);
		try {
			const answer = await app.server.get("wire", { filter: full, last: 10_000 });
			if (turn !== asked) return
			wrong.textContent = "";
			box.removeAttribute("aria-invalid");
			hint = answer.hint ?? "";
			found = answer.rows;
			follow = true;
			rebuild();
			const own = feed = new Feed(app.server,
				{ query: () => ({ after: found.seen ?? answer.last, filter: full }), take: (items) => {
				const rows = items.filter((item) => item.row).map((item) => item.row);
				if (own !== feed || !rows.length || !found) return
				found.seen = rows.at(-1).n;
				add(rows, { isFound: true });
			} });
			feed.open();
		} catch (error) {
			if (turn !== asked) return
			wrong.textContent = mistake(error.message, session?.id);
			box.setAttribute("aria-invalid", "true");
		}
	};
	const step = (by) => {
		const at = table.indexOf(table.current);
		const line = table.items[at < 0 ? 0 : Math.max(0, Math.min(table.items.length - 1, at + by))];
		table.go(table.key(line), { focus: false });
	};

	const address = () => go.replace({ filter, row: chosen?.n });

	// MARK: The page

	const copies = (rows) => {
		const row = rows[0];
		const all = rowsOf();
		const own = app.sessions.get(row.session);
		const rule = fixtureRule(row, all), test = swiftTest(row, all, own);
		return [
			["Copy as JSON", () => copy(rows.length > 1 ? JSON.stringify(rows, null, 2) : rowJSON(row), "JSON")],
			["Copy raw text", () => copy(rows.map((r) => r.raw ?? r.rawBase64 ?? "").join("\n"), "Text")],
			[row.kind === "rest" && row.type !== "GET /ws" ? "Copy as curl" : "Copy as wscat",
				() => copy(curl(row, location.origin, own), "Command")],
			own && ["Copy as replay", () => copy(own.replay, "Command")],
			rule && ["Copy as fixture", () => copy(rule, "Rule")],
			test && ["Copy as Swift test", () => copy(test, "Test")],
			rows.length > 1 && ["Export selection", () =>
				download("rows.jsonl", new Blob([rows.map((r) => JSON.stringify(r)).join("\n") + "\n"]))],
		];
	};
	const pane = detail({ session, rowsOf, copies, broken: () => broken, go: (n) => jump(n),
		close: () => { root.classList.remove("is-detail", "has-detail"); table.root.querySelector(".current")?.focus() },
		related: () => [...kin] });

	const jump = (n) => {
		const row = app.log.find(n);
		if (!row) return notice(`Row ${n} is no longer held`);
		if (session && row.session !== session.id) return go(`#/log?row=${n}`);
		if (table.indexOf(n) < 0) {
			for (const [what, is] of Object.entries(noise)) if (is(row)) settings.hide.delete(what);
			if (row.corr) open.add(`${row.socket} ${row.corr}`);
			box.value = "";
			app.clearedAt = Math.min(app.clearedAt, n - 1);
			switches();
			apply("");
		}
		follow = false;
		table.go(n);
		show(row);
	};

	const bar = h("div", { class: "bar" });
	const switches = () => fill(bar,
		h("div", { class: "filter" }, box, wrong),
		h("div", { class: "switches", role: "group", "aria-label": "Show" },
			Object.keys(noise).map((what) => toggle(what, !settings.hide.has(what), (isOn) => {
			if (isOn) settings.hide.delete(what);
			else settings.hide.add(what);
			rebuild();
		})), toggle("Join chunks", settings.join, (isOn) => { settings.join = isOn; rebuild() }),
		toggle("Timeline", settings.timeline, (isOn) => { settings.timeline = isOn; rebuild(); table.refresh() })),
		pick("Time format", ["Absolute", "Since start", "Delta"], settings.time,
			(value) => { settings.time = value; table.refresh() }));

	const root = h("div", { class: "wire" }, bar,
		h("div", { class: "split" }, h("div", { class: "list" }, table.root, nothing, more, announcer,
			h("div", { class: "foot" }, status, gap)), pane.node));
	switches();
	rebuild();
	if (filter) apply(filter);
	const start = Number(query.get("row"));
	if (start) requestAnimationFrame(() => jump(start));

	const off = [
		app.on("rows", (rows) => add(rows)), app.on("reset", () => { found = null; rebuild() }), app.on("gap", counts),
		app.on("pause", () => { waiting = 0; rebuild() }), app.on("cleared", rebuild),
	];
	return {
		node: root,
		destroy: () => { feed?.close(); off.forEach((f) => f()) },
		key: (event) => {
			const rows = table.picked.size ? [...table.picked].map((n) => app.log.find(n)).filter(Boolean) : chosen ? [chosen]
				: [];
			if (event.key === "/") { box.focus(); box.select() }
			else if (event.key === "c" && rows.length) copies(rows)[0][1]();
			else if (event.key === "C" && rows.length) copies(rows)[2][1]();
			else if ((event.key === "[" || event.key === "]") && chosen) {
				const list = [...kin].sort((a, b) => a - b);
				const next = list[list.indexOf(chosen.n) + (event.key === "]" ? 1 : -1)];
				if (next) jump(next);
			} else if (event.key === "Escape" && root.classList.contains("is-detail")) pane.close();
			else if ("jkArrowDownArrowUpHomeEnd".includes(event.key) && !table.root.contains(document.activeElement)) {
				table.root.focus();
				table.pressed(event);
			} else return false;
			return true;
		},
	};
};
