// How rows and numbers are written. Nothing here touches the page.

export const short = (id) => id && id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-8)}` : id ?? "";

/** Milliseconds since 1970, with a fraction: the server tells nanoseconds. */
export const millis = (time) => {
	const found = /^(.*?)(?:\.(\d+))?Z$/.exec(time ?? "");
	return found ? Date.parse(found[1] + "Z") + Number(`0.${found[2] ?? 0}`) * 1000 : NaN;
};

/** `21:54:41.490`, UTC, as filters and the server's log write it. */
export const timeOfDay = (time) => (time ?? "").slice(11, 19) + "." + (
	(/\.(\d+)/.exec(time ?? "")?.[1] ?? "") + "000").slice(0, 3);

export const length = (ms) => {
	if (ms == null || Number.isNaN(ms)) return "";
	if (ms < 0) return "−" + length(-ms);
	if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
	if (ms < 1000) return `${Math.round(ms)} ms`;
	if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
	if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.floor(ms / 1000) % 60} s`;
	return `${Math.floor(ms / 3_600_000)} h ${Math.floor(ms / 60_000) % 60} min`;
};

export const ago = (ms) => ms < 2000 ? "now" : ms < 60_000 ? `${Math.floor(ms / 1000)} s ago`
	: ms < 3_600_000 ? `${Math.floor(ms / 60_000)} min ago` : ms < 86_400_000 ? `${Math.floor(ms / 3_600_000)} h ago`
		: `${Math.floor(ms / 86_400_000)} d ago`;

/** Milliseconds of a length as the server writes it: `800ms`, `1.5s`, `5m`, `1h`. */
export const parseLength = (text) => {
	const found = /^([\d.]+)(us|ms|s|m|h)$/.exec((text ?? "").trim());
	return found ? Number(found[1]) * { us: 0.001, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[found[2]] : NaN;
};

export const size = (bytes) => bytes < 1024 ? `${bytes} B` : bytes < 1048576
	? `${(bytes / 1024).toFixed(bytes < 10240 ? 1 : 0)} KB` : `${(bytes / 1048576).toFixed(1)} MB`;

export const count = (n, one, many = one + "s") => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** A text of a fixture with its gaps, `{liveAgent.name}`, filled as far as there is something to fill them with. */
export const filled = (text, values) => text.replace(/\{([\w.]+)\}/g, (gap, name) =>
	values[name] != null && values[name] !== "" ? String(values[name]) : gap);

/**
 * A filter within a session, which stands first so that an open quote cannot take it in; and its mistake without
 * that.
 */
export const within = (id, filter) => (id ? `session:"${id}" ` : "") + filter;
export const mistake = (text, id) => text.replace(/character (\d+)/, (_, n) =>
	`character ${n - within(id, "").length}`);

export const direction = { in: "received", out: "sent", int: "inside" };
export const arrow = { in: "↑", out: "↓", int: "·" };

// MARK: - Content of rows

const parsed = new WeakMap();

/** The JSON of a row; undefined when its text is none. */
export const json = (row) => {
	if (parsed.has(row)) return parsed.get(row);
	let value;
	try { value = JSON.parse(row.kind === "rest" ? body(row) : row.raw) } catch { /* it is text */ }
	parsed.set(row, value);
	return value;
};

const split = (row) => {
	const text = row.raw ?? "";
	const at = text.indexOf("\r\n\r\n");
	return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 4)];
};
export const body = (row) => split(row)[1];
export const head = (row) => split(row)[0].split("\r\n");

/** `[name, value]` of each field of a request or answer. */
export const fields = (row) => head(row).slice(1).map((line) => {
	const at = line.indexOf(":");
	return [line.slice(0, at), line.slice(at + 1).trim()];
});

const said = (payload) => payload.text ?? payload.message ?? payload.display_message
	?? (payload.reason && String(payload.reason).replace(/^REASON_/, "").toLowerCase().replaceAll("_", " "))
	?? payload.agent_name ?? payload.agent?.name ?? payload.language_code ?? payload.state
	?? (payload.change && JSON.stringify(payload.change))
	?? (payload.position_in_queue != null ? `place ${payload.position_in_queue}` : undefined);

/** The first characters of what a row says. */
export const summary = (row, most = 80) => {
	let text = "";
	if (row.kind === "rest") {
		const value = json(row);
		const status = row.dir === "out" ? head(row)[0].replace(/^HTTP\S+ /, "") : "";
		const query = row.dir === "in" ? /\?(\S*)/.exec(head(row)[0])?.[1] ?? "" : "";
		text = [status, value?.error?.message ?? value?.message ?? value?.session_id ?? query].filter(Boolean).join(" · ");
	} else if (row.kind === "ws" || row.kind === "stream") {
		const value = json(row);
		if (value?.payload?.events) text = value.payload.events.map((event) => name(event.type)).join(", ");
		else if (value?.payload) text = said(value.payload) ?? "";
		else text = row.raw ?? (row.rawBase64 ? "bytes that are no UTF-8" : "");
	} else if (row.kind === "control") text = row.status ? closing[row.status] ?? "" : "";
	else text = row.raw ?? "";
	text = String(text).replace(/\s+/g, " ");
	return text.length > most ? text.slice(0, most) + "…" : text;
};

export const name = (type) => (type ?? "").replace(/^EVENT_TYPE_/, "");

export const closing = {
	1000: "done", 1001: "going away", 1002: "protocol error", 1003: "wrong kind of data", 1006: "lost", 1007: "no UTF-8",
	1008: "policy", 1009: "too big", 1011: "server error", 1012: "restart", 1013: "try later", 4000: "replaced", 4001: "session unknown",
	4002: "application error",
};

export const isError = (row) => row.flags?.includes("error") || row.kind === "rest" && row.status >= 400;
export const isFaulted = (row) => Boolean(row.fault) || row.mod != null || row.modBase64 != null;

// MARK: - Invisible characters

const unseen =
	/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** Whether a text has characters that cannot be seen. */
export const hides = (text) => text.search(unseen) >= 0;

/** Pieces of a text: strings, and `{mark: "U+202E"}` for what cannot be seen or turns the line round. */
export const visible = (text) => {
	const pieces = [];
	let from = 0;
	for (const found of String(text).matchAll(unseen)) {
		if (found.index > from) pieces.push(text.slice(from, found.index));
		pieces.push({ mark: "U+" + found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0") });
		from = found.index + 1;
	}
	if (from < text.length) pieces.push(text.slice(from));
	return pieces;
};

/** `$.payload.events[0]["odd name"]`, as filters read it. */
export const path = (parts) => "$" + parts.map((part) =>
	typeof part === "number" ? `[${part}]` : /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`).join(
		"");

// MARK: - Differences

/** Lines of two texts: `[mark, line]` with ` `, `-` or `+`. Texts of many lines are compared by their ends only. */
export const diff = (before, after) => {
	const [a, b] = [before.split("\n"), after.split("\n")];
	let start = 0, end = 0;
	while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
	while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
	const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
	const middle = [];
	if (x.length * y.length > 250_000) middle.push(...x.map((l) => ["-", l]), ...y.map((l) => ["+", l]));
	else {
		const same = Array.from({ length: x.length + 1 }, () => new Uint16Array(y.length + 1));
		for (let i = x.length - 1; i >= 0; i -= 1) for (let j = y.length - 1; j >= 0; j -= 1) {
			same[i][j] = x[i] === y[j] ? same[i + 1][j + 1] + 1 : Math.max(same[i + 1][j], same[i][j + 1]);
		}
		let i = 0, j = 0;
		while (i < x.length || j < y.length) {
			if (i < x.length && j < y.length && x[i] === y[j]) { middle.push([" ", x[i]]); i += 1; j += 1 }
			else if (j >= y.length || i < x.length && same[i + 1][j] >= same[i][j + 1]) middle.push(["-", x[i++]]);
			else middle.push(["+", y[j++]]);
		}
	}
	return [...a.slice(0, start).map((l) => [" ", l]), ...middle, ...a.slice(a.length - end).map((l) => [" ", l])];
};

/** Pretty JSON where it is JSON, so that differences stand in lines. */
export const lines = (text) => {
	try { return JSON.stringify(JSON.parse(text), null, 2) } catch { return text ?? "" }
};

/** An effect as fixtures say it: `drop: connection`. */
export const effectText = (effect) => Object.entries(effect).map(([name, value]) => `${name}: ${value}`).join(", ");
