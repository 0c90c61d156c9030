// What party.py does, with Node's ws: sessions on one server that talk, go away and come back.
//
//     node party.mjs BASE COUNT     reads {"do":"talk","count":3} line by line, answers each with a line of JSON
//
// NODE_EXTRA_CA_CERTS says whom to trust over https and wss.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const { WebSocket } = createRequire(import.meta.url)("ws");
const [base, count] = [process.argv[2], Number(process.argv[3])];
const USER_MESSAGE = "EVENT_TYPE_USER_MESSAGE";
const PATIENCE = 20_000;

const post = async (path, headers, body) => {
    const response = await fetch(base + path, {
        method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENCE),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
};

class Member {
    sent = [];
    isOpen = false;
    waiting = new Set();

    async begin() {
        const token = await post("/api/v1/access-token", { "X-Token": "shards", "X-Host": "app.example" }, {});
        this.token = token.access_token;
        const session = await post(
            "/api/v1/sessions", { Authorization: `Bearer ${this.token}` },
            { streaming_enabled: false, platform: "custom" });
        this.id = session.session_id;
        await this.open();
    }

    open() {
        this.heard = new Set();
        this.twice = [];
        const query = new URLSearchParams({ access_token: this.token, session_id: this.id, cursor: "0" });
        const socket = new WebSocket(`${base.replace("http", "ws")}/ws?${query}`, { handshakeTimeout: PATIENCE });
        this.socket = socket;
        return new Promise((resolve, reject) => {
            socket.on("open", () => {
                this.isOpen = true;
                resolve();
            });
            socket.on("error", reject);
            socket.on("close", () => {
                if (socket === this.socket) this.isOpen = false;
                this.wake();
            });
            socket.on("message", (data) => this.take(JSON.parse(data)));
        });
    }

    take(event) {
        const events = event.type === "EVENT_TYPE_EVENT_BATCH" ? event.payload.events : [event];
        for (const { type, metadata } of events) {
            if (type !== USER_MESSAGE) continue;
            const number = metadata.custom.local_id;
            if (this.heard.has(number)) this.twice.push(number);
            this.heard.add(number);
        }
        this.wake();
    }

    wake() {
        for (const look of [...this.waiting]) look();
    }

    // False when the connection is lost before the echo.
    hears(number) {
        return new Promise((resolve, reject) => {
            const patience = setTimeout(() => reject(new Error(`no echo of ${number}`)), PATIENCE);
            const look = () => {
                if (!this.heard.has(number) && this.isOpen) return;
                clearTimeout(patience);
                this.waiting.delete(look);
                resolve(this.heard.has(number));
            };
            this.waiting.add(look);
            look();
        });
    }

    say() {
        const number = `${this.id.slice(0, 8)}-${this.sent.length + 1}`;
        this.sent.push(number);
        this.socket.send(JSON.stringify({
            type: USER_MESSAGE, payload: { text: `message ${this.sent.length}` },
            metadata: { custom: { local_id: number } },
        }), () => {});
        return this.hears(number);
    }

    async close() {
        const { socket } = this;
        if (socket.readyState === WebSocket.CLOSED) return;
        const closed = new Promise((resolve) => socket.once("close", resolve));
        socket.close();
        await closed;
    }

    async comeBack() {
        try {
            await this.close();
            await this.open();
            for (const number of this.sent) if (!(await this.hears(number))) return false;
            return this.twice.length === 0;
        } catch {
            return false;
        }
    }
}

const members = Array.from({ length: count }, () => new Member());
const all = (work) => Promise.all(members.map(work));
let isChatting = false;
let chatter = [];

const state = () => ({
    closed: members.filter((member) => !member.isOpen).map((member) => member.id),
    lost: members.filter((member) => member.isOpen)
        .flatMap((member) => member.sent.filter((number) => !member.heard.has(number))),
    twice: members.flatMap((member) => member.twice),
    sent: members.reduce((sum, member) => sum + member.sent.length, 0),
});

const verbs = {
    async begin() {
        await all((member) => member.begin());
        return { sessions: members.map((member) => member.id) };
    },
    async talk({ count: times }) {
        await all(async (member) => {
            for (let each = 0; each < times && member.isOpen; each += 1) await member.say();
        });
        return state();
    },
    async start() {
        isChatting = true;
        chatter = members.map(async (member) => {
            while (isChatting && member.isOpen) await member.say();
        });
        return {};
    },
    async stop() {
        isChatting = false;
        await Promise.all(chatter);
        return state();
    },
    async come_back() {
        const back = await all((member) => member.comeBack());
        return { back: members.filter((_, place) => back[place]).map((member) => member.id) };
    },
    async end() {
        await all((member) => member.close());
        return {};
    },
};

for await (const line of createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    let answer;
    try {
        answer = await verbs[asked.do](asked);
    } catch (error) {
        answer = { error: String(error.message ?? error) };
    }
    console.log(JSON.stringify(answer));
}
process.exit(0);
