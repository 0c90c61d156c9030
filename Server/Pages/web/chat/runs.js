// Which tools are at work: the Messaging API has no word for it, the control API knows.
import { h } from "../shared/dom.js";

/** The calls that have no result yet, as people read them. */
export function atWork({ runs }) {
	const open = new Map();
	for (const { kind, id, label, title, name } of runs?.at(-1)?.entries ?? []) {
		if (kind === "callStarted") open.set(id, label ?? title ?? name);
		else if (kind === "callResult") open.delete(id);
		else if (kind === "finished" || kind === "failed") open.clear();
	}
	return [...new Set(open.values())].join(", ");
}

const OFTEN = 200;

/** Asks until the agent thinks no more. It is shown in dots; show(text) hears changes. */
export async function watch(ask, thinks, dots, show) {
	const label = dots.appendChild(h("small", { dir: "auto" }));
	label.style.color = "var(--chat-muted)";
	let last = "";
	const change = (text) => {
		if (text !== last) (label.textContent = last = text), show(text);
	};
	while (thinks()) {
		const text = atWork(await ask());
		if (thinks()) change(text);
		await new Promise((done) => setTimeout(done, OFTEN));
	}
	change("");
	label.remove();
}
