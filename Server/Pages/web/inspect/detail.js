// One frame: why it was sent, what it caused, its content as JSON, as bytes, and how long things took.

import { app, whole } from "./app.js";
import { causes, effects } from "./cause.js";
import { button, chip, copy, empty, facts, fill, h, icon, menu, plain, remark, tabs } from "./ui.js";
import { arrow, body, diff, direction, fields, head, length, lines, millis, name, path, short, size,
	timeOfDay } from "./words.js";

const shown = 65_536;

/** Collapsible JSON; the path of a value is copied by its button. */
export const tree = (value, parts = [], depth = 0) => {
	const key = parts.length ? h("button",
		{ type: "button", class: "key", title: `Copy ${path(parts)}`, "aria-label": `Copy path ${path(parts)}`,
		onclick: (event) => { event.preventDefault(); copy(path(parts), "Path") } }, String(parts.at(-1))) : null;
	if (value === null || typeof value !== "object") {
		const kind = value === null ? "null" : typeof value;
		return h("div", { class: "leaf" }, key,
			h("span", { class: kind }, kind === "string" ? JSON.stringify(value) : String(value)));
	}
	const entries = Array.isArray(value) ? value.map((item, at) => [at, item]) : Object.entries(value);
	const note = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
	if (!entries.length) return h("div", { class: "leaf" }, key,
		h("span", { class: "null" }, Array.isArray(value) ? "[]" : "{}"));
	const inside = h("div", { class: "inside" });
	let isFilled = false;
	const unfold = () => {
		if (isFilled) return
		isFilled = true;
		inside.append(...entries.slice(0, 500).map(([name, item]) => tree(item, [...parts, name], depth + 1)),
			entries.length > 500 ? remark(`${entries.length - 500} more`) : "");
	};
	const isOpen = depth < 4;
	if (isOpen) unfold();
	inside.hidden = !isOpen;
	const fold = h("button", { type: "button", class: "fold", "aria-label": `Fold ${path(parts)}`,
		"aria-expanded": String(isOpen), onclick: () => {
		unfold();
		inside.hidden = !inside.hidden;
		fold.setAttribute("aria-expanded", String(!inside.hidden));
	} });
	return h("div", null, fold, key, h("span", { class: "note" }, note), inside);
};

export const marked = (pairs) => h("pre", { class: "diff" }, pairs.map(([mark, line]) =>
	h("span", { class: mark === "-" ? "del" : mark === "+" ? "ins" : "" }, mark === " " ? "  " : `${mark} `, line, "\n")));

/** A place in a fixture as a link that opens it at its line. */
export const placeLink = (place, session) => {
	const found = /^(.*):(\d+)/.exec(place ?? "");
	const file = found?.[1] ?? place;
	const base = (file ?? "").split("/").at(-1).replace(/\.json5$/, "");
	return h("a", {
		href: `#/fixtures/${encodeURIComponent(base || session?.fixture || "")}${found ? `?line=${found[2]}` : ""}` },
		found ? `${base}.json5:${found[2]}` : place);
};

export const detail = ({ session, rowsOf, copies, broken, go, close, related }) => {
	let row, tab = "Pretty", pair = null, token = 0;

	const node = h("section", { class: "detail", role: "region", "aria-label": "Frame detail", tabIndex: -1 });

	const kin = (r) => r.session ? app.log.of(r.session) : app.log.rows.filter((other) => other.socket === r.socket);
	const rowLink = (n) => {
		const other = app.log.find(n);
		return button([`#${n} `, other ? h("span", null, arrow[other.dir], " ", name(other.type)) : ""], () => go(n),
			{ class: "link" });
	};
	const why = () => {
		const found = causes(row, kin(row));
		return found.map((item) => h("li", null, h("span", { class: `tag is-${item.kind}` }, item.title),
			item.kind === "fault" ? h("a", { href: "#/faults" }, item.text)
				: item.kind === "timer" ? h("a", { href: "#/clock" }, item.text)
					: item.kind === "violation" ? h("a", { href: `#/violations/${item.protocolRule}` }, item.text)
						: item.kind === "unmatched" ? h("a", { href: `#/sessions/${row.session}/unmatched` }, item.text)
							: item.kind === "frame" ? rowLink(item.row) : h("span", null, item.text),
			item.place && item.text !== item.place ? placeLink(item.place, app.sessions.get(row.session))
				: item.place && placeLink(item.place),
			item.row && item.kind !== "frame" ? rowLink(item.row) : null));
	};

	const contents = {
		Pretty: (r) => {
			const text = r.kind === "rest" ? body(r) : r.raw ?? "";
			if (r.rawBase64) return h("pre", { class: "raw" },
				`${size(r.size)} that are no UTF-8, as Base64:\n${r.rawBase64.slice(0, shown)}`);
			if (!text) return empty("No content", r.kind === "rest" ? "It has no body; see Headers." : "");
			if (text.length > shown) return contents.Raw(r);
			try { return h("div", { class: "tree" }, tree(JSON.parse(text))) } catch { return h("pre", { class: "raw" }, text) }
		},
		Raw: (r) => {
			const text = r.raw ?? r.rawBase64 ?? "";
			const pre = h("pre", { class: "raw wrap", tabIndex: 0, "aria-label": "Raw text" }, text.slice(0, shown));
			return [h("div", { class: "bar" }, h("span", { class: "note" },
				text.length > shown ? `First 64 KB of ${size(r.size)}` : size(r.size)),
				text.length > shown && button("Show all", (event) => { fill(pre, text); event.target.remove() }),
				button("Wrap", (event) => event.target.setAttribute("aria-pressed", String(pre.classList.toggle("wrap"))),
					{ class: "quiet", "aria-pressed": "true" }),
				button("Copy", () => copy(text, "Text"), { class: "quiet" })), pre];
		},
		Headers: (r) => [h("p", { class: "mono" }, head(r)[0]),
			plain("Headers", null, fields(r).map(([field, value]) => [field, value]))],
		Timing: (r) => {
			const all = related().map((n) => app.log.find(n)).filter(Boolean);
			return [facts([
				["Wall time", r.t], ["Server’s clock", r.mt !== r.t ? r.mt : "the same"],
				["Latency", r.lat != null ? length(r.lat) : null],
				["Size", `${r.size.toLocaleString("en")} bytes`], ["Connection", r.socket], ["Correlation", r.corr],
				["Event id", r.id],
			]), all.length > 1 && plain("Belongs together", ["Row", "Type", "After the first"],
			all.slice(0, 100).map((other) => [button(`#${other.n}`, () => go(other.n), { class: "link" }),
				`${arrow[other.dir]} ${name(other.type)}`, length(millis(other.t) - millis(all[0].t))]))];
		},
		Diff: (r) => {
			const [a, b, what] = pair ? [pair[0].raw ?? "", pair[1].raw ?? "", `Row ${pair[0].n} and row ${pair[1].n}`]
				: [r.mod ?? r.modBase64 ?? "", r.raw ?? r.rawBase64 ?? "", "Before the fault, and as it was sent"];
			return [remark(what, ". Lines with − were taken away, with + added."), marked(diff(lines(a), lines(b)))];
		},
		Cause: (r) => {
			const caused = effects(r, kin(r));
			const rules = r.kind === "violation" ? [r] : broken().get(r.n) ?? [];
			return [
				h("h3", null, "Why it is there"), h("ol", { class: "causes" }, why()),
				rules.map((row) => {
					const protocolRule = app.protocolRules.find((item) => item.id === row.type);
					return h("div", { class: "callout bad" }, h("strong", null, `Violation: ${rule?.title ?? row.type}`),
						h("p", null, row.raw), rule && h("p", null, rule.advice, " ", h("a", { href: `#/violations/${rule.id}` }, rule.source)));
				}),
				h("h3", null, "What it caused"),
				caused.length ? h("ul", { class: "causes" }, caused.slice(0, 200).map((n) => h("li", null, rowLink(n))))
					: remark("The rows show nothing of it."),
			];
		},
	};

	const draw = async (isFocused) => {
		if (!row) {
			fill(node, empty("No frame selected", "Choose a row to see its content, its timing, and why it was sent."));
			return
		}
		const names = ["Pretty", "Raw", row.kind === "rest" && "Headers", "Timing",
			(row.mod != null || row.modBase64 != null || pair) && "Diff", "Cause"].filter(Boolean);
		const now = names.includes(tab) ? tab : "Pretty";
		const rules = broken().get(row.n) ?? [];
		const panel = h("div", { class: "panel", role: "tabpanel", id: "frame-panel",
			"aria-labelledby": `tab-Frame-views-${now}`, tabIndex: 0 });
		fill(node,
			h("header", null,
				h("div", { class: "line" }, button(icon("back"), close,
					{ class: "quiet narrow-only", "aria-label": "Back to the list" }),
					h("h2", null, h("span", { class: `way ${row.dir}`, "aria-hidden": "true" }, arrow[row.dir]), " ",
						name(row.type) || row.kind),
					row.status ? chip(String(row.status), row.status >= 400 && row.status < 1000 ? "bad" : "good") : null,
					h("span", { class: "grow" }), menu("Copy row", () => copies([row]), { text: "Copy as", class: "" }),
					button(icon("close"), close, { class: "quiet wide-only", "aria-label": "Close detail" })),
				h("p", { class: "note mono" }, [`#${row.n}`, direction[row.dir], timeOfDay(row.t), size(row.size),
					row.lat != null && length(row.lat), row.seq != null && `seq ${row.seq}`, row.socket && `connection ${row.socket}`,
					!session && row.session && short(row.session)].filter(Boolean).join(" · ")),
				h("ul", { class: "causes why", "aria-label": "Cause" }, why()),
				rules.map((rule) => h("p", { class: "callout bad" }, h("strong", null, "Violation "),
					h("a", { href: `#/violations/${rule.type}` }, rule.type), " ", rule.raw))),
			tabs("Frame views", names, now, (next) => { tab = next; draw() }, "frame-panel"), panel);
		const turn = token += 1;
		const full = row.cut ? await whole(row).catch(() => row) : row;
		if (turn !== token) return
		fill(panel, ...[contents[now](full)].flat(3).filter(Boolean));
		if (isFocused) panel.focus({ preventScroll: true });
	};
	draw();

	return {
		node, close,
		show: (next, isFocused) => {
			pair = null;
			const isSame = row === next;
			row = next;
			if (!isSame || isFocused) draw(isFocused);
		},
		picked: (rows) => {
			if (rows.length !== 2) return
			pair = rows.sort((a, b) => a.n - b.n);
			row = pair[1];
			tab = "Diff";
			draw();
		},
	};
};
