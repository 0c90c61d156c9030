// The clipboard texts of "Copy as". Tokens are masked in rows, so commands request one first.

import { body, fields, json, name } from "./words.js";

const quote = (text) => `'${String(text).replaceAll("'", `'\\''`)}'`;

/** The connector token that plays a session again; it is no secret. */
const connector = (session) => session?.scenario ?? (session ? `mock:${session.fixture}` : "demo");

const tokenCommand = (base, session) =>
	`TOKEN=$(curl -s ${quote(base + "/api/v1/access-token")} -X POST -H ${quote("X-Token: " + connector(session))} -H 'X-Host: localhost' -H 'Content-Type: application/json' -d '{}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;

const left = new Set(["host", "content-length", "connection", "accept-encoding", "authorization", "x-token",
	"x-mock-token", "origin", "referer"]);

/** The request of a row as curl; the two calls and a socket's command for a frame. */
export const curl = (row, base, session) => {
	if (row.kind !== "rest" || row.type === "GET /ws") return wscat(base, session);
	const [method, target] = row.dir === "in" ? row.raw.split(" ", 2) : row.type.split(" ", 2);
	const isToken = target.includes("/access-token");
	const parts = [`curl -i ${quote(base + target.replace(/access_token=[^&]*/, "access_token=") )} -X ${quote(method)}`];
	if (isToken) parts.push(`-H ${quote("X-Token: " + connector(session))}`);
	else parts.push('-H "Authorization: Bearer $TOKEN"');
	for (const [field, value] of row.dir === "in" ? fields(row) : []) {
		if (!left.has(field.toLowerCase()) && !/^(sec-|upgrade|cookie)/i.test(field) && !value.includes("***")) parts.push(
			`-H ${quote(`${field}: ${value}`)}`);
	}
	if (row.dir === "in" && body(row)) parts.push(`-d ${quote(body(row))}`);
	return (isToken ? "" : tokenCommand(base, session) + "\n") + parts.join(" ");
};

/** What is asked of the control API. */
export const curlOf = (path, body, base) =>
	`curl -s ${base}/_mock/${path} -H 'Content-Type: application/json' -d ${quote(JSON.stringify(body))}`;

/** Token, session and socket, ready for a terminal. */
export const wscat = (base, session) => [
	tokenCommand(base, session),
	`SESSION=$(curl -s ${quote(base + "/api/v1/sessions")} -X POST -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"platform":"web"}' | sed 's/.*"session_id":"\\([^"]*\\)".*/\\1/')`,
	`wscat -c "${base.replace(/^http/, "ws")}/ws?session_id=$SESSION&access_token=$TOKEN"`,
].join("\n");

const replyTexts = (rows) => {
	const said = [];
	const byMessage = new Map();
	for (const row of rows) {
		if (row.dir !== "out" || row.flags?.includes("replayed")) continue;
		const value = json(row)?.payload;
		if (!value || !/_AGENT_MESSAGE(_CHUNK)?$/.test(row.type)) continue;
		let item = byMessage.get(value.message_id);
		if (!item) { item = { text: "", suggest: [] }; byMessage.set(value.message_id, item); said.push(item) }
		item.text += value.text ?? "";
		for (const s of value.response_suggestions ?? []) item.suggest.push(s.message_text ?? s.text ?? s.title ?? String(s));
	}
	return said;
};

const isUser = (r) => r.dir === "in" && r.type === "USER_MESSAGE";

/** From the user's message at or before `row` to the next one. */
export const exchange = (row, rows) => {
	const start = rows.findLastIndex((r) => r.n <= row.n && isUser(r));
	if (start < 0) return null;
	let end = rows.findIndex((r, at) => at > start && isUser(r));
	if (end < 0) end = rows.length;
	return { text: json(rows[start])?.payload?.text ?? "", replies: replyTexts(rows.slice(start, end)) };
};

const literal = (text) => JSON.stringify(text);

/** In a fixture, where a brace begins a gap. */
const words = (text) => literal(text.replace(/[{}]/g, "$&$&"));
/** What hears a message; a phrase needs a word. */
export const heard = (text, form = (it) => it) =>
	/[\p{L}\p{N}]/u.test(text) ? form(words(text))
	: `{ regex: ${literal(`^\\s*${text.trim().replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}\\s*$`)} }`;
const say = ({ text, suggest }) =>
	`{ say: ${words(text)}${suggest.length ? `, suggest: [${suggest.map(words).join(", ")}]` : ""} }`;

export const ruleFor = (text, replies = [{ text: "An answer.", suggest: [] }]) =>
	`{ hears: ${heard(text)},\n  replies: [\n${replies.map((reply) => `    ${say(reply)},`).join("\n")}\n  ] },`;

/** A rule that says again what was said; null where no user message is near. */
export const fixtureRule = (row, rows) => {
	const found = exchange(row, rows);
	return found && ruleFor(found.text, found.replies.length ? found.replies : undefined);
};

/** A whole fixture from a talk: the greeting, then a rule for each message. */
export const fixture = (title, rows) => {
	const first = rows.findIndex(isUser);
	const greeting = replyTexts(first < 0 ? rows : rows.slice(0, first));
	const seen = new Set();
	const rules = rows.filter(isUser).map((row) => exchange(row, rows))
		.filter(({ text }) => !seen.has(text) && seen.add(text));
	return `{
  fixture: 1,
  name: ${literal(title)},
  greeting: [ ${greeting.map(say).join(", ")} ],
  anywhere: [
${rules.map(({ text, replies }) =>
	`    { hears: ${heard(text, (it) => `{ exactly: ${it} }`)},\n      replies: [ ${(replies.length ? replies : [{ text: "Noted.", suggest: [] }]).map(say).join(", ")} ] },`).join("\n")}
  ],
  otherwise: [ { replies: [ { say: "Sorry, I did not get that." } ] } ],
}
`;
};

/** A test of PolyMockTesting that says the message and expects the reply. */
export const swiftTest = (row, rows, session) => {
	const found = exchange(row, rows);
	if (!found) return null;
	const reply = found.replies[0]?.text;
	return `@Suite(.mock(${literal(session?.fixture ?? "webchat")}))
struct RecordedTests {
    @Test(.seed(${session?.seed ?? 7}))
    func answers() async throws {
        let mock = Mock.current
        let chat = try await mock.chat()
        try await chat.say(${literal(found.text)})
${reply ? `        try await mock.expect(.reply(${literal(reply.slice(0, 60))}), within: .seconds(5))\n` : ""}    }
}`;
};

export const rowJSON = (row) => JSON.stringify(row, null, 2);
