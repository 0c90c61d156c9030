// Compressed messages with Debian's ws: node deflate.mjs http://127.0.0.1:PORT
import { once } from "node:events";
import { createRequire } from "node:module";
import { Checks, TYPE, newSession, webSocketURL } from "./chat.mjs";

const WebSocket = createRequire(import.meta.url)("ws");
const base = process.argv[2];
const checks = new Checks((passed, name, detail) =>
    console.log(passed ? `ok ${name}` : `FAIL ${name}: ${detail}`),
);
const texts = ["", "x", "Hello", "κόσμε漢😀 ".repeat(200), JSON.stringify([...Array(5000).keys()]), "a".repeat(1e6)];

for (const [name, options] of [
    ["defaults", {}],
    ["every message", { threshold: 0 }],
    ["no contexts", { threshold: 0, serverNoContextTakeover: true, clientNoContextTakeover: true }],
    ["small windows", { threshold: 0, serverMaxWindowBits: 9, clientMaxWindowBits: 9 }],
]) {
    await checks.part(name, async () => {
        const socket = new WebSocket(`${base.replace(/^http/, "ws")}/_mock/echo`, { perMessageDeflate: options });
        await once(socket, "open", { signal: AbortSignal.timeout(15_000) });
        checks.ok(socket.extensions.startsWith("permessage-deflate"), `${name}: agreed`, socket.extensions);
        let same = 0;
        for (let round = 0; round < 3; round += 1) {
            for (const text of texts) {
                socket.send(text);
                const [data] = await once(socket, "message", { signal: AbortSignal.timeout(15_000) });
                if (data.toString() === text) same += 1;
            }
        }
        checks.equal(same, texts.length * 3, `${name}: texts come back`);
        socket.close();
        await once(socket, "close", { signal: AbortSignal.timeout(15_000) });
    });
}

await checks.part("a session", async () => {
    const socket = new WebSocket(webSocketURL(base, await newSession(base)), { perMessageDeflate: { threshold: 0 } });
    const joined = new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error("no greeting within 15 s")), 15_000).unref();
        socket.on("message", (data) => {
            if (JSON.parse(data.toString()).type === `${TYPE}POLY_AGENT_MESSAGE`) resolve();
        });
        socket.on("close", (code) => reject(new Error(`closed with ${code}`)));
    });
    await once(socket, "open", { signal: AbortSignal.timeout(15_000) });
    socket.send(JSON.stringify({ type: `${TYPE}REQUEST_POLY_AGENT_JOIN`, payload: {} }));
    await joined;
    checks.ok(socket.extensions.startsWith("permessage-deflate"), "a session greets, compressed");
    socket.terminate();
});

console.log(`${checks.passed} passed, ${checks.failed} failed`);
process.exit(checks.failed === 0 ? 0 : 1);
