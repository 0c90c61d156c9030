// Replies to what no rule of a running polymock heard: replies.mjs ADDRESS. See Shared/Docs/replies-from-elsewhere.md.
//
// With MODEL_URL (what precedes /chat/completions), MODEL and MODEL_KEY a model replies, else `reply`.

import { createRequire } from "node:module";

const mock = process.argv[2];
const { MODEL_URL: modelURL, MODEL: name = "default", MODEL_KEY: key } = process.env;
const Socket = globalThis.WebSocket ?? createRequire(import.meta.url)("ws");
const said = new Map(); // session: what its user said, and what was replied

async function post(url, body, headers = {}) {
    const response = await fetch(url, {
        method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body),
        signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
    return response.json();
}

// The place for code of yours.
function reply(messages) {
    return "You said: " + messages.at(-1).content;
}

async function model(messages) {
    const headers = key ? { Authorization: `Bearer ${key}` } : {};
    const answer = await post(`${modelURL}/chat/completions`, { model: name, messages }, headers);
    return answer.choices[0].message.content;
}

async function answer({ kind, session, text }) {
    if (kind !== "message" || !session) return;
    const messages = said.get(session) ?? [];
    said.set(session, messages);
    messages.push({ role: "user", content: text });
    const content = await (modelURL ? model : reply)(messages);
    messages.push({ role: "assistant", content });
    await post(`${mock}/_mock/sessions/${session}/events`, { as: "agent", by: "replies", text: content });
}

const feed = new Socket(mock.replace("http", "ws") + "/_mock/feed?rows=none&also=unmatched");
feed.onopen = () => console.log("waiting at", mock);
let last = Promise.resolve(); // one reply after the other
feed.onmessage = ({ data }) => {
    const { unmatched } = JSON.parse(data);
    if (!unmatched) return;
    last = last.then(() => answer(unmatched)).catch((error) => console.log("no reply:", error.message));
};
feed.onclose = () => process.exit(0);
