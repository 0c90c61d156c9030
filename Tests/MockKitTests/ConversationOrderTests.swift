import ConversationEngine
import Expectations
import Fixtures
import MockServer
import Testing
import Texts
import Timeline

@testable import MockKit

@Suite("The client's side of a recorded conversation", .timeLimit(.minutes(10)))
struct ConversationOrderTests {
    private typealias Talk = ConversationRecorderTests.Talk

    private static func rows(streaming: Bool = true, contact: Bool, seed: UInt64 = 1) async throws -> [Row] {
        let talk = Talk(
            fixture: "booking", example: 1, isStreaming: streaming, isContact: contact, seed: seed)
        return try TimelineImport.rows(try await talk.journal(), as: Server.reading)
    }

    private static func differences(_ recording: TalkRecording) async throws -> [String] {
        let text = recording.fixture(name: "R", source: "a.jsonl").text
        return try await recording.comparison(with: text).differences.map(\.line)
    }

    private static func numbered(_ rows: [Row]) -> [Row] {
        var rows = rows
        for place in rows.indices { rows[place].number = UInt64(place) + 1 }
        return rows
    }

    @Test("A message that the recorder saw too early is placed by its echo", arguments: [false, true])
    func early(isContact: Bool) async throws {
        var rows = try await Self.rows(contact: isContact)
        let marks = ["\"twelve\"", "\"thanks\""]
        for mark in marks {
            let place = try #require(
                rows.firstIndex {
                    $0.direction == .inbound && String(decoding: $0.raw, as: UTF8.self).contains(mark)
                })
            let reply = try #require(
                rows[..<place].lastIndex { row in
                    row.direction == .outbound && row.kind == .ws
                        && Server.recorded([row]).contains(where: \.isCounted)
                })
            var row = rows.remove(at: place)
            row.time = rows[reply].time
            rows.insert(row, at: reply)
        }
        let recording = try TalkRecording(Self.numbered(rows), fileName: "a.jsonl")
        try await expectEqual(Self.differences(recording), [])
    }

    @Test("What the client said is taken from echoes where only the server's side is recorded")
    func serversSide() async throws {
        for (isContact, isStreaming) in [(false, false), (false, true), (true, false), (true, true)] {
            let rows = try await Self.rows(streaming: isStreaming, contact: isContact)
            let recording = try TalkRecording(
                rows.filter { $0.kind == .ws && $0.direction == .outbound }, fileName: "a.jsonl")
            let text = recording.fixture(name: "R", source: "a.jsonl").text
            let found = try await recording.comparison(with: text).differences
                // The receipts and the typing of a customer are requests that no stored event shows.
                .filter { !["typing", "message.metadata"].contains($0.event) }
            expectEqual(found.map(\.line), [], "\(isContact) \(isStreaming)")
        }
    }

    @Test("Two conversations at one time keep their own requests", arguments: [false, true])
    func interleaved(isContact: Bool) async throws {
        let first = try await Self.rows(streaming: true, contact: isContact)
        let two = try await Self.rows(streaming: false, contact: isContact, seed: 9)
        // Exports mask tokens. A HAR file of a browser or a proxy has them.
        func tokens(_ rows: [Row], _ token: String, socket: UInt32) -> [Row] {
            rows.map { row in
                var row = row
                let text = String(decoding: row.raw, as: UTF8.self)
                row.raw = Array(
                    text.split(separator: "***", omittingEmptySubsequences: false)
                        .joined(separator: token).utf8)
                (row.size, row.socket) = (row.raw.count, row.socket + socket)
                return row
            }
        }
        let (one, more) = (
            tokens(first, "token-of-the-first", socket: 0), tokens(two, "token-of-the-other", socket: 1_000)
        )
        var both: [Row] = []
        for place in 0..<max(one.count, more.count) {
            if place < one.count { both.append(one[place]) }
            if place < more.count { both.append(more[place]) }
        }
        let names = both.map(\.session)
        for place in both.indices { both[place].session = "" }
        for name in Set(names).subtracting([""]) {
            let recording = try TalkRecording(Self.numbered(both), fileName: "a.har", session: name)
            let found = try await Self.differences(recording)
            expectEqual(found, [])
            #expect(recording.acts.count { if case .call = $0.content { true } else { false } } > 1)
        }
    }

    @Test("An event that no client can read is a difference, and so is an id that comes twice")
    func unreadable() async throws {
        let rows = try await Self.rows(streaming: false, contact: false)
        let events = rows.indices.filter {
            rows[$0].direction == .outbound && rows[$0].type == "POLY_AGENT_MESSAGE"
        }
        let (first, second) = (try #require(events.first), try #require(events.dropFirst().first))
        let id = try #require(rows[first].json?["id"]?.string)
        for (name, value) in [
            ("timestamp", JSONValue.integer(1_795_954_870)), ("id", .integer(7)), ("id", .string(id)),
        ] {
            var rows = rows
            var json = try #require(rows[second].json)
            for place in json.members.indices where json.members[place].name == name {
                json.members[place].value = value
            }
            rows[second].raw = JSONWriter.bytes(.object(json))
            rows[second].size = rows[second].raw.count
            let recording = try TalkRecording(rows, fileName: "a.jsonl")
            let text = recording.fixture(name: "R", source: "a.jsonl").text
            let found = try await recording.comparison(with: text).differences
            #expect(found.contains { $0.row == rows[second].number }, "\(name) \(value)")
        }
    }

    @Test("What is missing or unreadable is noted with its row")
    func gaps() async throws {
        let rows = try await Self.rows(streaming: true, contact: false)
        let events = rows.filter { $0.kind == .ws && $0.direction == .outbound }
        var one = rows
        let place = try #require(one.firstIndex { $0.number == events[4].number })
        one[place].raw = [0, 1, 2]
        one[place].size = 3
        let noted = try TalkRecording(one, fileName: "a.jsonl").notes
        #expect(
            noted.contains { $0.hasPrefix("row \(events[4].number): a WebSocket message that is no JSON") })
        let late = try TalkRecording(
            rows.filter { $0.kind == .ws && $0.number > events[4].number }, fileName: "a.jsonl")
        #expect(late.notes.contains { $0.contains("begins in the middle") })
        let chunk = try #require(
            rows.firstIndex {
                let text = String(decoding: $0.raw, as: UTF8.self)
                return text.contains(#""chunk_index":2,"is_complete":false"#) && $0.kind == .ws
            })
        var holed = rows
        holed.remove(at: chunk)
        #expect(try TalkRecording(holed, fileName: "a.jsonl").notes.contains { $0.contains("chunk") })
    }

    @Test("A frame of the client that was recorded twice was sent once")
    func doubled() async throws {
        let rows = try await Self.rows(streaming: false, contact: false)
        let doubled = rows.flatMap { $0.kind == .ws ? [$0, $0] : [$0] }
        let recording = try TalkRecording(Self.numbered(doubled), fileName: "a.har")
        try await expectEqual(Self.differences(recording), [])
    }

    @Test("What no step takes is left out with a note, and the fixture loads")
    func noStep() async throws {
        var rows = try await Self.rows(streaming: false, contact: false)
        let places = rows.indices.filter { rows[$0].type == "POLY_AGENT_MESSAGE" }
        for (place, event) in zip(places, [#""type":"EVENT_TYPE_LANGUAGE_CHANGED""#, #""type":"""#]) {
            let text = #"{"id":"\#(place)","timestamp":"2026-01-15T09:30:00.579Z","sequence":90,\#(event),"#
            rows[place].raw = Array((text + #""payload":{"language_code":"*"}}"#).utf8)
            rows[place].size = rows[place].raw.count
        }
        let made = try TalkRecording(rows, fileName: "a.jsonl").fixture(name: "R", source: "a.jsonl")
        expectEqual(made.notes.count { $0.contains("left out") }, 2, "\(made.notes)")
        let findings = FixtureLoader.compile(bytes: Array(made.text.utf8), fileName: "r.json5", name: "r")
            .findings
        #expect(!findings.contains { $0.severity == .error })
    }

    @Test("Braces stay in names, reasons and texts, whether a fixture fills them or not")
    func braces() async throws {
        let script = """
            { fixture: 1, agent: { name: "Lu {x}" }, greeting: [{ say: "Hello {{x}}" }],
              anywhere: [
                { hears: "person", replies: [{ handoff: "desk" }] },
                { hears: "lost", replies: [{ handoff: "lost" }] },
                { hears: "app", replies: [{ handoff: "app" }] },
              ],
              handoffs: {
                desk: { queue: { name: "Desk {x}", positions: [1], every: "1s" }, liveAgent: { name: "Bo {x}" },
                        opens: [{ say: "Hi {{x}}" }],
                        rules: [{ hears: "back", replies: [{ giveBack: "done {x}" }] }] },
                lost: { outcome: "fails", reason: "closed {x}" },
                app: { mode: "client", reason: "why {x}", route: "to {x}" },
              } }
            """
        let journal = try await withMock(script) {
            $0.violations = .pass
            $0.unmatched = .pass
        } _: { mock in
            let chat = try await mock.chat()
            try await mock.untilIdle()
            for text in ["person", "back", "lost", "app"] {
                try await chat.say(text)
                try await mock.untilIdle()
            }
            return await mock.journal()
        }
        try await expectEqual(Self.differences(try TalkRecording(journal, fileName: "a.jsonl")), [])
    }

    @Test("A person who speaks after the client came back is a person, wherever it came back")
    func cursor() async throws {
        let journal = try await withMock("handoff-ok") {
            $0.violations = .pass
            $0.unmatched = .pass
        } _: { mock in
            let chat = try await mock.chat()
            try await mock.untilIdle()
            for text in ["human", "hello", "thanks"] {
                mock.network.cut()
                try await chat.say(text)
                mock.network.cut()
                try await mock.untilIdle()
            }
            return await mock.journal()
        }
        let recording = try TalkRecording(journal, fileName: "a.jsonl")
        #expect(!recording.reopenings.isEmpty)
        let text = recording.fixture(name: "R", source: "a.jsonl").text
        #expect(text.contains("liveAgent") && !text.contains("emit"), "\(text)")
        try await expectEqual(Self.differences(recording), [])
    }
}

extension Row {
    fileprivate var json: JSONObject? { (try? JSONReader.read(raw))?.object }
}
