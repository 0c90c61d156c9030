// What holds for every file of the pages and of the fixtures that come with the program, by their text.
import { deepEqual } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../../../", import.meta.url);
const files = (folder, ending) => readdirSync(new URL(folder, root), { recursive: true })
    .filter((name) => name.endsWith(ending)).map((name) => [name, readFileSync(new URL(folder + name, root), "utf8")]);
const pages = files("Server/Pages/web/", ".js");
const fixtures = files("fixtures/", ".json5").concat(files("fixtures/", "GALLERY.md"));

/** `name:line` of each line that matches. */
const places = (list, pattern) => list.flatMap(([name, text]) =>
    text.split("\n").flatMap((line, at) => pattern.test(line) ? [`${name}:${at + 1} ${line.trim().slice(0, 80)}`] : []));

test("no number of an empty list among children: a length stands before && only when compared", () => {
    deepEqual(places(pages, /(?<![!<>=]\s?)\b[\w.?]+\.length && (?:[a-z]+\(|`)/), []);
});

test("no shipped fixture names a picture that the program cannot give", () => {
    // One attacks readers of addresses, one shows on purpose what a picture that is gone looks like.
    const own = fixtures.filter(([name]) => name !== "xss.json5");
    deepEqual(places(own, /https?:[^"\s]*\.(?:png|jpe?g|gif|svg|webp)"|\b(?:avatar|image|preview): "http/).filter((place) => !/^rich\.json5:\d+ broken: /.test(place)), []);
    deepEqual(places(own, /\b(?:image|preview): "\{\w+\}[^"]/), []);
});

test("the inspector draws anew by fill(), which keeps the focus and marks what cannot be seen", () => {
    const own = pages.filter(([name]) => name.startsWith("inspect/") && !["inspect/ui.js", "inspect/table.js"].includes(name));
    const allowed = /^inspect\/(inspect|sessions)\.js:\d+ (main|panel)\.replaceChildren\((view|part)\.node\);$/;
    deepEqual(places(own, /\.replaceChildren\(/).filter((place) => !allowed.test(place)), []);
    deepEqual(places(own, /import \{[^}]*\bh\b[^}]*\} from "..\/shared\/dom.js"/), []);
});

test("no page makes elements out of text, and none asks another origin", () => {
    deepEqual(places(pages, /\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval)\b/), []);
    deepEqual(places(pages, /\b(?:fetch|import|WebSocket)\(["'`]https?:/), []);
});

test("lines have at most 120 columns, but for a text or an expression that is longer itself", () => {
    const long = pages.map(([name, text]) => [name, text.split("\n").filter((line) => line.length > 120 && !/["'`/].{60,}["'`/]/.test(line)).join("\n")]);
    deepEqual(long.filter(([, text]) => text), []);
});
