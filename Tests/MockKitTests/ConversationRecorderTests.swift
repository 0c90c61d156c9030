import DialectKit
import Expectations
import FixtureTools
import Fixtures
import Matching
import MockServer
import Testing
import Texts
import Timeline

@testable import MockKit

@Suite("A recorded conversation", .timeLimit(.minutes(20)))
struct ConversationRecorderTests {
    /// One conversation that is recorded.
    struct Talk: Sendable, CustomTestStringConvertible {
        var fixture: String
        var example: Int
        var isStreaming: Bool
        var isContact: Bool
        var seed: UInt64 = 1

        var testDescription: String {
            "\(fixture) \(example) \(isStreaming ? "streamed" : "whole") \(isContact ? "contact" : "session")"
        }

        /// The server's timeline, as an export has it.
        func journal() async throws -> [UInt8] {
            let compiled = try FixtureSource.find(fixture, folder: nil)
            var plan = MockPlan(fixture)
            plan.unmatched = .pass
            plan.violations = .pass
            plan.seed = seed
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
        let compiled = FixtureLoader.compile(recorded: fixture.text)
        let text = RecordedWarnings.allowed(in: fixture.text, compiled.findings)
        let findings = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "r.json5", name: "r")
            .rehearsed().findings
        expectEqual(findings.map { "\($0.code) \($0.message)" }, [], "\(fixture.text)")
        let comparison = try await recording.comparison(with: fixture.text)
        #expect(comparison.count > 0)
        expectEqual(comparison.differences.map(\.line), [], "\(talk)\n\(fixture.text)")
    }

    @Test(
        "Without its requests, a conversation is recorded as its server sent it", arguments: [true, false],
        [true, false])
    func withoutRequests(isStreaming: Bool, isContact: Bool) async throws {
        let talk = Talk(fixture: "booking", example: 1, isStreaming: isStreaming, isContact: isContact)
        let rows = try TimelineImport.rows(try await talk.journal(), as: Server.reading)
        let recording = try TalkRecording(rows.filter { $0.kind == .ws }, fileName: "talk.jsonl")
        let text = recording.fixture(name: "Recorded", source: "talk.jsonl").text
        let comparison = try await recording.comparison(with: text)
        expectEqual(comparison.differences.map(\.line), [], "\(text)")
        #expect(comparison.count > 5)
        expectEqual(recording.notes.count, isContact ? 1 : 0)
    }

    private static let booking = Talk(fixture: "booking", example: 1, isStreaming: true, isContact: false)

    @Test("Cuts that were seen are kept where they are asked for")
    func cuts() async throws {
        let recording = try TalkRecording(try await Self.booking.journal(), fileName: "talk.jsonl")
        let fixture = recording.fixture(name: "Recorded", source: "talk.jsonl", keepsCuts: true)
        #expect(fixture.text.contains("chunks: ["))
        try await expectEqual(recording.comparison(with: fixture.text).differences, [])
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
            expectEqual(ids.filter { text.contains($0) }, [])
            #expect(!text.contains("127.0.0.1"))
        }
    }

    @Test("A session of a mixed export has no requests of the other protocol")
    func mixed() async throws {
        let journal = try await withMock(fixture(#"{ hears: "hi", replies: [ { say: "Hello" } ] }"#)) {
            mock in
            let chat = try await mock.chat(streaming: false)
            try await mock.untilIdle()
            try await chat.say("hi")
            try await mock.untilIdle()
            let contact = try await mock.contact(streaming: false)
            try await mock.untilIdle()
            try await contact.say("hi")
            try await mock.untilIdle()
            return await mock.journal()
        }
        func recording(_ session: String?) throws -> (paths: Set<Substring>, recording: TalkRecording) {
            let recording = try TalkRecording(journal, fileName: "all.jsonl", session: session)
            let paths = recording.acts.compactMap { act -> Substring? in
                if case .call(let call) = act.content { call.path.split(separator: "/").last } else { nil }
            }
            return (Set(paths), recording)
        }
        let rows = try TimelineImport.rows(journal, as: Server.reading)
        let contact = try #require(rows.first { $0.type.hasSuffix("/participant/connection") }?.session)
        let other = try recording(contact)
        #expect(!other.paths.contains("access-token") && other.paths.contains("connection"))
        let text = other.recording.fixture(name: "R", source: "all.jsonl").text
        try await expectEqual(other.recording.comparison(with: text).differences.map(\.line), [])
        let first = try recording(nil)
        expectEqual(first.paths, ["access-token", "sessions"])
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
        try await expectEqual(recording.comparison(with: text).differences, [])
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
        expectEqual(problem?.description.contains("mitmproxy"), true)
    }
}

@Suite("A comparison with a recorded conversation", .timeLimit(.minutes(20)))
struct CompareTests {
    typealias Talk = ConversationRecorderTests.Talk

    private static let whole = Talk(fixture: "booking", example: 1, isStreaming: false, isContact: false)
    private static let streamed = Talk(fixture: "booking", example: 1, isStreaming: true, isContact: false)
    private static let contact = Talk(fixture: "booking", example: 1, isStreaming: false, isContact: true)

    /// A planted difference of a recording.
    enum Damage: Sendable {
        /// Replaces a text in the first row of the server that has it.
        case text(String, String)
        /// Replaces the status of the first answer to this request.
        case status(String, Int)
        /// Leaves out the first row of the server with this text.
        case missing(String)
        /// Repeats such a row as another event.
        case again(String)
        /// Exchanges two such rows.
        case exchange(String, String)

        func applied(to rows: [Row]) throws -> [Row] {
            var rows = rows
            func place(_ text: String) throws -> Int {
                try #require(
                    rows.firstIndex {
                        $0.direction == .outbound && String(decoding: $0.raw, as: UTF8.self).contains(text)
                    }, "\(text)")
            }
            func replace(_ old: String, _ new: String, at place: Int) {
                let text = String(decoding: rows[place].raw, as: UTF8.self).replacing(
                    old, with: new, maxReplacements: 1)
                rows[place].raw = Array(text.utf8)
                rows[place].size = rows[place].raw.count
            }
            switch self {
            case .text(let old, let new): replace(old, new, at: try place(old))
            case .status(let type, let status):
                let found = rows.firstIndex { $0.direction == .outbound && $0.type == type }
                rows[try #require(found)].status = status
            case .missing(let text): rows.remove(at: try place(text))
            case .again(let text):
                let found = try place(text)
                rows.insert(rows[found], at: found + 1)
                replace(#""id":"01"#, #""id":"f1"#, at: found + 1)
                replace(#"\"Id\":\"01"#, #"\"Id\":\"f1"#, at: found + 1)
            case .exchange(let first, let second):
                let (one, other) = (try place(first), try place(second))
                (rows[one].raw, rows[other].raw) = (rows[other].raw, rows[one].raw)
                (rows[one].size, rows[other].size) = (rows[one].raw.count, rows[other].raw.count)
            }
            for place in rows.indices { rows[place].number = UInt64(place) + 1 }
            return rows
        }
    }

    private static func rows(_ talk: Talk) async throws -> [Row] {
        try TimelineImport.rows(try await talk.journal(), as: Server.reading)
    }

    @Test(
        "A damage is named at its event and member, and nothing else",
        arguments: [
            (
                whole, .text(#""agent_name":"Lucia""#, #""agent_name":"Lucio""#), "POLY_AGENT_JOINED",
                "payload.agent_name"
            ),
            (
                whole, .text(#""position_in_queue":3"#, #""position_in_queue":"3""#), "HANDOFF_QUEUE_STATUS",
                "payload.position_in_queue"
            ),
            (
                whole, .text("For how many people?", "For how many persons?"), "POLY_AGENT_MESSAGE",
                "payload.text"
            ),
            (
                whole, .text(#""max_reconnect_attempts":5"#, #""max_reconnect_attempts":6"#), "SESSION_START",
                "payload.capabilities.max_reconnect_attempts"
            ),
            (whole, .text(#""sequence":4"#, #""sequence":null"#), "POLY_AGENT_MESSAGE", "sequence"),
            (
                whole, .text(#""message_text":"Opening hours""#, #""message_text":"Opening""#),
                "POLY_AGENT_MESSAGE", "payload.response_suggestions[1].message_text"
            ),
            (
                whole, .text(#",{"message_text":"Opening hours"}"#, ""), "POLY_AGENT_MESSAGE",
                "payload.response_suggestions"
            ),
            (
                whole, .text(#""queue_name":"Front desk""#, #""queue":"Front desk""#), "HANDOFF_ACCEPTED",
                "payload.queue_name"
            ),
            (
                whole, .text(#""estimated_wait_seconds":120"#, #""estimated_wait_seconds":60"#),
                "HANDOFF_QUEUE_STATUS", "payload.estimated_wait_seconds"
            ),
            (whole, .text(#""name":"Marta""#, #""name":"Maria""#), "LIVE_AGENT_JOINED", "payload.agent.name"),
            (
                whole,
                .text(
                    #"STARTED","agent_id":"staff-7","agent_name":"Marta""#, #"STARTED","agent_id":"staff-7""#),
                "LIVE_AGENT_TYPING", "payload.agent_name"
            ),
            (
                whole,
                .text(
                    #""payload":{"reason":"REASON_NATURAL_END"}"#,
                    #""payload":{"reason":"REASON_USER_ABANDONED"}"#), "SESSION_END", "payload.reason"
            ),
            (whole, .status("POST /api/v1/access-token", 201), "POST /api/v1/access-token", "status"),
            (
                whole, .text(#""token_type":"Bearer""#, #""token_type":"bearer""#),
                "POST /api/v1/access-token", "token_type"
            ),
            (
                whole, .text(#"{"session_id":"#, #"{"extra":1,"session_id":"#), "POST /api/v1/sessions",
                "extra"
            ),
            (whole, .missing("POLY_AGENT_LEFT"), "POLY_AGENT_LEFT", ""),
            (whole, .missing("For how many people?"), "POLY_AGENT_MESSAGE", ""),
            (whole, .missing("LIVE_AGENT_JOINED"), "LIVE_AGENT_JOINED", ""),
            (whole, .again("POLY_AGENT_LEFT"), "POLY_AGENT_LEFT", ""),
            (whole, .exchange("POLY_AGENT_LEFT", "HANDOFF_ACCEPTED"), "HANDOFF_ACCEPTED", ""),
            (streamed, .text("Buongiorno!", "Buonasera!"), "POLY_AGENT_MESSAGE_CHUNK", "text"),
            (streamed, .missing("POLY_AGENT_TRIGGERED_HANDOFF"), "POLY_AGENT_TRIGGERED_HANDOFF", ""),
            (contact, .text("You are number 3 in line.", "You are third."), "text/plain", "Content"),
            (
                contact, .text(#"\"DisplayName\":\"Front desk\""#, #"\"DisplayName\":\"Desk\""#),
                "participant.invited", "DisplayName"
            ),
            (
                contact, .text(#"\"ParticipantRole\":\"CUSTOMER\""#, #"\"ParticipantRole\":\"AGENT\""#),
                "participant.joined", "ParticipantRole"
            ),
            (contact, .missing("participant.invited"), "participant.invited", ""),
            (contact, .status("POST /participant/connection", 201), "POST /participant/connection", "status"),
        ] as [(Talk, Damage, String, String)])
    func damages(_ talk: Talk, _ damage: Damage, _ event: String, _ field: String) async throws {
        let rows = try await Self.rows(talk)
        let text = try TalkRecording(rows, fileName: "a.jsonl").fixture(name: "R", source: "a.jsonl").text
        let damaged = try TalkRecording(try damage.applied(to: rows), fileName: "b.jsonl")
        let found = try await damaged.comparison(with: text).differences
        expectEqual(Set(found.map(\.event)), [event], "\(found.map(\.line))")
        #expect(found.contains { $0.field == field }, "\(found.map(\.line))")
    }

    @Test(
        "Frames that come twice, are binary or belong to another session change nothing",
        arguments: ["twice", "binary", "other", "other, without ids of sessions"] as [String])
    func surplus(_ kind: String) async throws {
        let rows = try await Self.rows(Self.whole)
        let text = try TalkRecording(rows, fileName: "a.jsonl").fixture(name: "R", source: "a.jsonl").text
        var more = rows
        switch kind {
        case "twice": more = rows.flatMap { $0.kind == .ws && $0.direction == .outbound ? [$0, $0] : [$0] }
        case "binary":
            var row = try #require(rows.last { $0.kind == .ws })
            row.raw = [0xFF, 0x00, 0xFE]
            row.size = 3
            more.insert(row, at: rows.count / 2)
        default:
            var talk = Self.whole
            talk.seed = 9
            for var row in try await Self.rows(talk) {
                row.socket += 100
                more.append(row)
            }
            if kind.hasSuffix("sessions") { for place in more.indices { more[place].session = "" } }
        }
        for place in more.indices { more[place].number = UInt64(place) + 1 }
        let recording = try TalkRecording(more, fileName: "b.jsonl")
        expectEqual(recording.fixture(name: "R", source: "a.jsonl").text, text)
        expectEqual(recording.notes.count, kind == "twice" ? 0 : 1, "\(recording.notes)")
    }

    @Test("A conversation that begins in its middle, or lacks a cut row, becomes a fixture that loads")
    func pieces() async throws {
        let rows = try await Self.rows(Self.whole)
        for count in stride(from: 1, to: rows.count - 4, by: 3) {
            var left = Array(rows.dropFirst(count))
            left[left.count / 2].size += 100
            let text = try TalkRecording(left, fileName: "a.jsonl").fixture(name: "R", source: "a").text
            let errors = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "r.json5", name: "r")
                .findings.filter { $0.severity == .error }
            expectEqual(errors.map(\.message), [], "\(count)")
        }
    }

    @Test("Undamaged conversations of any seed are equal", arguments: Array(1...100) as [UInt64])
    func seeds(_ seed: UInt64) async throws {
        var talk = [Self.whole, Self.streamed, Self.contact][Int(seed % 3)]
        talk.seed = seed
        let recording = try TalkRecording(try await Self.rows(talk), fileName: "a.jsonl")
        let text = recording.fixture(name: "R", source: "a.jsonl").text
        try await expectEqual(recording.comparison(with: text).differences.map(\.line), [])
    }

    @Test("Conversations that differ in ids, stamps and tokens are equal; one that mixes up an id is not")
    func ids() async throws {
        let text = try TalkRecording(try await Self.rows(Self.whole), fileName: "a.jsonl")
            .fixture(name: "R", source: "a.jsonl").text
        var talk = Self.whole
        talk.seed = 9
        let rows = try await Self.rows(talk)
        let other = try TalkRecording(rows, fileName: "b.jsonl")
        try await expectEqual(other.comparison(with: text).differences.map(\.line), [])
        let ids = rows.filter { $0.direction == .outbound }.flatMap { row in
            String(decoding: row.raw, as: UTF8.self).matches(of: /"message_id":"(msg_[0-9a-f]+)/).map {
                String($0.1)
            }
        }
        let damage = Damage.text(try #require(ids.last), try #require(ids.first))
        let mixed = try TalkRecording(try damage.applied(to: rows), fileName: "b.jsonl")
        let found = try await mixed.comparison(with: text).differences
        expectEqual(found.map(\.field), ["payload.message_id"], "\(found.map(\.line))")
    }

    @Test("A server of another seed is compared over the network, and no other host is asked")
    func against() async throws {
        // Each message waits for the reply before it: a queue's places would come by the real clock.
        let talk = Talk(fixture: "booking", example: 0, isStreaming: false, isContact: false)
        let recording = try TalkRecording(try await Self.rows(talk), fileName: "a.jsonl")
        try await withMock("booking") {
            $0.seed = 9
            $0.time = .scaled(20)
            $0.violations = .pass
        } _: { mock in
            let (endpoint, _) = try RunRecorder.place(of: mock.url)
            let found = try await recording.comparison(with: endpoint, token: mock.line, clock: mock.base)
            #expect(found.count > 10 && found.differences == [], "\(found.differences.map(\.line))")
        }
        var check = TalkCheck("a.jsonl")
        check.address = "http://192.0.2.1"
        await #expect(throws: MockError.self) { try await check.run() }
    }

    @Test("A server that refuses the connector token is answered with the flag for its own")
    func refusedToken() async throws {
        let talk = Talk(fixture: "booking", example: 0, isStreaming: false, isContact: false)
        let recording = try TalkRecording(try await Self.rows(talk), fileName: "a.jsonl")
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.log = .quiet
        configuration.poly.connectors = [.init(token: "theirs", id: "c-1", hosts: ["com.example.app"])]
        let server = try await MockServer.start(configuration)
        let (endpoint, _) = try RunRecorder.place(of: server.url)
        let cases = [(nil, "give one it knows with --token"), ("other", "that of --token is refused")]
        for (token, advice) in cases {
            await #expect {
                _ = try await recording.comparison(with: endpoint, token: token)
            } throws: { error in
                "\(error)".contains("POST /api/v1/access-token with 401") && "\(error)".contains(advice)
            }
        }
        await server.stop()
    }
}
