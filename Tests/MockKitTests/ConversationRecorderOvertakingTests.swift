import Expectations
import Fixtures
import Testing

@testable import MockKit

/// What a user says while the agent composes a reply.
@Suite("A recorded conversation whose user does not wait", .timeLimit(.minutes(5)))
struct ConversationRecorderOvertakingTests {
    /// Records a user that says `words`, each that many milliseconds after the one before it.
    private static func journal(
        streaming: Bool, contact: Bool, words: [(String, Int64)]
    ) async throws -> [UInt8] {
        let script = fixture(
            """
            { hears: "hi", replies: [{ think: "2s" }, { say: "One two three four five six seven eight nine ten." },
                { wait: "1s" }, { say: "And a second message." }] },
            { hears: "more", replies: [{ think: "1s" }, { say: "There is more to say." }] },
            { hears: "a person", replies: [{ say: "I will get someone." }, { handoff: "desk" }] },
            """,
            rest: """
                handoffs: { desk: { liveAgent: { name: "Bo" }, queue: { positions: [2, 1], every: "2s" },
                    opens: [{ wait: "1s" }, { say: "Bo here, how can I help you today?" }],
                    rules: [{ hears: "hi", replies: [{ think: "2s" }, { say: "Hello from Bo to you all." }] },
                        { hears: "more", replies: [{ say: "No more." }] }] } }
                """, pace: #"{ think: "1s", every: "300ms" }"#)
        return try await withMock(script) {
            $0.violations = .pass
        } _: { mock in
            if contact {
                let contact = try await mock.contact(streaming: streaming)
                for (text, pause) in words {
                    mock.clock.advance(by: .milliseconds(pause))
                    try await contact.say(text)
                }
            } else {
                let chat = try await mock.chat(streaming: streaming)
                for (text, pause) in words {
                    mock.clock.advance(by: .milliseconds(pause))
                    try await chat.say(text)
                }
            }
            try await mock.untilIdle()
            return await mock.journal()
        }
    }

    private static func check(_ recording: TalkRecording) async throws -> ConversationFixture {
        let made = recording.playable(name: "R", source: "a.jsonl").fixture
        let findings = FixtureLoader.compile(bytes: Array(made.text.utf8), fileName: "r.json5", name: "r")
            .rehearsed().findings
        expectEqual(findings.map { "\($0.code) \($0.message)" }, [], "\(made.text)")
        try await expectEqual(
            recording.comparison(with: made.text).differences.map(\.line), [], "\(made.text)")
        return made
    }

    @Test("is heard after the message under way, and noted", arguments: [true, false], [true, false])
    func noted(streaming: Bool, contact: Bool) async throws {
        // During the first `think`, after the second, and between chunks.
        for after in [1, 2_500, 3_500] as [Int64] {
            let journal = try await Self.journal(
                streaming: streaming, contact: contact, words: [("hi", 1_500), ("more", after)])
            let made = try await Self.check(try TalkRecording(journal, fileName: "a.jsonl"))
            let isEarly = streaming || after < 3_500
            expectEqual(
                made.notes.filter { $0.contains("while the agent composes") }.count, isEarly ? 1 : 0)
            let lines = made.text.split(separator: "\n").map { $0.drop { $0 == " " } }
            let end = try #require(lines.firstIndex { $0.hasPrefix("\"agent: One two") })
            expectEqual(lines[end + 1], "\"user: more\",", "\(made.text)")
        }
    }

    @Test("makes no difference, whoever answers", arguments: [0, 200, 1_400, 2_500] as [Int64])
    func anyTime(first: Int64) async throws {
        for after in [0, 1, 700, 2_500, 3_200, 3_500, 4_500, 6_000] as [Int64] {
            for (streaming, contact) in [(true, false), (false, false), (true, true), (false, true)] {
                let words = ["more", "a person", "hi", "more"].map { ($0, after) }
                let journal = try await Self.journal(
                    streaming: streaming, contact: contact, words: [("hi", first)] + words)
                _ = try await Self.check(try TalkRecording(journal, fileName: "a.jsonl"))
            }
        }
    }

    @Test("has the agent think, however quick it was", arguments: [true, false])
    func quick(streaming: Bool) async throws {
        let script = fixture(
            #"{ hears: "hi", replies: [{ say: "Hello." }] }"#, pace: #"{ think: "0.5ms", every: "0s" }"#)
        let journal = try await withMock(script) {
            $0.violations = .pass
        } _: { mock in
            try await mock.chat(streaming: streaming).say("hi")
            try await mock.untilIdle()
            return await mock.journal()
        }
        let made = try await Self.check(try TalkRecording(journal, fileName: "a.jsonl"))
        #expect(made.text.contains(#"think: "100ms""#), "\(made.text)")
    }
}
