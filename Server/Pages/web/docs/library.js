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
	const page = titled(pages, path), list = [{ path, page, heading: page, anchor: "", text: "" }];
	let isCode = false;
	for (const line of text.split("\n")) {
		if (line.trimStart().startsWith("```")) isCode = !isCode;
		const heading = !isCode && /^#{2,6} (.*)/.exec(line);
		if (heading) list.push({ path, page, heading: plain(heading[1]), anchor: slug(plain(heading[1])), text: "" });
		else if (isCode || !line.startsWith("# "))
			list.at(-1).text += `${plain(line).replace(/^[\s|:-]+$/, "").replaceAll("|", " ")} `;
	}
	return list;
});

/** The sections with a term: first those with all of them, and of these the ones with terms in heading and title. */
export const found = (list, terms) => {
	const score = ({ page, heading, text }) => {
		const [title, head, body] = [page, heading, text].map((words) => words.toLowerCase());
		const count = (...places) => terms.filter((term) => places.some((place) => place.includes(term))).length;
		return count(head, body) && (count(title, head, body) * 100 + count(head)) * 100 + count(title);
	};
	return list.map((section) => [score(section), section]).filter(([points]) => points)
		.sort(([left], [right]) => right - left).map(([, section]) => section);
};
