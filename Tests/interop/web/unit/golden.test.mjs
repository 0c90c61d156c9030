// store.js gives each recorded talk's transcript: whole, doubled, cut and reloaded at every step.
import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { history, names, Player, read } from "./golden.mjs";

const lasting = ({ sent, announcements, unread, below, ...rest }) => rest;

function agree(given, expected) {
    for (const key of Object.keys(expected)) deepEqual(given[key], expected[key], key);
}

for (const name of names) {
    const log = read(name);
    test(`${name}: whole`, () => {
        const player = new Player(log);
        log.steps.forEach((step, index) => {
            player.play(step);
            if (step.gives) {
                try {
                    agree(player.snapshot(), step.gives);
                } catch (error) {
                    error.message = `step ${index}: ${error.message}`;
                    throw error;
                }
            }
        });
        const snapshot = player.snapshot();
        agree(snapshot, log.gives);
        const left = Object.keys(snapshot).filter((key) => !(key in log.gives) && key !== "sent" && key !== "announcements");
        deepEqual(left, [], "members that the file does not name");
    });

    test(`${name}: doubled`, () => {
        const player = new Player(log);
        for (const step of log.steps) {
            player.play(step);
            if (step.frame) player.play(step);
        }
        agree(player.snapshot(), log.gives);
    });

    if (log.cuts !== false) {
        test(`${name}: cut at every step`, () => {
            log.steps.forEach((_, cut) => {
                const player = new Player(log);
                log.steps.forEach((step, index) => {
                    player.play(step);
                    if (index !== cut) return;
                    const { at } = step;
                    player.play({ at, do: "lost" });
                    player.play({ at, frame: history(log.steps, cut + 1) });
                    player.play({ at, do: "open" });
                });
                deepEqual({ cut, ...lasting(player.snapshot()) }, { cut, ...lasting(log.gives) });
            });
        });
    }

    if (log.reloads !== false) {
        test(`${name}: reloaded at every step`, () => {
            for (let cut = 1; cut <= log.steps.length; cut++) {
                const player = new Player(log), { at } = log.steps[cut - 1];
                player.play({ at, frame: history(log.steps, cut) });
                player.play({ at, do: "open" });
                for (const step of log.steps.slice(cut)) player.play(step);
                deepEqual({ cut, ...lasting(player.snapshot()) }, { cut, ...lasting(log.gives) });
            }
        });
    }
}
