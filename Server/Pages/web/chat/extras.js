// Menus, dialogs, the viewer, the transcript as text: loaded with their styles when first asked for.
import { foreign, h, icon, set } from "../shared/dom.js";
import { noteOf, speakerOf, spoken } from "../shared/speech.js";

await new Promise((done) => document.head.append(
	h("link", { rel: "stylesheet", href: "/pages/chat/extras.css", onload: done, onerror: done })));

/** A menu at a button. items: {text, run, checked, radio, danger}; Escape and a choice lead back to `home`. */
export function menu(anchor, label, items, home = anchor) {
	document.querySelector(".menu")?.hidePopover();
	const list = h("div", { class: "menu", role: "menu", popover: "auto", "aria-label": label });
	const buttons = items.map(({ text, run, checked, radio, danger }) => h("button", {
		role: checked === undefined ? "menuitem" : radio ? "menuitemradio" : "menuitemcheckbox", tabindex: -1,
		class: danger && "danger",
		"aria-checked": checked?.toString(), onclick: () => (close(), run()),
	}, h("span", {}, text), checked !== undefined && icon("check")));
	list.append(...buttons);
	let chosen = false;
	const close = () => ((chosen = true), list.hidePopover(), home.focus());
	list.onkeydown = (event) => {
		const at = buttons.indexOf(document.activeElement), leaves = event.key === "Escape" || event.key === "Tab",
			to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
		if (to !== undefined) buttons.at(to % buttons.length).focus();
		else if (event.key.length === 1) buttons.find(
			(each) => each.textContent.toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
		else if (leaves) close();
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	list.ontoggle = ({ newState }) => {
		if (newState !== "closed") return;
		set(anchor, { "aria-expanded": "false" });
		list.remove();
		if (!chosen && list.contains(document.activeElement)) home.focus();
	};
	document.body.append(list);
	list.showPopover();
	set(anchor, { "aria-expanded": "true" });
	const at = anchor.getBoundingClientRect(), own = list.getBoundingClientRect();
	const left = getComputedStyle(anchor).direction === "rtl" ? at.left : at.right - own.width;
	list.style.left = Math.max(8, Math.min(left, innerWidth - own.width - 8)) + "px";
	list.style.top = (at.bottom + 6 + own.height > innerHeight ? Math.max(8, at.top - own.height - 6) : at.bottom + 6)
		+ "px";
	buttons[0].focus();
}

/** A modal dialog; resolves with what was pressed, or "" by Escape. */
export function dialog(label, content, buttons, role, beside = []) {
	return new Promise((done) => {
		const back = document.activeElement, wide = content.className === "view";
		const element = h("dialog", { role, "aria-label": label, class: wide && "viewer" },
			h("h2", { class: wide && "hidden" }, label), content,
			h("div", { class: "row" }, beside,
				buttons.map(({ text, value = "", style = "outlined" }) =>
				h("button", { class: style, onclick: () => element.close(value) }, text))));
		element.onclose = () => {
			element.remove();
			back?.isConnected && back.focus();
			done(element.returnValue);
		};
		document.body.append(element);
		element.showModal();
		element.querySelector(".row button")?.focus();
	});
}

export function viewer(images, first, { say }) {
	let at = images.indexOf(first);
	const picture = h("img", { referrerpolicy: "no-referrer" }), original = h("a", { ...foreign }, say("image.original"));
	const show = (to) => {
		at = (to + images.length) % images.length;
		const { url, title } = images[at];
		const href = /^https?:/i.test(url) && url;
		set(picture, { src: url, alt: title ?? "" });
		set(original, { href, hidden: !href });
	};
	const content = h("div", { class: "view" }, picture);
	const [back, next] = [["back", -1], ["next", 1]].map(([name, way]) =>
		h("button", { class: "quiet", "aria-label": say("attachments." + name), hidden: images.length < 2,
			onclick: () => show(at + way) }, icon(name, true)));
	show(at);
	const shown = dialog(say("viewer"), content, [{ text: say("close") }], null, [back, next, original]);
	content.closest("dialog").onkeydown = ({ key }) => {
		const way = { ArrowRight: 1, ArrowLeft: -1 }[key];
		if (way) show(at + way * (document.dir === "rtl" ? -1 : 1));
	};
	return shown;
}

export function details(item, { say, full }) {
	const rows = { id: item.id, time: full(item.at),
		local_id: item.from === "user" && item.key !== item.id ? item.key : null,
		sequence: Number.isFinite(item.order) ? item.order : null, delivery: item.delivery, unknown: item.unknown || null,
		...item.custom };
	return facts(say("message.details"), Object.entries(rows).filter(([, value]) => value != null), say);
}

const facts = (label, pairs, say) => dialog(label,
	h("dl", {}, pairs.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])), [{ text: say("close") }]);

export const confirm = (title, text, yes, no) =>
	dialog(title, h("p", {}, text), [{ text: no }, { text: yes, value: "yes", style: "solid danger" }],
		"alertdialog").then((value) => value === "yes");

export const shortcuts = ({ say }) => facts(say("shortcuts"), [
	["Enter", say("composer.send")], ["Alt+M", say("composer.label")], ["Alt+L", say("log")],
	["Alt+1 … 9", say("suggestions.label")],
	["PageUp, PageDown, Home, End", say("log")], ["↑ ↓", say("log")], ["C", say("action.copy")],
	["Shift+F10", say("message.actions")], ["Esc", say("close")],
], say);

/** The talk as text: a line for each message and note. */
export const transcript = (items, { say, full }) => items.map((item) => {
	const extras = item.kind === "message" ? item.attachments.map((each) => `\n    ${each.title ?? ""} ${each.url}`).join(
		"") : "";
	return `[${full(item.at)}] ` + (item.kind === "message" ? `${speakerOf(item, say)}: ${spoken(item)}${extras}`
		: `* ${noteOf(item, say)}`);
}).join("\n") + "\n";
