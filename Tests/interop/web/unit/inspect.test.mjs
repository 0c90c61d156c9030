// The inspector's modules without a page: rows in order, lines of the wire, words, causes, and what is copied.
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const inspect = new URL("../../../../Server/Pages/web/inspect/", import.meta.url);
const { violations, causes, effects } = await import(new URL("cause.js", inspect));
const { curl, curlOf, exchange, fixture, fixtureRule, heard, swiftTest } = await import(new URL("copy.js", inspect));
const { KEPT, Lines, place, related, RowLog } = await import(new URL("log.js", inspect));
const words = await import(new URL("words.js", inspect));

/** A booking, and a client that broke three protocol rules, as /_mock/wire told them. */
const rows = JSON.parse(readFileSync(new URL("data/wire.json", import.meta.url)));
const booking = rows.find((row) => row.rule === "book").session;
const breaker = rows.find((row) => row.kind === "violation").session;
const of = (session) => rows.filter((row) => row.session === session);
const row = (n, session = "a") => ({ n, session, dir: "in", kind: "ws", raw: "{}", size: 2 });

test("rows are held in order and once, however they come", () => {
    const log = new RowLog();
    log.add([row(5), row(6)]);
    deepEqual(log.add([row(3), row(5), row(4, "b")]).map(({ n }) => n), [3, 4]);
    deepEqual(log.rows.map(({ n }) => n), [3, 4, 5, 6]);
    deepEqual(log.of("a").map(({ n }) => n), [3, 5, 6]);
    equal(log.find(4).session, "b");
    equal(log.find(7), undefined);
    equal(log.last, 6);
});

test("the log is bounded, and so are the rows of each session", () => {
    const log = new RowLog(100);
    for (let n = 1; n <= 1000; n += 1) log.add([row(n, n % 2 ? "odd" : "even")]);
    ok(log.rows.length <= 105);
    equal(log.rows.at(-1).n, 1000);
    equal(log.gone + log.rows.length, 1000);
    equal(log.of("odd").length + log.of("even").length, log.rows.length);
    log.add([{ ...row(1001), raw: "x".repeat(KEPT * 3) }]);
    equal(log.find(1001).raw.length, KEPT);
    ok(log.find(1001).cut);
});

test("a place in sorted rows is found for numbers that are not there, too", () => {
    deepEqual([1, 3, 4, 9].map((n) => place([row(3), row(5)], n)), [0, 0, 1, 2]);
});

test("noise is hidden and counted", () => {
    const lines = new Lines({ hide: ["Heartbeats", "Control frames"] }).push([
        { n: 1, kind: "ws", type: "HEARTBEAT" }, { n: 2, kind: "control", type: "PING" }, { n: 3, kind: "control", type: "CLOSE" }, { n: 4, kind: "ws", type: "USER_MESSAGE" },
    ]);
    deepEqual(lines.lines.map(({ n }) => n), [3, 4]);
    deepEqual(lines.hidden, { Heartbeats: 1, "Control frames": 1 });
});

test("what a client said stays one word of a command", () => {
    equal(curlOf("faults", { name: "it's" }, "http://h"), `curl -s http://h/_mock/faults -H 'Content-Type: application/json' -d '{"name":"it'\\''s"}'`);
});

test("a filter within a session cannot take the session in, and its mistake is told where it was typed", () => {
    const full = words.within("abc", '"order 42');
    equal(full, 'session:"abc" "order 42');
    equal(words.within(undefined, "dir:in"), "dir:in");
    const told = (n) => `filter, character ${n}: the quote is not closed; fix: write it again`;
    equal(words.mistake(told(full.indexOf('"order') + 1), "abc"), told(1));
    equal(words.mistake(told(4)), told(4));
});

test("a frame that a person dropped leads to the person, and to no fault", () => {
    const dropped = { ...row(9), dir: "int", kind: "fault", type: "dropped USER_MESSAGE", by: "Marta" };
    deepEqual(causes(dropped, []).map(({ kind }) => kind), ["person"]);
    deepEqual(causes({ ...dropped, by: undefined }, []).map(({ kind }) => kind), ["fault"]);
});

test("the chunks of a message become one line, and all of them when it is open", () => {
    const talk = of(booking), chunks = talk.filter((r) => r.type === "POLY_AGENT_MESSAGE_CHUNK");
    const shut = new Lines({ joinChunks: true }).push(talk);
    const messages = new Set(chunks.map((r) => r.corr));
    equal(shut.lines.filter((line) => line.chunks).length, messages.size);
    equal(shut.lines.length, talk.length - chunks.length + messages.size);
    const one = shut.lines.find((line) => line.chunks?.length > 2);
    const open = new Lines({ joinChunks: true, open: new Set([one.key]) }).push(talk);
    equal(open.lines.length, shut.lines.length + one.chunks.length);
});

test("each frame of a talk leads to its cause, and each cause to its frames", () => {
    const talk = of(booking);
    for (const row of talk) {
        const found = causes(row, talk);
        ok(found.length, `row ${row.n}`);
        if (row.dir !== "in") ok(found.some(({ kind }) => kind !== "script"), `row ${row.n} ${row.type} says only: ${found[0].text}`);
        if (row.rule && row.kind !== "rule") {
            const rule = found.find(({ kind }) => kind === "rule");
            match(rule.place, /^booking\.json5:\d+$/);
            ok(effects(talk.find(({ n }) => n === rule.row), talk).includes(row.n), `the rule row leads to row ${row.n}`);
        }
    }
    const asked = talk.find((r) => r.dir === "in" && r.type === "USER_MESSAGE");
    const caused = effects(asked, talk).map((n) => talk.find((r) => r.n === n).type);
    deepEqual(caused, ["USER_MESSAGE", "book", "POLY_AGENT_THINKING", "POLY_AGENT_MESSAGE_CHUNK", "POLY_AGENT_MESSAGE_CHUNK"]);
    const end = talk.find((r) => r.type === "SESSION_END");
    equal(causes(end, talk)[0].rule, "yes");
    const close = { n: end.n + 1, dir: "out", kind: "control", type: "CLOSE 1000", socket: end.socket };
    equal(causes(close, [...talk, close])[0].row, end.n);
    equal(causes({ ...close, socket: end.socket + 1 }, talk)[0].kind, "script");
});

test("a reply leads to the performance of its rule that the same message began", () => {
    const rule = (n, cause) => ({ n, dir: "int", kind: "rule", type: "book", rule: "book", cause });
    const talk = [{ n: 1, dir: "in", type: "USER_MESSAGE" }, rule(2, 1), { n: 3, dir: "in", type: "USER_MESSAGE" }, rule(4, 3), { n: 5, dir: "out", kind: "ws", type: "POLY_AGENT_MESSAGE", rule: "book", cause: 1 }];
    deepEqual(causes(talk[4], talk).map(({ row }) => row), [2, 1]);
});

test("persons, timers, rules and faults are told as the server tells them", () => {
    const [sent] = causes({ n: 9, dir: "out", kind: "ws", type: "SESSION_END", by: "Marta", raw: "{}" }, []);
    deepEqual([sent.kind, sent.by], ["person", "Marta"]);
    const timed = causes({ n: 9, dir: "out", kind: "ws", type: "SESSION_END", timer: "idle timeout", raw: "{}" }, []);
    deepEqual(timed.map(({ kind }) => kind), ["timer"]);
    const ruled = causes({ n: 9, dir: "out", kind: "ws", type: "POLY_AGENT_MESSAGE", rule: "r", place: "f.json5:3", cause: 4, raw: "{}" }, []);
    deepEqual(ruled.map(({ kind, place, row }) => [kind, place, row]), [["rule", "f.json5:3", undefined], ["frame", undefined, 4]]);
    const fired = causes({ n: 9, dir: "out", kind: "ws", type: "POLY_AGENT_MESSAGE", fault: "tunnel", raw: "{}" }, []);
    equal(fired[0].fault, "tunnel");
});

test("violations stand at the frames that broke the protocol rule", () => {
    const talk = of(breaker), found = violations(talk);
    deepEqual([...found].map(([n, protocolRules]) => [talk.find((r) => r.n === n).type, protocolRules[0].type]),
        [["REQUEST_POLY_AGENT_JOIN", "join-once"], ["EVENT_TYPE_NONSENSE", "known-types"], ["unreadable", "readable-messages"]]);
});

test("rows that belong together are told by correlation and cause", () => {
    const talk = of(booking), echo = talk.find((r) => r.dir === "out" && r.type === "USER_MESSAGE");
    deepEqual(related(echo, talk).map((n) => talk.find((r) => r.n === n).type), ["USER_MESSAGE", "USER_MESSAGE", "book", "POLY_AGENT_THINKING", "POLY_AGENT_MESSAGE_CHUNK", "POLY_AGENT_MESSAGE_CHUNK"]);
    deepEqual(related({ n: 2, cause: 1 }, [{ n: 1 }, { n: 2, cause: 1 }, { n: 3, cause: 1 }, { n: 4 }]), [1, 2, 3]);
});

test("times, lengths and sizes read well", () => {
    equal(words.timeOfDay("2026-11-22T21:54:41.490545374Z"), "21:54:41.490");
    equal(words.timeOfDay("2026-11-22T21:54:41Z"), "21:54:41.000");
    ok(Math.abs(words.millis("2026-11-22T21:54:41.490545374Z") - words.millis("2026-11-22T21:54:41.490Z") - 0.545374) < 0.001);
    deepEqual([0, 0.44, 600, 1500, 61_000, 7_260_000].map(words.length), ["0 ms", "0.4 ms", "600 ms", "1.50 s", "1 min 1 s", "2 h 1 min"]);
    deepEqual(["800ms", "1.5s", "5m", "1h", "5"].map(words.parseLength), [800, 1500, 300_000, 3_600_000, NaN]);
    deepEqual([12, 2048, 1_500_000].map(words.size), ["12 B", "2.0 KB", "1.4 MB"]);
    equal(words.short("63c55c08-add4-4177-bc90-56fdef3e56da"), "63c5…ef3e56da");
});

test("the summary is what matters in a row", () => {
    const all = Object.fromEntries(of(booking).map((r) => [`${r.dir} ${r.type}`, words.summary(r)]));
    equal(all["in USER_MESSAGE"], "yes");
    match(all["out EVENT_BATCH"], /^SESSION_START/);
    equal(all["out POLY_AGENT_JOINED"], "Lucia");
    equal(all["out SESSION_END"], "natural end");
    match(all["in GET /ws"], /session_id=/);
    equal(words.summary({ kind: "ws", raw: JSON.stringify({ payload: { text: "a\n b".repeat(100) } }) }).length, 81);
    equal(words.summary({ kind: "ws", raw: '{"payload":' }), '{"payload":');
    equal(words.summary({ kind: "ws", raw: '{"payload":{"change":{"deleted":true}}}' }), '{"deleted":true}');
});

test("what cannot be seen is shown by its number", () => {
    deepEqual(words.visible("a\u202Eb\u0000"), ["a", { mark: "U+202E" }, "b", { mark: "U+0000" }]);
    deepEqual(words.visible("tab\tand\nline"), ["tab\tand\nline"]);
});

test("paths are those that filters read", () => {
    equal(words.path(["payload", "events", 0, "odd name"]), '$.payload.events[0]["odd name"]');
});

test("differences are lines that go and lines that come", () => {
    deepEqual(words.diff("a\nb\nc", "a\nx\nc"), [[" ", "a"], ["-", "b"], ["+", "x"], [" ", "c"]]);
    deepEqual(words.diff("", ""), [[" ", ""]]);
    const [before, after] = [Array.from({ length: 2000 }, (_, n) => `a${n}`), Array.from({ length: 2000 }, (_, n) => `b${n}`)];
    equal(words.diff(before.join("\n"), after.join("\n")).length, 4000);
});

test("commands carry no token of a row, and ask for one first", () => {
    const request = of(booking).find((r) => r.type === "POST /api/v1/sessions" && r.dir === "in");
    const command = curl(request, "http://localhost", { scenario: "mock:booking@seed=7", fixture: "booking" });
    match(command, /^TOKEN=\$\(curl .*X-Token: mock:booking@seed=7/);
    match(command, /\/api\/v1\/sessions' -X 'POST' -H "Authorization: Bearer \$TOKEN"/);
    ok(!command.includes("***"));
    const odd = curl({ ...request, raw: request.raw.replace(/^POST/, "X&id&`id`'") }, "http://localhost");
    ok(odd.includes(`-X 'X&id&\`id\`'\\''' `), odd);
    match(curl(of(booking).find((r) => r.kind === "ws"), "http://localhost"), /wscat -c "ws:\/\/localhost\/ws\?session_id=/);
});

test("a rule, a fixture and a test are made from what was said", () => {
    const talk = of(booking), said = talk.find((r) => r.rule === "book" && r.type.endsWith("CHUNK"));
    deepEqual(exchange(said, talk), { text: "a table please", replies: [{ text: "With pleasure. For how many people?", suggest: ["2", "4", "6"] }] });
    match(fixtureRule(said, talk), /hears: "a table please",\n {2}replies: \[\n {4}\{ say: "With pleasure\. For how many people\?", suggest: \["2", "4", "6"\] \}/);
    equal(fixtureRule(talk[0], talk), null);
    const text = fixture("copy", talk);
    match(text, /greeting: \[ \{ say: "Buongiorno!/);
    equal(text.match(/exactly:/g).length, talk.filter((r) => r.dir === "in" && r.type === "USER_MESSAGE").length);
    match(swiftTest(said, talk, { fixture: "booking", seed: "7" }), /@Suite\(\.mock\("booking"\)\)[\s\S]*say\("a table please"\)/);
});

test("braces, and messages without a word, make no mistakes in what is made of them", () => {
    const said = (n, dir, type, payload) => ({ ...row(n), dir, type, raw: JSON.stringify({ payload }) });
    const talk = [
        said(1, "in", "USER_MESSAGE", { text: "what is {this}?" }),
        said(2, "out", "POLY_AGENT_MESSAGE", { message_id: "m", text: "a {gap}", response_suggestions: [{ message_text: "{x}" }] }),
        said(3, "in", "USER_MESSAGE", { text: "*?" }),
    ];
    equal(heard("what is {this}?"), '"what is {{this}}?"');
    match(fixtureRule(talk[0], talk), /^\{ hears: "what is \{\{this\}\}\?",\n[^]*\{ say: "a \{\{gap\}\}", suggest: \["\{\{x\}\}"\] \}/);
    ok(fixture("copy", talk).includes('hears: { exactly: "what is {{this}}?" }'));
    ok(fixture("copy", talk).includes(String.raw`hears: { regex: "^\\s*\\*\\?\\s*$" }`));
});

test("a histogram counts each value once, limits included, and shares are those of the sorted values", async () => {
    const { histogram, limits, percentile } = await import(new URL("metrics.js", inspect));
    const values = [0, 1, 1.5, 2, 5000, 5001, 90_000];
    const counts = histogram(values);
    equal(counts.length, limits.length + 1);
    equal(counts.reduce((sum, n) => sum + n), values.length);
    deepEqual([counts[0], counts[1], counts.at(-2), counts.at(-1)], [2, 2, 1, 2]);
    deepEqual([0.5, 0.9, 0.99].map((share) => percentile(values, share)), [2, 90_000, 90_000]);
    equal(percentile([], 0.5), null);
});

test("the gaps of a canned reply are filled with what is known, and the others stay to be seen", () => {
    equal(words.filled("Hello, {liveAgent.name} here. A table for {people}?", { "liveAgent.name": "Sam", people: null }), "Hello, Sam here. A table for {people}?");
    equal(words.filled("{a}{a} { b } {", { a: 0 }), "00 { b } {");
});

test("what an effect takes, in the server's words, becomes an input", async () => {
    const { inputOf } = await import(new URL("faults.js", inspect));
    deepEqual(inputOf("event"), { kind: "fixed", value: "event" });
    deepEqual(inputOf("fails, times out"), { kind: "choice", options: ["fails", "times out"] });
    equal(inputOf("1000–1003, 1007–1014").kind, "number");
    deepEqual(inputOf("400–599, with it retryAfter and type"), { kind: "number", hint: "400–599" });
    deepEqual(inputOf("a length of time, forever"), { kind: "text", hint: "500ms, 2s, 5m, forever" });
});

test("a fixture's fault takes the place of the preset with its name", async () => {
    const { offered } = await import(new URL("faults.js", inspect));
    deepEqual(offered(["tunnel", "lift"], [{ name: "tunnel" }, { name: "cut" }]), ["lift"]);
    deepEqual(offered(["tunnel", "lift"], []), ["tunnel", "lift"]);
});

test("an advance of the clock tells which open sessions it ends, each once", async () => {
    const { ends } = await import(new URL("clock.js", inspect));
    const timer = (name, session, due) => ({ name, session, due });
    const timers = [timer("idle timeout", "a", "2026-01-15T09:30:10.000Z"), timer("idle timeout", "b", "2026-01-15T09:31:00.000Z"), timer("session cleanup", "c", "2026-01-15T09:30:01.000Z")];
    deepEqual([...ends(timers, Date.parse("2026-01-15T09:30:00Z"), 10_000)], ["a"]);
});

test("the terminal chat is called by its name, other clients by platform and library", async () => {
    const { deviceOf } = await import(new URL("sessions.js", inspect));
    equal(deviceOf({ platform: "ios", userAgent: "PolyMessaging-Linux/0.1.0 (Linux; 6.18.44) polymock" }), "polymock chat · Linux");
    equal(deviceOf({ platform: "ios", userAgent: "PolyMessaging-iOS/0.1.0 (iOS; 18)" }), "ios · PolyMessaging-iOS");
    equal(deviceOf({ platform: "web", userAgent: null }), "web");
});

test("a reply streams from its first frame to the last; other frames have no span", async () => {
    const { Spans } = await import(new URL("log.js", inspect));
    const chunk = (n, lat, more) => ({ n, lat, dir: "out", socket: 1, corr: "m", type: "POLY_AGENT_MESSAGE_CHUNK", ...more });
    const spans = new Spans().push([chunk(1, 600), chunk(2, 700), chunk(3, 900), chunk(4, 50, { corr: "o" }), chunk(5, 2, { type: "HEARTBEAT", corr: "h" })]);
    deepEqual(spans.of(chunk(3, 900)), { from: 600, to: 900 });
    deepEqual(spans.of(chunk(4, 50, { corr: "o" })), { from: 50, to: 50 });
    equal(spans.of(chunk(5, 2, { corr: "h" })), undefined);
    equal(spans.longest, 900);
});
