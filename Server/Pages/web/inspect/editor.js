// The box in which a fixture is written: a textarea above its own coloured text, with the numbers of its lines.

import { pieces } from "./source.js";
import { fill, h } from "./ui.js";

/** More than this is written without colours: drawing them would hold up the keys. */
const most = 200_000;

/** Whether long lines are wrapped, in all editors of this page. */
let wraps = false;

/**
 * - draft: of drafts.js; holds text, caret and scroll. - changed(): the text is another one. - save(): Ctrl + S.
 * Gives {node, area, show(text), replace(from, to, text), jump(line, column), mark(findings), wrap(isOn)}.
 */
export const editor = ({ label, draft, changed, save }) => {
	const gutter = h("div", { class: "gutter-lines mono", "aria-hidden": "true" });
	const colours = h("pre", { class: "colours mono", "aria-hidden": "true" });
	let lines = [], severities = new Map();

	const area = h("textarea", {
		class: "editor", "aria-label": label, spellcheck: "false", autocomplete: "off", autocapitalize: "off",
		oninput: () => { draft.text = area.value; draw(); changed() },
		onscroll: () => { draft.scroll = [area.scrollLeft, area.scrollTop]; follow() },
		onkeydown: (event) => {
			if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
			event.preventDefault();
			save();
		},
	});
	const noteCaret = () => { draft.caret = [area.selectionStart, area.selectionEnd] };
	for (const name of ["select", "keyup", "pointerup", "blur"]) area.addEventListener(name, noteCaret);
	const node = h("div", { class: "code-view" }, gutter, h("div", { class: "source" }, colours, area));

	const follow = () => {
		gutter.scrollTop = colours.scrollTop = area.scrollTop;
		colours.scrollLeft = area.scrollLeft;
	};
	const row = ({ found }) => h("span", { class: "row-text" },
		found.map(([kind, text]) => kind ? h("span", { class: `is-${kind}` }, text) : text), "\n");

	/** Colours lines that are not as they were: those between what is alike at the top and at the end. */
	const draw = () => {
		const texts = area.value.split("\n"), isPlain = area.value.length > most;
		node.classList.toggle("is-plain", isPlain);
		const next = [];
		let open = "";
		for (const [at, text] of texts.entries()) {
			const old = lines[at];
			const line = old?.text === text && old.open === open ? old
				: { text, open, ...isPlain ? { found: [] } : pieces(text, open) };
			next.push(line);
			open = line.left ?? "";
		}
		let top = 0, end = 0;
		const isLike = (a, b) => a && b && a.text === b.text && a.open === b.open;
		while (top < next.length && isLike(next[top], lines[top])) top += 1;
		while (end < Math.min(next.length, lines.length) - top && isLike(next.at(-1 - end), lines.at(-1 - end))) end += 1;
		const before = colours.children[lines.length - end] ?? null;
		for (let count = lines.length - end - top; count > 0; count -= 1) colours.children[top].remove();
		for (const line of next.slice(top, next.length - end)) colours.insertBefore(row(line), before);
		const isLonger = next.length !== lines.length;
		lines = next;
		if (isLonger) number();
		else if (wraps) heights();
		follow();
	};
	const number = () => {
		fill(gutter, lines.map((_, at) => h("span", { class: severities.get(at + 1) ?? "" }, String(at + 1))));
		heights();
	};
	const heights = () => {
		const tall = wraps ? [...colours.children].map((line) => line.offsetHeight) : [];
		[...gutter.children].forEach((line, at) => { line.style.height = wraps && tall[at] ? `${tall[at]}px` : "" });
	};

	const show = (text) => {
		const { scrollLeft, scrollTop, selectionStart, selectionEnd } = area, hadFocus = area === document.activeElement;
		area.value = draft.text = text;
		draw();
		area.setSelectionRange(selectionStart, selectionEnd);
		[area.scrollLeft, area.scrollTop] = [scrollLeft, scrollTop];
		if (hadFocus) area.focus({ preventScroll: true });
	};
	area.value = draft.text;

	return {
		node, area, show,
		/** Once it is in the page: where the reader was. */
		ready() {
			node.classList.toggle("wraps", wraps);
			draw();
			area.setSelectionRange(...draft.caret ?? [0, 0]);
			if (draft.scroll) [area.scrollLeft, area.scrollTop] = draft.scroll;
			follow();
		},
		/** As if it were typed, so that it can be undone. */
		replace({ from, to, text }) {
			this.jump(area.value.slice(0, from).split("\n").length);
			area.setSelectionRange(from, to);
			// The only way to change a textarea that its undo knows.
			if (!document.execCommand("insertText", false, text)) area.setRangeText(text, from, to, "end");
			if (draft.text !== area.value) area.dispatchEvent(new Event("input"));
		},
		jump(line, column = 1) {
			const texts = area.value.split("\n");
			const from = texts.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
			area.focus({ preventScroll: true });
			area.setSelectionRange(from + column - 1, from + (texts[line - 1]?.length ?? 0));
			noteCaret();
			const height = parseFloat(getComputedStyle(area).lineHeight);
			area.scrollTop = Math.max(0, wraps ? (colours.children[line - 1]?.offsetTop ?? 0) - 5 * height
				: (line - 6) * height);
			area.scrollLeft = 0;
			follow();
		},
		mark(findings) {
			severities = new Map(findings.toReversed().map((finding) => [finding.line, finding.severity]));
			number();
		},
		get wraps() { return wraps },
		wrap(isOn) {
			wraps = isOn;
			node.classList.toggle("wraps", wraps);
			heights();
			follow();
		},
	};
};
