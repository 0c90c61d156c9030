// Messages of agents as a tree: Markdown with a small part of HTML. Linear in the length of the text; nothing here is
// ever given to the browser as markup.
//
// Blocks: {p: [inline]}, {pre: "code", lang}, {ul: [item]}, {ol: [item], start}. An item is a list of inlines, with one
// list inside as its last member. Inlines: "text" (with its new lines), {strong: […]}, {em: […]}, {code: "text"},
// {link: "https://…", text: […]}. As written stay: tables, quotes, rules, ~~, a third level of lists, www. without
// scheme.

const LIMIT = 65536, TAG = 2048, DEPTH = 4;
// Stand for tags between the two passes. Unicode sets them aside for such use; a text that has them gets U+FFFD.
const [BOLD, BOLD_, SLANT, SLANT_, CODE, CODE_, LINK, TO, LINK_, AUTO] =
	"\uFDD0\uFDD1\uFDD2\uFDD3\uFDD4\uFDD5\uFDD6\uFDD7\uFDD8\uFDD9";
const MARKS = /[\uFDD0-\uFDEF]/g;
const TAGS = { b: BOLD, strong: BOLD, i: SLANT, em: SLANT, code: CODE };
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00A0" };
const ITEM = /^( *)([-*\u2022]|\d{1,3}[.)])[ \t]+(\S.*)$/;
const FENCE = /^ {0,3}```/;
const HEADING = /^#{1,6}[ \t]+\S/;
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/y;
// Backslash escapes (CommonMark 0.31, 2.4): one before an ASCII punctuation mark.
const ESCAPED = /[!-/:-@[-`{-~]/, PAIRS = /\\[!-/:-@[-`{-~]/g;
// Brackets, quotation and sentence marks beyond ASCII (Unicode, UAX #44: General_Category) end an address, but for
// dots in names.
const DOTS = "\xB7\u0387\u2027\u2E31\u30FB\uFF65", SIGNS = "\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}";
const ENDS = new RegExp(`[\\s<>"\`]|(?![\\0-\x7F${DOTS}])[${SIGNS}]`, "u");
const PART = `(?:[!#-%'-;=?-_a-~${DOTS}]|[^\\s<>&\`${SIGNS}\\uFDD0-\\uFDEF])*`;
const ADDRESS = new RegExp("https?://(?![/?#])" + PART, "iyu"), MORE = new RegExp(PART, "yu");
// Up to the last sign that no address may have, or what becomes one.
const ODD = /^.*(?:[\\\0-\x1F\x7F-\x9F]|&#\w+;)/;
const MAIL = /[a-z\d][\w.%+-]{0,63}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}/iy;
const PHONE = /tel:\+?\d[\d().-]{2,30}/iy;

// A possibly incomplete tag after "<".
const OPENS = /!--|\/?[a-z][a-z\d]*(?:[\s\/>]|$)|\/?$/iy;

const ANGLED = /<https?:\/\/[^\s<>]{1,2000}>/iy;

const at = (expression, text, i) => ((expression.lastIndex = i), expression.exec(text));

/** The address when a link may lead there, else null: http, https, mailto and tel, whole and without odd characters. */
export function safe(url) {
	url = url.trim();
	return !/[\s<>"\\\u0000-\u001F\u007F-\u009F]/.test(url) && /^(https?:\/\/[^/?#]|mailto:[^@]+@|tel:\+?\d)/i.test(url) ? url
		: null;
}

function entity(found) {
	if (found[3]) return ENTITIES[found[3]] ?? found[0];
	const code = found[1] ? +found[1] : parseInt(found[2], 16);
	return !code || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? "\uFFFD" : String.fromCodePoint(code);
}

const decode = (text) => text.replace(new RegExp(ENTITY.source, "g"), (...found) => entity(found));
const SPECIAL = PAIRS.source + "|" + ENTITY.source, PIECES = new RegExp(SPECIAL + "|[^]", "g");
const unescape = (text) => text.replace(new RegExp(SPECIAL, "g"), (...found) =>
	(found[0][0] === "&" ? entity(found) : found[0][1]));

/** Where a tag ends that begins at i, after its ">"; 0 when it does not. */
function tagEnd(text, i) {
	for (let quote = "", j = i + 1; j < text.length && j < i + TAG; j++) {
		const c = text[j];
		if (quote) quote = c === quote ? "" : quote;
		else if (c === ">") return j + 1;
		else if ((c === '"' || c === "'") && text[j - 1] === "=") quote = c;
	}
	return 0;
}

/** First pass: tags become marks, new lines and list items, or go; code stays as it is. */
function untag(text, open) {
	const lists = [];
	const lower = text.toLowerCase(), last = text.lastIndexOf(">");
	let out = "", line = true, i = 0, code = false;
	const item = () => "\n" + "  ".repeat(Math.max(0, lists.length - 1)) + (lists.at(-1) === "ol" ? "1. " : "- ");
	while (i < text.length) {
		const c = text[i];
		if (line && FENCE.test(text.slice(i, i + 6))) {
			let end = text.indexOf("\n", i);
			while (end >= 0 && !FENCE.test(text.slice(end + 1, end + 7))) end = text.indexOf("\n", end + 1);
			if (end >= 0) end = text.indexOf("\n", end + 1);
			if (end < 0) end = text.length;
			out += text.slice(i, end);
			i = end;
		} else if (c === "`") {
			const end = text.indexOf("`", i + 1), stop = end < 0 || text.slice(i, end).includes("\n\n") ? i : end;
			out += text.slice(i, stop + 1);
			i = stop + 1;
		} else if (c === "\\" && !code && ESCAPED.test(text[i + 1])) {
			out += text.slice(i, (i += 2));
		} else if (c === "<" && at(ANGLED, text, i)) {
			out += AUTO + text.slice(i + 1, ANGLED.lastIndex - 1) + AUTO;
			i = ANGLED.lastIndex;
		} else if (c === "<" && at(OPENS, text, i + 1)) {
			if (text.startsWith("<!--", i)) {
				const end = text.indexOf("-->", i);
				i = end < 0 ? text.length : end + 3;
				continue;
			}
			const end = i < last ? tagEnd(text, i) : 0;
			if (!end) {
				if (open && text.length - i < TAG) break;
				out += c;
				i += 1;
				continue;
			}
			const tag = text.slice(i + 1, end - 1), name = /^\/?([a-z\d]*)/i.exec(tag)[1].toLowerCase();
			const closes = tag[0] === "/";
			i = end;
			if (name === "code") code = !closes;
			if (TAGS[name]) out += closes ? String.fromCharCode(TAGS[name].charCodeAt(0) + 1) : TAGS[name];
			else if (name === "a") {
				const to = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag);
				out += closes ? LINK_ : LINK + (to ? decode(to[1] ?? to[2] ?? to[3]) : "").replace(MARKS, "") + TO;
			} else if (name === "br") out += "\n";
			else if (name === "p") out += "\n\n";
			else if (name === "li") out += closes ? "" : item();
			else if (name === "ul" || name === "ol") {
				if (closes) lists.pop();
				else if (lists.length < 8) lists.push(name);
				if (!lists.length || (!closes && lists.length === 1)) out += "\n\n";
			} else if ((name === "script" || name === "style") && !closes) {
				const stop = lower.indexOf("</" + name, i);
				i = stop < 0 ? text.length : stop;
			}
			continue;
		} else {
			out += c;
			i += 1;
		}
		line = c === "\n";
	}
	return out;
}

const add = (list, node) => {
	if (typeof node === "string" && typeof list.at(-1) === "string") list[list.length - 1] += node;
	else if (node !== "" && (typeof node === "string" || !("text" in node) || node.text.length)) list.push(node);
};

/**
 * An address as it is written and as it is meant. The signs at its end belong to the sentence, and so does a
 * parenthesis
 * that was opened before, also where they are escaped.
 */
function trimmed(text, plain) {
	const written = plain ? text.split("") : text.match(PIECES), meant = plain ? written : written.map(unescape);
	let end = meant.length, surplus = 0;
	for (const c of meant) surplus += c === ")" ? 1 : c === "(" ? -1 : 0;
	while (".,;:!?'*_\\".includes(meant[end - 1]) || (meant[end - 1] === ")" && surplus-- > 0)) end -= 1;
	return [written, meant].map((each) => each.slice(0, end).join(""));
}

/** Second pass over a block's text. `plain` finds addresses only, as users write. */
function inlines(s, open, plain, inLink) {
	const frames = [{ nodes: [] }];
	// The text with escaped marks blanked out.
	const bare = plain ? s : s.replace(PAIRS, "\0\0");
	let buffer = "", i = 0, bracket = -1, end = -2, odd = 0;
	const flush = () => {
		add(frames.at(-1).nodes, buffer);
		buffer = "";
	};
	const put = (node) => {
		flush();
		add(frames.at(-1).nodes, node);
	};
	const close = (keep) => {
		flush();
		const frame = frames.pop(), into = frames.at(-1).nodes;
		if (keep && frame.kind === "link") add(into, { link: frame.to, text: frame.nodes });
		else if (keep) frame.nodes.length && into.push({ [frame.kind]: frame.nodes });
		else {
			add(into, frame.delimiter);
			for (const node of frame.nodes) add(into, node);
		}
	};
	const push = (frame) => {
		flush();
		frames.push({ nodes: [], ...frame });
	};
	const depth = (kind, delimiter) => frames.findLastIndex((f) => f.kind === kind && f.delimiter === delimiter);
	// Frames that are still open inside of one that closes: tags close with it, marks were none.
	const unwind = (to) => {
		while (frames.length > to + 1) close(frames.at(-1).tag);
		close(true);
	};
	const emphasis = (c, run) => {
		const before = s[i - 1] ?? " ", after = s[i + run] ?? " ";
		const word = /[\p{L}\p{N}]/u;
		const closes = !/\s/.test(before) && !(c === "_" && word.test(after));
		const opens = !/\s/.test(after) && !(c === "_" && word.test(before));
		i += run;
		while (run > 0) {
			const strong = run > 1 && closes ? depth("strong", c + c) : -1, em = closes ? depth("em", c) : -1;
			if (strong > em || (strong > 0 && run === 2)) unwind(strong), (run -= 2);
			else if (em > 0) unwind(em), (run -= 1);
			else if (opens && frames.length <= DEPTH && run < 4) {
				const size = run > 1 ? 2 : 1;
				push({ kind: size > 1 ? "strong" : "em", delimiter: c.repeat(size) });
				run -= size;
			} else (buffer += c.repeat(run)), (run = 0);
		}
	};
	const link = () => {
		if (end < i) (end = bare.indexOf("]", i)), (bracket = bare.lastIndexOf("[", end));
		if (end < 0) end = Infinity;
		if (end === Infinity) return open && i++ >= 0;
		if (bracket !== i) return false;
		if (s[end + 1] !== "(" && !(open && end + 1 === s.length)) return false;
		let to = end + 2;
		for (let level = 1; to < s.length && to < end + TAG; to++) {
			if (bare[to] === "(") level += 1;
			else if (bare[to] === ")" && !--level) break;
		}
		const label = inlines(s.slice(i + 1, end), false, false, true);
		const done = s[to] === ")";
		if (!done && !open) return false;
		const url = done && safe(unescape(s.slice(end + 2, to).replace(MARKS, "").trim().replace(/\s+"[^"]*"$/, "")));
		flush();
		if (url) add(frames.at(-1).nodes, { link: url, text: label.length ? label : [url] });
		else for (const node of label) add(frames.at(-1).nodes, node);
		i = done ? to + 1 : s.length;
		return true;
	};
	const address = () => {
		const web = i >= odd && at(ADDRESS, s, i);
		let found = web || at(PHONE, s, i), to = "", words;
		if (found) {
			let stop = i + found[0].length;
			while (web && s[stop] === "&") {
				const each = bare[stop] === "&" && !plain ? at(ENTITY, s, stop) : null;
				if (each && ENDS.test(entity(each))) break;
				at(MORE, s, stop + (each?.[0].length ?? 1));
				stop = MORE.lastIndex;
			}
			[found, to] = trimmed(s.slice(i, stop), plain);
			words = to;
			if (web) odd = i + (ODD.exec(found)?.[0].length ?? 0);
		} else if ((words = found = at(MAIL, s, i)?.[0].replace(/[.-]+$/, ""))) to = "mailto:" + found;
		if (!found || !safe(to)) return false;
		put({ link: to, text: [words] });
		i += found.length;
		return true;
	};
	while (i < s.length) {
		const c = s[i];
		if (/[a-z\d]/i.test(c)) {
			if (!inLink && !/[\w@]/.test(s[i - 1] ?? " ") && depth("link", "") < 0 && address()) continue;
		} else if (!plain) {
			if (c === "\\" && (s[i + 1] === "\n" || ESCAPED.test(s[i + 1]))) {
				buffer += s[i + 1];
				i += 2;
				continue;
			}
			if (c === "`") {
				const end = s.indexOf("`", i + 1);
				if (s[i + 1] !== "`" && (end > 0 || open)) {
					const code = s.slice(i + 1, end > 0 ? end : s.length).replace(MARKS, "");
					if (code) put({ code });
					i = end > 0 ? end + 1 : s.length;
					continue;
				}
				while (s[i] === "`") (buffer += "`"), (i += 1);
				continue;
			}
			if (c === "*" || c === "_") {
				let run = 1;
				while (s[i + run] === c) run += 1;
				emphasis(c, run);
				continue;
			}
			if (c === "[" && !inLink && link()) continue;
			if (c === "&") {
				const found = at(ENTITY, s, i);
				if (found) {
					buffer += entity(found);
					i += found[0].length;
					continue;
				}
			}
			if (c >= BOLD && c <= "\uFDEF") {
				const kind = { [BOLD]: "strong", [SLANT]: "em", [LINK]: "link" }[c];
				const closing = { [BOLD_]: "strong", [SLANT_]: "em", [LINK_]: "link" }[c];
				i += 1;
				if (c === AUTO) {
					const end = s.indexOf(AUTO, i), to = s.slice(i, end < 0 ? s.length : end), words = decode(to),
						url = !inLink && depth("link", "") < 0 && safe(words);
					if (url) put({ link: url, text: [words] });
					else buffer += words;
					i += to.length + 1;
				} else if (c === CODE) {
					const end = s.indexOf(CODE_, i);
					const code = decode(s.slice(i, end < 0 ? s.length : end).replace(MARKS, ""));
					if (code) put({ code });
					i = end < 0 ? s.length : end + 1;
				} else if (kind) {
					let to = "";
					if (c === LINK) (to = s.slice(i, s.indexOf(TO, i))), (i += to.length + 1);
					const url = c === LINK && !inLink && depth("link", "") < 0 ? safe(to) : null;
					if (frames.length <= DEPTH && (c !== LINK || url)) push({ kind, delimiter: "", tag: true, to: url });
				} else if (closing) {
					const frame = depth(closing, "");
					if (frame > 0) unwind(frame);
				}
				continue;
			}
		}
		buffer += c;
		i += 1;
	}
	while (frames.length > 1) close(open || frames.at(-1).tag);
	flush();
	return frames[0].nodes;
}

function list(lines, inline) {
	const first = ITEM.exec(lines[0]), ordered = /\d/.test(first[2]), base = first[1].length;
	const items = [];
	for (const line of lines) {
		const found = ITEM.exec(line), item = items.at(-1), inner = item?.inner?.items;
		if (!line.trim()) continue;
		// A task's box as a character.
		if (found) found[3] = found[3].replace(/^\[([ x])\](?=[ \t])/i, (all, done) => (done === " " ? "\u2610" : "\u2611"));
		if (found && found[1].length < base + 2) items.push({ text: found[3] });
		else if (found) {
			item.inner ??= { ordered: /\d/.test(found[2]), items: [] };
			item.inner.items.push(found[3]);
		} else if (inner) inner.push(inner.pop() + "\n" + line.trim());
		else item.text += "\n" + line.trim();
	}
	const nodes = items.map((item, index) => {
		const last = index === items.length - 1;
		const nodes = inline(item.text, last && !item.inner);
		if (item.inner) {
			const inner = item.inner.items;
			nodes.push({ [item.inner.ordered ? "ol" : "ul"]: inner.map((text, j) => inline(text,
				last && j === inner.length - 1)) });
		}
		return nodes;
	});
	const start = parseInt(first[2]);
	return ordered ? (start === 1 ? { ol: nodes } : { ol: nodes, start }) : { ul: nodes };
}

/** What is not clear yet at the end of a text that still grows: half a mark, half a tag, half a character. */
function withhold(text) {
	text = text.replace(/[\uD800-\uDBFF]$/, "").replace(/&[#\w]{0,8}$/, "");
	const line = text.lastIndexOf("\n") + 1;
	if (/^ *([-*\u2022]|#{1,6}|\d{1,3}[.)]|`{1,2})[ \t]*$/.test(text.slice(line))) return text.slice(0, line);
	text = text.replace(/[*_`]{1,3}$/, "");
	let run = 0;
	while (text[text.length - 1 - run] === "\\") run += 1;
	return run % 2 ? text.slice(0, -1) : text;
}

/**
 * The blocks of a text.
 *
 * open: more of it will come, so what is open at its end is shown as if it were closed.
 * memo: a Map for one growing text; blocks that did not change are then the same objects as before.
 */
export function parse(text, { open = false, memo } = {}) {
	const rest = text.length > LIMIT ? text.slice(LIMIT) : "";
	text = text.slice(0, LIMIT).replace(/\r\n?/g, "\n").replace(MARKS, "\uFFFD");
	const inFence = open && text.split("\n").filter((line) => FENCE.test(line)).length % 2;
	const lines = untag(open && !inFence ? withhold(text) : text, open).split("\n");
	const blocks = [];
	let i = 0;
	const take = (kind, end, make) => {
		const raw = lines.slice(i, end), isOpen = open && end >= lines.length;
		const key = kind + isOpen + raw.join("\n");
		let block = memo?.get(key);
		if (!block) {
			block = make(raw, (text, last) => inlines(text, isOpen && last !== false, false, false));
			memo?.set(key, block);
		}
		const content = block.p ?? block.ul ?? block.ol ?? block.pre;
		if (content.length || block.pre !== undefined) blocks.push(block);
		i = end;
	};
	while (i < lines.length) {
		const line = lines[i];
		let end = i + 1;
		if (FENCE.test(line)) {
			while (end < lines.length && !FENCE.test(lines[end])) end += 1;
			take("f", Math.min(end + 1, lines.length), (raw) => {
				const lang = raw[0].replace(/^ *`+/, "").trim().split(/\s/)[0];
				const code = raw.slice(1, end < lines.length ? -1 : raw.length).join("\n");
				return lang ? { pre: code, lang } : { pre: code };
			});
		} else if (!line.trim()) i += 1;
		else if (HEADING.test(line)) {
			take("h", end, (raw, inline) => ({ p: [{ strong: inline(raw[0].replace(/^#+/, "").trim()) }] }));
		} else if (ITEM.test(line)) {
			const [, indent, mark] = ITEM.exec(line);
			let sure = end;
			for (; end < lines.length; end++) {
				const next = ITEM.exec(lines[end]);
				if (!lines[end].trim()) continue;
				if (next ? next[1].length < indent.length + 2 && /\d/.test(next[2]) !== /\d/.test(mark)
					: !/^ {2}/.test(lines[end]) || end !== sure) break;
				sure = end + 1;
			}
			take("l", sure, list);
		} else {
			const goesOn = (line) => line?.trim() && ![FENCE, ITEM, HEADING].some((each) => each.test(line));
			while (goesOn(lines[end])) end += 1;
			take("p", end, (raw, inline) => ({ p: inline(raw.map((line) => line.trim()).join("\n")) }));
		}
	}
	if (rest) blocks.push({ p: [rest] });
	return blocks;
}

/** What a user wrote: nothing is interpreted but addresses. */
export function literal(text) {
	const nodes = inlines(text.slice(0, LIMIT).replace(MARKS, "\uFFFD"), false, true, false);
	add(nodes, text.slice(LIMIT));
	return [{ p: nodes }];
}

const words = (node) =>
	typeof node === "string" ? node : Array.isArray(node) ? node.map(words).join("")
		: node.code ?? words(node.strong ?? node.em ?? node.text ?? []);

/** The words alone, a line for each block and item. */
export function plain(blocks) {
	const lines = [];
	for (const block of blocks) {
		const items = block.ul ?? block.ol;
		for (const item of items ?? []) {
			const inner = item.at(-1)?.ul ?? item.at(-1)?.ol ?? [];
			lines.push(words(item), ...inner.map(words));
		}
		if (!items) lines.push(block.pre ?? words(block.p));
	}
	return lines.join("\n");
}
