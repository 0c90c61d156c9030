import Expectations
import Fixtures
import Testing

@Suite("Fixtures of recorded runs")
struct RecordedFixtureTests {
    /// The fixture of one run, recorded one event after the other.
    private static func fixture(_ events: String...) throws -> String {
        let start = #"{"type":"RUN_STARTED","threadId":"t","runId":"r","timestamp":1000}"#
        let lines = [start] + events
        let recording = try RunRecording(Array(lines.joined(separator: "\n").utf8))
        return RecordedFixture(recording, name: "Mine", source: "here").text
    }

    private static let end = #"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#

    @Test("A call belongs to its own message; that is written out where another one was before")
    func owners() throws {
        let call = [
            #"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"look","parentMessageId":"m9"}"#,
            #"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
            #"{"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"x","content":"1","role":"tool"}"#,
        ]
        let alone = try Self.fixture(call[0], call[1], call[2], Self.end)
        #expect(alone.contains(#"tool: "look""#) && !alone.contains("owner"), "\(alone)")
        let behind = try Self.fixture(
            #"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Tea."}"#,
            #"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#, call[0], call[1], call[2], Self.end)
        #expect(behind.contains(#"owner: "{run.id}-1""#), "\(behind)")
    }

    @Test("The pause before a text lasts until its first words, however early it begins")
    func pauses() throws {
        let text = try Self.fixture(
            #"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant","timestamp":1000}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Tea.","timestamp":1500}"#,
            #"{"type":"TEXT_MESSAGE_END","messageId":"m","timestamp":1500}"#, Self.end)
        #expect(text.contains(#"wait: "500ms""#), "\(text)")
    }

    @Test("An event that is written out has the thread and the run of the talk in which it is told")
    func writtenOut() throws {
        let text = try Self.fixture(
            #"{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage":[{"model":"m","price":3}]}"#)
        for member in [
            #"type: "RUN_FINISHED""#, #"threadId: "{run.thread}""#, #"runId: "{run.id}""#,
        ] { #expect(text.contains(member), "\(text)") }
    }

    @Test(
        "What goes with an event is kept",
        arguments: [#""metadata":{"a":"b"}"#, #""rawEvent":{"a":"b"}"#] as [String])
    func extras(member: String) throws {
        let text = try Self.fixture(
            #"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant",\#(member)}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Tea."}"#,
            #"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#, Self.end)
        #expect(text.contains(#"{ a: "b" }"#), "\(text)")
    }

    @Test("Reasoning becomes a step")
    func reasoning() throws {
        let text = try Self.fixture(
            #"{"type":"REASONING_START","messageId":"s"}"#,
            #"{"type":"REASONING_MESSAGE_START","messageId":"t1","role":"reasoning"}"#,
            #"{"type":"REASONING_MESSAGE_CONTENT","messageId":"t1","delta":"Hm."}"#,
            #"{"type":"REASONING_MESSAGE_END","messageId":"t1"}"#,
            #"{"type":"REASONING_END","messageId":"s"}"#, Self.end)
        #expect(text.contains(#"reason: "Hm.""#) && !text.contains("event:"), "\(text)")
    }

    @Test("White space around events is skipped, empty lines too")
    func whiteSpace() throws {
        let text = " \t" + #"{"type":"CUSTOM","name":"a","value":1}"# + "\r\n \n\t " + Self.end + "\n"
        let recording = try RunRecording(Array(text.utf8))
        expectEqual(recording.events.map(\.line), [1, 3])
        expectEqual(recording.lines.last, Self.end)
    }
}
