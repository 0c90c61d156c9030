import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts
import WebSocketCore

@Suite("Reconnecting", .timeLimit(.minutes(5)))
struct ReconnectTests {
    static let counting = fixture(
        #"{ hears: "count", replies: [ { say: "a b c d e f g h" } ] }"#,
        pace: #"{ think: "100ms", chunk: "1 word", every: "100ms" }"#)

    /// protocol.md#cursor-replay, protocol.md#history-whole
    @Test("Every cursor in the middle of a stream: nothing is lost, doubled or out of order")
    func everyCursor() async throws {
        try await World.run {
            $0.connections.perSession = 100
            $0.fixtureText = Self.counting
        } _: { world in
            let (session, first) = try await world.greeted(streaming: true)
            first.say("count")
            for _ in 0..<3 { try await world.play(first, through: "POLY_AGENT_MESSAGE_CHUNK") }
            let seen = Int64(first.events.sequences.count)
            var talks: [(cursor: Int64, talk: Talk)] = []
            for cursor in 0...seen + 1 {
                talks.append((cursor, try await world.client.connect(session, cursor: "\(cursor)")))
            }
            try await world.reply(first, streaming: true)
            let all = first.events.filter { $0.sequence != nil }
            expectEqual(all.sequences, Array(1...Int64(all.count)))
            #expect(Int64(all.count) > seen)
            for (cursor, talk) in talks {
                try await talk.settle()
                // A cursor beyond the newest entry gets what comes after the present, which is all there is.
                let missed = all.filter { $0.sequence ?? 0 > min(cursor, seen) }
                let expected = cursor == 0 ? missed : [all[0]] + missed
                let heard = talk.events.filter { $0.sequence != nil }
                expectEqual(heard.map(\.description), expected.map(\.description), "cursor \(cursor)")
            }
        }
    }

    /// protocol.md#resume-after-a-drop, protocol.md#event-ids
    @Test("A client that loses its connection after every event hears everything once")
    func lostAfterEveryEvent() async throws {
        try await World.run {
            $0.fixtureText = Self.counting
            $0.connections.alwaysReplaysSessionStart = false
        } _: { world in
            let (session, first) = try await world.greeted(streaming: true)
            first.say("count")
            try await first.settle()
            var heard = first.events.sequences
            first.line.drop()
            for _ in 0..<100 {
                let talk = try await world.client.connect(session, cursor: "\(heard.last ?? 0)")
                var fresh: [Int64] = []
                while fresh.isEmpty {
                    try await talk.settle()
                    fresh = talk.events.sequences
                    if fresh.isEmpty, let next = await world.nextDeadline {
                        world.clock.advance(to: next)
                        await world.server.inspect { _ in }
                    }
                }
                heard += fresh
                let isComplete = talk.events.last?.payload["is_complete"] == .bool(true)
                talk.line.drop()
                if isComplete { break }
            }
            expectEqual(heard, Array(1...Int64(heard.count)))
            expectEqual(heard.count, 13)
        }
    }

    /// protocol.md#cursor-forms
    @Test(
        "Odd cursors count as 0 with a line in the log; the old form counts",
        arguments: [("abc", 0), ("-1", 0), ("1.5", 0), ("seq:", 0), ("seq:2", 2), ("2", 2), ("", 0)]
            as [(text: String, value: Int64)])
    func cursorForms(_ cursor: (text: String, value: Int64)) async throws {
        try await World.run {
            $0.fixtureText = fixture("")
            $0.connections.alwaysReplaysSessionStart = false
        } _: { world in
            let (session, _) = try await world.greeted()
            let talk = try await world.client.connect(session, cursor: cursor.text)
            try await talk.settle()
            expectEqual(talk.events.sequences, Array(cursor.value + 1...4))
            let isOdd = cursor.value == 0 && !cursor.text.isEmpty
            expectEqual(world.log.all.contains { $0.contains("counts as 0") }, isOdd)
        }
    }

    /// protocol.md#session-start-leads
    @Test(
        "A batch with nothing new holds SESSION_START, or nothing by choice",
        arguments: [true, false] as [Bool])
    func nothingNew(always: Bool) async throws {
        try await World.run {
            $0.fixtureText = fixture("")
            $0.connections.alwaysReplaysSessionStart = always
        } _: { world in
            let (session, first) = try await world.greeted()
            let talk = try await world.client.connect(session, cursor: "4")
            try await talk.settle()
            expectEqual(talk.messages.map(\.type), ["EVENT_BATCH"])
            expectEqual(talk.events.map(\.id), always ? [first.events[0].id] : [])
        }
    }

    /// protocol.md#named-payloads
    @Test("Batch elements may carry their payload under the type's own name")
    func namedPayloads() async throws {
        try await World.run {
            $0.connections.usesNamedPayloadsInBatches = true
        } _: { world in
            let talk = try await world.client.connect(try await world.client.session())
            let start = try await talk.next()
            expectEqual(start.json["payload"], nil)
            #expect(start.json["session_start"]?["capabilities"] != nil)
        }
    }

    /// protocol.md#start-and-joined-together
    @Test("SESSION_START and POLY_AGENT_JOINED of a talk come in one batch")
    func joinedInFirstBatch() async throws {
        try await World.run { world in
            let (session, _) = try await world.greeted()
            let talk = try await world.client.connect(session)
            try await talk.settle()
            expectEqual(talk.messages.count, 1)
            #expect(talk.events.types.contains("POLY_AGENT_JOINED"))
        }
    }

    @Test("Frames that came before the connection was lost count")
    func lastWords() async throws {
        try await World.run {
            $0.fixtureText = fixture("")
        } _: { world in
            let (session, talk) = try await world.greeted()
            talk.say("last words", localID: "last")
            talk.line.endOutput()
            _ = try await talk.line.ended()
            let again = try await world.client.connect(session)
            let echo = try await again.event("USER_MESSAGE")
            expectEqual(echo.localID, "last")
        }
    }
}
