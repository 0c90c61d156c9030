// Runs as trees, talks side by side, and the tools at work, without a page.
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

const web = new URL("../../../../Server/Pages/web/", import.meta.url);
const { guess, sideBySide, tree } = await import(new URL("inspect/runtree.js", web));
globalThis.document = {};
const { atWork } = await import(new URL("chat/runs.js", web));

/** A run of these events, 10 ms between two of them. */
const run = (...events) => ({ number: 1, entries: events.map((event, at) => ({ n: at + 1, time: new Date(at * 10).toISOString(), ...event })) });
const brief = ({ kind, title, children }) => [kind, title, ...children.map(brief)];
const call = (id, name, more) => ({ kind: "callStarted", id, name, ...more });

test("a run is a tree: what happens in a step stands below it", () => {
	const root = tree(run(
		{ kind: "started" }, { kind: "stepStarted", name: "look-up" }, call("a", "get_weather", { title: "Weather" }), { kind: "callDelta", id: "a", text: '{"city":' },
		{ kind: "callDelta", id: "a", text: '"Leeds"}' }, { kind: "callEnded", id: "a" }, { kind: "callResult", id: "a", value: { sky: "overcast" }, hasFailed: false },
		{ kind: "stepFinished", name: "look-up" }, { kind: "textStarted", id: "m", role: "assistant" }, { kind: "textDelta", id: "m", text: "Over" },
		{ kind: "textDelta", id: "m", text: "cast." }, { kind: "textEnded", id: "m" }, { kind: "finished", outcome: "done" }));
	deepEqual(brief(root), ["run", "Run 1", ["step", "look-up", ["call", "Weather"]], ["text", "assistant"]]);
	const [step, text] = root.children, [weather] = step.children;
	deepEqual([weather.args, weather.value, weather.state], ['{"city":"Leeds"}', { sky: "overcast" }, "done"]);
	deepEqual([weather.from, weather.to, step.from, step.to, root.from, root.to], [20, 60, 10, 70, 0, 120]);
	deepEqual([text.value, text.entries, root.state], ["Overcast.", [9, 10, 11, 12], "done"]);
});

test("steps may overlap, and each keeps its own end", () => {
	const root = tree(run({ kind: "started" }, { kind: "stepStarted", name: "a" }, { kind: "stepStarted", name: "b" }, { kind: "stepFinished", name: "a" }, { kind: "state", value: 1 }, { kind: "stepFinished", name: "b" }));
	deepEqual(brief(root), ["run", "Run 1", ["step", "a", ["step", "b", ["state", "State"]]]]);
	deepEqual([root.children[0].to, root.children[0].children[0].to, root.state], [30, 50, "running"]);
});

test("what a subagent tells is inside of it, also where two have one name", () => {
	const begin = (id) => ({ kind: "subagentStarted", id, name: "clerk" }), end = (id) => ({ kind: "subagentEnded", id });
	const root = tree(run({ kind: "started" }, begin("x"), begin("y"), { kind: "stateTarget", value: 1 }, end("x"), end("y")));
	deepEqual(brief(root), ["run", "Run 1", ["step", "clerk", ["step", "clerk", ["state", "State"]]]]);
	deepEqual([root.children[0].to, root.children[0].children[0].to], [40, 50]);
});

test("a call without a result works while the run goes on, waits when it is over, and may fail", () => {
	const state = (...more) => tree(run({ kind: "started" }, call("a", "pick_date"), ...more)).children[0].state;
	equal(state(), "working");
	equal(state({ kind: "finished", outcome: "done", pending: ["a"] }), "waits");
	equal(state({ kind: "callResult", id: "a", value: "no", hasFailed: true }), "failed");
});

test("what is asked, failures and results stand at the end", () => {
	const asks = [{ ask: "ask_1", name: "refund", text: "Pay back?" }];
	deepEqual(brief(tree(run({ kind: "started" }, { kind: "finished", outcome: "asks", asks, value: { a: 1 } }))), ["run", "Run 1", ["ask", "Pay back?"], ["result", "Result"]]);
	deepEqual(brief(tree(run({ kind: "started" }, { kind: "failed", text: "It broke.", code: "x" }))), ["run", "Run 1", ["failed", "It broke."]]);
});

test("reasoning is one node however many texts it has; a patch says what it changes", () => {
	const root = tree(run(
		{ kind: "started" }, { kind: "reasoningStarted", id: "rs" }, { kind: "reasoningTextStarted", id: "r1" }, { kind: "reasoningDelta", id: "r1", text: "Hm" }, { kind: "reasoningTextEnded", id: "r1" },
		{ kind: "reasoningTextStarted", id: "r2" }, { kind: "reasoningDelta", id: "r2", text: "m." }, { kind: "reasoningTextEnded", id: "r2" }, { kind: "reasoningEnded", id: "rs" },
		{ kind: "stateChanged", value: [{ op: "replace", path: "/a" }] }, { kind: "custom", name: "mock.note", value: 1 }));
	deepEqual(brief(root), ["run", "Run 1", ["reasoning", "Reasoning"], ["state", "replace /a"], ["other", "custom mock.note"]]);
	deepEqual([root.children[0].value, root.children[0].entries], ["Hmm.", [2, 3, 4, 5, 6, 7, 8, 9]]);
});

test("side by side, pieces of one text are one row, whatever pieces come between them", () => {
	const time = "2026-01-15T09:30:00.000Z", piece = (text) => ({ time, kind: "agentChunk", message: "m", text, sent: { poly: [{ type: "CHUNK", text }], "ag-ui": [] } });
	const delta = (text) => ({ time, kind: "textDelta", id: "m", text, run: 1, sent: { poly: [], "ag-ui": [{ type: "CONTENT", text }] } });
	const rows = sideBySide([piece("a"), delta("a"), piece("b"), delta("b"), { time, kind: "textEnded", id: "m", run: 1, sent: { poly: [], "ag-ui": [{ type: "END", text: "e" }] } }, piece("c")]);
	deepEqual(rows.map(({ kind, count, text }) => [kind, count, text]), [["agentChunk", 2, "ab"], ["textDelta", 2, "ab"], ["textEnded", 1, ""], ["agentChunk", 1, "c"]]);
	deepEqual(rows[1].sent, { poly: [], "ag-ui": [{ type: "CONTENT", texts: ["a", "b"] }] });
});

test("a schema tells what an answer may look like", () => {
	deepEqual(guess({ type: "object", properties: { approved: { type: "boolean" }, day: { enum: ["Mon", "Tue"] }, note: { type: "string" } } }), { approved: true, day: "Mon", note: "" });
	equal(guess(undefined), null);
});

test("the tools at work are those of the last run without a result, by what people read", () => {
	const runs = (...entries) => ({ runs: [{ entries: [call("old", "lost")] }, { entries }] });
	equal(atWork(runs(call("a", "get_weather", { title: "Weather", label: "Checking the weather" }), call("b", "get_tide", { title: "Tides" }))), "Checking the weather, Tides");
	equal(atWork(runs(call("a", "get_weather"), call("b", "get_tide"), { kind: "callResult", id: "a" })), "get_tide");
	equal(atWork(runs(call("a", "pick_date"), { kind: "finished" })), "");
	equal(atWork({ runs: [] }), "");
});
