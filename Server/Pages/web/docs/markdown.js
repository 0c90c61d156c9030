// The Markdown of the repository's pages, as nodes; what the pages do not use is shown as it stands.
import { foreign, h } from "../shared/dom.js";

/** The anchor of a heading, as code hosts make it. */
export const slug = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");

/** Text without its marks. */
export const plain = (text) => text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");

const INLINE = new RegExp([
	/(`+)(.+?)\1(?!`)/, /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/, /\*\*(.+?)\*\*/, /\*([^*\s][^*]*)\*/,
	/<(https?:[^>\s]+)>/].map((part) => part.source).join("|"), "gs");

/** Nodes of a line; `link(target)` is the address that a link has here, or nothing where it leads nowhere. */
export function inline(text, link) {
	const nodes = [];
	let end = 0;
	for (const found of text.matchAll(INLINE)) {
		const [whole, , code, image, label, target, strong, em, bare] = found;
		nodes.push(text.slice(end, found.index));
		end = found.index + whole.length;
		if (code) nodes.push(h("code", null, code.trim() || code));
		else if (strong) nodes.push(h("strong", null, inline(strong, link)));
		else if (em) nodes.push(h("em", null, inline(em, link)));
		else if (image) nodes.push(h("em", { class: "note" }, label));
		else {
			const address = bare ?? link(target), words = bare ? [bare] : inline(label, link);
			nodes.push(...address ? [h("a", { href: address, ...address.startsWith("#") ? {} : foreign }, words)] : words);
		}
	}
	return [...nodes, text.slice(end)].filter((node) => node !== "");
}

const ITEM = /^( *)([*+-]|\d+[.)])( +)/, FENCE = /^ *```/, RULED = /^\|?[\s:|-]*-[\s:|-]*$/;
const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/)
	.map((cell) => cell.trim().replaceAll("\\|", "|"));

/** Nodes of lines of Markdown. */
export function blocks(lines, link, seen = new Map()) {
	const nodes = [];
	let at = 0;
	const begins = (line) => /^#{1,6} /.test(line) || FENCE.test(line) || ITEM.test(line) || /^(>|\|)/.test(line);
	while (at < lines.length) {
		const line = lines[at], heading = /^(#{1,6}) (.*)/.exec(line), item = ITEM.exec(line);
		if (!line.trim()) at += 1;
		else if (heading) {
			const name = slug(plain(heading[2])), count = seen.get(name) ?? 0;
			seen.set(name, count + 1);
			nodes.push(h(`h${heading[1].length}`, { id: count ? `${name}-${count}` : name }, inline(heading[2], link)));
			at += 1;
		} else if (FENCE.test(line)) {
			let end = at + 1;
			while (end < lines.length && !FENCE.test(lines[end])) end += 1;
			nodes.push(h("pre", { tabindex: 0 }, h("code", null, lines.slice(at + 1, end).join("\n"))));
			at = end + 1;
		} else if (item) {
			const isOrdered = /\d/.test(item[2]), items = [];
			let next = item;
			while (next && next[1].length === item[1].length && /\d/.test(next[2]) === isOrdered) {
				const indent = next[0].length, own = [lines[at].slice(indent)];
				at += 1;
				// Up to the next item: what is indented, blank lines before it, and lines that run on.
				while (at < lines.length && (/^ +\S/.test(lines[at]) && lines[at].search(/\S/) > item[1].length
					|| !lines[at].trim() && /^ {2,}\S/.test(lines[at + 1] ?? "") && lines[at + 1].search(/\S/) > item[1].length
					|| lines[at].trim() && !begins(lines[at]) && lines[at - 1].trim())) {
					own.push(lines[at].replace(new RegExp(`^ {0,${indent}}`), ""));
					at += 1;
				}
				items.push(h("li", null, tight(blocks(own, link, seen))));
				if (!lines[at]?.trim() && ITEM.test(lines[at + 1] ?? "")) at += 1;
				next = ITEM.exec(lines[at] ?? "");
			}
			nodes.push(h(isOrdered ? "ol" : "ul", isOrdered ? { start: parseInt(item[2], 10) } : null, items));
		} else if (line.startsWith("|") && RULED.test(lines[at + 1] ?? "")) {
			const head = cells(line), rows = [];
			for (at += 2; at < lines.length && lines[at].startsWith("|"); at += 1) rows.push(cells(lines[at]));
			const row = (kind) => (each) => h("tr", null, each.map((cell) => h(kind, null, inline(cell, link))));
			nodes.push(h("div", { class: "table", tabindex: 0 }, h("table", null,
				h("thead", null, row("th")(head)), h("tbody", null, rows.map(row("td"))))));
		} else if (line.startsWith(">")) {
			const own = [];
			for (; at < lines.length && lines[at].startsWith(">"); at += 1) own.push(lines[at].replace(/^> ?/, ""));
			nodes.push(h("blockquote", null, blocks(own, link, seen)));
		} else {
			const own = [line];
			for (at += 1; at < lines.length && lines[at].trim() && !begins(lines[at]); at += 1) own.push(lines[at]);
			nodes.push(h("p", null, inline(own.join("\n"), link)));
		}
	}
	return nodes;
}

/** An item of one paragraph has no paragraph. */
const tight = (nodes) => nodes.length && nodes[0].tagName === "P" ? [[...nodes[0].childNodes], nodes.slice(1)] : nodes;
