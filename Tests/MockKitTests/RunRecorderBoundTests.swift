import Clocks
import Expectations
import FixtureTools
import Fixtures
import HTTPClient
import TestSupport
import Testing
import Texts

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

    /// Lines whose work grew with the square of their number: at full strength minutes, where they take seconds.
    enum Shape: String, CaseIterable, Sendable {
        case beginnings, texts, openTexts, openCalls, lateResults, tools, reasonings, questions, deepState
    }

    private static func lines(_ shape: Shape, _ count: Int) -> [String] {
        let numbers = 0..<count
        switch shape {
        case .beginnings: return Array(repeating: start, count: count)
        case .texts: return [start] + numbers.flatMap { text("m\($0)") } + [end]
        case .openTexts:
            let begun: [String] = numbers.map {
                #"{"type":"TEXT_MESSAGE_START","messageId":"m\#($0)","role":"assistant"}"#
            }
            return [start] + begun
        case .openCalls:
            let begun: [String] = numbers.map {
                #"{"type":"TOOL_CALL_START","toolCallId":"c\#($0)","toolCallName":"a"}"#
            }
            return [start] + begun
        case .lateResults:
            let calls: [String] = numbers.flatMap { call("c\($0)", "t") + text("m\($0)") }
            let results: [String] = numbers.reversed().map { number in
                #"{"type":"TOOL_CALL_RESULT","toolCallId":"c\#(number)","messageId":"x\#(number)","#
                    + #""content":"1","role":"tool"}"#
            }
            return [start] + calls + results + [end]
        case .tools: return [start] + numbers.flatMap { call("c\($0)", "t\($0)") } + [end]
        case .reasonings:
            let thoughts: [String] = numbers.flatMap { number in
                [
                    #"{"type":"REASONING_MESSAGE_START","messageId":"m\#(number)","role":"reasoning"}"#,
                    #"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m\#(number)","delta":"x"}"#,
                    #"{"type":"REASONING_MESSAGE_END","messageId":"m\#(number)"}"#,
                ]
            }
            return [start, #"{"type":"REASONING_START","messageId":"s"}"#] + thoughts
                + [#"{"type":"REASONING_END","messageId":"s"}"#, end]
        case .questions:
            return numbers.flatMap { number in
                [
                    #"{"type":"RUN_STARTED","threadId":"t","runId":"r\#(number)"}"#,
                    #"{"type":"MESSAGES_SNAPSHOT","messages":[]}"#,
                    #"{"type":"RUN_FINISHED","threadId":"t","runId":"r\#(number)","outcome":{"type":"interrupt","#
                        + #""interrupts":[{"id":"i\#(number)","reason":"confirmation","message":"Sure?"}]}}"#,
                ]
            }
        case .deepState:
            let depth = 50
            let opening = String(repeating: #"{"a":"#, count: depth) + "\""
            let inner = opening + String(repeating: "x", count: count)
            let closing = String(repeating: "}", count: depth + 1)
            return [start, #"{"type":"STATE_SNAPSHOT","snapshot":\#(inner)""# + closing, end]
        }
    }

    @Test("A long recording becomes a fixture without a square of work", arguments: Shape.allCases)
    func linear(_ shape: Shape) throws {
        let lines = Self.lines(shape, Strength.of(500, full: 6_000))
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
                    listener.receive(.part(part))
                    clock.advance(by: .milliseconds(500))
                }
            }
            clock.advance(by: .seconds(3))
            let answer = await listener.answer()
            #expect(answer.isLeft && answer.bytes.count == part.count * 5)
            expectEqual(
                answer.refusal,
                part.isEmpty ? "the agent has sent nothing in \(Interval.seconds(3))" : nil)
        }
    }

    @Test("Every character that acts on a terminal is recorded, laid out with escapes, and told again")
    func characters() async throws {
        // Other planes have none.
        let planes = [0...0x1FFFF, 0xE0000...0xE0FFF] as [ClosedRange<UInt32>]
        let all = planes.joined().compactMap(Unicode.Scalar.init).filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        let words: [String] = all.map { "a\($0)b" }
        #expect(words.count > 150)
        let texts = words.enumerated().flatMap { place, words in
            Self.text("m\(place)", String(escaped(words).dropFirst().dropLast()))
        }
        let lines = [Self.start] + texts + [Self.end]
        let recording = try RunRecording(Array(lines.joined(separator: "\n").utf8))
        let made = RecordedFixture(recording, name: "Mine", source: "here")
        expectEqual(Console.shown(made.text, isTerminal: true), made.text)
        await expectEqual(RunDryRun(recording: recording, fixture: made).difference(), nil)
        let events = recording.lines.compactMap {
            try? RunRecording(Array($0.utf8)).events[0].body["delta"]?.string
        }
        expectEqual(events, words)
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
