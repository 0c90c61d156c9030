// store.js beyond the recorded talks: frames that are not what they should be, and the cost of long talks.
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { create, due, rows, step, suggestions } from "../../../../Server/Pages/web/shared/store.js";
import { announcement } from "../../../../Server/Pages/web/shared/speech.js";
import { names, Player, read } from "./golden.mjs";

const odd = [null, undefined, 0, -1, 1.5, NaN, 2 ** 60, "", "x", "\uD83D", [], {}, [null], true, { toString: 1 }];

test("no frame, whatever stands in it, breaks the talk", () => {
    let seed = 1;
    const draw = (n) => (seed = (seed * 48271) % 2147483647) % n;
    const spoil = (value) => {
        if (draw(12) === 0) return odd[draw(odd.length)];
        if (Array.isArray(value)) return value.map(spoil);
        if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spoil(each)]));
        return value;
    };
    for (let round = 0; round < 40; round++) {
        for (const name of names) {
            const state = create({ zone: "UTC" });
            let now = 1_768_469_400_000;
            for (const { at, frame, ...action } of read(name).steps) {
                now += 50;
                const spoilt = frame ? { ...spoil(frame), type: draw(20) ? frame.type : spoil(frame.type) } : null;
                for (const { announce } of step(state, frame ? { do: "frame", frame: spoilt } : action, now)) if (announce) announcement(announce, (key) => key);
                due(state, now);
                suggestions(state);
                for (const { row, item } of rows(state)) {
                    if (row !== "message") continue;
                    equal(typeof item.text, "string");
                    ok(Number.isFinite(item.at) && typeof item.name !== "object");
                }
            }
        }
    }
});

test("rows that were drawn in between are the rows of who draws once, wherever a day ends", () => {
    // Echoes are stamped up to two minutes before or after the draft; the times of all move so that a midnight falls among them.
    let seed = 7;
    const draw = (n) => (seed = (seed * 48271) % 2147483647) % n;
    const midnights = { UTC: "00:00", "Asia/Kathmandu": "18:15", "America/St_Johns": "02:30", "Pacific/Kiritimati": "10:00", "Europe/Berlin": "23:00" };
    for (const [zone, midnight] of Object.entries(midnights)) {
        for (const name of names) {
            const log = read(name), start = Date.parse(`2026-03-28T${midnight}:00.000Z`) - draw(20_000), by = start - Date.parse(log.begins);
            const moved = (value) => {
                if (Array.isArray(value)) return value.map((each) => moved(each));
                if (!value || typeof value !== "object") return value;
                const inside = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, moved(each)]));
                const echo = value.type === "EVENT_TYPE_USER_MESSAGE" ? draw(240_000) - 120_000 : 0;
                if (value.timestamp) inside.timestamp = new Date(Date.parse(value.timestamp) + by + echo).toISOString();
                return inside;
            };
            const other = { ...log, begins: new Date(start).toISOString(), options: { ...log.options, zone }, steps: moved(log.steps) };
            const [often, once] = [true, false].map((draws) => {
                const player = new Player(other, { draws });
                for (const step of other.steps) player.play(step);
                return player.snapshot().rows;
            });
            deepEqual(often, once, `${name} in ${zone} from ${other.begins}`);
        }
    }
});

test("a message among 10,000 costs what it costs among 100", () => {
    // Reads of the list of items are counted; nothing here depends on time.
    const cost = (size) => {
        const state = create({ zone: "UTC" });
        const frame = (n) => ({ do: "frame", frame: { id: `e${n}`, sequence: n, timestamp: "2026-01-15T09:30:00.000Z", type: "EVENT_TYPE_POLY_AGENT_MESSAGE", payload: { message_id: `m${n}`, text: "x" } } });
        for (let n = 1; n <= size; n++) step(state, frame(n), n);
        let reads = 0;
        state.items = new Proxy(state.items, { get: (items, key) => ((reads += 1), Reflect.get(items, key)) });
        step(state, frame(size + 1), size + 1);
        rows(state, state.items.length - 50);
        suggestions(state);
        return reads;
    };
    const [few, many] = [cost(100), cost(10_000)];
    ok(many <= few * 1.2, `${few}, then ${many}`);
});

test("a message that comes after the end of the session does not open the talk again", () => {
    const state = create({ zone: "UTC" });
    const frames = [["LIVE_AGENT_JOINED", {}], ["LIVE_AGENT_LEFT", {}], ["POLY_AGENT_JOINED", {}], ["LIVE_AGENT_LEFT", {}], ["SESSION_END", {}], ["POLY_AGENT_MESSAGE", { message_id: "m", text: "Late" }]];
    const ended = frames.map(([type, payload], index) => {
        step(state, { do: "frame", frame: { id: `e${index}`, sequence: index + 1, type: "EVENT_TYPE_" + type, payload } }, index);
        return state.ended?.by ?? null;
    });
    deepEqual(ended, [null, "person", null, "person", "person", "person"]);
});
