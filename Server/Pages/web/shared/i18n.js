// Words, numbers and times in the reader's language.

const formats = new Map();
function format(kind, language, options) {
	const key = [kind.name, language, JSON.stringify(options)].join();
	if (!formats.has(key)) formats.set(key, new kind(language, options));
	return formats.get(key);
}

/** The day that a moment falls on, as a number of days; `zone` is a name such as "UTC", or the browser's own. */
export const dayOf = (at, zone) => Date.parse(
	format(Intl.DateTimeFormat, "en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
	at)) / 864e5;

/** "today", "yesterday", "week", "year" or "old": which words describe a day, seen from another. */
export function age(at, now, zone) {
	const days = dayOf(now, zone) - dayOf(at, zone);
	if (days < 2) return days < 1 ? "today" : "yesterday";
	if (days < 7) return "week";
	return new Date(dayOf(at, zone) * 864e5).getUTCFullYear() === new Date(dayOf(now, zone) * 864e5).getUTCFullYear()
		? "year" : "old";
}

/**
 * Words of one language over those of English.
 *
 * packs: {key: text} in order of preference. A text has gaps, {n}; one with forms is {one: …, other: …}, chosen by n.
 */
export function words(packs, language, zone) {
	const say = (key, args = {}) => {
		let text = packs.find((pack) => pack[key] !== undefined)?.[key] ?? key;
		if (typeof text === "object") text = text[format(Intl.PluralRules, language).select(args.n)] ?? text.other;
		return text.replace(/\{(\w+)\}/g, (all, name) => {
			const value = args[name];
			return typeof value === "number" ? format(Intl.NumberFormat, language, { useGrouping: false }).format(value)
				: value ?? all;
		});
	};
	const date = (at, options) => format(Intl.DateTimeFormat, language, { timeZone: zone, ...options }).format(at);
	const time = (at) => date(at, { timeStyle: "short" });
	const divider = (at, now) => {
		const kind = age(at, now, zone);
		const day = kind === "today" || kind === "yesterday" ? say("divider." + kind)
			: date(at, kind === "week" ? { weekday: "long" }
				: { month: "long", day: "numeric", year: kind === "old" ? "numeric" : undefined });
		return `${day} ${time(at)}`;
	};
	const full = (at) => date(at, { dateStyle: "long", timeStyle: "medium" });
	return { say, time, divider, full, language, direction: /^(ar|fa|he|ur)\b/i.test(language) ? "rtl" : "ltr" };
}

/** The names of packs to look for, best first; English comes last. */
export const candidates = (language) => [...new Set([language, language.split("-")[0]])].filter((each) =>
	each !== "en");
