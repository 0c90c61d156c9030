// proto.js without a browser: bootstrap, resume, backoff, refusals, and what each close code means.
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../Server/Pages/web/chat/proto.js";
import { Clock, settled, sockets } from "./clock.mjs";

const answer = (status, body = {}, headers = {}) => ({ ok: status < 300, status, json: async () => body, headers: { get: (name) => headers[name] ?? null } });
const token = () => answer(200, { access_token: "t", expires_in: 86400 });
const session = () => answer(200, { session_id: "s" });

function setting({ answers = [token(), session()], kept = null, reachable = true, token: connector = "mock:hello", reconnects } = {}) {
    const clock = new Clock(), net = sockets(), told = [], calls = [];
    const talk = { cursor: 0, joined: true, ended: false, capabilities: { heartbeat_interval_seconds: 30, max_reconnect_attempts: 5 } };
    const storage = {
        kept, load: async () => storage.kept, save: (value) => (storage.kept = value), drop: () => (storage.kept = null), reachable: async () => reachable,
    };
    const link = connect(
        {
            now: clock.now, after: clock.after, cancel: clock.cancel, random: () => 0.5, online: () => true, storage, Socket: net.Socket,
            fetch: async (url) => (calls.push([url.replace(/.*v1\//, ""), clock.time]), answers.shift() ?? answer(500)),
            cursor: () => talk.cursor, joined: () => talk.joined, ended: () => talk.ended, capabilities: () => talk.capabilities,
        },
        { server: "http://localhost", token: connector, host: "h", streaming: true, reconnects },
        (what) => told.push(what),
    );
    const phases = () => told.filter((each) => each.phase).map((each) => each.phase);
    return { clock, net, told, calls, talk, storage, link, phases };
}

test("token, session, socket, in that order; the session is kept", async () => {
    const { clock, net, calls, link, phases, storage } = setting();
    link.start();
    await clock.run(0);
    deepEqual(calls.map(([path]) => path), ["access-token", "sessions"]);
    equal(net.made.length, 1);
    equal(net.made[0].url.search, "?session_id=s&access_token=t");
    net.made[0].open();
    await clock.run(0);
    deepEqual(phases(), ["boot", "connecting", "open"]);
    equal(storage.kept.id, "s");
});

test("joins once, and only where no agent has joined", async () => {
    const { clock, net, link, talk } = setting();
    talk.joined = false;
    link.start();
    await clock.run(0);
    net.made[0].open();
    await clock.run(0);
    deepEqual(net.made[0].sent.map((each) => each.type), ["EVENT_TYPE_REQUEST_POLY_AGENT_JOIN"]);
    talk.joined = true;
    talk.cursor = 3;
    net.made[0].drop();
    await clock.run(1000);
    equal(net.made[1].url.searchParams.get("cursor"), "3");
    net.made[1].open();
    await clock.run(0);
    deepEqual(net.made[1].sent, []);
});

test("a kept session is resumed; one whose time is over is not", async () => {
    const now = new Clock().time;
    const { clock, net, link, calls } = setting({ kept: { id: "old", token: "u", at: now - 1000, expires: now + 1000 } });
    link.start();
    await clock.run(0);
    equal(calls.length, 0);
    equal(net.made[0].url.searchParams.get("session_id"), "old");
    const late = setting({ kept: { id: "old", token: "u", at: now - 3_600_001, expires: now + 1000 } });
    late.link.start();
    await late.clock.run(0);
    deepEqual(late.told.filter((each) => each.renewed), [{ renewed: "conn.expired" }]);
    equal(late.net.made[0].url.searchParams.get("session_id"), "s");
});

test("the pauses double up to 30 s, and begin anew behind a good connection", async () => {
    const { clock, net, link } = setting({ reconnects: 20 });
    link.start();
    await clock.run(0);
    net.made[0].open();
    await clock.run(0);
    const gaps = [];
    for (let i = 0; i < 7; i++) {
        net.made.at(-1).readyState = 1;
        net.made.at(-1).onopen?.();
        const before = net.made.length, from = clock.time;
        net.made.at(-1).drop();
        while (net.made.length === before) await clock.run(100);
        gaps.push(Math.round((clock.time - from) / 1000));
    }
    deepEqual(gaps, [1, 2, 4, 8, 16, 30, 30]);
    net.made.at(-1).open();
    await clock.run(0);
    net.made.at(-1).drop();
    const before = net.made.length;
    await clock.run(1100);
    equal(net.made.length, before + 1);
});

test("a spent budget fails and keeps the session; by hand it begins anew", async () => {
    const { clock, net, link, told, phases } = setting({ reconnects: 2 });
    link.start();
    await clock.run(0);
    net.made[0].open();
    await clock.run(0);
    for (let i = 0; i < 3; i++) {
        const socket = net.made.at(-1);
        socket.onopen?.();
        socket.drop(1011);
        await clock.run(5000);
    }
    equal(net.made.length, 3);
    equal(phases().at(-1), "failed");
    equal(told.at(-1).reason, "budget");
    link.retry();
    equal(net.made.at(-1).url.searchParams.get("session_id"), "s");
});

test("a refused upgrade brings a new session three times; the fourth is the end", async () => {
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(token(), session());
    const { clock, net, link, told } = setting({ answers });
    link.start();
    await clock.run(0);
    for (let i = 0; i < 4; i++) {
        net.made.at(-1).drop();
        await clock.run(10);
    }
    equal(net.made.length, 4);
    equal(told.filter((each) => each.renewed).length, 3);
    equal(told.at(-1).reason, "sessionLost");
});

test("closed before open without a server: the session stays", async () => {
    const { clock, net, link } = setting({ reachable: false });
    link.start();
    await clock.run(0);
    net.made[0].drop();
    await clock.run(1100);
    equal(net.made[1].url.searchParams.get("session_id"), "s");
});

test("1000 ends, 4000 waits for a hand, 4001 begins anew", async () => {
    for (const [code, phase, reason] of [[1000, "ended"], [4000, "replaced"], [4001, "connecting"]]) {
        const { clock, net, link, phases } = setting({ answers: [token(), session(), token(), session()] });
        link.start();
        await clock.run(0);
        net.made[0].open();
        await clock.run(0);
        net.made[0].drop(code);
        await clock.run(60_000);
        equal(phases().filter((each) => each !== "reconnecting" && each !== "failed").at(-1), phase, String(code));
        equal(net.made.length > 1, code === 4001);
    }
});

test("401 is final, 429 waits as told, 500 is tried again", async () => {
    const refused = setting({ answers: [answer(401, { error_message: 'unknown fixture "bokking"' })] });
    refused.link.start();
    await refused.clock.run(60_000);
    equal(refused.calls.length, 1);
    equal(refused.told.at(-1).reason, "unauthorized");
    equal(refused.told.at(-1).detail, 'unknown fixture "bokking"');
    const busy = setting({ answers: [token(), answer(429, {}, { "Retry-After": "7" }), session()] });
    busy.link.start();
    await busy.clock.run(6900);
    equal(busy.calls.length, 2);
    await busy.clock.run(200);
    equal(busy.calls.length, 3);
    equal(busy.net.made.length, 1);
    const broken = setting({ answers: [answer(503), token(), session()] });
    broken.link.start();
    await broken.clock.run(1100);
    equal(broken.calls.length, 3);
    const none = setting({ token: null });
    none.link.start();
    await settled();
    equal(none.told.at(-1).reason, "config");
});

test("heartbeats in the server's rhythm; two unanswered ones are a lost connection", async () => {
    const { clock, net, link, told } = setting();
    link.start();
    await clock.run(0);
    net.made[0].open();
    await clock.run(30_000);
    deepEqual(net.made[0].sent.map((each) => each.type), ["EVENT_TYPE_HEARTBEAT"]);
    await clock.run(60_000);
    ok(told.some((each) => each.lost));
});

test("what is no frame is counted and told, and nothing else happens", async () => {
    const { clock, net, link, told } = setting();
    link.start();
    await clock.run(0);
    net.made[0].open();
    await clock.run(0);
    for (const data of ["{", "null", "[]", "{\"type\":1}"]) net.made[0].onmessage({ data });
    equal(link.counts.spoilt, 4);
    equal(told.filter((each) => each.spoilt).length, 4);
    equal(told.findLast((each) => each.phase).phase, "open");
});

test("offline pauses the attempts, online goes on at once", async () => {
    const { clock, net, link, told } = setting();
    link.start();
    await clock.run(0);
    net.made[0].open();
    await clock.run(0);
    link.offline();
    await clock.run(100_000);
    equal(net.made.length, 1);
    ok(told.some((each) => each.lost === 0));
    link.online();
    equal(net.made.length, 2);
});
