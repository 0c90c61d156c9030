import Expectations
import FixtureTools
import Fixtures
import MockServer
import Testing

@testable import MockKit

/// The folder of the recorded runs that the repository has.
private let examples =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    .joined(separator: "/") + "/Data/ag-ui/"

@Suite("Recording runs", .timeLimit(.minutes(5)))
struct RunRecorderTests {
    /// Of the examples without a fault, those that a fixture cannot tell, and why.
    private static let others: [String: String] = [
        "11-run-error-first": "line 1 was {\"code\":\"agent_unavailable\""
    ]
    static let names = [
        "01-text-only", "02-backend-tool", "03-sequential-tools", "04-parallel-tools",
        "05-text-and-tool-interleaved", "06-reasoning", "07-steps-and-state", "08-activity",
        "09-tool-failure",
        "10-run-error", "11-run-error-first", "12a-frontend-tool", "12b-frontend-tool",
        "12c-frontend-tool-declined", "13a-interrupt", "13b-resume", "13c-resume-cancelled", "14-chunks",
        "15-replay-snapshot", "16-custom-and-raw", "17-metadata-and-usage", "18-two-runs", "19-unicode",
        "20-timestamps-and-input-echo", "v1-01-declared-version", "v1-02-pending-frontend-calls",
        "v1-03-cancelled", "v1-04-tool-result-parts", "v1-05-subagent", "legacy-01-thinking",
    ]

    private func fixture(_ answer: String) -> CompiledFixture {
        FixtureLoader.compile(bytes: Array(answer.utf8), fileName: "r.json5", name: "r").rehearsed()
    }

    @Test("A recorded run becomes a fixture that lints clean and tells it again", arguments: names)
    func tells(_ name: String) async {
        let answer = await RunRecorder(.file(examples + name + ".jsonl")).run()
        let last = answer.talk.last ?? ""
        if let why = Self.others[name] {
            #expect(answer.code == 1 && last.contains(why), "\(last)")
        } else {
            expectEqual(answer.code, 0, "\(last)")
            expectEqual(fixture(answer.lines.joined(separator: "\n")).findings.map(\.description), [])
        }
    }

    @Test(
        "What breaks the order is written out as a fault and told as it stands",
        arguments: [
            "invalid-02-content-without-start", "invalid-04-duplicate-start", "invalid-06-args-without-start",
            "invalid-09-tool-open-at-finish", "invalid-11-step-finish-without-start",
            "invalid-14-event-after-finish", "invalid-15-event-after-error",
            "invalid-16-first-chunk-without-id", "invalid-20-reasoning-content-without-start",
        ] as [String])
    func faults(_ name: String) async {
        let answer = await RunRecorder(.file(examples + name + ".jsonl")).run()
        expectEqual(answer.code, 0, "\(answer.talk)")
        #expect(answer.lines.joined().contains("unchecked: true"))
        let made = fixture(answer.lines.joined(separator: "\n"))
        expectEqual(made.findings.filter { $0.code == .runOrder }.map(\.description), [])
    }

    @Test("What the end brings along behind a call of the client is told there again")
    func broughtBehindCall() async throws {
        let usage = #""usage":[{"provider":"p","model":"m","inputTokens":1,"outputTokens":2}]"#
        let lines = run(
            #"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"pick","parentMessageId":"m"}"#,
            #"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"}"#,
            #"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
            #"{"type":"RUN_FINISHED","threadId":"t","runId":"r",\#(usage)}"#)
        let (recording, made) = try made(lines)
        expectEqual(errors(made.text), [], "\(made.text)")
        await expectEqual(RunDryRun(recording: recording, fixture: made).difference(), nil, "\(made.text)")
    }

    @Test("Pieces of one moment that arrived a little apart are one moment; what came later came later")
    func arrivals() throws {
        let lines = run(
            #"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Tea."}"#,
            #"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#, Self.end
        ).map { "data: " + $0 + "\n\n" }
        let start = Instant(secondsSince1970: 1_790_000_000)
        func text(_ gaps: [Int64]) throws -> String {
            var (bytes, arrivals, time): ([UInt8], [RunRecording.Arrival], Instant) = ([], [], start)
            for (line, gap) in zip(lines, gaps) {
                bytes += line.utf8
                time = time + .milliseconds(gap)
                arrivals.append(.init(byteCount: bytes.count, time: time))
            }
            let recording = try RunRecording(bytes, arrivals: arrivals)
            return RecordedFixture(recording, name: "Mine", source: "here", said: nil).text
        }
        #expect(try !text([0, 1, 1, 1, 1]).contains("wait:"))
        #expect(try !text([0, 4, 0, 0, 0]).contains("wait:"))
        #expect(try text([0, 5, 0, 0, 0]).contains("wait: \"5ms\""))
        #expect(try text([0, 80, 1, 1, 1]).contains("wait: \"80ms\""))
    }

    @Test("Texts are joined, tools declared, and pauses taken from stamps")
    func shape() async throws {
        let lines = [
            #"{"type":"RUN_STARTED","threadId":"t","runId":"r","timestamp":1000}"#,
            #"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"look","parentMessageId":"m","timestamp":1200,"metadata":{"mock.displayName":"Look"}}"#,
            #"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"a\":1}","timestamp":1200}"#,
            #"{"type":"TOOL_CALL_END","toolCallId":"c","timestamp":1200}"#,
            #"{"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"x","content":"{\"b\":\"{2}\"}","role":"tool","timestamp":1700}"#,
            #"{"type":"TEXT_MESSAGE_START","messageId":"m2","role":"assistant","timestamp":1700}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m2","delta":"One {two} ","timestamp":1750}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m2","delta":"three four ","timestamp":1790}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m2","delta":"five.","timestamp":1830}"#,
            #"{"type":"TEXT_MESSAGE_END","messageId":"m2","timestamp":1830}"#,
            #"{"type":"RUN_FINISHED","threadId":"t","runId":"r","timestamp":1830}"#,
        ]
        let recording = try RunRecording(Array(lines.joined(separator: "\n").utf8))
        let made = RecordedFixture(recording, name: "Mine", source: "here", said: "look it up")
        expectEqual(
            made.text,
            """
            {
              fixture: 1,
              name: "Mine",
              about: "1 run with 11 events, recorded from here.",
              pace: "recorded",
              paces: { recorded: { think: "0s", chunk: "whole", every: "40ms" } },
              runs: { stamps: true },
              tools: { look: { title: "Look" } },
              anywhere: [
                {
                  name: "recorded",
                  hears: "look it up",
                  replies: [
                    { wait: "200ms" },
                    { tool: "look", with: { a: 1 }, gives: { b: "{{2}}" }, takes: "500ms" },
                    { wait: "50ms" },
                    { say: "One {{two}} three four five.", chunks: "2 words" },
                  ],
                },
              ],
              examples: [
                { name: "As recorded", talk: ["user: look it up", "tool: look", "agent: One {two} three four five."] },
              ],
            }

            """)
        await expectEqual(RunDryRun(recording: recording, fixture: made).difference(), nil)
    }

    @Test("A tool takes the time from its call's end to its result, and none where that is the same moment")
    func takes() async throws {
        func made(_ result: Int) throws -> String {
            let lines = run(
                #"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"look","timestamp":1200}"#,
                #"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}","timestamp":1200}"#,
                #"{"type":"TOOL_CALL_END","toolCallId":"c","timestamp":1200}"#,
                #"{"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"x","content":"{}","role":"tool","timestamp":\#(result)}"#,
                Self.end)
            return try self.made(lines).1.text
        }
        #expect(try !made(1_200).contains("takes"))
        #expect(try made(1_201).contains(#"takes: "1ms""#))
        #expect(try made(1_499).contains(#"takes: "300ms""#))
        #expect(try made(2_434).contains(#"takes: "1.2s""#))
    }

    /// A recording of one run of the thread `t`, told one event after the other.
    private func run(_ events: String...) -> [String] {
        [#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#] + events
    }

    private static let end = #"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#

    private func made(_ lines: [String], said: String? = nil) throws -> (RunRecording, RecordedFixture) {
        let recording = try RunRecording(Array(lines.joined(separator: "\n").utf8))
        return (recording, RecordedFixture(recording, name: "Mine", source: "here", said: said))
    }

    @Test(
        "What is strange in a recording loads, and is told again",
        arguments: [
            // A tool whose name has blanks and quotes, and one whose name is the beginning of it.
            [
                #"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"weird name \"q\""}"#,
                #"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
                #"{"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"x","content":"1","role":"tool"}"#,
                #"{"type":"TOOL_CALL_START","toolCallId":"d","toolCallName":"weird"}"#,
                #"{"type":"TOOL_CALL_END","toolCallId":"d"}"#,
                #"{"type":"TOOL_CALL_RESULT","toolCallId":"d","messageId":"y","content":"2","role":"tool"}"#,
                #"{"type":"TOOL_CALL_START","toolCallId":"e","toolCallName":" edge "}"#,
                #"{"type":"TOOL_CALL_END","toolCallId":"e"}"#,
                #"{"type":"TOOL_CALL_RESULT","toolCallId":"e","messageId":"z","content":"3","role":"tool"}"#,
                end,
            ],
            // Failures without words.
            [#"{"type":"RUN_ERROR","message":""}"#], [#"{"type":"RUN_ERROR","message":" "}"#],
            // What a line of an example would take for something else.
            [
                #"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
                #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"exactly: "}"#,
                #"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#, end,
            ],
            // Questions without words, and without the messages before them.
            [
                #"{"type":"MESSAGES_SNAPSHOT","messages":[]}"#,
                #"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"confirmation"}]}}"#,
            ],
            [
                #"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"confirmation","message":"Sure?"}]}}"#
            ],
        ] as [[String]])
    func strange(_ events: [String]) async throws {
        let (recording, made) = try made(run() + events)
        expectEqual(errors(made.text), [], "\(made.text)")
        await expectEqual(RunDryRun(recording: recording, fixture: made).difference(), nil, "\(made.text)")
    }

    @Test(
        "What a step may not have is written out as an event, and loads",
        arguments: [
            [#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"a","value":1}]}"#, end],
            [#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a","why":"so"}]}"#, end],
            [
                #"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"look"}"#,
                #"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
                #"{"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"x","role":"tool","content":[{"type":"text","text":"a","size":1}]}"#,
                end,
            ],
            [#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage":[{"model":"m","price":3}]}"#],
            [#"{"type":"RUN_ERROR","message":"Out.","usage":[{"model":null}]}"#],
        ] as [[String]])
    func unknownParts(_ events: [String]) throws {
        let text = try made(run() + events).1.text
        #expect(errors(text) == [] && text.contains("event: {"), "\(text)")
    }

    /// Findings that keep the fixture from loading.
    private func errors(_ text: String) -> [String] {
        fixture(text).findings.filter { $0.severity == .error }.map(\.description)
    }

    @Test("What comes after more than a day comes after one")
    func days() throws {
        let pieces = run(
            #"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant","timestamp":1000}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"One ","timestamp":1000}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"two.","timestamp":200001000}"#,
            #"{"type":"TEXT_MESSAGE_END","messageId":"m","timestamp":200001000}"#, Self.end)
        let text = try made(pieces).1.text
        #expect(errors(text) == [] && text.contains(#"every: "24h""#), "\(text)")
        let call = run(
            #"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"slow","timestamp":1000}"#,
            #"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"a\":","timestamp":1000}"#,
            #"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"1}","timestamp":200001000}"#,
            #"{"type":"TOOL_CALL_END","toolCallId":"c","timestamp":200001000}"#,
            #"{"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"x","content":"1","role":"tool","timestamp":400001000}"#,
            #"{"type":"STATE_SNAPSHOT","snapshot":1,"timestamp":600001000}"#, Self.end)
        let called = try made(call).1.text
        expectEqual(errors(called), [], "\(called)")
        for name in ["every", "takes", "wait"] { #expect(called.contains(#"\#(name): "24h""#), "\(called)") }
    }

    @Test("A user who says nothing is heard nevertheless")
    func silence() throws {
        let (_, made) = try made(run(Self.end), said: " ")
        expectEqual(made.says, ["Hello"])
        expectEqual(errors(made.text), [])
    }

    @Test("An answer is waited for in whole seconds, whatever the way here took")
    func patience() throws {
        func patience(_ stamp: Int64) throws -> String? {
            let lines = run(
                #"{"type":"MESSAGES_SNAPSHOT","messages":[]}"#,
                #"{"type":"RUN_FINISHED","threadId":"t","runId":"r","timestamp":\#(stamp),"outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"confirmation","message":"Sure?","expiresAt":"1970-01-01T01:00:00.0000042Z"}]}}"#
            )
            let text = try made(lines).1.text
            expectEqual(fixture(text).findings.map(\.description), [], "\(text)")
            return text.split(separator: "\"").drop { !$0.hasSuffix("expires: ") }.dropFirst().first.map(
                String.init)
        }
        try expectEqual(patience(0), "1h")
        try expectEqual(patience(499), "1h")
        try expectEqual(patience(501), "3599s")
        try expectEqual(patience(3_599_900), "1s")
        try expectEqual(patience(9_999_999), "1s")
        try expectEqual(patience(-999_999_999), "24h")
    }

    @Test("Event-stream text is read with its comments, its line ends and whatever breaks off")
    func eventStream() throws {
        let text =
            "HTTP/1.1 200 OK\r\n\r\n: hello\r\n\r\ndata: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\r\n\r\n"
            + "data:{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}"
        let recording = try RunRecording(Array(text.utf8))
        expectEqual(recording.lines.first, #"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#)
        expectEqual(recording.events.map(\.line), [5, 7])
        expectEqual(recording.lines.last, #"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#)
    }

    @Test(
        "A broken recording is told in one sentence with its line",
        arguments: [
            ("", "there is no event in it; JSON lines or event-stream text is wanted"),
            (
                "{\"type\":\"CUSTOM\",\"name\":\"a\",\"value\":1}\n{\"type\":\"CUSTOM\"",
                "line 2: this is no event of AG-UI: "
            ),
            (
                "{\"type\":\"CUSTOM\",\"name\":\"a\",\"value\":1}\n\n{\"type\":\"TEXT_MESSAGE_END\"}",
                "line 3: this is no event of AG-UI: \"messageId\""
            ),
            (
                "data: {\"type\":\"CUSTOM\",\"name\":\"a\",\"value\":1}\n\n\ndata: 7\n\n",
                "line 4: this is no event of AG-UI: "
            ),
        ] as [(String, String)])
    func broken(_ text: String, _ sentence: String) {
        let problem = #expect(throws: RunRecording.Problem.self) { try RunRecording(Array(text.utf8)) }
        expectEqual(problem?.description.hasPrefix(sentence), true, "\(String(describing: problem))")
    }

    @Test("A file that is not there, and an address that is none, are misuse")
    func misuse() async {
        let file = await RunRecorder(.file("/no/such/file.jsonl")).run()
        expectEqual(file.code, 2)
        expectEqual(file.talk, ["polymock: there is no file \"/no/such/file.jsonl\" that can be read"])
        let secure = await RunRecorder(.agent("https://example.com/ag-ui")).run()
        expectEqual(
            secure.talk, ["polymock: https is not spoken here; use http, or a local proxy that encrypts"])
        await expectEqual(RunRecorder(.agent("http://a b/x")).run().code, 2)
    }

    @Test("Rules know the fields of a request")
    func fields() async throws {
        var plan = MockPlan(
            """
            { fixture: 1, pace: "instant", anywhere: [
              { hears: "*", if: { "header.x-tenant": "blue", "run.number": 1 },
                replies: [{ say: "{run.agent} is {header.x-tenant}." }] } ] }
            """)
        plan.time = .real
        let mock = try await Mock.start(plan)
        var recorder = RunRecorder(.agent(mock.server.url + "/ag-ui/inline"))
        recorder.fields = ["X-Tenant: blue"]
        let answer = await recorder.run()
        #expect(answer.lines.joined().contains(#"say: "inline is blue.""#), "\(answer)")
        recorder.fields = ["X-Tenant"]
        await expectEqual(recorder.run().code, 2)
        await mock.stop()
    }

    @Test("What may be a secret is neither told nor written into the fixture, and covered among the words")
    func secrets() async throws {
        var plan = MockPlan("weather")
        plan.time = .real
        plan.pace = "instant"
        let mock = try await Mock.start(plan)
        let address = mock.server.url + "/ag-ui/" + plan.line
        var recorder = RunRecorder(.agent(address + "?token=s3cret"))
        recorder.fields = ["Authorization: Bearer abc"]
        expectEqual(recorder.secrets, [" Bearer abc", "?token=s3cret"])
        let answer = await recorder.run()
        expectEqual(answer.code, 0, "\(answer.talk)")
        #expect(answer.lines.joined().contains("recorded from \(address)."))
        #expect(!(answer.lines + answer.talk).joined().contains("s3cret"), "\(answer)")
        recorder.fields = ["s3cret"]
        expectEqual(recorder.secrets.first, "s3cret")
        await expectEqual(
            recorder.run().talk, ["polymock: a --header has no value; write \"Name: value\""])
        recorder.fields = []
        for wrong in [mock.server.url + "/ag-ui/wether", mock.server.url, "http://a b/x"] {
            recorder.source = .agent(wrong + "?token=s3cret")
            let refused = await recorder.run()
            #expect(refused.code == 2 && refused.talk.joined().contains("s3cret") == false, "\(refused)")
        }
        await mock.stop()
    }

    @Test("An agent is asked for a run, and that is recorded")
    func agent() async throws {
        var plan = MockPlan("weather")
        plan.time = .real
        plan.pace = "instant"
        let mock = try await Mock.start(plan)
        var recorder = RunRecorder(.agent(mock.server.url + "/ag-ui/" + plan.line))
        recorder.says = "weather in Atlantis"
        let answer = await recorder.run()
        expectEqual(answer.code, 0, "\(answer.talk)")
        let text = answer.lines.joined(separator: "\n")
        #expect(text.contains(#"hears: "weather in Atlantis""#))
        #expect(text.contains(#"title: "Weather", label: "Checking the weather""#))
        #expect(text.contains(#"fails: { error: "no_such_city", city: "Atlantis" }"#))
        recorder.source = .agent(mock.server.url + "/ag-ui/wether")
        let refused = await recorder.run()
        #expect(refused.code == 2 && refused.talk.first?.contains("the agent answers 404") == true)
        await mock.stop()
    }
}
