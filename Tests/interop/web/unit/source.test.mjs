// The text of a fixture without a page: colours, replacements, and what is under way.
import { deepEqual, equal, ok } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Drafts } from "../../../../Server/Pages/web/inspect/drafts.js";
import { pieces, replacement } from "../../../../Server/Pages/web/inspect/source.js";

const coloured = (text) => {
    let open = "";
    return text.split("\n").map((line) => {
        const { found, left } = pieces(line, open);
        open = left;
        return found.filter(([kind]) => kind);
    });
};

test("names, texts, values and comments of JSON5", () => {
    deepEqual(coloured('{ fixture: 1, "name": "a // b", x: true } // end'), [[
        ["name", "fixture"], ["value", "1"], ["name", '"name"'], ["text", '"a // b"'], ["name", "x"], ["value", "true"], ["comment", "// end"],
    ]]);
});

test("a text goes on behind a backslash, a comment to its end, and an open quotation mark ends with its line", () => {
    deepEqual(coloured('"one \\\ntwo \\" three", /* a\nb */ y: -1.5'), [
        [["text", '"one \\']], [["text", 'two \\" three"'], ["comment", "/* a"]], [["comment", "b */"], ["name", "y"], ["value", "-1.5"]],
    ]);
    deepEqual(coloured('say: "open\nnext: 1'), [[["name", "say"], ["text", '"open']], [["name", "next"], ["value", "1"]]]);
});

test("the pieces of every shipped fixture are its text, and nothing is left open at its end", () => {
    const folder = new URL("../../../../fixtures/", import.meta.url);
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".json5"))) {
        const text = readFileSync(new URL(name, folder), "utf8");
        let open = "";
        const again = text.split("\n").map((line) => {
            const { found, left } = pieces(line, open);
            open = left;
            return found.map(([, piece]) => piece).join("");
        });
        equal(again.join("\n"), text, name);
        equal(open, "", name);
    }
});

test("one long line takes a time that grows with its length", () => {
    for (const line of ["\"".repeat(20_000), "/".repeat(20_000), "a".repeat(50_000), '"' + "\\".repeat(50_001), "-".repeat(50_000), " ".repeat(50_000)]) {
        const began = process.cpuUsage().user;
        pieces(line);
        ok(process.cpuUsage().user - began < 2_000_000, line.slice(0, 3));
    }
});

test("a likely spelling is replaced where it stands", () => {
    const text = '{ fixture: 1,\n  "nam": "x", nam: 2, say: "😀 é", agnet: 1 }';
    const finding = (line, column, length) => ({ replacement: { line, column, length, text: "name" } });
    deepEqual(replacement(finding(2, 4, 3), text), { from: 17, to: 20, text: "name" });
    deepEqual(replacement(finding(2, 15, 3), text), { from: 28, to: 31, text: "name" });
    deepEqual(replacement(finding(2, 35, 5), text), { from: 49, to: 54, text: "name" });
    equal(text.slice(49, 54), "agnet");
    deepEqual(replacement(finding(1, 14, 0), text), { from: 13, to: 13, text: "name" });
    equal(replacement(finding(9, 1, 3), text), undefined);
    equal(replacement(finding(2, 90, 3), text), undefined);
    equal(replacement({ line: 2, column: 3, message: "A comma is missing." }, text), undefined);
});

test("a draft stays while its view is gone; news of what was saved is none, another text is not taken over it", () => {
    const drafts = new Drafts();
    const draft = drafts.of("fixture a", "one", "v1");
    deepEqual(drafts.unsaved, []);
    draft.text = "two";
    equal(drafts.of("fixture a", "other"), draft);
    deepEqual(drafts.unsaved, ["fixture a"]);
    equal(drafts.renew("fixture a", "from disk", "v2"), false);
    equal(draft.version, "v1");
    equal(drafts.renew("fixture a", "two", "v3"), true);
    deepEqual([draft.saved, draft.version, drafts.isUnsaved("fixture a")], ["two", "v3", false]);
    equal(drafts.renew("fixture a", "from disk", "v4"), true);
    equal(draft.text, "from disk");
});
