// What goes wrong, and what a client is told: refused handshakes, bad events, limits.
import { Connection, webSocketURL } from "./chat.mjs";

/** The status and JSON body of a refused upgrade; throws when the upgrade succeeds. */
function refusal(WebSocket, url) {
    return new Promise((resolve, reject) => {
        const socket = new WebSocket(url);
        socket.on("open", () => {
            socket.terminate();
            reject(new Error(`the upgrade of ${url} was not refused`));
        });
        socket.on("unexpected-response", (_request, response) => {
            let text = "";
            response.setEncoding("utf8");
            response.on("data", (part) => (text += part));
            response.on("end", () =>
                resolve({ status: response.statusCode, headers: response.headers, body: JSON.parse(text) }),
            );
        });
        socket.on("error", () => {});
    });
}

export async function errorChecks({ base, checks, connect, WebSocket, newSession }) {
    const ws = `${base.replace(/^http/, "ws")}/ws`;

    await checks.part("refused handshakes", async () => {
        const [mine, other] = await Promise.all([newSession(base), newSession(base)]);
        const unknown = "00000000-0000-4000-8000-000000000000";
        const flipped = mine.token.slice(0, -2) + (mine.token.endsWith("AA") ? "BB" : "AA");
        const rows = [
            ["no parameters", ws, 400, "invalid connection parameters"],
            ["no session", `${ws}?access_token=${mine.token}`, 400, "invalid connection parameters"],
            ["an empty token", `${ws}?access_token=&session_id=${mine.id}`, 400, "invalid connection parameters"],
            ["a token that is none", webSocketURL(base, { token: "x", id: mine.id }), 401, "authentication failed"],
            ["a changed signature", webSocketURL(base, { token: flipped, id: mine.id }), 401, "authentication failed"],
            ["a bad token and a bad session", webSocketURL(base, { token: "x", id: unknown }), 401, "authentication failed"],
            ["an unknown session", webSocketURL(base, { token: mine.token, id: unknown }), 404, "session not found"],
            ["another user's session", webSocketURL(base, { token: mine.token, id: other.id }), 401, "authentication failed"],
        ];
        for (const [name, url, status, message] of rows) {
            const answer = await refusal(WebSocket, url);
            checks.equal([answer.status, answer.body.message], [status, message], `${name}: ${status} ${message}`);
        }
    });

    await checks.part("ten connections", async () => {
        const session = await newSession(base);
        const open = Array.from({ length: 10 }, () => connect(session));
        await Promise.all(open.map((chat) => chat.next("SESSION_START")));
        checks.ok(true, "ten connections of one session open");
        const answer = await refusal(WebSocket, webSocketURL(base, session));
        checks.equal(
            [answer.status, answer.body.message], [429, "connection limit exceeded for session"],
            "the eleventh is refused with 429",
        );
        checks.ok(Number(answer.headers["retry-after"]) >= 0, "with Retry-After", answer.headers["retry-after"]);
        open[3].socket.close();
        await open[3].closing();
        const again = connect(session);
        await again.next("SESSION_START");
        checks.ok(true, "closing one frees a place");
        for (const chat of [...open, again]) chat.socket.close();
    });

    await checks.part("bad events", async () => {
        const chat = connect(await newSession(base));
        await chat.next("SESSION_START");
        chat.send("USER_MESSAGE", { text: "too early" });
        await chat.next("USER_MESSAGE");
        const early = await chat.next("SYSTEM_MESSAGE");
        checks.equal(early.payload.message, "Error: Conversation not found", "a message before the join");
        chat.send("REQUEST_POLY_AGENT_JOIN");
        await chat.reply(false);

        const invalid = "Unknown event type or invalid message format";
        const rows = [
            ["not JSON", "not json", invalid],
            ["a JSON list", "[]", invalid],
            ["an empty text", "", invalid],
            ["no type", `{"payload":{}}`, invalid],
            ["an unknown type", `{"type":"EVENT_TYPE_CUSTOM","payload":{}}`, invalid],
            ["a lower-case type", `{"type":"event_type_user_message","payload":{"text":"x"}}`, invalid],
            ["no payload", `{"type":"EVENT_TYPE_USER_MESSAGE"}`, invalid],
            ["a text that is a number", `{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":5}}`, invalid],
            ["an unknown typing state", `{"type":"EVENT_TYPE_USER_TYPING","payload":{"state":"X"}}`, invalid],
            ["a binary frame", Buffer.from(`{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}`), invalid],
            [
                "a type that only the server sends",
                `{"type":"EVENT_TYPE_POLY_AGENT_MESSAGE","payload":{},"metadata":{"custom":{"tag":"x"}}}`,
                "Event type not allowed: EVENT_TYPE_POLY_AGENT_MESSAGE",
            ],
        ];
        for (const [name, text, message] of rows) {
            chat.socket.send(text);
            const answer = await chat.next("SYSTEM_MESSAGE");
            checks.equal(
                [answer.payload.level, answer.payload.message, answer.sequence ?? null],
                ["SYSTEM_MESSAGE_LEVEL_ERROR", message, null],
                `${name}: SYSTEM_MESSAGE "${message}"`,
            );
        }
        const last = chat.events.at(-1);
        checks.equal(last.metadata, { custom: { tag: "x" } }, "an error carries metadata.custom back");
        const before = chat.lastSequence;
        chat.send("USER_MESSAGE", { text: "hello" });
        const echo = await chat.next("USER_MESSAGE");
        checks.equal(echo.sequence, before + 1, "errors use no sequence number and the talk goes on");
        chat.socket.close();
    });

    await checks.part("message size", async () => {
        const limit = 131072;
        const frame = (bytes) => {
            const empty = JSON.stringify({ type: "EVENT_TYPE_USER_MESSAGE", payload: { text: "" } });
            return empty.replace(`""`, `"${"x".repeat(bytes - empty.length)}"`);
        };
        const session = await newSession(base);
        const chat = connect(session);
        await chat.next("SESSION_START");
        chat.socket.send(frame(limit));
        const echo = await chat.next("USER_MESSAGE");
        checks.ok(echo.payload.text.length > limit - 100, "a message of 131072 bytes is echoed");
        chat.socket.send(frame(limit + 1));
        checks.equal(await chat.closing(), 1009, "one byte more closes with 1009");
        const back = new Connection(WebSocket, webSocketURL(base, session, chat.lastSequence));
        await back.next("SESSION_START");
        checks.ok(true, "the session lives on after 1009");
        back.socket.close();
    });
}
