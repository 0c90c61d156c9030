import Clocks
import Expectations
import TestSupport
import Testing
import Texts

@testable import Timeline

@Suite("Transcripts")
struct TranscriptTests {
    private func said(_ rows: [Row]) -> [String] {
        Samples.text(Transcript(rows).text()).split(separator: "\n").map(String.init)
    }

    @Test("One line per message, timed since the session's first row")
    func text() throws {
        expectEqual(Transcript(Samples.talk).text(), try Samples.file("talk.txt"))
    }

    @Test("The JSON has ids, sequences, speakers, parts, delivery and times")
    func json() throws {
        let info = ExportInfo(exportedAt: Samples.start + .seconds(9), version: "1")
        expectEqual(
            Samples.text(Transcript(Samples.talk).json(exportedAt: info.exportedAt)),
            Samples.text(try Samples.file("talk.json")))
    }

    @Test("Messages of two sessions with the same ids are four, and each line says whose it is")
    func severalSessions() {
        func talk(_ session: String, at time: Int64) -> [Row] {
            let echo = Samples.event("e-1", 1, "USER_MESSAGE", #""message_id":"m-1","text":"hello""#)
            let reply = Samples.event("e-2", 2, "POLY_AGENT_MESSAGE", #""message_id":"m-2","text":"Hi.""#)
            return [
                Samples.row(Samples.said("hello"), at: time, .inbound, session: session),
                Samples.row(echo, at: time + 10, session: session),
                Samples.row(reply, at: time + 20, session: session),
            ]
        }
        let (first, second) = (talk("11111111-a", at: 0), talk("22222222-b", at: 5))
        let rows = zip(first, second).flatMap { [$0, $1] }
        expectEqual(
            said(rows),
            [
                "00:00.000  11111111  user: hello", "00:00.005  22222222  user: hello",
                "00:00.020  11111111  agent: Hi.", "00:00.025  22222222  agent: Hi.",
            ])
        let json = Samples.text(Transcript(rows).json(exportedAt: Samples.start))
        #expect(json.contains(#"{"session":"22222222-b","id":"m-2""#))
        #expect(!Samples.text(Transcript(first).json(exportedAt: Samples.start)).contains(#"{"session""#))
    }

    @Test("Only the session asked for is read")
    func session() {
        let rows = [
            Samples.row(Samples.said("no"), .inbound, session: "s-0"),
            Samples.row(Samples.said("yes"), at: 70_000, .inbound, session: "s-2"),
        ]
        let transcript = Transcript(rows, session: "s-2")
        #expect(transcript.session == "s-2" && transcript.messages.map(\.text) == ["yes"])
        expectEqual(transcript.start, Samples.start + .seconds(70))
        #expect(Transcript(rows).session == "s-0" && Transcript([]).messages.isEmpty)
    }

    @Test("An echo without the client's own id confirms the draft of its text, not an earlier one")
    func confirmedByText() {
        let rows = [
            Samples.row(Samples.said("a"), .inbound), Samples.row(Samples.said("b"), .inbound),
            Samples.row(Samples.event("e-1", 2, "USER_MESSAGE", #""message_id":"m","text":"b""#)),
        ]
        expectEqual(said(rows), ["00:00.000  user (unconfirmed): a", "00:00.000  user: b"])
    }

    @Test("A message without an echo is unconfirmed; sent twice, it is said once")
    func unconfirmed() {
        let rows = [
            Samples.row(Samples.said("a", localID: "l-1"), .inbound),
            Samples.row(Samples.said("a", localID: "l-1"), at: 3_661_001, .inbound),
            Samples.row(Samples.said("b"), at: 3_661_001, .inbound),
            Samples.row(
                Samples.event("e-1", 2, "USER_MESSAGE", #""message_id":"m","text":"b""#), at: 3_662_000),
        ]
        expectEqual(said(rows), ["00:00.000  user (unconfirmed): a", "01:01:01.001  user: b"])
    }

    @Test("An echo heard by another connection alone is a message, too")
    func otherConnection() {
        let echo = Samples.event("e-1", 2, "USER_MESSAGE", #""message_id":"m","text":"b""#)
        expectEqual(said([Samples.row(echo), Samples.row(echo, at: 5, socket: 2)]), ["00:00.000  user: b"])
    }

    @Test("Chunks are put in order by their index, whatever the order they came in")
    func chunks() {
        let rows = [
            Samples.row(Samples.chunk("e-2", 3, 2, "b")), Samples.row(Samples.chunk("e-1", 2, 1, "a"), at: 1),
            Samples.row(Samples.chunk("e-3", 4, 3, "c", isLast: true), at: 2),
            Samples.row(Samples.chunk("e-3", 4, 3, "c", isLast: true), at: 3),
        ]
        expectEqual(said(rows), ["00:00.000  agent: abc"])
        expectEqual(said(Array(rows[0...1])), ["00:00.000  agent (partial): ab"])
        expectEqual(said([rows[1], rows[2]]), ["00:00.000  agent (partial): ac"])
        expectEqual(said([rows[0], rows[2]]), ["00:00.000  agent (partial): bc"])
    }

    @Test("A reply of thousands of chunks that come from the last to the first is whole")
    func manyChunks() {
        let count = Strength.of(1_500, full: 10_000)
        let rows = (1...count).reversed().map { index in
            Samples.row(
                Samples.chunk("e-\(index)", UInt64(index + 1), index, "x", isLast: index == count))
        }
        let reply = Transcript(rows).messages[0]
        #expect(reply.text == String(repeating: "x", count: count) && reply.delivery == .complete)
    }

    @Test("A whole reply stands for its chunks, also those that come after it")
    func wholeAndChunks() {
        let whole = Samples.event("e-9", 9, "POLY_AGENT_MESSAGE", #""message_id":"m-2","text":"whole""#)
        let rows = [
            Samples.row(Samples.chunk("e-1", 2, 1, "a")), Samples.row(whole, at: 1),
            Samples.row(Samples.chunk("e-2", 3, 2, "b"), at: 2),
        ]
        expectEqual(said(rows), ["00:00.000  agent: whole"])
    }

    @Test("A batch is unfolded, and what was heard before is not said again")
    func batch() {
        let first = Samples.event("e-1", 2, "POLY_AGENT_MESSAGE", #""message_id":"m-1","text":"one""#)
        let second = Samples.event("e-2", 3, "POLY_AGENT_MESSAGE", #""message_id":"m-2","text":"two""#)
        let batch = Samples.event("b", nil, "EVENT_BATCH", "\"events\":[\(second),\(first)]")
        expectEqual(
            said([Samples.row(first), Samples.row(batch, at: 1)]),
            [
                "00:00.000  agent: one", "00:00.001  agent: two",
            ])
        expectEqual(said([Samples.row(batch)]), ["00:00.000  agent: one", "00:00.000  agent: two"])
    }

    @Test("Live agents have their names, and the system speaks for itself")
    func people() {
        let rows = [
            Samples.row(
                Samples.event("e-1", 2, "LIVE_AGENT_JOINED", #""agent":{"id":"p-1","name":"Marta"}"#)),
            Samples.row(
                Samples.event(
                    "e-2", 3, "LIVE_AGENT_MESSAGE", #""message_id":"m","text":"Hi","agent_id":"p-1""#)),
            Samples.row(
                Samples.event("e-3", nil, "SYSTEM_MESSAGE", #""level":"X","message":"Slow\r\ndown""#)),
        ]
        expectEqual(said(rows), ["00:00.000  live agent Marta: Hi", "00:00.000  system: Slow down"])
        let people = Transcript(rows).participants
        expectEqual(people, [Transcript.Participant(speaker: .liveAgent, id: "p-1", name: "Marta")])
    }

    @Test("Rows centuries apart, as an import may bring them, do not stop an export")
    func centuries() {
        var rows = [Samples.row(Samples.said("a"), .inbound), Samples.row(Samples.said("b"), .inbound)]
        for (index, nanoseconds) in [Int64.min, Int64.max].enumerated() {
            rows[index].time = Instant(nanosecondsSince1970: nanoseconds)
            rows[index].wallTime = rows[index].time
        }
        expectEqual(said(rows).count, 2)
        #expect(!TimelineExport.har(rows, info: ExportInfo(exportedAt: Samples.start, version: "1")).isEmpty)
    }

    @Test("Frames that are no events, calls and what happens inside say nothing")
    func silent() {
        let message = Samples.event("e-1", 2, "POLY_AGENT_MESSAGE", #""message_id":"m-1","text":"one""#)
        #expect(
            said([
                Samples.row("broken"), Samples.row("{}", .inbound), Samples.row(message, .inside),
                Samples.row(message, kind: .fault), Samples.row(message, kind: .rest),
            ]).isEmpty)
    }
}
