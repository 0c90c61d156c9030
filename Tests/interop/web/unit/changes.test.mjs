// changes.js applies each change once its message is there and complete, as ChatModel does.
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { create, step } from "../../../../Server/Pages/web/shared/store.js";

const element = () => ({ append() {}, getAttribute() {}, setAttribute() {}, removeAttribute() {} });
globalThis.document = { head: element(), createElement: element, createElementNS: element };
const { changes } = await import("../../../../Server/Pages/web/chat/changes.js");

const frame = (type, payload) => ({ type: "EVENT_TYPE_" + type, payload: { message_id: "m1", ...payload } });
const piece = (chunk_index, is_complete) => frame("POLY_AGENT_MESSAGE_CHUNK",
    { chunk_index, is_complete, text: `piece ${chunk_index} ` });
const pieces = [piece(1), piece(2), piece(3, true), frame("POLY_AGENT_MESSAGE", { text: "piece 1 piece 2 piece 3 " })];
const change = (what) => frame("EXT_MESSAGE_CHANGED", { change: what, by: "agent" });

/** The state after these frames; without an id of its own, a frame has its number as one. */
function played(frames) {
    const state = create({ zone: "UTC", heard: (each) => hear(each) });
    const { hear } = changes({ state: () => state, view: { say: (key) => key } });
    frames.forEach((each, index) =>
        step(state, { do: "frame", frame: { sequence: index + 1, id: `e${index}`, ...each } }, index));
    return state;
}

/** The message after these frames. */
function heard(frames) {
    const { text, edited = false, deleted = false, reactions = [] } = played(frames).messages.get("m1");
    return { text, edited, deleted, reactions: [...reactions].map(([name]) => name) };
}

test("an edit, a deletion and a reaction have one result, whenever they come among the pieces of a message", () => {
    for (let at = 0; at <= pieces.length; at++) {
        const among = (...more) => heard([...pieces.slice(0, at), ...more, ...pieces.slice(at)]);
        deepEqual(among(change({ text: "New" })), { text: "New", edited: true, deleted: false, reactions: [] }, `edit ${at}`);
        const { text, deleted } = among(change({ deleted: true }));
        deepEqual([text, deleted], ["", true], `delete ${at}`);
        deepEqual(among(change({ reaction: "👍", on: true })).reactions, ["👍"], `react ${at}`);
        deepEqual(among(change({ text: "A" }), change({ text: "B" })).text, "B", `order ${at}`);
    }
});

test("a change that comes twice counts once, also when another came in between", () => {
    const first = { ...change({ text: "A" }), id: "first" }, on = { ...change({ reaction: "👍", on: true }), id: "on" };
    const frames = [...pieces, first, on, change({ text: "B" }), change({ reaction: "👍", on: false }), first, on];
    deepEqual(heard(frames), { text: "B", edited: true, deleted: false, reactions: [] });
});

test("of changes that wait for messages, the last hundred are kept", () => {
    const to = (number, what) => ({ type: "EVENT_TYPE_" + what.type, payload: { message_id: `u${number}`, ...what.payload } });
    const numbers = Array.from({ length: 150 }, (_, number) => number);
    const early = numbers.map((number) => to(number, { type: "EXT_MESSAGE_CHANGED", payload: { change: { text: "New" } } }));
    const said = numbers.map((number) => to(number, { type: "USER_MESSAGE", payload: { text: "Old" } }));
    const { messages } = played([...early, ...said]);
    deepEqual(numbers.map((number) => messages.get(`u${number}`).text), numbers.map((number) => (number < 50 ? "Old" : "New")));
});

test("receipts come early, late and twice: the farthest counts", () => {
    const said = frame("USER_MESSAGE", { text: "Hi" });
    const [got, read] = ["RECEIVED", "READ"].map((how) => frame(`POLY_AGENT_${how}_MESSAGE`));
    for (const frames of [[got, read, said], [said, read, got], [read, said, got, read]])
        equal(played(frames).messages.get("m1").delivery, "read");
    const [here, seen] = ["RECEIVED", "READ"].map((how) => frame(`USER_${how}_MESSAGE`));
    equal(played([...pieces, seen, here]).messages.get("m1").seen, "READ");
});

test("blank edits, a 21st reaction, long ones, and percentages that fall change nothing", () => {
    const many = Array.from({ length: 25 }, (_, number) => change({ reaction: `r${number}`, on: true }));
    const result = heard([...pieces, change({ text: " " }), ...many, change({ reaction: "x".repeat(41), on: true })]);
    deepEqual([result.edited, result.reactions.length], [false, 20]);
    const file = (state, percent) => change({ file: "f", state, percent });
    const after = (...frames) => played([...pieces, ...frames]).messages.get("m1").files.get("f");
    deepEqual(after(file("uploading", 50), file("uploading", 20)).percent, 50);
    deepEqual(after(file("cancelled"), file("ready"), file("uploading", 3)).state, "cancelled");
    const files = Array.from({ length: 30 }, (_, number) => change({ file: `f${number}`, state: "ready" }));
    deepEqual(played([...pieces, ...files]).messages.get("m1").files.size, 20);
});

test("no change, whatever stands in it, breaks the talk", () => {
    const odd = [null, undefined, 0, -1, NaN, "", "x", [], {}, [null], true, { toString: 1 }];
    const frames = odd.flatMap((value) => [
        change(value), change({ text: value }), change({ deleted: value && false, reaction: value, on: value }),
        change({ file: value, state: value, percent: value, name: value }),
        { ...frame("EXT_MESSAGE_CHANGED", {}), payload: value }, { ...frame("EXT_MESSAGE_CHANGED", {}), metadata: value },
        { ...frame("USER_MESSAGE", { message_id: "u", text: "Hi" }), metadata: { custom: { files: value } } },
        frame("USER_READ_MESSAGE", { message_id: value }), { type: value }, value,
    ]);
    const whole = { type: "EVENT_TYPE_EVENT_BATCH", payload: { events: frames } };
    equal(played([...pieces, ...frames.filter(Boolean), whole, change({ text: "New" })]).messages.get("m1").text, "New");
});

test("a message that failed keeps its quote and its files when it is sent again", () => {
    const state = create({ zone: "UTC" });
    step(state, { do: "say", id: "a", text: "", custom: { files: "f" } }, 0);
    state.locals.get("a").files = new Map([["f", { state: "uploading" }]]);
    step(state, { do: "tick" }, 60_000);
    step(state, { do: "open" }, 60_000);
    const [{ send }] = step(state, { do: "retry", id: "a", fresh: "b" }, 60_000);
    deepEqual([send.key, send.custom, [...send.files.keys()]], ["b", { files: "f" }, ["f"]]);
});
