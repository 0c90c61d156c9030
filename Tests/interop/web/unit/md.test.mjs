// md.js gives the trees of Tests/Data/chat/markdown.json, however a text grows, in linear time, and nothing dangerous.
import { deepEqual, equal, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { literal, parse, plain, safe } from "../../../../Server/Pages/web/shared/md.js";
import { read } from "./golden.mjs";

const cases = read("markdown.json");

test("each text gives its tree", () => {
    for (const { text, open = false, tree, plain: words } of cases) {
        deepEqual(parse(text, { open }), tree, JSON.stringify(text));
        if (words !== undefined) equal(plain(parse(text)), words);
    }
});

test("a text that grew, cut at every character, gives the same tree", () => {
    for (const { text, open, tree } of cases) {
        if (open) continue;
        const memo = new Map();
        for (let end = 0; end < text.length; end++) parse(text.slice(0, end), { open: true, memo });
        deepEqual(parse(text, { memo }), tree, JSON.stringify(text));
    }
});

test("pieces of all texts joined: any cut in two gives the tree of the whole", () => {
    const text = cases.filter((each) => !each.open).map((each) => each.text).join("\n\n");
    const whole = parse(text);
    for (let seed = 1, end = 0; seed < 200; seed++) {
        end = (end * 48271 + seed * 7919) % text.length;
        const memo = new Map();
        parse(text.slice(0, end), { open: true, memo });
        deepEqual(parse(text, { memo }), whole, `cut at ${end}`);
    }
});

test("while it grows, blocks before the last one stay the same objects", () => {
    const text = "One **bold**.\n\n- a\n- b\n\nTwo.\n\n```\ncode\n```\n\nThree `end`.";
    const memo = new Map();
    let before = [];
    for (let end = 1; end <= text.length; end++) {
        const blocks = parse(text.slice(0, end), { open: true, memo });
        before.slice(0, -2).forEach((block, i) => ok(blocks[i] === block, `block ${i} at ${end}`));
        before = blocks;
    }
});

test("half of a character is withheld", () => {
    deepEqual(parse("half of one \uD83D", { open: true }), [{ p: ["half of one"] }]);
});

test("no address but http, https, mailto and tel is safe", () => {
    for (const url of ["https://a.example", "HTTP://a.example/x?y#z", "mailto:a@b.example", "tel:+44"]) equal(safe(url), url);
    for (const url of ["", "/a", "//a.example", "javascript:alert(1)", " javascript:alert(1)", "java\tscript:1", "data:text/html,x", "vbscript:x", "file:///etc", "https:a.example", "https://", "https:///x", "https://a.example/\"x", "https://a.example/ b", "https://a\\b", "blob:https://a.example"]) equal(safe(url), null, url);
});

test("what users write is literal but for addresses", () => {
    deepEqual(literal("<b>x</b> **y** `z`\n&amp; https://a.example/*b*."), [{ p: ["<b>x</b> **y** `z`\n&amp; ", { link: "https://a.example/*b", text: ["https://a.example/*b"] }, "*."] }]);
});

test("a bare address ends before each bracket, quotation mark and sentence mark of Unicode, and before no letter", () => {
    const [, ...ranges] = readFileSync(new URL("../../../Data/chat/address-ends.txt", import.meta.url), "utf8").trim().split("\n");
    const listed = new Set(ranges.flatMap((line) => {
        const [first, last = first] = line.split("..").map((each) => parseInt(each, 16));
        return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    }));
    ok(listed.size > 600);
    const isSign = (code, sign) => /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}]/u.test(sign) && !"·\u0387‧\u2E31・･".includes(sign);
    for (let first = 0; first < 0x110000; first += 0x800) {
        let text = "";
        const nodes = [];
        for (let code = first; code < first + 0x800; code++) {
            const sign = String.fromCodePoint(code);
            if (code < 0xa0 || /\s|\p{Cs}|[\uFDD0-\uFDEF]/u.test(sign)) continue;
            text += `http://a/${sign}b `;
            const ends = isSign(code, sign), link = ends ? "http://a/" : `http://a/${sign}b`;
            ok(ends || !listed.has(code), code.toString(16));
            nodes.push({ link, text: [link] }, ends ? sign + "b " : " ");
        }
        if (text) deepEqual(literal(text), [{ p: nodes }], first.toString(16));
        if (text) deepEqual(parse(text), [{ p: [...nodes.slice(0, -1), nodes.at(-1).trimEnd()].filter(Boolean) }], first.toString(16));
    }
});

test("an address may be as long as a text", () => {
    for (const sign of ["x", "ä", "・", "&", "&#228;", "&#x", "\\_"]) {
        const text = "https://a" + sign.repeat(65_000 / sign.length) + "x", [{ p }] = parse(text);
        ok(p[0].link.length > 10_000, `${sign}: ${p[0].link?.length}`);
    }
});

const steps = (text) => {
    // Counts what a text costs without a clock: characters that are looked at through methods of String and RegExp.
    let cost = 0;
    const { indexOf, lastIndexOf, slice } = String.prototype, { exec } = RegExp.prototype;
    const counting = (method, price) => function (...all) {
        const result = method.apply(this, all);
        cost += price(this, all, result);
        return result;
    };
    String.prototype.indexOf = counting(indexOf, (s, [, from = 0], at) => (at < 0 ? s.length : at) - from + 1);
    String.prototype.lastIndexOf = counting(lastIndexOf, (s, [, from = s.length], at) => from - Math.max(at, 0) + 1);
    String.prototype.slice = counting(slice, (s, all, part) => part.length);
    RegExp.prototype.exec = counting(exec, (expression, all, found) => found?.[0].length ?? 0);
    try {
        parse(text);
        parse(text, { open: true });
        literal(text);
    } finally {
        Object.assign(String.prototype, { indexOf, lastIndexOf, slice });
        RegExp.prototype.exec = exec;
    }
    return cost;
};

test("twice the text is at most about twice the work", () => {
    for (const piece of ["[", "*", "**", "_", "`", "<a ", "<a href=\"", "&", "(", "[a](", "<!--", "- ", "<b>", "https://", "a@", "*a ", "_a*", "[a]", "](", "`a\n\n", "```\n", "1. a\n", "<script>", "<li>", "\n", "\\", "\\[", "[\\]", "\\`", "https://a。", "https://a&#12290;", "https://a\\_", "<https://a>", "<https://a", "&#"]) {
        const [one, two] = [4000, 8000].map((size) => steps(piece.repeat(Math.ceil(size / piece.length))));
        ok(two <= one * 2.6 + 20_000, `${JSON.stringify(piece)}: ${one}, then ${two}`);
    }
    for (const [start, piece] of [["see http://a", ")"], ["http://(a", ")."], ["", "http://a\\"], ["", "http://a&quot;"], ["", "http://a\\\\"], ["", "http://a\\_&#228;"], ["x\\", "\\\\"], ["", "http://a(tel:+123("]]) {
        const [one, two] = [4000, 8000].map((size) => steps(start + piece.repeat(Math.ceil(size / piece.length)) + "x\\"));
        ok(two <= one * 2.6 + 20_000, `${start}, ${JSON.stringify(piece)}: ${one}, then ${two}`);
    }
});

test("beyond 64 KB a text is shown as it stands", () => {
    const blocks = parse("a ".repeat(32768) + "**b**");
    deepEqual(blocks.at(-1), { p: ["**b**"] });
    const fill = "a ".repeat(32768);
    deepEqual(literal(fill + "https://a.example"), [{ p: [fill + "https://a.example"] }], "of what users write, too");
});
