import Clocks
import ConversationEngine
import DialectKit
import Expectations
import FixtureTools
import Fixtures
import MockServer
import Testing
import Texts
import Timeline

@testable import MockKit

@Suite("Recordings that are bad", .timeLimit(.minutes(20)))
struct BadRecordingTests {
    private typealias Talk = ConversationRecorderTests.Talk

    private static func rows(streaming: Bool, contact: Bool) async throws -> [Row] {
        let talk = Talk(fixture: "booking", example: 1, isStreaming: streaming, isContact: contact)
        return try TimelineImport.rows(try await talk.journal(), as: Server.reading)
    }

    private static func errors(_ text: String) -> [String] {
        FixtureLoader.compile(bytes: Array(text.utf8), fileName: "r.json5", name: "r").rehearsed().findings
            .filter { $0.severity == .error }.map { "\($0.code) \($0.message)" }
    }

    private static func made(_ recording: TalkRecording) -> ConversationFixture {
        recording.fixture(name: "R", source: "a.jsonl")
    }

    private static func numbered(_ rows: [Row]) -> [Row] {
        var rows = rows
        for place in rows.indices { rows[place].number = UInt64(place) + 1 }
        return rows
    }

    @Test("A connection that was lost, and came back with a cursor, is read as one conversation")
    func cursor() async throws {
        let journal = try await withMock("booking") {
            $0.violations = .pass
            $0.unmatched = .pass
        } _: { mock in
            let chat = try await mock.chat()
            try await mock.untilIdle()
            for text in ["a table, please", "four", "Friday at 8"] {
                try await chat.say(text)
                try await mock.untilIdle()
                mock.network.cut()
                try await mock.untilIdle()
            }
            return await mock.journal()
        }
        let recording = try TalkRecording(journal, fileName: "a.jsonl")
        let opened = recording.acts.count { if case .open = $0.content { true } else { false } }
        #expect(opened > 1)
        let made = Self.made(recording)
        expectEqual(Self.errors(made.text), [])
        try await expectEqual(recording.comparison(with: made.text).differences.map(\.line), [])
    }

    @Test("Chunks in disorder are read in their order, and noted", arguments: [false, true])
    func disorder(isContact: Bool) async throws {
        var rows = try await Self.rows(streaming: true, contact: isContact)
        let whole = try TalkRecording(rows, fileName: "a.jsonl")
        let text = Self.made(whole).text
        let chunks = whole.events.compactMap { event -> (row: UInt64, id: String)? in
            guard case .agentChunk(let chunk)? = event.meanings.first else { return nil }
            return (event.row, chunk.messageID)
        }
        let pair = try #require(zip(chunks, chunks.dropFirst()).first { $0.id == $1.id })
        let one = try #require(rows.firstIndex { $0.number == pair.0.row })
        let two = try #require(rows.firstIndex { $0.number == pair.1.row })
        (rows[one].raw, rows[two].raw) = (rows[two].raw, rows[one].raw)
        (rows[one].size, rows[two].size) = (rows[one].raw.count, rows[two].raw.count)
        let recording = try TalkRecording(rows, fileName: "b.jsonl")
        #expect(
            recording.notes.count == 1 && recording.notes[0].hasPrefix("row \(rows[one].number): the chunks"))
        expectEqual(Self.made(recording).text, text)
    }

    @Test("A second session in one WebSocket is left out, with its row", arguments: [false, true])
    func sessions(isContact: Bool) async throws {
        let rows = try await Self.rows(streaming: false, contact: isContact)
        let talk = Talk(fixture: "booking", example: 1, isStreaming: false, isContact: isContact, seed: 9)
        let others = try TimelineImport.rows(try await talk.journal(), as: Server.reading)
            .filter { $0.kind == .ws }
        let socket = try #require(rows.first { $0.kind == .ws })
        let more = others.map { row in
            var row = row
            (row.socket, row.session) = (socket.socket, socket.session)
            return row
        }
        let recording = try TalkRecording(Self.numbered(rows + more), fileName: "b.jsonl")
        let text = Self.made(try TalkRecording(rows, fileName: "a.jsonl")).text
        expectEqual(Self.made(recording).text, text)
        #expect(recording.notes.contains { $0.hasPrefix("row ") && $0.contains("in this WebSocket") })
    }

    @Test(
        "A clock that jumps leaves the order, and no pause of hours", arguments: [-7_200, 7_200, 864_000, -1])
    func clocks(seconds: Int64) async throws {
        for isStreaming in [false, true] {
            let rows = try await Self.rows(streaming: isStreaming, contact: false)
            for count in stride(from: 3, to: rows.count, by: 7) {
                var jumped = rows
                for place in jumped.indices.dropFirst(count) {
                    jumped[place].time = jumped[place].time + .seconds(seconds)
                    jumped[place].wallTime = jumped[place].time
                }
                let recording = try TalkRecording(jumped, fileName: "a.jsonl")
                let made = Self.made(recording)
                expectEqual(Self.errors(made.text), [], "\(count)")
                #expect(!made.text.contains(#"wait: "2h"#), "\(count)")
                let found = try await recording.comparison(with: made.text).differences
                expectEqual(found.map(\.line), [], "\(count)")
            }
        }
    }

    @Test("HAR keeps the order of a WebSocket's messages when the clock was set back")
    func harClock() throws {
        let messages = [10.0, 11, 5, 6].enumerated().map { number, time in
            #"{"type":"receive","time":\#(time),"opcode":1,"data":"\#(number)"}"#
        }
        let har =
            #"{"log":{"entries":[{"startedDateTime":"1970-01-01T00:00:09.000Z","request":{"url":"ws://h/ws"},"_webSocketMessages":[\#(messages.joined(separator: ","))]}]}}"#
        let rows = try TimelineImport.har(Array(har.utf8))
        expectEqual(rows.map { String(decoding: $0.raw, as: UTF8.self) }, ["0", "1", "2", "3"])
    }

    @Test("A recording without its beginning, or damaged anywhere, becomes a fixture that loads")
    func damaged() async throws {
        for isContact in [false, true] {
            let rows = try await Self.rows(streaming: true, contact: isContact)
            var chance = SeededGenerator(seed: 34)
            for _ in 0..<60 {
                var rows = rows
                for _ in 0..<Int.random(in: 1...6, using: &chance) {
                    let place = Int.random(in: rows.indices, using: &chance)
                    let other = Int.random(in: rows.indices, using: &chance)
                    switch Int.random(in: 0..<6, using: &chance) {
                    case 0: rows.remove(at: place)
                    case 1: rows.insert(rows[other], at: place)
                    case 2: rows.swapAt(place, other)
                    case 3: rows[place].raw = Array(rows[place].raw.prefix(rows[place].raw.count / 2))
                    case 4: rows[place].time = rows[other].time
                    default: rows[place].session = ""
                    }
                }
                guard let recording = try? TalkRecording(Self.numbered(rows), fileName: "a.jsonl") else {
                    continue
                }
                let text = recording.playable(name: "R", source: "a.jsonl").fixture.text
                expectEqual(Self.errors(text), [], "\(text)")
            }
        }
    }

    @Test("More turns than a fixture has rules are written, and told in one sentence")
    func turns() async throws {
        let rows = (1...10_001).map { number in
            let event =
                #"{"type":"EVENT_TYPE_USER_MESSAGE","id":"e\#(number)","timestamp":"2026-01-15T09:30:00.000Z","#
                + #""payload":{"message_id":"m\#(number)","text":"Turn \#(number)"}}"#
            return Row(
                number: UInt64(number), time: Instant(secondsSince1970: Int64(number)), direction: .outbound,
                kind: .ws, session: "s", socket: 1, raw: Array(event.utf8))
        }
        let answer = await RunRecorder(.file("a.har")).record(try TalkRecording(rows, fileName: "a.har"))
        expectEqual(answer.code, 1)
        let sentence = "a.har: no server loads the fixture; cut the recording in pieces (line "
        expectEqual(answer.talk.last?.hasPrefix(sentence), true, "\(answer.talk)")
        expectEqual(answer.talk.last?.hasSuffix(": A fixture has at most 10000 rules.)"), true)
        expectEqual(answer.lines.first?.contains(#"exactly: "Turn 10001""#), true)
    }

    @Test("A file that was cut is refused with its line, or read up to there")
    func cut() async throws {
        let talk = Talk(fixture: "booking", example: 1, isStreaming: false, isContact: false)
        let journal = try await talk.journal()
        let rows = try TimelineImport.rows(journal, as: Server.reading)
        let har = TimelineExport.har(rows, info: ExportInfo(exportedAt: rows[0].wallTime, version: "1"))
        for (bytes, name) in [(journal, "a.jsonl"), (Array(har), "a.har")] {
            for part in 0..<40 {
                let piece = Array(bytes.prefix(bytes.count * part / 40))
                do {
                    let made = Self.made(try TalkRecording(piece, fileName: name))
                    expectEqual(Self.errors(made.text), [])
                } catch let error as MockError {
                    #expect(error.description.hasPrefix("\(name): "), "\(error)")
                    let isShort = part == 0 || error.description.contains("WebSocket messages")
                    #expect(isShort || error.description.contains("line "), "\(error)")
                }
            }
        }
    }

    private static let secret = "s3cr3tValue77"

    /// A conversation whose wire has secrets wherever a service may put some.
    private static func leaking() async throws -> [Row] {
        let rows = try await rows(streaming: false, contact: false)
        let event =
            #"{"type":"EVENT_TYPE_NOVEL","id":"n-1","sequence":900,"timestamp":"2026-01-15T09:30:00.250Z","payload":{"api_key":"\#(secret)","link":"https://h/x?X-Amz-Signature=\#(secret)&token=\#(secret)","note":"Authorization: Bearer \#(secret)","password":"\#(secret)"}}"#
        var more = try #require(rows.last { $0.kind == .ws && $0.direction == .outbound })
        more.raw = Array(event.utf8)
        more.size = more.raw.count
        var said = rows
        for place in said.indices where said[place].kind == .rest {
            let text = String(decoding: said[place].raw, as: UTF8.self)
                .replacing(#""access_token":""#, with: #""access_token":"\#(secret)"#)
            said[place].raw = Array(text.utf8)
            said[place].size = said[place].raw.count
        }
        said.insert(more, at: said.count / 2)
        return numbered(said)
    }

    @Test("Secrets are in no fixture, no difference and no note")
    func secrets() async throws {
        let recording = try TalkRecording(try await Self.leaking(), fileName: "a.jsonl")
        let made = Self.made(recording)
        #expect(made.text.contains("EVENT_TYPE_NOVEL"))
        let plain = Self.made(
            try TalkRecording(try await Self.rows(streaming: false, contact: false), fileName: "a"))
        let found = try await recording.comparison(with: plain.text).differences
        #expect(!found.isEmpty)
        let all = [made.text] + made.notes + recording.notes + found.flatMap { [$0.line, $0.json] }
        expectEqual(all.filter { $0.contains(Self.secret) }, [])
    }

    @Test(
        "E-mail addresses and telephone numbers are noted, whoever says them",
        arguments: [
            ("mail ada@example.com", "fine", 1), ("hi", "Ring +44 20 7946 0018.", 1),
            ("it is 020 7946 0018", "fine", 1),
            ("table 12 at 20:30 for 4", "On 2026-01-15", 0), ("four of us", "At half past 7.", 0),
        ] as [(String, String, Int)])
    func addresses(said: String, answer: String, count: Int) async throws {
        let script = fixture(#"{ hears: "*", replies: [ { say: "\#(answer)" } ] }"#)
        let journal = try await withMock(script) { mock in
            let chat = try await mock.chat(streaming: false)
            try await mock.untilIdle()
            try await chat.say(said)
            try await mock.untilIdle()
            return await mock.journal()
        }
        let made = Self.made(try TalkRecording(journal, fileName: "a.jsonl"))
        expectEqual(made.notes.filter { $0.contains("telephone") }.count, count, "\(made.notes)")
    }
}
