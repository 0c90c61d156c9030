// Edits, reactions, receipts, quotes and files: loaded where the page asks for them (Shared/Docs/extensions.md).
import { h, icon, set } from "../shared/dom.js";
import { speakerOf, spoken } from "../shared/speech.js";
import { dialog } from "./extras.js";

const CHANGED = "EXT_MESSAGE_CHANGED", FILES = 20, ORDER = ["sending", "sent", "delivered", "read"];

/** page: what chat.js has by these names; state() is the talk. */
export function extend({ act, draw, form, link, list, state, tell, textbox, view }) {
	const say = (key) => view.say(key), send = link.send, riders = new Map(), seen = new Set();
	const on = (name) => state().started?.extensions?.includes(name), of = (id) => state().messages.get(id);
	let answered = null;
	document.head.append(h("link", { rel: "stylesheet", href: "/pages/chat/changes.css" }));

	link.send = (type, payload, custom) => {
		const key = custom?.local_id;
		if (key && answered && !riders.has(key)) riders.set(key, { reply_to: answered.id }), quote(null);
		const rider = riders.get(key), item = rider && state().locals.get(key);
		if (item) item.custom = rider;
		return send(type, payload, rider ? { ...custom, ...rider } : custom);
	};
	const change = (item, what) => send(CHANGED, { message_id: item.id, change: what });

	const apply = (item, { text, deleted, reaction, on: isOn, file, state, percent, name }, by) => {
		if (typeof text === "string") Object.assign(item, { text, edited: true });
		else if (deleted)
			Object.assign(item, { text: "", deleted, edited: false, reactions: null, files: null, custom: null });
		else if (reaction) {
			const all = (item.reactions ??= new Map()), who = all.get(reaction) ?? new Set();
			isOn ? who.add(by) : who.delete(by);
			who.size ? all.set(reaction, who) : all.delete(reaction);
		} else if (file) {
			const all = (item.files ??= new Map()), old = all.get(file);
			if (old || all.size < FILES) all.set(file, { state, percent, name: name ?? old?.name });
		}
	};
	const hear = ({ type = "", payload, metadata }) => {
		if (type === "EVENT_TYPE_EVENT_BATCH") return payload.events?.forEach(hear);
		const item = of(payload?.message_id);
		if (!item) return;
		const [, who, how] = /^EVENT_TYPE_(\w+)_(RECEIVED|READ)_MESSAGE$/.exec(type) ?? [];
		if (type === "EVENT_TYPE_" + CHANGED) item.deleted || apply(item, payload.change ?? {}, payload.by);
		else if (who === "USER") return seen.add(item.id);
		else if (who) {
			const next = how === "READ" ? "read" : "delivered";
			if (ORDER.indexOf(next) > ORDER.indexOf(item.delivery)) item.delivery = next;
		} else for (const file of metadata?.custom?.files?.split(",") ?? [])
			if (!item.files?.has(file)) apply(item, { file, state: "uploading" });
		item.version = state().version += 1;
	};

	const quoted = (id) => (of(id) && !of(id).deleted ? `${speakerOf(of(id), say)}: ${spoken(of(id)).slice(0, 200)}`
		: say("message.deleted"));
	const shown = ([id, { state, percent, name }]) => {
		const words = state !== "ready" && say("file." + state);
		return h("li", { "data-state": state }, icon("link"), h("span", { dir: "auto" }, name || id),
			state === "uploading" && h("progress", { max: 100, ...(percent && { value: percent }), "aria-label": words }),
			words && h("small", {}, words));
	};
	const decorate = (element, item) => {
		const id = item.custom?.reply_to, key = [item.version, view.version, id && quoted(id)].join();
		if (element.changes === key) return;
		element.changes = key;
		const gone = item.deleted ? ", .carousel, .calls" : "";
		for (const each of element.querySelectorAll(".quote, .changes" + gone)) each.remove();
		if (id) element.line.before(h("blockquote", { class: "quote", dir: "auto" }, quoted(id)));
		const { reactions, files } = item;
		const parts = h("div", { class: "changes" },
			item.deleted && h("em", {}, say("message.deleted")),
			files && h("ul", { "aria-label": say("attachments") }, [...files].map(shown)),
			reactions?.size > 0 && h("div", { role: "group", "aria-label": say("action.react") },
				[...reactions].map(([reaction, who]) => h("button", { class: "outlined", "aria-pressed": `${who.has("user")}`,
					onclick: () => change(item, { reaction, on: !who.has("user") }) }, `${reaction} ${who.size}`))),
			item.edited && h("small", {}, say("message.edited")));
		if (parts.firstChild) element.line.after(parts);
	};
	const read = ({ id, from, done }) => on("receipts") && !document.hidden && from !== "user" && done && !seen.has(id)
		&& send("USER_READ_MESSAGE", { message_id: id }) && seen.add(id);

	const banner = h("div", { class: "quote" });
	form.before(banner);
	function quote(item) {
		answered = item;
		banner.replaceChildren(...(item ? [h("span", { role: "status", dir: "auto" }, `${say("action.reply")}: `,
			quoted(item.id)), h("button", { class: "quiet", onclick: () => quote(null) }, say("cancel"))] : []));
		textbox.focus();
	}
	async function edit(item) {
		const box = h("textarea", { rows: 3, dir: "auto", "aria-label": say("composer.label"), value: item.text });
		const yes = await dialog(say("action.edit"), box,
			[{ text: say("cancel") }, { text: say("action.edit"), value: "yes", style: "solid" }]);
		if (yes && box.value.trim()) change(item, { text: box.value.trim() });
	}

	const input = h("input", { type: "file", hidden: true, onchange: () => {
		upload(input.files[0]).catch(() => tell(say("file.failed")));
		input.value = "";
	} });
	const button = h("button", { type: "button", class: "quiet attach", onclick: () => input.click() }, icon("link"));
	textbox.after(button, input);
	async function upload(file) {
		const { id, token } = link.session, { name, type, size } = file;
		const answer = await fetch(`/api/v1/sessions/${id}/files`, { method: "POST",
			headers: { "Content-Type": "application/json", Authorization: "Bearer " + token },
			body: JSON.stringify({ name, type: type || "application/octet-stream", size }) });
		const { file_id, upload_url } = await answer.json(), key = crypto.randomUUID();
		const { pathname } = new URL(upload_url), put = new XMLHttpRequest();
		riders.set(key, { files: file_id });
		act({ do: "say", id: key, text: "" });
		const item = state().locals.get(key);
		apply(item, { file: file_id, state: "uploading", name });
		const report = (state, percent) => change(item, { file: file_id, state, percent });
		let told = 0;
		put.upload.onprogress = ({ loaded, total }) => {
			const percent = Math.floor((loaded / total) * 100);
			if (percent > told + 9 && percent < 100 && of(item.id)) report("uploading", (told = percent));
		};
		put.onloadend = () => put.status === 200 || report("failed");
		put.open("PUT", pathname);
		put.send(file);
		draw();
	}

	return {
		hear,
		draw() {
			set(button, { "aria-label": say("attachments"), title: say("attachments"), hidden: !on("files") });
			for (const element of list.querySelectorAll("article")) decorate(element, element.item), read(element.item);
		},
		actions: (item) => (!item.id || item.deleted || !on("changes") ? [] : [
			{ text: say("action.reply"), run: () => quote(item) },
			...["👍", "❤️", "😂"].map((reaction) => ({ text: `${say("action.react")} ${reaction}`,
				run: () => change(item, { reaction, on: !item.reactions?.get(reaction)?.has("user") }) })),
			...(item.from === "user" ? [{ text: say("action.edit"), run: () => edit(item) },
				{ text: say("action.unsend"), danger: true, run: () => change(item, { deleted: true }) }] : []),
		]),
	};
}
