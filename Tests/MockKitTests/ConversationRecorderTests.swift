import DialectKit
import FixtureTools
import Fixtures
import Matching
import Testing
import Texts

@testable import MockKit

@Suite("A recorded conversation", .timeLimit(.minutes(20)))
struct ConversationRecorderTests {
    /// One conversation that is recorded.
    struct Talk: Sendable, CustomTestStringConvertible {
        var fixture: String
        var example: Int
        var isStreaming: Bool
        var isContact: Bool

        var testDescription: String {
            "\(fixture) \(example) \(isStreaming ? "streamed" : "whole") \(isContact ? "contact" : "session")"
        }

        /// The server's timeline, as an export has it.
        func journal() async throws -> [UInt8] {
            let compiled = try FixtureSource.find(fixture, folder: nil)
            var plan = MockPlan(fixture)
            plan.unmatched = .pass
            plan.violations = .pass
            let examples = try compiled.examples(named: nil)
            let chosen = examples.indices.contains(example) ? examples[example] : nil
            plan.timeOfDay = chosen?.now?.text
            plan.memory = chosen?.memory ?? [:]
            let words = chosen?.userWords ?? ["hello", "four"]
            let mock = try await Mock.start(plan)
            do {
                if isContact {
                    let contact = try await mock.contact(streaming: isStreaming)
                    try await mock.untilIdle()
                    for text in words {
                        try? await contact.say(text)
                        try await mock.untilIdle()
                    }
                } else {
                    let chat = try await mock.chat(streaming: isStreaming)
                    try await mock.untilIdle()
                    for text in words {
                        try? await chat.say(text)
                        try await mock.untilIdle()
                    }
                }
            } catch {
                await mock.stop()
                throw error
            }
            let journal = await mock.journal()
            await mock.stop()
            return journal
        }
    }

    static let talks: [Talk] = FixtureSource.names(in: nil).flatMap { name -> [Talk] in
        let count = (try? FixtureSource.find(name, folder: nil).examples(named: nil).count) ?? 0
        return (0..<max(count, 1)).flatMap { example in
            [true, false].flatMap { isStreaming in
                [false, true].map { isContact in
                    Talk(fixture: name, example: example, isStreaming: isStreaming, isContact: isContact)
                }
            }
        }
    }

    @Test("A fixture made of an export tells the same again", arguments: talks)
    func again(_ talk: Talk) async throws {
        let recording = try TalkRecording(try await talk.journal(), fileName: "talk.jsonl")
        let fixture = recording.fixture(name: "Recorded", source: "talk.jsonl")
        let findings = FixtureLoader.compile(bytes: Array(fixture.text.utf8), fileName: "r.json5", name: "r")
            .rehearsed().findings.filter { $0.code != .unmatchedSuggestion }
        #expect(findings.map { "\($0.code) \($0.message)" } == [], "\(fixture.text)")
        let comparison = try await recording.comparison(with: fixture.text)
        #expect(comparison.count > 0)
        #expect(comparison.differences.map(\.line) == [], "\(talk)\n\(fixture.text)")
    }

    private static let booking = Talk(fixture: "booking", example: 1, isStreaming: true, isContact: false)

    @Test("Cuts that were seen are kept where they are asked for")
    func cuts() async throws {
        let recording = try TalkRecording(try await Self.booking.journal(), fileName: "talk.jsonl")
        let fixture = recording.fixture(name: "Recorded", source: "talk.jsonl", keepsCuts: true)
        #expect(fixture.text.contains("chunks: ["))
        #expect(try await recording.comparison(with: fixture.text).differences == [])
    }

    @Test("No id, token or address of the recording is in the fixture")
    func literals() async throws {
        for isContact in [true, false] {
            var talk = Self.booking
            talk.isContact = isContact
            let journal = try await talk.journal()
            let recording = try TalkRecording(journal, fileName: "talk.jsonl")
            let text = recording.fixture(name: "Recorded", source: "talk.jsonl").text
            var ids: Set<String> = []
            for event in recording.events {
                TalkComparison.pairs(.object(event.json), .object(event.json)) { name, id, _ in
                    if TalkComparison.Kind(name) == .id, id.count > 8 { ids.insert(id) }
                }
            }
            #expect(ids.count > 10)
            #expect(ids.filter { text.contains($0) } == [])
            #expect(!text.contains("127.0.0.1"))
        }
    }

    @Test("Characters stay as they came, and braces stay braces")
    func characters() async throws {
        let said = "12\u{200E} % \u{2066}abc\u{2069} {braces} \u{1F44D}"
        let script = fixture(
            #"{ hears: "hi", replies: [ { say: "12\u200e % \u2066abc\u2069 {{braces}} \ud83d\udc4d" } ] }"#)
        let journal = try await withMock(script) { mock in
            let chat = try await mock.chat(streaming: false)
            try await mock.untilIdle()
            try await chat.say("hi")
            try await mock.untilIdle()
            return await mock.journal()
        }
        let recording = try TalkRecording(journal, fileName: "talk.jsonl")
        let text = recording.fixture(name: "Recorded", source: "talk.jsonl").text
        #expect(text.contains(said.replacing("{braces}", with: "{{braces}}")), "\(text)")
        #expect(try await recording.comparison(with: text).differences == [])
    }

    @Test(
        "A file without messages of a conversation is refused",
        arguments: ["", "{", #"{"log":{"entries":[]}}"#, "<html>"] as [String])
    func refused(_ text: String) {
        #expect(throws: MockError.self) { try TalkRecording(Array(text.utf8), fileName: "talk.har") }
    }

    @Test("HAR without WebSocket messages names tools that keep them")
    func silent() {
        let har =
            #"{"log":{"entries":[{"startedDateTime":"2026-01-02T03:04:05.000Z","request":{"url":"http://h/"}}]}}"#
        let problem = #expect(throws: MockError.self) {
            try TalkRecording(Array(har.utf8), fileName: "talk.har")
        }
        #expect(problem?.description.contains("mitmproxy") == true)
    }
}

@Suite("A comparison with a recorded conversation", .timeLimit(.minutes(5)))
struct CompareTests {
    /// Compares the mock of a conversation with the conversation after a change of one row.
    private static func differences(
        _ talk: ConversationRecorderTests.Talk, _ old: String, _ new: String
    ) async throws -> [TalkComparison.Difference] {
        let journal = try await talk.journal()
        let text = try TalkRecording(journal, fileName: "a.jsonl").fixture(name: "R", source: "a.jsonl").text
        var whole = String(decoding: journal, as: UTF8.self)
        let place = try #require(whole.firstRange(of: old))
        whole.replaceSubrange(place, with: new)
        return try await TalkRecording(Array(whole.utf8), fileName: "b.jsonl").comparison(with: text)
            .differences
    }

    private static let session = ConversationRecorderTests.Talk(
        fixture: "booking", example: 1, isStreaming: false, isContact: false)
    private static let contact = ConversationRecorderTests.Talk(
        fixture: "booking", example: 1, isStreaming: false, isContact: true)

    @Test(
        "A damage is named at its event and member, and nothing else",
        arguments: [
            (
                #"\"agent_name\":\"Lucia\""#, #"\"agent_name\":\"Lucio\""#, "POLY_AGENT_JOINED",
                "payload.agent_name"
            ),
            (
                #"\"position_in_queue\":3"#, #"\"position_in_queue\":\"3\""#, "HANDOFF_QUEUE_STATUS",
                "payload.position_in_queue"
            ),
            (#"For how many people?\""#, #"For how many persons?\""#, "POLY_AGENT_MESSAGE", "payload.text"),
            (
                #"\"max_reconnect_attempts\":5"#, #"\"max_reconnect_attempts\":6"#, "SESSION_START",
                "payload.capabilities.max_reconnect_attempts"
            ),
            (#"\"sequence\":4"#, #"\"sequence\":null"#, "POLY_AGENT_MESSAGE", "sequence"),
            (
                #"\"message_text\":\"Opening hours\""#, #"\"message_text\":\"Opening\""#,
                "POLY_AGENT_MESSAGE", "payload.response_suggestions[1].message_text"
            ),
            (#""status":200"#, #""status":201"#, "POST /api/v1/access-token", "status"),
            (
                #"\"queue_name\":\"Front desk\""#, #"\"queue\":\"Front desk\""#, "HANDOFF_ACCEPTED",
                "payload.queue_name"
            ),
        ] as [(String, String, String, String)])
    func damages(_ old: String, _ new: String, _ event: String, _ field: String) async throws {
        let found = try await Self.differences(Self.session, old, new)
        #expect(Set(found.map(\.event)) == [event], "\(found.map(\.line))")
        #expect(found.contains { $0.field == field }, "\(found.map(\.line))")
    }

    @Test("A damaged item of a contact is named as well")
    func items() async throws {
        let found = try await Self.differences(Self.contact, "You are number 3 in line.", "You are third.")
        #expect(found.count == 1 && found[0].field == "Content", "\(found.map(\.line))")
    }

    @Test("Conversations that differ in ids, stamps and tokens are equal; one that mixes up an id is not")
    func ids() async throws {
        let first = try TalkRecording(try await Self.session.journal(), fileName: "a.jsonl")
        let text = first.fixture(name: "R", source: "a.jsonl").text
        #expect(try await first.comparison(with: text).differences == [])
        let journal = String(decoding: try await Self.session.journal(), as: UTF8.self)
        let ids = journal.matches(of: /\\"message_id\\":\\"(msg_[0-9a-f]+)/).map { String($0.1) }
        let mixed = journal.replacing(try #require(ids.last), with: try #require(ids.first))
        let other = try TalkRecording(Array(mixed.utf8), fileName: "b.jsonl")
        #expect(
            try await other.comparison(with: text).differences.contains { $0.field == "payload.message_id" })
    }

    @Test("A server of another seed is compared over the network, and no other host is asked")
    func against() async throws {
        let recording = try TalkRecording(try await Self.session.journal(), fileName: "a.jsonl")
        try await withMock("booking") {
            $0.seed = 9
            $0.time = .scaled(50)
            $0.violations = .pass
        } _: { mock in
            let (endpoint, _) = try RunRecorder.place(of: mock.url)
            let found = try await recording.comparison(with: endpoint, token: mock.line)
            #expect(found.count > 10 && found.differences == [], "\(found.differences.map(\.line))")
        }
        var check = TalkCheck("a.jsonl")
        check.address = "http://192.0.2.1"
        #expect(await check.run().code == 2)
    }
}
