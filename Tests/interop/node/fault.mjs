// A whole test of fault over the control API, without Swift: node fault.mjs http://127.0.0.1:PORT
//
// The connection breaks at "reply 2 chunk 2", a client of Debian's ws comes back with its cursor, and the journal says
// that nothing was lost or doubled. Time stands still but for what the test asks for.
import { createRequire } from "node:module";
import { Checks, TYPE, newSession, webSocketURL } from "./chat.mjs";

const WebSocket = createRequire(import.meta.url)("ws");
const base = process.argv[2];
if (!base) {
    console.error(`usage: node ${process.argv[1]} ADDRESS, such as the one that polymock prints`);
    process.exit(2);
}
const tag = "node-fault";
const checks = new Checks((passed, name, detail) =>
    console.log(passed ? `ok ${name}` : `FAIL ${name}: ${detail}`),
);

async function control(method, path, body) {
    const response = await fetch(`${base}/_mock/${path}`, {
        method,
        headers: { "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
}

/** What an app does: reads events, opens batches, drops what it knows, remembers its cursor. */
class Client {
    events = [];
    known = new Set();
    cursor = 0;

    constructor(session) {
        this.session = session;
    }

    open() {
        const socket = new WebSocket(webSocketURL(base, this.session, this.cursor || undefined));
        this.socket = socket;
        this.closed = new Promise((resolve) => socket.on("close", resolve));
        socket.on("error", () => {});
        socket.on("message", (data) => {
            const event = JSON.parse(data);
            const isBatch = event.type === `${TYPE}EVENT_BATCH`;
            for (const one of isBatch ? event.payload.events : [event]) this.take(one);
        });
        return new Promise((resolve) => socket.on("open", resolve));
    }

    take(event) {
        if (this.known.has(event.id)) return;
        this.known.add(event.id);
        this.events.push(event);
        this.cursor = Math.max(this.cursor, event.sequence ?? 0);
    }

    send(type, payload = {}) {
        this.socket.send(JSON.stringify({ type: TYPE + type, payload }));
    }

    /** Agent messages, chunks put together. */
    get texts() {
        const messages = new Map();
        for (const { type, payload } of this.events) {
            if (type !== `${TYPE}POLY_AGENT_MESSAGE_CHUNK`) continue;
            messages.set(payload.message_id, (messages.get(payload.message_id) ?? "") + payload.text);
        }
        return [...messages.values()];
    }
}

async function until(condition, what) {
    for (let tries = 0; tries < 1500; tries += 1) {
        if (condition()) return;
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`${what} did not happen`);
}

await checks.part("the script", async () => {
    await control("POST", "reset", {});
    await control("POST", "clock", { mode: "frozen" });
    const added = await control("POST", "faults", {
        at: "reply 2 chunk 2", do: { drop: "connection" }, tag,
    });
    checks.equal(added.faults.length, 1, "one fault is added for the sessions of one tag");

    const session = await newSession(base, { streaming: true, connector: `mock:booking@seed=7@tag=${tag}` });
    const client = new Client(session);
    const heard = (type) =>
        control("GET", `wait?filter=${encodeURIComponent(`session:${session.id} dir:in type:${type}`)}&timeout=10s`);
    await client.open();
    await until(() => client.events.length > 0, "the first batch");
    client.send("REQUEST_POLY_AGENT_JOIN");
    await heard("REQUEST_POLY_AGENT_JOIN");
    await control("POST", "clock", { untilIdle: true });
    await until(() => client.texts.length === 1, "the greeting");

    client.send("USER_MESSAGE", { text: "a table, please" });
    await heard("USER_MESSAGE");
    await control("POST", "clock", { untilIdle: true });
    checks.equal(await client.closed, 1006, "the connection broke without a close frame");
    checks.equal(client.texts.at(-1), "With pleasure. For ", "chunk 1 came before it");

    await client.open();
    await until(() => client.texts.at(-1).endsWith("people?"), "the rest of the reply");
    checks.equal(client.texts.at(-1), "With pleasure. For how many people?", "the reply is whole");
    checks.equal(
        client.texts.filter((text) => text.includes("Buongiorno")).length, 1, "there is exactly one greeting",
    );

    const { entries } = await control("GET", `sessions/${session.id}/journal`);
    checks.equal(entries.map((entry) => entry.sequence), entries.map((_, index) => index + 1),
        "the journal has every number once");
    checks.equal(
        client.events.filter((event) => event.sequence).map((event) => event.id),
        entries.map((entry) => entry.event.id),
        "the client heard the journal, in order, each event once",
    );
    checks.equal(
        entries.filter((entry) => entry.event.type === `${TYPE}REQUEST_POLY_AGENT_JOIN`).length, 1,
        "it joined once",
    );
    const faults = await control("GET", `wire?filter=${encodeURIComponent(`kind:fault session:${session.id}`)}`);
    checks.equal(faults.rows.length, 1, "the fault fired once, and a row says so");
    const found = await control("GET", "violations");
    checks.equal(found.violations.filter((violation) => violation.session === session.id), [], "no protocol rule was broken");

    await control("POST", "clock", { advance: "10m" });
    await until(() => client.events.at(-1).type === `${TYPE}SESSION_END`, "the end after ten silent minutes");
    checks.ok(true, "ten minutes pass at once: the session ends for silence");
    await control("POST", "reset", {});
});

// ---- closing, losing, refusing, stalling
let count = 0;

/** A session of its own tag, and the fault that waits for it. */
async function faulty(at, effect) {
    const own = `node-${(count += 1)}`;
    const { faults } = await control("POST", "faults", { at, do: effect, tag: own });
    const session = await newSession(base, { connector: `mock:greeter@tag=${own}` });
    return { session, id: faults[0].id };
}

for (const code of [1000, 1001, 1008, 1011, 4000]) {
    await checks.part(`close ${code}`, async () => {
        const client = new Client((await faulty("connect 1", { close: code })).session);
        await client.open();
        checks.equal(await client.closed, code, `ws sees close code ${code}`);
    });
}
await checks.part("a cut", async () => {
    const client = new Client((await faulty("connect 1", { drop: "connection" })).session);
    await client.open();
    checks.equal(await client.closed, 1006, "ws sees a cut as 1006");
});
for (const status of [400, 401, 404, 429, 500]) {
    await checks.part(`refused with ${status}`, async () => {
        const { session } = await faulty("handshake 1", { refuse: status, retryAfter: "1s" });
        const seen = await new Promise((resolve) => {
            const socket = new WebSocket(webSocketURL(base, session));
            socket.on("unexpected-response", (_, response) => resolve(response.statusCode));
            socket.on("open", () => resolve("open"));
            socket.on("error", () => {});
        });
        checks.equal(seen, status, `ws sees the handshake refused with ${status}`);
    });
}
await checks.part("a stalled handshake", async () => {
    const { session, id } = await faulty("handshake 1", { stall: "forever" });
    const client = new Client(session);
    const opening = client.open();
    await control("GET", `wait?filter=${encodeURIComponent(`type:"GET /ws" dir:in`)}&timeout=10s`);
    checks.equal(client.socket.readyState, WebSocket.CONNECTING, "a stalled handshake does not answer");
    await control("DELETE", `faults/${id}`);
    await opening;
    checks.ok(true, "taken away, it answers");
    client.socket.close();
});
await checks.part("a stalled stream", async () => {
    const { session, id } = await faulty("user message 1", { stall: "forever" });
    const client = new Client(session);
    await client.open();
    client.send("REQUEST_POLY_AGENT_JOIN");
    client.send("USER_MESSAGE", { text: "hello" });
    await control(
        "GET", `wait?filter=${encodeURIComponent(`session:${session.id} dir:in type:USER_MESSAGE`)}&timeout=10s`,
    );
    const isEcho = (event) => event.type === `${TYPE}USER_MESSAGE`;
    checks.ok(!client.events.some(isEcho), "a stalled stream brings nothing");
    await control("DELETE", `faults/${id}`);
    await until(() => client.events.some(isEcho), "the echo");
    checks.ok(true, "taken away, nothing is lost");
    client.socket.close();
});
await control("POST", "reset", {});
console.log(`${checks.passed} passed, ${checks.failed} failed`);
process.exit(checks.failed ? 1 : 0);
