// The extensions of the Messaging API with Node's fetch and ws: extensions.mjs http://127.0.0.1:PORT
import { createRequire } from "node:module";
import { Checks, Connection, newSession, webSocketURL } from "./chat.mjs";

const WebSocket = createRequire(import.meta.url)("ws");
const base = process.argv[2];
const checks = new Checks((passed, name, detail) =>
    console.log(passed ? `ok ${name}` : `FAIL ${name}: ${detail}`),
);
const changed = "EXT_MESSAGE_CHANGED";

async function open(extensions) {
    const session = await newSession(base, { extensions });
    const chat = new Connection(WebSocket, webSocketURL(base, session));
    await chat.opened;
    const start = await chat.next("SESSION_START");
    chat.send("REQUEST_POLY_AGENT_JOIN");
    const greeting = (await chat.next("POLY_AGENT_MESSAGE")).payload;
    return { session, chat, start, greeting };
}

await checks.part("changes", async () => {
    const { session, chat, start, greeting } = await open(["changes", "receipts", "tomorrow"]);
    checks.equal(start.payload.capabilities.extensions, ["changes", "receipts"], "the known names are on");
    const other = new Connection(WebSocket, webSocketURL(base, session, 1));
    await other.opened;
    chat.send("USER_MESSAGE", { text: "thanks" }, { local_id: "L-1", reply_to: greeting.message_id });
    const echo = await chat.next("USER_MESSAGE");
    checks.equal(echo.metadata.custom.reply_to, greeting.message_id, "an echo has what it replies to");
    for (const type of ["POLY_AGENT_RECEIVED_MESSAGE", "POLY_AGENT_READ_MESSAGE"]) {
        const receipt = await chat.next(type);
        checks.equal(receipt.payload.message_id, echo.payload.message_id, `${type} names the message`);
        checks.ok(receipt.sequence > echo.sequence, `${type} has a sequence`);
    }
    for (const on of [true, false]) {
        const { payload } = await chat.next(changed);
        const expected = { message_id: echo.payload.message_id, change: { reaction: "👍", on }, by: "agent" };
        checks.equal(payload, expected, `the agent reacts: ${on}`);
    }
    await chat.next("POLY_AGENT_MESSAGE");

    const change = { text: "many thanks" };
    chat.send(changed, { message_id: echo.payload.message_id, change }, { local_id: "L-2" });
    for (const each of [chat, other]) {
        const event = await each.next(changed, (found) => found.payload.by === "user");
        checks.equal(event.payload.change, change, "both connections see the edit");
        checks.equal(event.metadata.custom.local_id, "L-2", "and whose it is");
    }
    chat.send(changed, { message_id: greeting.message_id, change: { reaction: "❤️", on: true } });
    const kind = await chat.next("POLY_AGENT_MESSAGE");
    checks.equal(kind.payload.text, "You are kind.", "a rule hears a reaction");
    chat.send("USER_READ_MESSAGE", { message_id: kind.payload.message_id });
    checks.ok((await other.next("USER_READ_MESSAGE")).sequence, "a client's receipt is journaled");

    const again = new Connection(WebSocket, webSocketURL(base, session, echo.sequence));
    await again.opened;
    await again.next("USER_READ_MESSAGE");
    const replayed = again.journaled().filter((event) => event.sequence > echo.sequence);
    const first = chat.journaled().filter((event) => event.sequence > echo.sequence);
    checks.equal(replayed, first, "a history replays changes and receipts as they were");
    for (const each of [chat, other, again]) each.socket.close();
});

await checks.part("files", async () => {
    const { session, chat } = await open(["files"]);
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${session.token}` };
    const path = `${base}/api/v1/sessions/${session.id}/files`;
    const ask = (file) => fetch(path, { method: "POST", headers, body: JSON.stringify(file) });
    const answer = await ask({ name: "cat.png", type: "image/png", size: 4 });
    checks.equal(answer.status, 201, "a file is announced");
    const { file_id: id, upload_url: url } = await answer.json();
    chat.send("USER_MESSAGE", { text: "" }, { files: id });
    const { message_id: message } = (await chat.next("USER_MESSAGE")).payload;
    for (const percent of [25, 75]) {
        const change = { file: id, state: "uploading", percent };
        chat.send(changed, { message_id: message, change });
        checks.equal((await chat.next(changed)).payload.change, change, `progress: ${percent} %`);
    }
    chat.send(changed, { message_id: message, change: { file: id, state: "uploading", percent: 50 } });
    const notice = await chat.next("SYSTEM_MESSAGE");
    checks.equal(notice.sequence, null, "a percentage that falls gets a notice");
    checks.equal(
        notice.payload.message, "Unknown event type or invalid message format", "which is the protocol's",
    );
    for (const expected of [200, 409]) {
        const { status } = await fetch(url, { method: "PUT", body: "meow" });
        checks.equal(status, expected, `PUT: ${expected}`);
    }
    const ready = (await chat.next(changed)).payload;
    const change = { file: id, state: "ready", name: "cat.png", type: "image/png", size: 4 };
    checks.equal(ready, { message_id: message, change, by: "system" }, "the file is ready");
    checks.equal((await chat.next("POLY_AGENT_MESSAGE")).payload.text, "A picture.", "a rule hears it");
    const refused = await ask({ name: "big.bin", type: "application/octet-stream", size: 1e12 });
    checks.equal(refused.status, 413, "a file above the limit is refused");
    checks.equal((await ask({ name: "../x", type: "a/b", size: 1 })).status, 400, "so is a path as a name");
    chat.socket.close();
});

console.log(`${checks.passed} passed, ${checks.failed} failed`);
process.exit(checks.failed ? 1 : 0);
