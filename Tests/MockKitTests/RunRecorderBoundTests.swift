import Clocks
import FixtureTools
import Fixtures
import Testing

@testable import MockKit

@Suite("Bounds of recordings, and their characters", .timeLimit(.minutes(5)))
struct RunRecorderBoundTests {
    private static let start = #"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#
    private static let end = #"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#

    private static func text(_ id: String, _ delta: String = "x") -> [String] {
        [
            #"{"type":"TEXT_MESSAGE_START","messageId":"\#(id)","role":"assistant"}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"\#(id)","delta":"\#(delta)"}"#,
            #"{"type":"TEXT_MESSAGE_END","messageId":"\#(id)"}"#,
        ]
    }

    private static func call(_ id: String, _ name: String) -> [String] {
        [
            #"{"type":"TOOL_CALL_START","toolCallId":"\#(id)","toolCallName":"\#(name)"}"#,
            #"{"type":"TOOL_CALL_END","toolCallId":"\#(id)"}"#,
        ]
    }

    /// Lines whose work grew with the square of their number: they took minutes where they take seconds.
    static let shapes: [String: @Sendable (Int) -> [String]] = [
        "lines that each begin a run": { Array(repeating: start, count: $0) },
        "texts": { count in [start] + (0..<count).flatMap { text("m\($0)") } + [end] },
        "texts that are left open": { count in
            [start]
                + (0..<count).map {
                    #"{"type":"TEXT_MESSAGE_START","messageId":"m\#($0)","role":"assistant"}"#
                }
        },
        "calls that begin together": { count in
            [start]
                + (0..<count).map { #"{"type":"TOOL_CALL_START","toolCallId":"c\#($0)","toolCallName":"a"}"# }
        },
        "calls whose results come late": { count in
            [start] + (0..<count).flatMap { call("c\($0)", "t") + text("m\($0)") }
                + (0..<count).reversed().map {
                    #"{"type":"TOOL_CALL_RESULT","toolCallId":"c\#($0)","messageId":"x\#($0)","content":"1","role":"tool"}"#
                } + [end]
        },
        "tools": { count in [start] + (0..<count).flatMap { call("c\($0)", "t\($0)") } + [end] },
        "reasonings of one span": { count in
            [start, #"{"type":"REASONING_START","messageId":"s"}"#]
                + (0..<count).flatMap {
                    [
                        #"{"type":"REASONING_MESSAGE_START","messageId":"m\#($0)","role":"reasoning"}"#,
                        #"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m\#($0)","delta":"x"}"#,
                        #"{"type":"REASONING_MESSAGE_END","messageId":"m\#($0)"}"#,
                    ]
                } + [#"{"type":"REASONING_END","messageId":"s"}"#, end]
        },
        "runs that ask": { count in
            (0..<count).flatMap { number in
                [
                    #"{"type":"RUN_STARTED","threadId":"t","runId":"r\#(number)"}"#,
                    #"{"type":"MESSAGES_SNAPSHOT","messages":[]}"#,
                    #"{"type":"RUN_FINISHED","threadId":"t","runId":"r\#(number)","outcome":{"type":"interrupt","interrupts":[{"id":"i\#(number)","reason":"confirmation","message":"Sure?"}]}}"#,
                ]
            }
        },
        "a deep state": { count in
            let depth = 50
            let inner =
                String(repeating: #"{"a":"#, count: depth) + "\"" + String(repeating: "x", count: count)
            return [
                start,
                #"{"type":"STATE_SNAPSHOT","snapshot":\#(inner)""# + String(repeating: "}", count: depth + 1),
                end,
            ]
        },
    ]

    @Test("A long recording becomes a fixture without a square of work", arguments: shapes.keys.sorted())
    func linear(_ name: String) throws {
        let lines = try #require(Self.shapes[name])(6_000)
        let recording = try RunRecording(Array(lines.joined(separator: "\n").utf8))
        let made = RecordedFixture(recording, name: "Mine", source: "here")
        #expect(!made.text.isEmpty)
    }

    @Test("More events than a server keeps of a run are refused with their place")
    func events() {
        let lines = Array(repeating: Self.start, count: 100_001)
        let problem = #expect(throws: RunRecording.Problem.self) {
            try RunRecording(Array(lines.joined(separator: "\n").utf8))
        }
        #expect(problem?.line == 100_001 && problem?.sentence.hasPrefix("more than 100000 events") == true)
    }

    @Test("An agent that is silent, and one that goes on, are left in time")
    func left() async {
        let clock = VirtualClock()
        for part in [[], Array("data: {}\n\n".utf8)] {
            let listener = RunListener(clock: clock, silence: .minutes(2), timeout: .seconds(3))
            if !part.isEmpty {
                for _ in 0..<5 {
                    listener.hear(.part(part))
                    clock.advance(by: .milliseconds(500))
                }
            }
            clock.advance(by: .seconds(3))
            let answer = await listener.answer()
            #expect(answer.isLeft && answer.bytes.count == part.count * 5)
            #expect(
                answer.refusal
                    == (part.isEmpty ? "the agent has told nothing in \(Interval.seconds(3))" : nil))
        }
    }

    @Test("Every character that acts on a terminal is recorded, laid out with escapes, and told again")
    func characters() async throws {
        let all = (0...0x10FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init).filter {
            scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        let words = all.map { "a\($0)b" }
        #expect(words.count > 150)
        let texts = words.enumerated().flatMap { place, words in
            Self.text("m\(place)", String(escaped(words).dropFirst().dropLast()))
        }
        let lines = [Self.start] + texts + [Self.end]
        let recording = try RunRecording(Array(lines.joined(separator: "\n").utf8))
        let made = RecordedFixture(recording, name: "Mine", source: "here")
        #expect(Console.shown(made.text, isTerminal: true) == made.text)
        #expect(await RunRehearsal(recording, made).difference() == nil)
        let events = recording.lines.compactMap {
            try? RunRecording(Array($0.utf8)).events[0].body["delta"]?.string
        }
        #expect(events == words)
    }

    /// A text as JSON has it.
    private func escaped(_ words: String) -> String {
        var text = "\""
        for unit in words.utf16 {
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return text + "\""
    }
}
