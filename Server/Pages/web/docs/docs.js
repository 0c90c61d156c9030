// `/docs`: the pages of the repository, which the program brings along as one file. `#/Shared/Docs/limits.md#sessions`
// is a heading of a page; `#?cursor` is a search.
import { h } from "../shared/dom.js";
import { found, linked, sections, titled } from "./library.js";
import { blocks } from "./markdown.js";

const [main, nav, field, skip] = ["main", "pages", "search", "skip"].map((id) => document.getElementById(id));
const answer = await fetch("/pages/docs/all.json");
const pages = new Map(Object.entries(await answer.json()));
const title = (path) => titled(pages, path);
const GROUPS = [["Start", (path) => !/^(Shared|Server|Client)\//.test(path)], ["Clients", (path) => path.startsWith("Client/")],
	["Pages", (path) => path.startsWith("Shared/Docs/") && !path.includes("/decisions/")],
	["Decisions", (path) => path.includes("/decisions/")], ["Files", (path) => path.startsWith("Server/")]];

let cut;

function search(words) {
	cut ??= sections(pages);
	const terms = words.toLowerCase().split(/\s+/).filter(Boolean);
	const hits = found(cut, terms);
	main.replaceChildren(h("h1", null, `Search: ${words}`),
		h("p", { class: "note", role: "status" }, hits.length ? `${hits.length} found` : "Nothing found"),
		...hits.slice(0, 60).map(({ path, heading, anchor, text }) => {
			const at = Math.max(0, ...terms.map((term) => text.toLowerCase().indexOf(term)));
			const from = at > 80 ? text.indexOf(" ", at - 80) + 1 : 0, first = terms[0];
			const shown = text.slice(from, text.length > at + 160 ? text.lastIndexOf(" ", at + 160) : undefined);
			const mark = shown.toLowerCase().indexOf(first);
			return h("p", null, h("a", { href: `#/${path}${anchor && "#" + anchor}` }, `${title(path)}: ${heading}`), h("br"),
				h("span", { class: "note" }, mark < 0 ? shown
					: [shown.slice(0, mark), h("mark", null, shown.slice(mark, mark + first.length)),
						shown.slice(mark + first.length)]));
		}));
	document.title = `Search: ${words} – polymock`;
}

function draw() {
	// A link that goes must not take the focus along.
	if (main.contains(document.activeElement)) main.focus({ preventScroll: true });
	const hash = decodeURIComponent(location.hash.slice(1));
	if (hash.startsWith("?")) {
		if (field.value !== hash.slice(1)) field.value = hash.slice(1);
		return search(hash.slice(1));
	}
	const [wanted, anchor = ""] = hash.replace(/^\//, "").split("#");
	const path = wanted || "README.md", text = pages.get(path);
	for (const link of nav.querySelectorAll("a")) {
		if (link.hash === `#/${path}`) link.setAttribute("aria-current", "page");
		else link.removeAttribute("aria-current");
	}
	main.replaceChildren(...text == null ? [h("h1", null, "No such page"), h("p", null, path)]
		: blocks(text.split("\n"), linked(pages, path)));
	document.title = `${text == null ? "No such page" : title(path)} – polymock`;
	const heading = anchor && document.getElementById(anchor);
	if (heading) heading.scrollIntoView();
	else scrollTo(0, 0);
}

for (const [name, holds] of GROUPS) {
	nav.append(h("h2", null, name),
		...[...pages.keys()].filter(holds).map((path) => h("a", { href: `#/${path}` }, title(path))));
}
field.addEventListener("input", () => {
	const words = field.value.trim();
	location.replace(words ? `#?${encodeURIComponent(words)}` : "#/README.md");
});
field.addEventListener("keydown", ({ key }) => { if (key === "Enter") main.querySelector("a")?.focus() });
skip.addEventListener("click", (event) => {
	event.preventDefault();
	main.focus();
});
addEventListener("hashchange", draw);
addEventListener("keydown", (event) => {
	if (event.key !== "/" || event.target === field) return;
	event.preventDefault();
	field.focus();
});
draw();
