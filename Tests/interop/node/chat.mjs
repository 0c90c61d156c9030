// A small messaging client over fetch and a WebSocket class, as an app developer would write it.
// Shared by the Node script and the page in the browser, so it uses nothing that only one of them has.

export const TYPE = "EVENT_TYPE_";

/** JSON text with sorted keys: the order of members means nothing. */
function canonical(value) {
    return JSON.stringify(value, (_, part) =>
        part && typeof part === "object" && !Array.isArray(part)
            ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
            : part,
    );
}

/** Prints nothing itself: `report` gets (passed, name, detail) for each check. */
export class Checks {
    constructor(report) {
        this.report = report;
        this.passed = 0;
        this.failed = 0;
    }

    ok(condition, name, detail = "") {
        if (condition) this.passed += 1;
        else this.failed += 1;
        this.report(Boolean(condition), name, detail);
        return Boolean(condition);
    }

    equal(actual, expected, name) {
        const [a, e] = [canonical(actual), canonical(expected)];
        return this.ok(a === e, name, `got ${a}, expected ${e}`);
    }

    /** Runs one part of a script; what it throws is one failure, and the next part still runs. */
    async part(name, body) {
        try {
            await body();
        } catch (error) {
            this.ok(false, name, error?.stack ?? String(error));
        }
    }
}

export async function post(url, headers = {}, body = "{}") {
    const response = await fetch(url, { method: "POST", headers, body });
    const text = await response.text();
    let json = null;
    try {
        json = JSON.parse(text);
    } catch {
        // The caller sees null and the text.
    }
    return { status: response.status, headers: response.headers, json, text };
}

/** A fresh identity: one token and one session bound to it. */
export async function newSession(base, { streaming = false, connector = "webchat", extensions } = {}) {
    const token = await post(`${base}/api/v1/access-token`, {
        "Content-Type": "application/json",
        "X-Token": connector,
        "X-Host": "https://www.example.com",
    });
    if (token.status !== 200) throw new Error(`access-token: ${token.status} ${token.text}`);
    const session = await post(
        `${base}/api/v1/sessions`,
        { "Content-Type": "application/json", Authorization: `Bearer ${token.json.access_token}` },
        JSON.stringify({ streaming_enabled: streaming, platform: "web", device_type: "desktop", extensions }),
    );
    if (session.status !== 200) throw new Error(`sessions: ${session.status} ${session.text}`);
    return { token: token.json.access_token, id: session.json.session_id, lifetime: token.json };
}

export function webSocketURL(base, session, cursor) {
    const query = new URLSearchParams({ access_token: session.token, session_id: session.id });
    if (cursor !== undefined) query.set("cursor", String(cursor));
    return `${base.replace(/^http/, "ws")}/ws?${query}`;
}

/** One connection: everything that arrived, in order, batches opened. */
export class Connection {
    /** @param {typeof WebSocket} Socket the class to use, in the browser's shape */
    constructor(Socket, url) {
        this.events = [];
        this.frames = [];
        this.batches = [];
        this.waiting = [];
        this.read = 0;
        this.closed = new Promise((resolve) => (this.resolveClosed = resolve));
        this.socket = new Socket(url);
        this.opened = new Promise((resolve, reject) => {
            this.socket.addEventListener("open", () => resolve());
            this.socket.addEventListener("error", (event) =>
                reject(new Error(`socket error ${event.message ?? ""}`)),
            );
        });
        this.opened.catch(() => {});
        this.socket.addEventListener("message", (event) => this.receive(event.data));
        this.socket.addEventListener("close", (event) => {
            this.closeCode = event.code;
            this.resolveClosed(event.code);
            this.wake();
        });
    }

    receive(data) {
        if (typeof data !== "string") throw new Error("the server sent a binary frame");
        const frame = JSON.parse(data);
        this.frames.push(frame);
        if (frame.type === `${TYPE}EVENT_BATCH`) {
            this.batches.push(frame);
            this.events.push(...frame.payload.events);
        } else {
            this.events.push(frame);
        }
        this.wake();
    }

    wake() {
        for (const check of this.waiting.splice(0)) check();
    }

    send(type, payload = {}, custom) {
        const event = { type: TYPE + type, payload };
        if (custom) event.metadata = { custom };
        this.socket.send(JSON.stringify(event));
    }

    /** The first event not yet looked at that `matches`; passes over what came before it. */
    async next(type, matches = () => true, seconds = 15) {
        const wanted = (event) => event.type === TYPE + type && matches(event);
        const deadline = Date.now() + seconds * 1000;
        for (;;) {
            const index = this.events.findIndex((event, at) => at >= this.read && wanted(event));
            if (index >= 0) {
                this.read = index + 1;
                return this.events[index];
            }
            const left = deadline - Date.now();
            if (this.closeCode !== undefined || left <= 0) {
                const why = this.closeCode === undefined ? `in ${seconds} s` : `before close ${this.closeCode}`;
                const seen = this.events.slice(this.read).map((event) => short(event));
                throw new Error(`no ${type} ${why}; since the last one: [${seen.join(", ")}]`);
            }
            await new Promise((resolve) => {
                const timer = setTimeout(resolve, left);
                this.waiting.push(() => {
                    clearTimeout(timer);
                    resolve();
                });
            });
        }
    }

    /** The text of the next complete agent reply, whole or streamed. */
    async reply(streaming) {
        if (!streaming) return (await this.next("POLY_AGENT_MESSAGE")).payload.text;
        const chunks = [];
        do {
            chunks.push((await this.next("POLY_AGENT_MESSAGE_CHUNK")).payload);
        } while (!chunks.at(-1).is_complete);
        return chunks.map((chunk) => chunk.text).join("");
    }

    journaled() {
        return this.events.filter((event) => event.sequence !== null && event.sequence !== undefined);
    }

    get lastSequence() {
        return Math.max(0, ...this.journaled().map((event) => event.sequence));
    }

    /** What a developer does on the first batch: ask the agent to join when it has not. */
    async join() {
        await this.next("SESSION_START");
        this.send("REQUEST_POLY_AGENT_JOIN");
    }

    /** Resolves with the close code, or throws when the socket is still open after `seconds`. */
    async closing(seconds = 15) {
        let timer;
        const late = new Promise((_, reject) => {
            timer = setTimeout(() => reject(new Error(`still open after ${seconds} s`)), seconds * 1000);
        });
        try {
            return await Promise.race([this.closed, late]);
        } finally {
            clearTimeout(timer);
        }
    }
}

export const short = (event) => `${event.sequence ?? "-"}:${event.type?.replace(TYPE, "")}`;
