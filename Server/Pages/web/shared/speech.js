// Announcements for screen readers, and labels of rows.
import { parse, plain } from "./md.js";

/** The text of a message without its marks. */
export const spoken = (item) => (item.from === "user" ? item.text : plain(parse(item.text)));

export const speakerOf = (item, say) => (
	item.from === "user" ? say("you") : item.from === "person" ? say("live", { name: item.name }) : item.name);

/** The text of a system row. */
export const noteOf = (item, say) => item.text ?? say(item.label, item.args);

/** The sentence for an announcement of store.js. */
export function announcement({ item, key, args, text }, say) {
	if (!item) return text ?? say(key, args);
	const words = spoken(item).replace(/\s+/g, " ").slice(0, 300);
	const counts = ["attachments", "suggestions"].filter((each) => item[each].length).map((each) =>
		say("announce." + each, { n: item[each].length }));
	return [`${speakerOf(item, say)}: ${words}`, ...counts].join(", ");
}
