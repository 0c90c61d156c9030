// Elements, menus, dialogs and notices of the inspector. Nodes only, never markup.

import { hides, visible } from "./words.js";
import * as dom from "../shared/dom.js";

const { download, drawing, present } = dom;
export { download };

/** Text with marks in place of what cannot be seen, or turns its line round. */
export const seen = (text) => visible(text).map((piece) =>
	typeof piece === "string" ? piece : dom.h("span", { class: "unseen" }, piece.mark));
/** Marks text among children, wherever it comes from. */
const leaves = (children) => present(children).flatMap((child) =>
	typeof child === "string" && hides(child) ? seen(child) : child);
export const h = (tag, properties, ...children) => dom.h(tag, properties, leaves(children));

const controls = "a[href], button, input, select, textarea, summary, [tabindex]";
/** By what a control is known again when it was made anew. */
const known = (element) => [element.tagName, element.id,
	element.getAttribute("aria-label") ?? element.textContent].join(" ");

/**
 * Replaces the children of `node`; null and false add nothing. Scroll position, focus and selection are kept, also when
 * the focused control was made anew: it is found by its name, and among several of that name by its position. If the
 * control is gone, the next one gets the focus.
 */
export const fill = (node, ...children) => {
	const active = document.activeElement, had = active !== node && node.contains(active);
	const before = had ? [...node.querySelectorAll(controls)] : [], name = had ? known(active) : "";
	const place = before.filter((each) => known(each) === name).indexOf(active),
		top = node.firstElementChild && node.scrollTop;
	node.replaceChildren(...leaves(children));
	if (top && node.scrollTop !== top) node.scrollTop = top;
	if (!had || document.activeElement === active) return;
	const after = [...node.querySelectorAll(controls)].filter((each) => !each.disabled);
	const same = node.contains(active) ? [active] : after.filter((each) => known(each) === name);
	const next = same[Math.min(place, same.length - 1)] ?? after[Math.min(before.indexOf(active), after.length - 1)];
	next?.focus({ preventScroll: true });
};

const shapes = {
	sessions: "M3 4h10v7H7l-3 2.5V11H3z", fixtures: "M4 2h6l3 3v9H4zM6 7h5M6 10h5",
	faults: "M8 2.5 14 13H2zM8 6.5v3M8 11.2v.3",
	clock: "M8 2a6 6 0 1 0 .01 0M8 5v3.2l2 1.3", metrics: "M3 13V8M8 13V3M13 13V6", log: "M3 4h10M3 8h10M3 12h6",
	import: "M8 2v7M5 6.5 8 9.5l3-3M3 13h10",
	chat: "M2 3h12v8H8l-3 3v-3H2z", close: "M4 4l8 8M12 4l-8 8", more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
	back: "M10 3 5 8l5 5", down: "M4 6l4 4 4-4", copy: "M5 5h8v8H5zM3 11V3h8",
};
export const icon = (name) => drawing(shapes[name], 16);

export const button = (text, onclick, props = {}) => h("button", { type: "button", onclick, ...props }, text);
/** Label above, control, and a hint below. */
export const field = (label, control, hint = "") =>
	h("label", { class: "field" }, h("span", null, label), control, hint && h("span", { class: "note hint" }, hint));
export const toggle = (label, isOn, onchange) => {
	const box = h("input", { type: "checkbox", role: "switch", checked: isOn, onchange: () => onchange(box.checked) });
	return h("label", { class: "switch" }, box, h("span", null, label));
};
export const chip = (text, kind = "", props = {}) =>
	h(props.href ? "a" : "span", { class: `chip ${kind}`, ...props }, text);
export const pick = (label, options, value, onchange) => {
	const select = h("select", { "aria-label": label, onchange: () => onchange?.(select.value) },
		options.map((option) => h("option", { value: option.value ?? option, selected: (option.value ?? option) === value },
			option.text ?? option)));
	return select;
};
/** What stands where there is nothing: a heading, a sentence, and what to do. */
export const empty = (title, text, ...actions) =>
	h("div", { class: "empty" }, h("p", { class: "empty-title" }, title), text && h("p", null, text), actions);
export const facts = (pairs) => h("dl", { class: "facts" },
	pairs.filter(Boolean).map(([name, value]) => [h("dt", null, name), h("dd", null, value ?? "–")]));

/** A short table: the first cell heads its row; an empty heading is one for buttons. Numbers stand at the end. */
export const plain = (label, heads, rows) => h("table", { class: "plain", "aria-label": label },
	heads && h("thead", null, h("tr", null,
		heads.map((text) => h("th", { scope: "col" }, text || h("span", { class: "hidden" }, "Actions"))))),
	h("tbody", null, rows.map((cells) => h("tr", null, cells.map((cell, at) => at ? h("td", typeof cell === "number" ? {
		class: "number" } : null, cell) : h("th", { scope: "row" }, cell))))));
export const remark = (...content) => h("p", { class: "note" }, content);
/** The line above a view. */
export const top = (title, ...content) => h("header", { class: "page-head" }, title && h("h2", null, title), content);
export const box = (title, ...content) =>
	h("section", { class: "box", "aria-label": title }, h("h3", null, title), content);

// MARK: - Notices

const notices = () => document.getElementById("notices");
export const notice = (text, action) => {
	const item = h("div", { class: "toast" }, h("span", null, text));
	const remove = () => item.remove();
	if (action) item.append(button(action.text, () => { remove(); action.do() }, { class: "quiet" }));
	notices().append(item);
	// It waits while somebody is at it.
	const wait = () => { clearTimeout(timer); timer = setTimeout(remove, 5000) };
	let timer;
	wait();
	for (const name of ["pointerenter", "focusin"]) item.addEventListener(name, () => clearTimeout(timer));
	for (const name of ["pointerleave", "focusout"]) item.addEventListener(name, wait);
};
/** Stays until closed or replaced. */
export const failure = (text) => {
	const bar = document.getElementById("failure");
	fill(bar, text && [h("span", null, text),
		button(icon("close"), () => failure(""), { class: "quiet", "aria-label": "Close message" })]);
};
/** Runs what may fail; the alert says so. */
export const attempt = async (work, done) => {
	try {
		const value = await work();
		failure("");
		if (done) notice(done);
		return value;
	} catch (error) {
		failure(error.message);
	}
};

export const copy = (text, what) => attempt(async () => {
	await navigator.clipboard.writeText(text);
	notice(`${what} copied`);
});

// MARK: - Menus and dialogs

/** A button that opens a menu of `[text, action, isDangerous]`. */
export const menu = (label, items, props = {}) => {
	let list;
	const opener = button(props.text ?? icon("more"), (event) => {
		event.stopPropagation();
		if (list) return close();
		list = h("div", { class: "menu", role: "menu", "aria-label": label, onkeydown: move,
			onfocusout: (e) => { if (list && !list.contains(e.relatedTarget) && e.relatedTarget !== opener) close(false) } },
			(typeof items === "function" ? items() : items).filter(Boolean).map(
				([text, action, isDangerous]) => typeof action === "string"
				? h("a", { role: "menuitem", href: action, target: props.target ?? "", class: isDangerous && "danger",
					onclick: () => close() }, text)
				: button(text, (e) => { e.stopPropagation(); close(); action() },
					{ role: "menuitem", class: isDangerous && "danger" })))
		;(opener.closest("dialog") ?? document.body).append(list);
		const at = opener.getBoundingClientRect();
		list.style.top = `${Math.max(4, Math.min(at.bottom + 4, innerHeight - list.offsetHeight - 8))}px`;
		list.style.left = `${Math.max(8, Math.min(at.left, innerWidth - list.offsetWidth - 8))}px`;
		opener.setAttribute("aria-expanded", "true");
		list.firstElementChild.focus();
	}, { "aria-haspopup": "menu", "aria-expanded": "false", "aria-label": props.text ? null : label,
	class: props.class ?? "quiet" });
	const close = (back = true) => {
		const old = list;
		list = null;
		old?.remove();
		opener.setAttribute("aria-expanded", "false");
		if (back) opener.focus();
	};
	const move = (event) => {
		const all = [...list.children];
		const at = all.indexOf(document.activeElement);
		const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
		if (event.key === "Escape" || event.key === "Tab") close();
		else if (next != null) all.at(next % all.length).focus();
		else return
		event.preventDefault();
		event.stopPropagation();
	};
	return opener;
};

/** A modal dialog; resolves with the value of the pressed button, `""` for Escape. */
export const dialog = (title, content, buttons = [["Close", ""]], props = {}) => new Promise((resolve) => {
	const id = `dialog-${Math.random().toString(36).slice(2)}`;
	const box = h("dialog", { "aria-labelledby": id, class: props.class, role: props.role },
		h("form", { method: "dialog" }, h("h2", { id }, title), content,
			// The last one is first in the page, so that Enter in a field means it; what cannot be undone waits for a choice.
			h("div", { class: "buttons" },
				buttons.toReversed().map(([text, value, kind], at) => h("button",
				{ value, class: kind, autofocus: at > 0 && buttons.at(-1)[2] === "danger" }, text)))));
	box.addEventListener("close", () => { box.remove(); resolve(box.returnValue) });
	document.body.append(box);
	box.showModal();
});

export const confirm = async (title, text, yes) =>
	await dialog(title, h("p", null, text), [["Cancel", ""], [yes, "yes", "danger"]], { role: "alertdialog" }) === "yes";

/** Tabs by the pattern of ARIA: arrows move, `choose(name)` shows. */
export const tabs = (label, names, chosen, choose, panel) => {
	const list = h("div", { role: "tablist", "aria-label": label, class: "tabs", onkeydown: (event) => {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		if (!step) return;
		const all = [...list.children].filter((tab) => !tab.disabled);
		const next = all.at((all.indexOf(document.activeElement) + step) % all.length);
		next.focus();
		next.click();
		event.preventDefault();
	} }, names.map((item) => [item].flat()).map(
		([name, text = name, count]) => button([text, count ? h("span", { class: "count" }, String(count)) : null], () =>
		choose(name), {
		role: "tab", id: `tab-${label}-${name}`.replaceAll(" ", "-"), "aria-selected": String(name === chosen),
		tabIndex: name === chosen ? 0 : -1, "aria-controls": panel,
	})));
	return list;
};
