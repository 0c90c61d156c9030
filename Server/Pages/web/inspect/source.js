// The text of a fixture without a page: its pieces by colour, and the replacement that a finding asks for.

const string = (quote) => new RegExp(`${quote}(?:[^${quote}\\\\]|\\\\.)*(?:${quote}|\\\\?$)`, "y");
const kinds = [
	["comment", /\/\/.*/y], ["comment", /\/\*.*?(?:\*\/|$)/y], ["text", string('"')], ["text", string("'")],
	["name", /[A-Za-z_$][\w$]*(?=\s*:)/y], ["value", /\b(?:true|false|null|Infinity|NaN)\b/y],
	["word", /[A-Za-z_$][\w$]*/y],
	["value", /[-+]?(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/iy],
];
/** How a text or comment that began on a line before goes on here. */
const rest = { "*": /.*?(?:\*\/|$)/y, '"': /(?:[^"\\]|\\.)*(?:"|\\?$)/y, "'": /(?:[^'\\]|\\.)*(?:'|\\?$)/y };

/**
 * One line in pieces, `[kind, text]`, and what it leaves open: "", "*" in a comment, a quotation mark in a text.
 * A string continues on the next line only after a backslash at the end of its line.
 */
export const pieces = (line, open = "") => {
	const found = [];
	let at = 0, plain = 0, left = "";
	const add = (kind, end) => {
		if (plain < at) found.push(["", line.slice(plain, at)]);
		found.push([kind, line.slice(at, end)]);
		at = plain = end;
	};
	const closes = (text, mark) => mark === "*" ? text.endsWith("*/") : text.endsWith(mark)
		&& !/(?:^|[^\\])(?:\\\\)*\\.$/.test(text);
	const goOn = (kind, mark, expression, from = at) => {
		expression.lastIndex = from;
		const text = expression.exec(line)?.[0] ?? "";
		if (!closes(text, mark)) left = mark === "*" || text.endsWith("\\") ? mark : "";
		add(kind, from + text.length);
	};
	if (open) goOn(open === "*" ? "comment" : "text", open, rest[open]);
	while (at < line.length) {
		let isFound = false;
		for (const [kind, expression] of kinds) {
			expression.lastIndex = at;
			const text = expression.exec(line)?.[0];
			if (!text) continue;
			isFound = true;
			const isName = kind === "text" && /^\s*:/.test(line.slice(at + text.length));
			if (kind === "word") { at += text.length; break }
			if (kind === "text" && (text.length < 2 || !closes(text, text[0]))) left = text.endsWith("\\") ? text[0] : "";
			else if (text.startsWith("/*") && !text.endsWith("*/")) left = "*";
			add(isName ? "name" : kind, at + text.length);
			break;
		}
		if (!isFound) at += 1;
	}
	if (plain < line.length) found.push(["", line.slice(plain)]);
	return { found, left };
};

/**
 * Where the replacement of a finding stands in the text, as from and to, and what stands there then. Undefined when the
 * finding has none, or its place is no longer there.
 */
export const replacement = ({ replacement: fix }, text) => {
	const lines = text.split("\n"), line = fix && lines[fix.line - 1];
	if (line == null) return undefined;
	// Columns and lengths count characters, as findings do; a browser's offsets count UTF-16 units.
	const all = [...line], at = fix.column - 1, units = (count) => all.slice(0, count).join("").length;
	if (all.length < at + fix.length) return undefined;
	const start = lines.slice(0, fix.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
	return { from: start + units(at), to: start + units(at + fix.length), text: fix.text };
};
