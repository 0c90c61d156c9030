// The rules of the message composer, without its view.

const segments = typeof Intl.Segmenter === "function" ? new Intl.Segmenter(undefined, { granularity: "grapheme" })
	: null;

/** Characters as readers count them. */
export const length = (text) => (
	segments && /[^\x00-\x7f]/.test(text) ? [...segments.segment(text)].length : text.length);

/** The first `max` characters. */
export function cut(text, max) {
	if (length(text) <= max) return text;
	if (!segments) return [...text].slice(0, max).join("");
	let end = 0, count = 0;
	for (const { index, segment } of segments.segment(text)) {
		if (count++ === max) break;
		end = index + segment.length;
	}
	return text.slice(0, end);
}

/** state: "disabled", "empty", "tooLong" or "ready"; count: the number to show, or null. */
export function composer({ text, max, wire, phase }) {
	const message = text.trim(), count = length(text);
	const frame = new TextEncoder().encode(JSON.stringify(message)).length + 160;
	const state = phase === "ended" || phase === "replaced" || phase === "consent" ? "disabled" : !message ? "empty"
		: frame > wire ? "tooLong" : "ready";
	return { state, message, count: count >= max * 0.8 ? count : null };
}

/** Whether a key sends. Input methods use Enter for themselves (Safari tells it by 229). */
export const sends = (key) => key.key === "Enter" && !key.isComposing && key.keyCode !== 229 && (
	key.ctrlKey || key.metaKey || !key.shiftKey);

/** Reports typing: at most every three seconds; five seconds after the last key, its end. */
export function typist(send, now, after, cancel) {
	let told = 0, timer = null;
	const stop = () => {
		cancel(timer);
		if (told) send("TYPING_STATE_STOPPED");
		told = 0;
	};
	return {
		key() {
			if (!told || now() - told >= 3000) (told = now()), send("TYPING_STATE_STARTED");
			cancel(timer);
			timer = after(5000, stop);
		},
		stop,
	};
}
