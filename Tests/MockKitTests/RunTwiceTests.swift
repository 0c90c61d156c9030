import Expectations
import FixtureTools
import Fixtures
import Testing

@testable import MockKit

/// Recorded runs whose fixtures must be right from the second run on one thread on.
@Suite("Recorded runs, played twice on one thread", .timeLimit(.minutes(5)))
struct RunTwiceTests {
    private static let start = #"{"type":"RUN_STARTED","threadId":"t","runId":"r1"}"#
    private static let end = #"{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}"#

    private static func text(_ id: String, _ words: String, _ more: String = #","role":"assistant""#)
        -> [String]
    {
        [
            #"{"type":"TEXT_MESSAGE_START","messageId":"\#(id)"\#(more)}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"\#(id)","delta":"\#(words)"}"#,
            #"{"type":"TEXT_MESSAGE_END","messageId":"\#(id)"}"#,
        ]
    }

    private static func call(_ id: String, _ name: String, _ more: String = "") -> [String] {
        [
            #"{"type":"TOOL_CALL_START","toolCallId":"\#(id)","toolCallName":"\#(name)"\#(more)}"#,
            #"{"type":"TOOL_CALL_ARGS","toolCallId":"\#(id)","delta":"{}"}"#,
            #"{"type":"TOOL_CALL_END","toolCallId":"\#(id)"}"#,
        ]
    }

    private static func result(_ call: String, _ id: String, _ more: String = "") -> String {
        #"{"type":"TOOL_CALL_RESULT","messageId":"\#(id)","toolCallId":"\#(call)","content":"x"\#(more)}"#
    }

    private static func thought(_ id: String) -> [String] {
        [
            #"{"type":"REASONING_MESSAGE_START","messageId":"\#(id)","role":"reasoning"}"#,
            #"{"type":"REASONING_MESSAGE_CONTENT","messageId":"\#(id)","delta":"Hm."}"#,
            #"{"type":"REASONING_MESSAGE_END","messageId":"\#(id)"}"#,
        ]
    }

    private static func span(_ id: String, _ inside: [String]) -> [String] {
        [#"{"type":"REASONING_START","messageId":"\#(id)"}"#] + inside
            + [#"{"type":"REASONING_END","messageId":"\#(id)"}"#]
    }

    private static func messages(_ items: String...) -> String {
        #"{"type":"MESSAGES_SNAPSHOT","messages":[\#(items.joined(separator: ","))]}"#
    }

    private static let hello = #"{"id":"user-id-1","role":"user","content":"hello"}"#

    private static func made(_ events: [String]) throws -> (RunRecording, RecordedFixture) {
        let recording = try RunRecording(Array(events.joined(separator: "\n").utf8))
        return (recording, RecordedFixture(recording, name: "Mine", source: "here"))
    }

    private static let runs: [(what: String, events: [String])] = [
        ("no role", text("msg-id-1", "Hi", "")), ("name", text("msg-id-1", "Hi", #","name":"Bob""#)),
        ("metadata", text("msg-id-1", "Hi", #","metadata":{"a":1}"#)),
        ("raw event", text("msg-id-1", "Hi", #","rawEvent":{"chunk":{"id":"msg-id-1"}}"#)),
        ("other role", text("msg-id-1", "Hi", #","role":"system""#)),
        ("text chunk", [#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"msg-id-1","delta":"Hi"}"#]),
        (
            "call chunk",
            [
                #"{"type":"TOOL_CALL_CHUNK","toolCallId":"call-id-1","toolCallName":"look","delta":"{}"}"#,
                result("call-id-1", "msg-id-9"),
            ]
        ),
        ("no span", thought("msg-id-2") + text("msg-id-1", "Hi")),
        (
            "reasoning chunk",
            span("msg-id-2", [#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"msg-id-3","delta":"Hm."}"#])
        ),
        ("span with the text's id", span("msg-id-1", thought("msg-id-2")) + text("msg-id-1", "Hi")),
        ("one id for span and message", span("msg-id-1", thought("msg-id-1"))),
        ("result without role", call("call-id-1", "look") + [result("call-id-1", "msg-id-9")]),
        (
            "two results",
            call("call-id-1", "look") + [result("call-id-1", "msg-id-8"), result("call-id-1", "msg-id-9")]
        ),
        (
            "call inside a text",
            Array(text("msg-id-1", "Hi").prefix(2))
                + call("call-id-1", "look", #","parentMessageId":"msg-id-1""#)
                + Array(text("msg-id-1", "Hi").suffix(1)) + [result("call-id-1", "msg-id-9")]
        ),
        (
            "activity",
            [
                #"{"type":"ACTIVITY_SNAPSHOT","messageId":"act-id-1","activityType":"PLAN","content":{"a":1}}"#,
                #"{"type":"ACTIVITY_DELTA","messageId":"act-id-1","activityType":"PLAN","patch":[{"op":"replace","path":"/a","value":2}]}"#,
            ]
        ),
        (
            "ids in a provider's event before the message",
            [#"{"type":"RAW","event":{"id":"msg-id-1","asked":"user-id-1","text":"{\"id\":\"msg-id-1\"}"}}"#]
                + text("msg-id-1", "Hi")
                + [messages(hello, #"{"id":"msg-id-1","role":"assistant","content":"Hi"}"#)]
        ),
        ("state with the thread's id", [#"{"type":"STATE_SNAPSHOT","snapshot":{"thread_id":"t"}}"#]),
        (
            "snapshot of the thread",
            text("msg-id-1", "Hi")
                + [messages(hello, #"{"id":"msg-id-1","role":"assistant","content":"Hi"}"#)]
        ),
        (
            "snapshot with a message that no event has",
            [messages(hello, #"{"id":"msg-id-1","role":"assistant","content":"Hi"}"#)]
        ),
        (
            "snapshot with other ids",
            text("msg-id-1", "Hi")
                + [messages(hello, #"{"id":"msg-id-4","role":"assistant","content":"Hi"}"#)]
        ),
    ]

    @Test(
        "No id of the recording is in the fixture, and the second run changes nothing",
        arguments: runs.indices)
    func ids(_ number: Int) async throws {
        let (what, events) = Self.runs[number]
        let (recording, made) = try Self.made([Self.start] + events + [Self.end])
        await expectEqual(
            RunDryRun(recording: recording, fixture: made).difference(), nil, "\(what): \(made.text)")
        expectEqual(Self.errors(made.text), [], "\(what): \(made.text)")
        #expect(!made.text.contains("-id-"), "\(what): \(made.text)")
    }

    @Test("What the verbs can say is said with them")
    func verbs() throws {
        for number in [0, 5, 6, 10, 11, 14, 16, 17, 18] {
            let (what, events) = Self.runs[number]
            let text = try Self.made([Self.start] + events + [Self.end]).1.text
            #expect(!text.contains("event: {"), "\(what): \(text)")
        }
    }

    /// Findings that keep the fixture from loading, or from playing its example.
    private static func errors(_ text: String) -> [String] {
        FixtureLoader.compile(bytes: Array(text.utf8), fileName: "r.json5", name: "r").rehearsed().findings
            .filter { $0.severity == .error }.map(\.description)
    }

    private static let success = String(end.dropLast()) + #","outcome":{"type":"success"}}"#
    private static let second = [start.replacing("r1", with: "r2")]
    private static let secondEnd = [end.replacing("r1", with: "r2")]

    private static func question(_ more: String) -> String {
        let interrupt = #"{"id":"ask-id-1","reason":"tool_call"\#(more)}"#
        return String(end.dropLast()) + #","outcome":{"type":"interrupt","interrupts":[\#(interrupt)]}}"#
    }

    private static let continued: [(what: String, first: [String])] = [
        ("explicit success", call("call-id-1", "pick") + [success]),
        ("plain end", call("call-id-1", "pick") + [end]),
        (
            "events after the call",
            call("call-id-1", "pick") + [#"{"type":"STATE_SNAPSHOT","snapshot":{"a":1}}"#, success]
        ),
        (
            "call inside a text, and a snapshot",
            Array(text("msg-id-1", "Hi").prefix(2))
                + call("call-id-1", "pick", #","parentMessageId":"msg-id-1""#)
                + Array(text("msg-id-1", "Hi").suffix(1)) + [
                    messages(
                        hello,
                        #"{"id":"msg-id-1","role":"assistant","content":"Hi","toolCalls":[{"id":"call-id-1","type":"function","function":{"name":"pick","arguments":"{}"}}]}"#
                    ), end,
                ]
        ),
        (
            "call as a chunk",
            [
                #"{"type":"TOOL_CALL_CHUNK","toolCallId":"call-id-1","toolCallName":"pick","delta":"{}"}"#,
                end,
            ]
        ),
        (
            "question about a call",
            call("call-id-1", "pick") + [question(#","message":"Sure?","toolCallId":"call-id-1""#)]
        ),
        (
            "question without words, with metadata",
            call("call-id-1", "pick") + [
                #"{"type":"CUSTOM","name":"approval","value":{"id":"ask-id-1"}}"#,
                question(#","toolCallId":"call-id-1","metadata":{"call_id":"call-id-1"}"#),
            ]
        ),
        ("question without a snapshot", text("msg-id-1", "Hi") + [question(#","message":"Sure?""#)]),
    ]

    @Test("The client's answer gets the recorded run", arguments: continued.indices)
    func continuations(_ number: Int) async throws {
        let (what, first) = Self.continued[number]
        let (recording, made) = try Self.made(
            [Self.start] + first + Self.second + Self.text("msg-id-5", "Done") + Self.secondEnd)
        await expectEqual(
            RunDryRun(recording: recording, fixture: made).difference(), nil, "\(what): \(made.text)")
        expectEqual(Self.errors(made.text), [], "\(what): \(made.text)")
        #expect(!made.text.contains("-id-") && !made.text.contains("turn-2"), "\(what): \(made.text)")
        expectEqual(made.text.contains("ask: {"), what.contains("question"), "\(what): \(made.text)")
    }

    @Test("A later run names what an earlier one has told")
    func references() async throws {
        let known = #"{"id":"msg-id-1","role":"assistant","content":"Hi"}"#
        let (recording, made) = try Self.made(
            [Self.start] + Self.text("msg-id-1", "Hi") + [Self.messages(Self.hello, known), Self.end]
                + Self.second + [
                    #"{"type":"RAW","event":{"messages":["msg-id-1","user-id-1","user-id-2"]}}"#,
                    Self.messages(
                        Self.hello, known, #"{"id":"user-id-2","role":"user","content":"bye"}"#,
                        #"{"id":"msg-id-2","role":"assistant","content":"Bye"}"#),
                ] + Self.secondEnd)
        await expectEqual(RunDryRun(recording: recording, fixture: made).difference(), nil, "\(made.text)")
        #expect(made.text.contains("{run1}-1") && made.text.contains("{message1}"), "\(made.text)")
        expectEqual(made.says, ["hello", "bye"])
    }

    @Test("A recording that begins in the middle of its thread has the fixture begin there")
    func middle() async throws {
        let (recording, made) = try Self.made(
            [Self.start] + Self.text("msg-id-3", "Bye") + [
                Self.messages(
                    Self.hello, #"{"id":"msg-id-1","role":"assistant","content":"Hi"}"#,
                    #"{"id":"user-id-2","role":"user","content":"bye"}"#,
                    #"{"id":"msg-id-3","role":"assistant","content":"Bye"}"#), Self.end,
            ])
        await expectEqual(RunDryRun(recording: recording, fixture: made).difference(), nil, "\(made.text)")
        expectEqual(made.notes, ["the thread had begun: its first 2 messages are left out"])
    }

    @Test("An interrupt of older LangGraph is noted with its line, and compared up to there")
    func bareInterrupt() async throws {
        let ask = #"{"type":"CUSTOM","name":"on_interrupt","value":"Sure?"}"#
        let lines = [
            Self.start, ask, Self.end, Self.start, #"{"type":"STEP_STARTED","stepName":"ask"}"#, Self.end,
        ]
        let recording = try RunRecording(Array(lines.joined(separator: "\n").utf8))
        let fixture = RecordedFixture(recording, name: "Mine", source: "here", said: "refund")
        #expect(
            fixture.notes.count == 1 && fixture.notes[0].hasPrefix("line 2: an interrupt"), "\(fixture.notes)"
        )
        await expectEqual(RunDryRun(recording: recording, fixture: fixture).difference(), nil)
    }
}
