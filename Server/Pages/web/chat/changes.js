// Changes, receipts, quotes and files (Shared/Docs/extensions.md), loaded on demand.
import { drawing, h, set } from "../shared/dom.js";
import { speakerOf, spoken } from "../shared/speech.js";

const CHANGED = "EXT_MESSAGE_CHANGED", MOST = 20, WAITING = 100;

const clip = () => drawing("M7 7v9a5 5 0 0 0 10 0V7a3 3 0 0 0-6 0v8", 24);
document.head.append(h("link", { rel: "stylesheet", href: "/pages/chat/changes.css" }));

/** Changes of items of state(), and their look; react(item, reaction) is a button's. */
export function changes({ state, view, react }) {
	const say = (key) => view.say(key), of = (id) => state().messages.get(id), early = [];
	const apply = (item, { text, deleted, reaction, on, file, state, percent, name }, by) => {
		const all = (key) => (item[key] ??= new Map());
		if (text?.trim?.()) Object.assign(item, { text, edited: true });
		else if (deleted) Object.assign(item, { text: "", deleted });
		else if (reaction?.length < 41) {
			const map = all("reactions"), who = map.get(reaction) ?? new Set();
			on ? who.add(by) : who.delete(by);
			if (!who.size) map.delete(reaction);
			else if (map.has(reaction) || map.size < MOST) map.set(reaction, who);
		} else if (file) {
			const map = all("files"), old = map.get(file), most = old?.percent ?? 0;
			if (!old ? map.size < MOST : old.state === "uploading") map.set(file,
				{ state, percent: Number.isInteger(percent) && percent > most ? percent : most, name: name ?? old?.name });
		}
	};
	// Changes and receipts wait for whole messages.
	const hear = (frame) => {
		const { type, payload, metadata } = frame, item = of(payload.message_id);
		const [, who, how] = /^(\w+)_(RECEIVED|READ)_M/.exec(type) ?? [], isChange = type === CHANGED;
		if ((who || isChange) && !item?.done) return early.push(frame) > WAITING && early.shift();
		if (!item) return;
		if (isChange) item.deleted || apply(item, payload.change ?? {}, payload.by);
		else if (who === "USER") item.seen = item.seen === "READ" ? "READ" : how;
		else if (who) item.delivery = how === "READ" || item.delivery === "read" ? "read" : "delivered";
		else for (const file of metadata?.custom?.files?.split?.(",") ?? [])
			if (!item.files?.has(file)) apply(item, { file, state: "uploading" });
		item.version = state().version += 1;
		early.splice(0).forEach(hear);
	};

	const cite = (id) => (of(id) && !of(id).deleted ? `${speakerOf(of(id), say)}: ${spoken(of(id)).slice(0, 200)}`
		: say("message.deleted"));
	const shown = ([id, { state, percent, name }]) => {
		const words = state !== "ready" && say("file." + state);
		return h("li", { class: "outlined", "data-state": state }, clip(), h("span", { dir: "auto" }, name || id),
			state === "uploading" && h("progress", { max: 100, ...(percent && { value: percent }), "aria-label": words }),
			words && h("small", {}, words));
	};
	const decorate = (node, item) => {
		const { custom, deleted, edited, files, reactions } = item.deleted ? { deleted: true } : item;
		const id = custom?.reply_to, key = [item.version, view.version, id && cite(id)].join();
		if (node.changes === key) return;
		node.changes = key;
		for (const each of node.querySelectorAll(".quote, .changes" + (deleted ? ", .carousel, .calls" : ""))) each.remove();
		if (id) node.line.before(h("blockquote", { class: "quote", dir: "auto" }, cite(id)));
		node.line.after(h("div", { class: "changes" },
			deleted && h("em", { class: "meta" }, say("message.deleted")),
			files && h("ul", { "aria-label": say("attachments") }, [...files].map(shown)),
			reactions?.size > 0 && h("div", { role: "group", "aria-label": say("action.react") },
				[...reactions].map(([text, who]) => h("button", { class: "outlined", title: [...who], disabled: !react,
					"aria-pressed": `${who.has("user")}`, onclick: () => react(item, text) }, `${text} ${who.size}`))),
			edited && h("small", { class: "meta" }, say("message.edited"))));
	};
	return { apply, decorate, hear, cite, say };
}

/** Parts are those of chat.js. */
export function extend({ act, draw, form, link, list, state, tell, textbox, view }) {
	const { send } = link;
	const on = (name) => state().started?.extensions?.includes(name);
	const change = (item, what) => send(CHANGED, { message_id: item.id, change: what });
	const react = (item, reaction) => change(item, { reaction, on: !item.reactions?.get(reaction)?.has("user") });
	const { apply, decorate, hear, cite, say } = changes({ state, view, react });
	let cited;

	const read = (item) => on("receipts") && !document.hidden && item.from !== "user" && item.done && item.seen !== "READ"
		&& send("USER_READ_MESSAGE", { message_id: item.id }) && (item.seen = "READ");

	const bar = h("div", { class: "quote" });
	form.before(bar);
	function quote(item) {
		cited = item;
		bar.replaceChildren(...(item ? [h("span", { role: "status", dir: "auto" }, `${say("action.reply")}: `,
			cite(item.id)), h("button", { class: "quiet", onclick: () => quote() }, say("cancel"))] : []));
		textbox.focus();
	}
	async function edit(item) {
		const { dialog } = await import("./extras.js");
		const box = h("textarea", { rows: 3, dir: "auto", "aria-label": say("composer.label"), value: item.text });
		const title = say("action.edit");
		const yes = await dialog(title, box, [{ text: say("cancel") }, { text: title, value: "yes", style: "solid" }]);
		if (yes && box.value.trim()) change(item, { text: box.value.trim() });
	}

	const input = h("input", { type: "file", hidden: true, onchange: () => {
		upload(input.files[0]).catch(() => tell(say("file.failed")));
		input.value = "";
	} });
	const button = h("button", { type: "button", class: "quiet attach", onclick: () => input.click() }, clip());
	textbox.after(button, input);
	async function upload(file) {
		const { id, token } = link.session, { name, type, size } = file;
		const answer = await fetch(`/api/v1/sessions/${id}/files`, { method: "POST",
			headers: { "Content-Type": "application/json", Authorization: "Bearer " + token },
			body: JSON.stringify({ name, type: type || "application/octet-stream", size }) });
		if (!answer.ok) throw answer;
		const { file_id, upload_url } = await answer.json(), key = crypto.randomUUID();
		const put = new XMLHttpRequest();
		act({ do: "say", id: key, text: "", custom: { files: file_id } });
		const item = state().locals.get(key);
		apply(item, { file: file_id, state: "uploading", name });
		const report = (state, percent) => change(item, { file: file_id, state, percent });
		let last = 0;
		put.upload.onprogress = ({ loaded, total }) => {
			const percent = Math.floor((loaded / total) * 100);
			if (percent > last + 9 && percent < 100 && state().messages.has(item.id)) report("uploading", (last = percent));
		};
		put.onloadend = () => put.status === 200 || report("failed");
		put.open("PUT", new URL(upload_url).pathname);
		put.send(file);
		draw();
	}

	return {
		hear,
		/** The metadata of a message that is being sent. */
		custom() {
			const id = cited?.id;
			if (id) quote();
			return id && { reply_to: id };
		},
		draw() {
			set(button, { title: say("attachments"), hidden: !on("files") });
			for (const node of list.querySelectorAll("article")) decorate(node, node.item), read(node.item);
		},
		actions: (item) => (!item.id || item.deleted || !on("changes") ? [] : [
			{ text: say("action.reply"), run: () => quote(item) },
			...["👍", "❤️", "😂"].map((each) => ({ text: `${say("action.react")} ${each}`,
				run: () => react(item, each) })),
			...(item.from === "user" ? [{ text: say("action.edit"), run: () => edit(item) },
				{ text: say("action.unsend"), danger: true, run: () => change(item, { deleted: true }) }] : []),
		]),
	};
}
