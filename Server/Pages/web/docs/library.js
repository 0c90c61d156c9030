// The pages of the repository as a whole: links between them, and the search. No page is touched.
import { plain, slug } from "./markdown.js";

export const titled = (pages, path) => plain(/^# (.*)/m.exec(pages.get(path))?.[1] ?? path).trim();

/** The address that a link of the page `from` has here; nothing for files that the program does not bring along. */
export const linked = (pages, from) => (target) => {
	if (/^(https?|mailto):/.test(target)) return target;
	const url = new URL(target, `http://docs/${from}`), path = decodeURIComponent(url.pathname.slice(1));
	const page = [path, `${path.replace(/\/$/, "")}/README.md`].find((name) => pages.has(name));
	return page && `#/${page}${url.hash}`;
};

/** Pages cut at their headings, for the search. */
export const sections = (pages) => [...pages].flatMap(([path, text]) => {
	const list = [{ path, heading: titled(pages, path), anchor: "", text: "" }];
	let isCode = false;
	for (const line of text.split("\n")) {
		if (line.trimStart().startsWith("```")) isCode = !isCode;
		const heading = !isCode && /^#{2,6} (.*)/.exec(line);
		if (heading) list.push({ path, heading: plain(heading[1]), anchor: slug(plain(heading[1])), text: "" });
		else if (isCode || !line.startsWith("# "))
			list.at(-1).text += `${plain(line).replace(/^[\s|:-]+$/, "").replaceAll("|", " ")} `;
	}
	return list;
});

/** The sections that have all terms, those with terms in their headings first. */
export const found = (list, terms) => {
	const score = ({ heading, text }) => {
		const head = heading.toLowerCase(), body = text.toLowerCase();
		return terms.every((term) => head.includes(term) || body.includes(term))
			? 1 + terms.filter((term) => head.includes(term)).length : 0;
	};
	return list.map((section) => [score(section), section]).filter(([points]) => points)
		.sort(([left], [right]) => right - left).map(([, section]) => section);
};
