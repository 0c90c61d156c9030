// The pages of `/docs`, as the browser shows them: node --test Tests/interop/web/unit
import { deepEqual, equal, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

/** As much of a document as building pages takes. */
class Element {
    constructor(tag) { this.tagName = tag.toUpperCase(); this.attributes = {}; this.childNodes = [] }
    append(...nodes) { this.childNodes.push(...nodes) }
    setAttribute(name, value) { this.attributes[name] = value }
    getAttribute(name) { return this.attributes[name] ?? null }
    removeAttribute(name) { delete this.attributes[name] }
    get text() { return this.childNodes.map((node) => node.text ?? node).join("") }
    all(tag) {
        const inner = this.childNodes.flatMap((node) => node instanceof Element ? node.all(tag) : []);
        return tag.test(this.tagName) ? [this, ...inner] : inner;
    }
}
globalThis.document = { createElement: (tag) => new Element(tag) };

const root = new URL("../../../../", import.meta.url);
const { blocks } = await import(new URL("Server/Pages/web/docs/markdown.js", root));
const { found, linked, sections } = await import(new URL("Server/Pages/web/docs/library.js", root));
const names = [...readFileSync(new URL("Server/Pages/pages.c", root), "utf8").matchAll(/^#embed "\.\.\/\.\.\/(.*\.md)" suffix/gm)]
    .map(([, name]) => name);
const pages = new Map(names.map((name) => [name, readFileSync(new URL(name, root), "utf8")]));
const page = (text, path = "README.md") => {
    const main = new Element("main");
    main.append(...blocks(text.split("\n"), linked(pages, path)));
    return main;
};

test("headings, lists, tables, code and links become nodes", () => {
    const main = page("# A `b`\n\ntext *em* **strong** [x](Shared/Docs/limits.md#a)\n\n* one\n  more\n* two\n\n  1. inner\n\n"
        + "| a | b |\n| --- | --- |\n| `x\\|y` | 2 |\n\n```sh\n# no heading\n```\n");
    deepEqual(main.childNodes.map((node) => node.tagName), ["H1", "P", "UL", "DIV", "PRE"]);
    equal(main.childNodes[0].attributes.id, "a-b");
    equal(main.all(/^A$/)[0].attributes.href, "#/Shared/Docs/limits.md#a");
    deepEqual(main.all(/^LI$/).map((node) => node.text), ["one\nmore", "twoinner", "inner"]);
    deepEqual(main.all(/^TD$/).map((node) => node.text), ["x|y", "2"]);
    equal(main.all(/^PRE$/)[0].text, "# no heading");
});

test("every link between pages leads to a page and a heading that are there", () => {
    const headings = new Map([...pages].map(([path, text]) =>
        [path, new Set(page(text, path).all(/^H\d$/).map((node) => node.attributes.id))]));
    let count = 0;
    for (const [path, text] of pages) {
        ok(headings.get(path).size > 0, path);
        for (const { attributes: { href } } of page(text, path).all(/^A$/)) {
            if (!href.startsWith("#")) continue;
            count += 1;
            const [, to, anchor] = /^#\/([^#]+)#?(.*)$/.exec(href);
            ok(!anchor || headings.get(to).has(decodeURIComponent(anchor)), `${path}: ${href}`);
        }
    }
    ok(count > 100);
});

test("the search finds a word of the glossary, in headings first", () => {
    const list = sections(pages);
    const hits = found(list, ["cursor"]);
    ok(hits.length > 3);
    ok(hits.some(({ path }) => path === "Shared/Docs/architecture.md"));
    deepEqual(hits.filter(({ text }) => text.includes("|")), []);
    deepEqual(found(list, ["nosuchword"]), []);
    deepEqual(found(list, ["cursor", "nosuchword"]), hits);
    const has = ({ page, heading, text }, term) => `${page} ${heading} ${text}`.toLowerCase().includes(term);
    const [all, some] = [["cursor", "reconnect"], ["reconnect", "cursor"]].map((terms) => found(list, terms));
    const whole = all.filter((section) => has(section, "cursor") && has(section, "reconnect"));
    ok(whole.length > 1 && whole.length < all.length);
    deepEqual(all.slice(0, whole.length), whole);
    deepEqual(all, some);
    ok(found(list, ["token", "expiry"])[0].heading.toLowerCase().includes("token"));
});
