// The fair peer in Node: a mock of the same protocol, written by hand with `http`, `ws` and `node:crypto`.
//
//     node mock.mjs [EVERY_MS CHUNKS]         prints its address, stops on SIGTERM
//
// For one message it does what a mock must: parse, note in the session's journal, id, sequence and stamp, stringify,
// send to all of the session. Tokens are signed and checked (HS256), a session is made for each request. When an
// agent joins, CHUNKS pieces of a reply follow, EVERY_MS apart. It keeps no record of the wire and no protocol rules: ours does.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";

const { WebSocketServer } = createRequire(import.meta.url)("ws");
const [every, chunks] = process.argv.slice(2).map(Number);

const LIFE = 86400;
const MESSAGE_BYTES = 131072;
const key = randomBytes(32);
const sessions = new Map();

// ---- tokens (RFC 7519, RFC 7515 §3.1)

const HEAD = Buffer.from(JSON.stringify({ alg: "HS256", typ: "JWT" })).toString("base64url");
const signature = (text) => createHmac("sha256", key).update(text).digest();

function makeToken(connector) {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
        iss: "peer", sub: randomUUID(), connector_id: connector, iat: now, exp: now + LIFE, jti: randomUUID(),
    };
    const text = `${HEAD}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
    return `${text}.${signature(text).toString("base64url")}`;
}

function claimsOf(token) {
    const [head, body, signed] = (token ?? "").split(".");
    if (head !== HEAD || !signed) return null;
    const given = Buffer.from(signed, "base64url");
    const wanted = signature(`${head}.${body}`);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
    const claims = JSON.parse(Buffer.from(body, "base64url").toString());
    return claims.exp > Date.now() / 1000 ? claims : null;
}

// ---- sessions

class Session {
    id = randomUUID();
    journal = [];
    sockets = new Set();

    constructor(platform, streams) {
        this.platform = platform;
        this.tell("SESSION_START", {
            capabilities: {
                streaming: streams, max_message_size_bytes: MESSAGE_BYTES, max_reconnect_attempts: 5,
                heartbeat_interval_seconds: 30,
            },
        });
    }

    tell(type, payload, metadata) {
        const event = {
            id: randomUUID(), sequence: this.journal.length + 1, timestamp: new Date().toISOString(),
            type: `EVENT_TYPE_${type}`, payload, metadata,
        };
        this.journal.push(event);
        if (this.sockets.size === 0) return;
        const text = JSON.stringify(event);
        for (const socket of this.sockets) socket.send(text);
    }

    open(socket, cursor) {
        const history = this.journal.filter((event) => event.sequence > cursor || event.sequence === 1);
        socket.send(JSON.stringify({
            id: randomUUID(), timestamp: new Date().toISOString(), type: "EVENT_TYPE_EVENT_BATCH",
            payload: { events: history },
        }));
        this.sockets.add(socket);
    }

    hear(text) {
        const { type, payload, metadata } = JSON.parse(text);
        switch (type) {
            case "EVENT_TYPE_USER_MESSAGE":
                if (typeof payload?.text !== "string" || payload.text === "") return this.complain("text is missing");
                return this.tell(
                    "USER_MESSAGE", { message_id: `msg_${randomUUID()}`, text: payload.text }, metadata);
            case "EVENT_TYPE_REQUEST_POLY_AGENT_JOIN":
                this.tell("POLY_AGENT_JOINED", { agent_name: "Poly" });
                if (chunks > 0) this.stream();
                return undefined;
            default:
                return this.complain(`no event is called ${type}`);
        }
    }

    complain(message) {
        this.tell("SYSTEM_MESSAGE", { level: "error", message });
    }

    // Each piece is due at a fixed time: setInterval would drift by a millisecond a piece.
    stream() {
        const messageID = `msg_${randomUUID()}`;
        const begun = performance.now();
        let index = 0;
        const next = () => {
            index += 1;
            this.tell("POLY_AGENT_MESSAGE_CHUNK", {
                message_id: messageID, chunk_index: index - 1, is_complete: index === chunks, text: `word${index} `,
                attachments: [], response_suggestions: [],
            });
            if (index < chunks) setTimeout(next, begun + index * every - performance.now());
        };
        next();
    }
}

// ---- requests

function answer(request, body) {
    if (request.method !== "POST") return [405, { message: "method not allowed" }];
    const fields = JSON.parse(body);
    switch (request.url) {
        case "/api/v1/access-token": {
            const connector = request.headers["x-token"];
            if (!connector || !request.headers["x-host"]) return [401, { message: "unauthorized" }];
            return [200, { access_token: makeToken(connector), expires_in: LIFE, token_type: "Bearer" }];
        }
        case "/api/v1/sessions": {
            const [scheme, token] = (request.headers.authorization ?? "").split(" ");
            if (scheme !== "Bearer" || !claimsOf(token)) return [401, { message: "unauthorized" }];
            const session = new Session(fields.platform, fields.streaming_enabled === true);
            sessions.set(session.id, session);
            return [200, { session_id: session.id }];
        }
        default:
            return [404, { message: "not found" }];
    }
}

const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
        let status, fields;
        try {
            [status, fields] = answer(request, body);
        } catch {
            [status, fields] = [400, { message: "the body is no JSON" }];
        }
        const text = JSON.stringify(fields);
        response.writeHead(status, {
            "Content-Type": "application/json", "Cache-Control": "no-store",
            "X-Polyai-Correlation-Id": randomUUID(), "Content-Length": Buffer.byteLength(text),
        });
        response.end(text);
    });
});

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MESSAGE_BYTES });
server.on("upgrade", (request, socket, head) => {
    const asked = new URL(request.url, "http://localhost").searchParams;
    const session = sessions.get(asked.get("session_id"));
    if (!session || !claimsOf(asked.get("access_token"))) {
        socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        return;
    }
    sockets.handleUpgrade(request, socket, head, (channel) => {
        channel.on("error", () => {});
        channel.on("close", () => session.sockets.delete(channel));
        channel.on("message", (data) => {
            try {
                session.hear(data.toString());
            } catch {
                session.complain("the message is no JSON");
            }
        });
        session.open(channel, Number(asked.get("cursor") ?? 0));
    });
});
server.listen(0, "127.0.0.1", 1024, () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.on("SIGTERM", () => process.exit(0));
