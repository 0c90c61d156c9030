// ?layout=widget: the page as a panel with a button that opens it.
import { h, icon, set } from "../shared/dom.js";
import "./extras.js";

export function panel(chat, say) {
	chat.classList.add("widget");
	const button = h("button", { class: "launcher", "aria-expanded": "true", "aria-label": say("log"), onclick: () => {
		chat.hidden = !chat.hidden;
		set(button, { "aria-expanded": String(!chat.hidden) });
	} }, icon("chat"));
	chat.after(button);
}
