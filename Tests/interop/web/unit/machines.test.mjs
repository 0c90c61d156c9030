// The small machines: following, the composer, typing, words and times.
import { deepEqual, equal, ok } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { composer, cut, length, sends, typist } from "../../../../Server/Pages/web/chat/composer.js";
import { around, follows, slide } from "../../../../Server/Pages/web/chat/scroll.js";
import { age, words } from "../../../../Server/Pages/web/shared/i18n.js";
import { newestFirst } from "../../../../Server/Pages/web/shared/store.js";
import { Clock } from "./clock.mjs";
import { english } from "./golden.mjs";

test("only the reader's hand ends the following, and only being at the end, or a deed, begins it", () => {
    equal(follows(true, { do: "up" }), false);
    equal(follows(false, { do: "settled", distance: 25 }), false);
    equal(follows(false, { do: "settled", distance: 24 }), true);
    equal(follows(true, { do: "settled", distance: 400 }), true);
    equal(follows(false, { do: "end" }), true);
});

test("of a long talk a few rows are in the page: the newest while it follows, else those around the reader", () => {
    deepEqual(slide({ lo: 0, hi: 0 }, true, 80), { lo: 0, hi: 80 });
    deepEqual(slide({ lo: 0, hi: 100 }, true, 101), { lo: 41, hi: 101 });
    deepEqual(slide({ lo: 41, hi: 101 }, true, 141), { lo: 41, hi: 141 });
    deepEqual(slide({ lo: 41, hi: 101 }, false, 102), { lo: 41, hi: 102 });
    deepEqual(slide({ lo: 41, hi: 201 }, false, 202), { lo: 41, hi: 201 });
    deepEqual(around(5000, 10_000), { lo: 4940, hi: 5100 });
    deepEqual([around(0, 10), around(9, 10)], [{ lo: 0, hi: 10 }, { lo: 0, hi: 10 }]);
});

test("with the newest on top, a group keeps its time and its name above it", () => {
    const row = (key, position) => ({ row: "message", key, position });
    const rows = [{ row: "time", key: "t1" }, row("a", "first"), row("b", "last"), { row: "time", key: "t2" }, row("c", "single")];
    deepEqual(newestFirst(rows).map((each) => each.key + (each.position ?? "")), ["t2", "csingle", "t1", "bfirst", "alast"]);
    deepEqual(newestFirst([row("a", "middle")]).map((each) => each.position), ["middle"]);
});

test("characters are counted as readers count them", () => {
    const family = "👩\u200d👩\u200d👧\u200d👦";
    equal(length(family.repeat(3)), 3);
    equal(length("cafe\u0301"), 4);
    equal(cut(family.repeat(3), 2), family.repeat(2));
    equal(cut("abc", 2), "ab");
    equal(cut("abc", 3), "abc");
});

test("the composer is empty, ready, too long or disabled", () => {
    const of = (text, more) => composer({ text, max: 500, wire: 131072, phase: "open", ...more });
    deepEqual(of(" \n "), { state: "empty", message: "", count: null });
    deepEqual(of(" a\nb "), { state: "ready", message: "a\nb", count: null });
    equal(of("x".repeat(399)).count, null);
    equal(of("x".repeat(400)).count, 400);
    equal(of("é".repeat(300), { wire: 700 }).state, "tooLong");
    equal(of("hi", { phase: "ended" }).state, "disabled");
    equal(of("hi", { phase: "reconnecting" }).state, "ready");
});

test("Enter sends, but not with Shift, nor while an input method composes", () => {
    const key = (more) => sends({ key: "Enter", keyCode: 13, ...more });
    deepEqual([key(), key({ shiftKey: true }), key({ shiftKey: true, ctrlKey: true }), key({ metaKey: true }), key({ isComposing: true }), key({ keyCode: 229 }), sends({ key: "a" })],
        [true, false, true, true, false, false, false]);
});

test("typing is told every three seconds, and its end five after the last key", async () => {
    const clock = new Clock(), told = [];
    const machine = typist((state) => told.push([clock.time, state.slice(13)]), clock.now, clock.after, clock.cancel), from = clock.time;
    for (let i = 0; i < 10; i++) {
        machine.key();
        await clock.run(500);
    }
    await clock.run(60_000);
    deepEqual(told.map(([at, state]) => [at - from, state]), [[0, "STARTED"], [3000, "STARTED"], [9500, "STOPPED"]]);
});

test("all packs have the keys of English, and the same gaps", () => {
    const folder = new URL("../../../../Server/Pages/web/shared/strings/", import.meta.url);
    const gaps = (text) => [...new Set(Object.values(typeof text === "string" ? { other: text } : { other: text.other }).join(" ").match(/\{\w+\}/g))].sort();
    for (const name of readdirSync(folder)) {
        const pack = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
        if (name === "en-GB.json") continue;
        deepEqual(Object.keys(pack), Object.keys(english), name);
        for (const key of Object.keys(pack)) deepEqual(gaps(pack[key]), gaps(english[key]), `${name}: ${key}`);
    }
});

test("words come from the first pack that has them, with their plural", () => {
    const { say } = words([{ "you": "Thou" }, english], "en", "UTC");
    equal(say("you"), "Thou");
    equal(say("announce.attachments", { n: 1 }), "1 attachment");
    equal(say("announce.attachments", { n: 2 }), "2 attachments");
    equal(say("no.such.key"), "no.such.key");
});

test("a day is told as seen from another", () => {
    const at = (text) => Date.parse(text + "Z"), now = at("2026-01-15T00:30:00");
    deepEqual(["2026-01-15T00:00:00", "2026-01-14T23:59:59", "2026-01-13T00:00:00", "2026-01-09T00:00:00", "2026-01-08T23:59:59", "2025-12-31T12:00:00"].map((each) => age(at(each), now, "UTC")),
        ["today", "yesterday", "week", "week", "year", "old"]);
    const { divider, time } = words([english], "en-GB", "UTC");
    equal(divider(at("2026-01-14T15:42:00"), now), "Yesterday 15:42");
    equal(divider(at("2026-01-15T00:05:00"), now), "Today 00:05");
    equal(divider(at("2026-01-08T09:30:00"), now), "8 January 09:30");
    equal(divider(at("2025-12-01T09:30:00"), now), "1 December 2025 09:30");
    equal(words([english], "en-GB", "Asia/Tokyo").time(at("2026-01-15T00:05:00")), "09:05");
    ok(time(now));
});
