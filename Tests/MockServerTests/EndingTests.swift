import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts
import WebSocketCore

@Suite("Endings", .timeLimit(.minutes(5)))
struct EndingTests {
    /// protocol.md#user-end, protocol.md#end-grace, protocol.md#close-normal
    @Test("The user ends: echo, SESSION_END, and 1000 after the grace period; then 404")
    func userEnds() async throws {
        try await World.run { world in
            let (session, talk) = try await world.greeted()
            talk.endSession()
            try await talk.settle()
            let end = talk.rest()
            expectEqual(end.types, ["USER_END_SESSION", "SESSION_END"])
            expectEqual(end.last?.payload["reason"], .string("REASON_USER_END"))
            let sequences = talk.events.sequences
            expectEqual(sequences, Array(1...Int64(sequences.count)))

            talk.say("Hello?", localID: "late")
            try await talk.settle()
            let refusal = try #require(talk.rest().first)
            expectEqual(refusal.message, "Error: Session not found")
            #expect(refusal.localID == "late" && refusal.sequence == nil)
            await world.pass(.milliseconds(1_999))
            try await talk.settle()
            #expect(!talk.isClosed)
            await world.pass(.milliseconds(1))
            try await expectEqual(talk.closeCode, 1000)
            try await expectEqual(refusedUpgrade(world, session), "404 session not found")
        }
    }

    /// protocol.md#natural-end
    @Test("The agent ends: its last message, SESSION_END, 1000")
    func naturalEnd() async throws {
        try await World.run {
            $0.sessions.endGrace = .seconds(5)
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.say("end the convo")
            let events = try await world.play(talk, through: "SESSION_END")
            expectEqual(events.types.suffix(2), ["POLY_AGENT_MESSAGE", "SESSION_END"])
            expectEqual(events.last?.payload["reason"], .string("REASON_NATURAL_END"))
            await world.pass(.seconds(4))
            #expect(!talk.isClosed)
            await world.pass(.seconds(1))
            try await expectEqual(talk.closeCode, 1000)
        }
    }

    /// protocol.md#event-user-end-session
    @Test("An end that comes in one segment with the Close is still an end")
    func endAndCloseTogether() async throws {
        try await World.run { world in
            let (session, talk) = try await world.greeted()
            talk.line.sendFrameAndClose(
                Array(#"{"type":"EVENT_TYPE_USER_END_SESSION","payload":{}}"#.utf8), 1000)
            try await expectEqual(talk.closeCode, 1000)
            await expectEqual(world.server.inspect { $0.session(session.id)?.hasEnded }, true)
        }
    }

    /// protocol.md#session-idle
    @Test("Ten silent minutes abandon a session; its connection hears why and is closed with 1000")
    func abandoned() async throws {
        try await World.run { world in
            let (session, talk) = try await world.greeted()
            await world.pass(.seconds(599))
            await expectEqual(world.server.inspect { $0.session(session.id)?.hasEnded }, false)
            await world.pass(.seconds(1))
            let end = try await talk.event("SESSION_END")
            expectEqual(end.payload["reason"], .string("REASON_USER_ABANDONED"))
            await world.pass(.seconds(2))
            try await expectEqual(talk.closeCode, 1000)
            try await expectEqual(refusedUpgrade(world, session), "404 session not found")
        }
    }

    @Test("A session that nobody came back to is abandoned as well")
    func vanished() async throws {
        try await World.run {
            $0.sessions.idle = .seconds(100)
            $0.sessions.endedRetention = .seconds(50)
        } _: { world in
            let session = try await world.client.session()
            await world.pass(.seconds(100))
            await expectEqual(world.server.inspect { $0.session(session.id)?.hasEnded }, true)
            try await expectEqual(refusedUpgrade(world, session), "404 session not found")
            await world.pass(.seconds(50))
            await expectEqual(world.server.inspect { $0.sessions.count }, 0)
        }
    }

    /// protocol.md#activity
    @Test("A heartbeat is echoed to the sender and keeps session and connection alive")
    func heartbeat() async throws {
        try await World.run { world in
            let (_, talk) = try await world.greeted()
            for _ in 0..<3 {
                await world.pass(.seconds(599))
                talk.heartbeat()
                let echo = try await talk.next()
                #expect(echo.type == "HEARTBEAT" && echo.sequence == nil)
            }
            #expect(!talk.isClosed)
        }
    }

    /// protocol.md#connection-idle, protocol.md#close-going-away
    @Test("A connection that alone is silent is closed with 1001 while its session lives")
    func idleConnection() async throws {
        try await World.run {
            $0.connections.idle = .seconds(60)
        } _: { world in
            let (session, silent) = try await world.greeted()
            let other = try await world.client.connect(session)
            try await other.event("SESSION_START")
            await world.pass(.seconds(59))
            other.heartbeat()
            try await other.event("HEARTBEAT")
            await world.pass(.seconds(1))
            try await expectEqual(silent.closeCode, 1001)
            #expect(!other.isClosed)
        }
    }

    /// protocol.md#connection-age
    @Test("A connection of the configured age is closed with 1001, however busy")
    func connectionAge() async throws {
        try await World.run {
            $0.connections.maxAge = .seconds(90)
        } _: { world in
            let (session, talk) = try await world.greeted()
            await world.pass(.seconds(89))
            talk.heartbeat()
            try await talk.event("HEARTBEAT")
            await world.pass(.seconds(1))
            try await expectEqual(talk.closeCode, 1001)
            let again = try await world.client.connect(session)
            try await expectEqual(again.next().type, "SESSION_START")
        }
    }

    /// protocol.md#new-chat
    @Test("A new chat: the old session ends on its socket, a new one begins beside it")
    func newChat() async throws {
        try await World.run { world in
            let (_, old) = try await world.greeted()
            old.endSession()
            try await old.event("SESSION_END")
            let session = try await world.client.session()
            old.line.sendClose(1001)
            try await expectEqual(old.closeCode, 1001)
            let talk = try await world.client.connect(session)
            talk.join()
            let events = try await world.reply(talk)
            expectEqual(events.sequences, [1, 2, 3, 4])
        }
    }

    @Test("A full journal ends its session instead of growing (limits)")
    func fullJournal() async throws {
        try await World.run {
            $0.limits.journalEntries = 6
            $0.fixtureText = fixture("")
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.say("5 and 6")
            talk.say("too much")
            try await talk.settle()
            expectEqual(talk.events.last { $0.sequence != nil }?.type, "SESSION_END")
            #expect(talk.events.sequences.count <= 7)
        }
    }

    private func refusedUpgrade(_ world: World, _ session: APIClient.Session) async throws -> String {
        let line = try await world.client.upgrade(APIClient.target(session))
        let answer = try await line.answer(0)
        return "\(answer.status) \(answer.message ?? "")"
    }
}
