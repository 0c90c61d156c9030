// The quick start with Node's fetch and Debian's ws: node quickstart.mjs http://127.0.0.1:PORT
import { createRequire } from "node:module";
import { Checks, Connection, TYPE, newSession, post, short, webSocketURL } from "./chat.mjs";
import { errorChecks } from "./errors.mjs";

const WebSocket = createRequire(import.meta.url)("ws");
const base = process.argv[2];
if (!base) {
    console.error(`usage: node ${process.argv[1]} ADDRESS, such as the one that polymock prints`);
    process.exit(2);
}
const checks = new Checks((passed, name, detail) =>
    console.log(passed ? `ok ${name}` : `FAIL ${name}: ${detail}`),
);
const connect = (session, cursor) => new Connection(WebSocket, webSocketURL(base, session, cursor));

let wholeGreeting = "";

await checks.part("first connect and join", async () => {
    const session = await newSession(base);
    checks.equal(session.lifetime.token_type, "Bearer", "the token's type is Bearer");
    checks.ok(session.lifetime.expires_in > 300, "the token lives longer than 300 s", session.lifetime.expires_in);
    checks.equal(session.token.split(".").length, 3, "the token is a JWT");
    checks.ok(session.id.length > 0, "the session has an id");

    const chat = connect(session);
    await chat.join();
    checks.equal(chat.frames[0].type, `${TYPE}EVENT_BATCH`, "history comes first, as a batch");
    const start = chat.events[0];
    checks.equal(start.sequence, 1, "SESSION_START has sequence 1");
    checks.equal(
        start.payload.capabilities,
        {
            streaming: false, max_message_size_bytes: 131072, max_reconnect_attempts: 5,
            heartbeat_interval_seconds: 30,
        },
        "the capabilities are the documented ones",
    );
    const echo = await chat.next("REQUEST_POLY_AGENT_JOIN");
    const joined = await chat.next("POLY_AGENT_JOINED");
    const thinking = await chat.next("POLY_AGENT_THINKING");
    const greeting = await chat.next("POLY_AGENT_MESSAGE");
    checks.equal([echo.sequence, joined.sequence], [2, 3], "the join is echoed before the agent joins");
    checks.ok(joined.payload.agent_name, "the agent has a name");
    checks.equal(thinking.sequence ?? null, null, "THINKING is transient");
    wholeGreeting = greeting.payload.text;
    checks.ok(/Welcome|Webchat/.test(wholeGreeting), "the greeting greets", wholeGreeting);
    checks.equal(greeting.payload.response_suggestions.length, 3, "the greeting has three suggestions");
    checks.ok(
        greeting.payload.attachments.some((item) => item.content_type === "ATTACHMENT_CONTENT_TYPE_IMAGE"),
        "the greeting has an image",
    );

    chat.send("USER_TYPING", { state: "TYPING_STATE_STARTED" });
    chat.send("USER_MESSAGE", { text: "Grüß dich 👋🏽, send me a link to google" }, { local_id: "L-1" });
    const said = await chat.next("USER_MESSAGE");
    checks.equal(said.payload.text, "Grüß dich 👋🏽, send me a link to google", "the echo has the text unchanged");
    checks.ok(said.payload.message_id, "the echo has a message_id");
    checks.equal(said.metadata, { custom: { local_id: "L-1" } }, "the echo carries metadata.custom back");
    const reply = await chat.next("POLY_AGENT_MESSAGE");
    checks.ok(/\[.*\]\(https?:\/\/.*\)/.test(reply.payload.text), "the reply has a link", reply.payload.text);
    checks.ok(Array.isArray(reply.payload.attachments), "attachments is always a list");

    chat.send("HEARTBEAT");
    checks.equal((await chat.next("HEARTBEAT")).sequence ?? null, null, "a heartbeat is echoed, unnumbered");
    checks.ok(!chat.events.some((event) => event.type === `${TYPE}USER_TYPING`), "typing is not echoed");
    checkEnvelopes(chat);
    chat.socket.close(1000);
    checks.equal(await chat.closing(), 1000, "the server answers a close with its code");
});

function checkEnvelopes(chat) {
    const numbers = chat.journaled().map((event) => event.sequence);
    checks.equal(numbers, numbers.map((_, index) => index + 1), "sequence numbers start at 1 and have no gap");
    const real = chat.events.filter((event) => event.type !== `${TYPE}HEARTBEAT`);
    checks.equal(new Set(real.map((event) => event.id)).size, real.length, "every id is new");
    const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
    const bad = real.filter((event) => !stamp.test(event.timestamp));
    checks.equal(bad.map(short), [], "every timestamp is RFC 3339 with three fraction digits");
}

await checks.part("streaming", async () => {
    const chat = connect(await newSession(base, { streaming: true, connector: "mock:webchat@chunks=words" }));
    await chat.join();
    checks.equal(chat.events[0].payload.capabilities.streaming, true, "SESSION_START mirrors streaming_enabled");
    const text = await chat.reply(true);
    checks.equal(text, wholeGreeting, "the joined chunks are the unstreamed text");
    const chunks = chat.events.filter((event) => event.type === `${TYPE}POLY_AGENT_MESSAGE_CHUNK`);
    checks.ok(chunks.length > 1, "a greeting arrives in several chunks", chunks.length);
    checks.equal(
        chunks.map((event) => event.payload.chunk_index), chunks.map((_, index) => index + 1),
        "chunks count from 1",
    );
    checks.equal(new Set(chunks.map((event) => event.payload.message_id)).size, 1, "chunks share a message_id");
    checks.equal(chunks.at(-1).payload.response_suggestions.length, 3, "the last chunk has the suggestions");
    chat.send("USER_MESSAGE", { text: "hello there" });
    await chat.next("USER_MESSAGE");
    checks.ok((await chat.reply(true)).length > 0, "a streamed reply follows a message");
    checks.ok(
        !chat.events.some((event) => event.type === `${TYPE}POLY_AGENT_MESSAGE`),
        "no whole message follows a stream",
    );
    chat.socket.close();
});

await checks.part("a drop in mid-stream", async () => {
    const session = await newSession(base, { streaming: true, connector: "mock:webchat@chunks=words" });
    const first = connect(session);
    await first.join();
    await first.next("POLY_AGENT_MESSAGE_CHUNK");
    first.socket.terminate();
    await first.closing();
    const cursor = first.lastSequence;
    const second = connect(session, cursor);
    const start = await second.next("SESSION_START");
    checks.equal(start.id, first.events[0].id, "a replay begins with the original SESSION_START");
    await second.next("POLY_AGENT_MESSAGE_CHUNK", (event) => event.payload.is_complete);
    const later = second.journaled().slice(1);
    checks.equal(later[0].sequence, cursor + 1, "the replay goes on right after the cursor");
    const all = [...first.journaled(), ...later];
    checks.equal(
        all.map((event) => event.sequence), all.map((_, index) => index + 1), "nothing is lost or doubled",
    );
    const text = all
        .filter((event) => event.type === `${TYPE}POLY_AGENT_MESSAGE_CHUNK`)
        .map((event) => event.payload.text)
        .join("");
    checks.equal(text, wholeGreeting, "both halves of the stream make the whole text");
    const third = connect(session);
    await third.next("POLY_AGENT_MESSAGE_CHUNK", (event) => event.payload.is_complete);
    checks.equal(third.journaled(), all, "a full replay equals what was seen live, field by field");
    for (const chat of [second, third]) chat.socket.close();
});

await checks.part("handoff to a person", async () => {
    const chat = connect(await newSession(base));
    await chat.join();
    await chat.reply(false);
    chat.send("USER_MESSAGE", { text: "human" });
    await chat.next("USER_MESSAGE");
    const from = chat.read;
    const joined = await chat.next("LIVE_AGENT_JOINED", () => true, 60);
    const path = chat.events
        .slice(from)
        .map((event) => event.type.replace(TYPE, ""))
        .filter((type) => /HANDOFF|LEFT|LIVE_AGENT_JOINED/.test(type));
    checks.equal(
        path.slice(0, path.indexOf("LIVE_AGENT_JOINED") + 1),
        [
            "POLY_AGENT_TRIGGERED_HANDOFF", "POLY_AGENT_LEFT", "HANDOFF_ACCEPTED", "HANDOFF_QUEUE_STATUS",
            "HANDOFF_QUEUE_STATUS", "HANDOFF_QUEUE_STATUS", "LIVE_AGENT_JOINED",
        ],
        "the handoff has the documented order",
    );
    const places = chat.events
        .filter((event) => event.type === `${TYPE}HANDOFF_QUEUE_STATUS`)
        .map((event) => event.payload.position_in_queue);
    checks.equal(places, [3, 2, 1], "the queue moves 3, 2, 1");
    checks.ok(joined.payload.agent?.name, "the person has a name", JSON.stringify(joined.payload));
    chat.send("USER_MESSAGE", { text: "are you a person?" }, { local_id: "L-2" });
    const echo = await chat.next("USER_MESSAGE");
    checks.equal(echo.metadata, { custom: { local_id: "L-2" } }, "messages to a person are echoed");
    const typing = await chat.next("LIVE_AGENT_TYPING");
    checks.equal(typing.payload.state, "TYPING_STATE_STARTED", "the person types first");
    const message = await chat.next("LIVE_AGENT_MESSAGE");
    checks.ok(message.payload.text.length > 0, "then the person answers");
    checkEnvelopes(chat);
    chat.socket.close();
});

await checks.part("a handoff that fails", async () => {
    const chat = connect(await newSession(base));
    await chat.join();
    await chat.reply(false);
    chat.send("USER_MESSAGE", { text: "speak to salesforce" });
    await chat.next("POLY_AGENT_TRIGGERED_HANDOFF");
    await chat.next("HANDOFF_FAILED", () => true, 60);
    chat.send("USER_MESSAGE", { text: "still there?" });
    checks.ok((await chat.reply(false)).length > 0, "after a failed handoff the agent answers again");
    chat.socket.close();
});

await checks.part("endings", async () => {
    const talk = async (last) => {
        const session = await newSession(base);
        const chat = connect(session);
        await chat.join();
        await chat.reply(false);
        last(chat);
        const end = await chat.next("SESSION_END");
        return { session, chat, end };
    };
    const [user, natural] = await Promise.all([
        talk((chat) => chat.send("USER_END_SESSION")),
        talk((chat) => chat.send("USER_MESSAGE", { text: "end the convo" })),
    ]);
    checks.equal(user.end.payload.reason, "REASON_USER_END", "the user's end has its reason");
    const echo = user.chat.events.find((event) => event.type === `${TYPE}USER_END_SESSION`);
    checks.equal(echo?.sequence, user.end.sequence - 1, "USER_END_SESSION is echoed right before SESSION_END");
    checks.equal(natural.end.payload.reason, "REASON_NATURAL_END", "the agent's end has its reason");
    user.chat.send("USER_MESSAGE", { text: "one more thing" });
    const late = await user.chat.next("SYSTEM_MESSAGE");
    checks.equal(late.payload.message, "Error: Session not found", "after the end there is no session");
    const codes = await Promise.all([user.chat.closing(), natural.chat.closing()]);
    checks.equal(codes, [1000, 1000], "the server closes an ended session with 1000");
    for (const { chat } of [user, natural]) {
        checks.equal(chat.journaled().at(-1).type, `${TYPE}SESSION_END`, "SESSION_END is the last entry");
    }
});

await errorChecks({ base, checks, connect, WebSocket, newSession, post });

console.log(`${checks.passed} passed, ${checks.failed} failed`);
process.exit(checks.failed === 0 ? 0 : 1);
