// Rows of a talk as elements: messages, notes and dividers.
import { foreign, h, icon, set } from "./dom.js";
import { literal, parse } from "./md.js";
import { noteOf, speakerOf } from "./speech.js";

const hostOf = (url) => /^https?:\/\/(?:[^/?#]*@)?([^/?#]+)/i.exec(url)?.[1] ?? url;

const inline = (nodes) => nodes.map((node) =>
	typeof node === "string" ? node
		: node.strong ? h("strong", {}, inline(node.strong))
		: node.em ? h("em", {}, inline(node.em))
		: node.code !== undefined ? h("code", {}, node.code)
		: node.link ? h("a", { href: node.link, ...foreign, dir: node.link === node.text[0] ? "ltr" : null },
			inline(node.text))
		: list(node));

const list = (node) => {
	const items = (node.ul ?? node.ol).map((item) => h("li", { dir: "auto" }, inline(item)));
	return h(node.ul ? "ul" : "ol", { start: node.start }, items);
};

function block(node, view) {
	if (node.p) return h("p", { dir: "auto" }, inline(node.p));
	if (node.pre === undefined) return list(node);
	const code = h("code", {}, node.pre);
	return h("div", { class: "code", dir: "ltr" },
		h("div", { class: "bar" }, h("span", {}, node.lang ?? ""),
			h("button", { class: "quiet", "aria-label": view.say("code.copy"), title: view.say("code.copy"),
				onclick: () => view.copy(code.textContent) }, icon("copy"))),
		h("pre", { tabindex: 0 }, code));
}

/** Makes one element like another; what is alike stays, so that text that grows only grows. */
function morph(old, made) {
	const from = [...old.childNodes], to = [...made.childNodes];
	to.forEach((node, i) => {
		const was = from[i];
		if (!was) old.append(node);
		else if (was.nodeName !== node.nodeName
			|| (node.nodeType === 1 && was.cloneNode().isEqualNode(node.cloneNode()) === false)) was.replaceWith(node);
		else if (node.nodeType === 3) was.data !== node.data && (was.data = node.data);
		else morph(was, node);
	});
	for (const node of from.slice(to.length)) node.remove();
}

/** Shows blocks; elements of blocks that did not change are not looked at. */
function fill(bubble, blocks, view) {
	blocks.forEach((node, i) => {
		const old = bubble.children[i];
		if (old?.node === node) return;
		const made = block(node, view);
		if (!old) bubble.append(made);
		else if (old.tagName === made.tagName && old.className === made.className) morph(old, made);
		else old.replaceWith(made);
		bubble.children[i].node = node;
	});
	while (bubble.children.length > blocks.length) bubble.lastElementChild.remove();
}

function image(source, alt, view) {
	const img = h("img", { alt, loading: "lazy", decoding: "async", referrerpolicy: "no-referrer", width: 220,
		height: 140 });
	const again = () => {
		img.hidden = false;
		button.hidden = true;
		img.src = "";
		img.src = source;
	};
	const button = h("button", { class: "retry outlined", hidden: true, onclick: (event) => (event.stopPropagation(),
		again()) }, icon("retry"), view.say("image.retry"));
	let tried = false;
	img.onerror = () => {
		if (img.getAttribute("src") === "") return;
		img.hidden = true;
		button.hidden = false;
		if (!tried) view.after(5000, again);
		tried = true;
	};
	img.src = source;
	return [img, button];
}

function attachments(item, kind, view) {
	const { say } = view;
	const cards = item.attachments.filter((each) => each.kind === kind).map((each) => {
		const alt = each.title ?? say("image.from", { name: item.name });
		if (each.kind === "image") {
			const [img, button] = image(each.preview ?? each.url, alt, view);
			const open = h("button", { class: "picture", "aria-label": alt, title: alt,
				onclick: () => view.look(item.attachments.filter((a) => a.kind === "image"), each, open) }, img);
			return h("li", { class: "frame" }, open, button);
		}
		const preview = each.preview && image(each.preview, "", view);
		const name = [each.title ?? hostOf(each.url), each.button].filter(Boolean).join(", ");
		return h("li", {}, h("a", { class: "card", href: each.url, ...foreign, "aria-label": name },
			preview && h("span", { class: "frame" }, preview[0]),
			h("span", { class: "title", dir: "auto" }, each.title ?? each.url), h("span", { class: "host" }, hostOf(each.url)),
			each.button && h("span", { class: "call", dir: "auto" }, each.button, icon("link"))));
	});
	const strip = h("ul", { class: "strip", "aria-label": say("attachments") }, cards);
	const move = (way) => strip.scrollBy(
		{ left: way * 240 * (getComputedStyle(strip).direction === "rtl" ? -1 : 1),
		behavior: view.still() ? "instant" : "smooth" });
	const buttons = [["back", -1], ["next", 1]].map(([name, way]) =>
		h("button", { class: "quiet arrow " + name, "aria-label": say("attachments." + name), hidden: true,
			onclick: () => move(way) }, icon(name, true)));
	new ResizeObserver(() => buttons.forEach(
		(each) => (each.hidden = strip.scrollWidth <= strip.clientWidth + 1))).observe(strip);
	return cards.length ? [h("div", { class: "carousel" }, strip, buttons)] : [];
}

const calls = (item, { say }) => item.calls.length ? [
	h("div", { class: "calls" }, item.calls.map(({ title, number }) => {
	const text = h("span", { dir: "auto" }, title);
	return number ? h("a", { class: "tel outlined", href: "tel:" + number, "aria-label": say("call", { title }) },
		icon("phone"), text) : text;
}))] : [];

const initials = (name) => (name.match(/[\p{L}\p{N}]+/gu) ?? ["?"]).slice(0, 2).map((word) => [...word][0]).join(
	"").toUpperCase();

/** A round picture, or the first letters of a name. */
export function avatar(name, url) {
	const made = h("span", { class: "avatar", "aria-hidden": "true" }, initials(name));
	if (/^(https?:|data:image\/|\/pages\/)/i.test(url ?? "")) {
		const img = h("img", { alt: "", referrerpolicy: "no-referrer", onload: () => made.append(img) });
		img.src = url;
	}
	return made;
}

const delivered = { sent: "check", failed: "alert" };

function message(element, { item, position }, view) {
	const { say, time, full } = view, own = item.from === "user", last = position === "last" || position === "single";
	const growing = !item.done && !item.interrupted, name = speakerOf(item, say);
	if (!element.firstChild) {
		element.classList.add("message");
		element.bubble = h("div", { class: "bubble", dir: "auto" });
		element.meta = h("p", { class: "meta" });
		element.actions = h("button",
			{ class: "quiet actions", tabindex: -1, "aria-haspopup": "menu",
			onclick: (event) => view.actions(item, event.currentTarget, element) }, icon("more"));
		element.line = h("div", { class: "line" }, element.bubble, element.actions);
		element.stack = h("div", { class: "stack" }, element.line, element.meta);
		element.append(element.stack);
	}
	// The time of the last one of a group stands below it, those of the others next to them.
	if (last !== (element.meta.parentElement === element.stack)) last ? element.stack.append(element.meta)
		: element.line.append(element.meta);
	set(element.actions, { "aria-label": say("message.actions"), title: say("message.actions") });
	set(element, {
		"aria-label": `${name}, ${time(item.at)}`, "data-id": item.id, "data-kind": own ? "user" : "agent",
		"data-position": position,
		"data-agent-kind": own ? null : item.from === "person" ? "live" : "poly",
		"data-delivery": item.delivery === "sending" ? "pending" : item.delivery,
		"data-streaming": growing, "aria-busy": growing ? "true" : null, lang: view.lang(item), id: "m-" + item.id,
		"aria-describedby": own ? "d-" + item.id : null,
	});
	if (element.text !== item.text || element.done !== item.done || element.say !== say) {
		element.memo ??= new Map();
		const live = !own && !item.done;
		fill(element.bubble, own ? literal(item.text) : parse(item.text, { open: live, memo: element.memo }), view);
		if (item.done) element.memo = null;
		element.bubble.hidden = !item.text;
		element.line.classList.toggle("bare", !item.text);
	}
	const first = position === "first" || position === "single";
	if (!own && element.headed !== first + item.name + say) {
		element.headed = first + item.name + say;
		for (const each of element.querySelectorAll(".avatar, .name")) each.remove();
		if (first) {
			element.prepend(avatar(item.name, item.avatar ?? view.picture));
			element.stack.prepend(h("p", { class: "name", "aria-hidden": "true", dir: "auto" }, name));
		}
	}
	if (item.done && (!element.done || element.say !== say)) {
		for (const each of element.querySelectorAll(".carousel, .calls")) each.remove();
		element.line.after(...attachments(item, "image", view), ...attachments(item, "link", view), ...calls(item, view));
	}
	const state = own && (item.delivery !== "pending" ? item.delivery : "");
	const key = [state, item.interrupted, item.at, last].join();
	if (element.meta.dataset.of !== key || element.say !== say) {
		element.meta.dataset.of = key;
		element.meta.replaceChildren(
			item.interrupted ? h("span", { class: "cut" }, icon("alert"), say("stream.interrupted")) : "",
			h("time", { title: full(item.at), datetime: new Date(item.at).toISOString() }, time(item.at)),
			own && h("span", { class: "delivery", id: "d-" + item.id }, delivered[state] && icon(delivered[state]),
				state && h("span", { class: state === "sent" ? "hidden" : "" },
					say("delivery." + (state === "sending" ? "pending" : state)))) || "");
		element.querySelector(".again")?.remove();
		if (state === "failed") element.stack.append(h("div", { class: "again" },
			h("button", { class: "outlined", onclick: () => view.retry(item) }, say("delivery.retry")),
			h("button", { class: "outlined", onclick: () => view.remove(item) }, say("delivery.delete"))));
	}
	Object.assign(element, { text: item.text, done: item.done, say });
}

function system(element, { item }, view) {
	const { say } = view, text = noteOf(item, say);
	if (element.dataset.of === text + item.level) return;
	element.classList.add("system");
	set(element, { role: "note", "aria-label": text, "data-event": item.event, "data-level": item.level,
		"data-of": text + item.level });
	const host = item.link && hostOf(item.link);
	element.replaceChildren(h("span", { class: "pill" }, item.level !== "info" && icon("alert"),
		h("span", { dir: "auto" }, text),
		host && h("a", { href: item.link, ...foreign }, say("handoff.continue", { host }), icon("link")),
		item.event === "idleWarning" && h("button", { class: "outlined", onclick: view.stay }, say("idle.stay")),
		item.history?.length > 0 && past(element, item, view)));
}

/** What a row said before, to unfold; it stays open while more comes. */
function past(element, { history }, { say, time }) {
	element.past ??= h("details", {}, h("summary"), h("ol"));
	const [head, list] = element.past.children;
	set(head, { text: say("handoff.before", { n: history.length }) });
	list.replaceChildren(...history.map((each) => h("li", { dir: "auto" }, `${time(each.at)} ${noteOf(each, say)}`)));
	return element.past;
}

/** An element for a row of store.js. */
export const make = ({ row }) => h(row === "message" ? "article" : "div", row === "message" ? { tabindex: -1 } : {});

/**
 * Brings a row's element up to date. view: {say, time, divider, full} of i18n.js, version (raised when words change),
 * now(), lang(item), picture, still(), after, and what is done: copy, look, actions, retry, remove, stay.
 */
export function change(element, row, view) {
	const version = [row.item?.version, row.position, view.version].join();
	if (row.row === "message" || row.row === "system") {
		if (element.shown === version) return;
		element.shown = version;
		return row.row === "message" ? message(element, row, view) : system(element, row, view);
	}
	const text = row.row === "time" ? view.divider(row.at, view.now()) : view.say("divider.new");
	element.className = "divider " + row.row;
	if (element.getAttribute("aria-label") === text) return;
	set(element, { role: "separator", "aria-label": text });
	element.replaceChildren(h("span", {}, text));
}
