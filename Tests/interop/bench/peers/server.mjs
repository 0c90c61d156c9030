// The peer in Node: what somebody would write with `http` and `ws` in an afternoon.
//
//     node server.mjs [EVERY_MS CHUNKS]       prints its address, stops on SIGTERM
//
// Sockets: /echo answers with what it heard; /fan tells everybody; /stream answers a message with CHUNKS frames,
// EVERY_MS apart; /ws greets who joins, as our server does. The token and the session are the same bytes again
// and again, which is less work than ours does.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { randomUUID } from "node:crypto";

const { WebSocketServer } = createRequire(import.meta.url)("ws");
const [every, chunks] = process.argv.slice(2).map(Number);

const token = JSON.stringify({
    access_token: `${"e".repeat(36)}.${"p".repeat(228)}.${"s".repeat(43)}`, expires_in: 86400, token_type: "Bearer",
});
const session = JSON.stringify({ session_id: "d82d6727-c159-4643-ab31-84ba5a5a1c39" });

const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
        // A mock that does not even look at what it was sent would be no peer.
        if (body !== "") JSON.parse(body);
        const text = request.url === "/api/v1/access-token" ? token : session;
        response.writeHead(200, {
            "Content-Type": "application/json", "Cache-Control": "no-store",
            "X-Polyai-Correlation-Id": "0c7ebef7-0125-4025-88cb-29b2f5726289",
            "Content-Length": Buffer.byteLength(text),
        });
        response.end(text);
    });
});

const event = (type, sequence, payload) =>
    JSON.stringify({
        id: randomUUID(), sequence, timestamp: new Date().toISOString(), type: `EVENT_TYPE_${type}`, payload,
    });

// Each frame is due at a fixed time: setInterval would drift by a millisecond a frame.
function stream(socket) {
    const messageID = `msg_${randomUUID()}`;
    const begun = performance.now();
    let index = 0;
    const next = () => {
        index += 1;
        socket.send(
            event("POLY_AGENT_MESSAGE_CHUNK", index, {
                message_id: messageID, chunk_index: index, is_complete: index === chunks, text: `word${index} `,
                attachments: [], response_suggestions: [],
            }),
        );
        if (index < chunks) setTimeout(next, begun + index * every - performance.now());
    };
    next();
}

function greet(socket) {
    socket.send(event("SESSION_START", 1, { capabilities: { streaming: false } }));
    socket.on("message", () => {
        socket.send(event("POLY_AGENT_JOINED", 2, { agent_name: "Poly" }));
        socket.send(event("POLY_AGENT_MESSAGE", 3, { text: "Hello! How can I help?" }));
    });
}

const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on("connection", (socket, request) => {
    socket.on("error", () => {});
    if (request.url === "/echo") {
        socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary }));
    } else if (request.url === "/fan") {
        socket.on("message", (data) => {
            for (const other of sockets.clients) other.send(data, { binary: false });
        });
    } else if (request.url === "/stream") {
        socket.on("message", () => stream(socket));
    } else {
        greet(socket);
    }
});
server.listen(0, "127.0.0.1", 1024, () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.on("SIGTERM", () => process.exit(0));
