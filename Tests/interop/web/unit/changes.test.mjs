// changes.js applies each change once its message is there and complete, as ChatModel does.
import { deepEqual } from "node:assert/strict";
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

/** The message after these frames. */
function heard(frames) {
    const state = create({ zone: "UTC" });
    const { hear } = changes({ state: () => state, view: { say: (key) => key } });
    frames.forEach((each, index) => {
        step(state, { do: "frame", frame: { ...each, id: `e${index}`, sequence: index + 1 } }, index);
        hear(each);
    });
    const { text, edited = false, deleted = false, reactions = [] } = state.messages.get("m1");
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
