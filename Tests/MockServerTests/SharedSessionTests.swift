import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts
import WebSocketCore

@Suite("Connections of one session", .timeLimit(.minutes(5)))
struct SharedSessionTests {
    /// protocol.md#told-to-all
    @Test("Journaled events and echoes reach every connection, in one order")
    func fanOut() async throws {
        try await World.run { world in
            let (session, first) = try await world.greeted()
            let second = try await world.client.connect(session)
            try await second.settle()
            expectEqual(second.events.sequences, [1, 2, 3, 4])
            _ = second.rest()
            first.say("Hello", localID: "tab 1")
            let turn = try await world.reply(first)
            try await second.settle()
            expectEqual(second.rest().map(\.description), turn.map(\.description))
        }
    }

    /// protocol.md#told-to-the-sender
    @Test("Heartbeat echoes and error notices go to the sender, typing to nobody")
    func senderOnly() async throws {
        try await World.run { world in
            let (session, first) = try await world.greeted()
            let second = try await world.client.connect(session)
            try await second.settle()
            _ = second.rest()
            first.heartbeat()
            first.sendText("not json")
            first.send("USER_TYPING", payload: #"{"state":"TYPING_STATE_STARTED"}"#)
            try await first.settle()
            try await second.settle()
            expectEqual(first.rest().types, ["HEARTBEAT", "SYSTEM_MESSAGE"])
            #expect(second.rest().isEmpty)
        }
    }

    /// protocol.md#end-for-all
    @Test("Ending on one connection ends the session for all")
    func endForAll() async throws {
        try await World.run { world in
            let (session, first) = try await world.greeted()
            let second = try await world.client.connect(session)
            try await second.settle()
            first.endSession()
            try await first.event("SESSION_END")
            try await second.event("SESSION_END")
            await world.pass(.seconds(2))
            try await expectEqual(first.closeCode, 1000)
            try await expectEqual(second.closeCode, 1000)
            // The clients' own Close frames may still be on their way.
            while await world.server.inspect({ $0.openWebSockets }) != 0 { await Task.yield() }
        }
    }

    @Test("A history that is owed when its session is forgotten is told before the goodbye")
    func lastHistory() async throws {
        try await World.run {
            $0.connections.firstFrameDelay = .milliseconds(40)
            $0.sessions.endGrace = .zero
            $0.sessions.endedRetention = .zero
        } _: { world in
            let session = try await world.client.session()
            let first = Talk(try await world.client.upgrade(APIClient.target(session)))
            try await expectEqual(first.line.answer(0).status, 101)
            await world.pass(.milliseconds(40))
            try await expectEqual(first.next().type, "SESSION_START")
            let second = Talk(try await world.client.upgrade(APIClient.target(session)))
            try await expectEqual(second.line.answer(0).status, 101)
            first.endSession()
            try await expectEqual(first.closeCode, 1000)
            try await expectEqual(second.closeCode, 1000)
            expectEqual(second.events.types, ["SESSION_START", "USER_END_SESSION", "SESSION_END"])
            await expectEqual(world.server.inspect { $0.sessions.count }, 0)
        }
    }

    /// protocol.md#connection-limit, protocol.md#error-too-many-connections
    @Test("The 11th connection is refused with 429; one that closes frees its place")
    func tooMany() async throws {
        try await World.run { world in
            let session = try await world.client.session()
            var talks: [Talk] = []
            for _ in 0..<10 { talks.append(try await world.client.connect(session)) }
            let refused = try await world.client.upgrade(APIClient.target(session))
            let answer = try await refused.answer(0)
            expectEqual(answer.status, 429)
            expectEqual(answer.message, "connection limit exceeded for session")
            expectEqual(answer["error_code"]?.string, "CONNECTION_LIMIT_EXCEEDED")
            #expect(answer.headers["Retry-After"] != nil)
            talks[3].line.sendClose(1000)
            try await expectEqual(talks[3].closeCode, 1000)
            let talk = try await world.client.connect(session)
            try await expectEqual(talk.next().type, "SESSION_START")
            await expectEqual(world.server.inspect { $0.session(session.id)?.links.count }, 10)
        }
    }

    @Test("A connection that drops without a Close frees its place too", arguments: [true, false] as [Bool])
    func dropped(byReset: Bool) async throws {
        try await World.run {
            $0.connections.perSession = 1
        } _: { world in
            let session = try await world.client.session()
            let talk = try await world.client.connect(session)
            if byReset {
                talk.line.drop(reset: true)
                try await world.logged("connection lost")
            } else {
                talk.line.endOutput()
                _ = try await talk.line.ended()
            }
            let again = try await world.client.connect(session)
            try await expectEqual(again.next().type, "SESSION_START")
            await expectEqual(world.server.inspect { $0.openWebSockets }, 1)
        }
    }

    @Test("A peer that never answers the Close is cut off after the close time and forgotten")
    func silentPeer() async throws {
        try await World.run {
            $0.limits.closeTime = .seconds(3)
            $0.connections.maxAge = .seconds(60)
            $0.connections.perSession = 1
        } _: { world in
            let session = try await world.client.session()
            let talk = try await world.client.connect(session, Line.Manners(answers: false))
            await world.pass(.seconds(60))
            try await expectEqual(talk.closeCode, 1001)
            await world.pass(.milliseconds(2_999))
            await expectEqual(world.server.inspect { $0.openWebSockets }, 1)
            await world.pass(.milliseconds(1))
            _ = try await talk.line.ended()
            await expectEqual(world.server.inspect { $0.openWebSockets }, 0)
            await expectEqual(world.server.inspect { $0.openSockets }, 0)
            let again = try await world.client.connect(session)
            try await expectEqual(again.next().type, "SESSION_START")
        }
    }

    @Test("After our Close no event is sent, whatever happens in the session (RFC 6455 §5.5.1)")
    func nothingAfterClose() async throws {
        try await World.run {
            $0.connections.maxAge = .seconds(60)
            $0.fixtureText = fixture("")
        } _: { world in
            let session = try await world.client.session()
            let old = try await world.client.connect(session, Line.Manners(answers: false))
            try await old.event("SESSION_START")
            await world.pass(.seconds(30))
            let young = try await world.client.connect(session)
            await world.pass(.seconds(30))
            try await expectEqual(old.closeCode, 1001)
            young.join()
            try await young.event("POLY_AGENT_MESSAGE")
            await world.pass(.seconds(2))
            _ = try await old.line.ended()
            try expectCloseIsLast(old)
        }
    }

    @Test("A reply that is due while the server says goodbye is not sent behind the Close (RFC 6455 §5.5.1)")
    func nothingAfterGoodbye() async throws {
        try await World.run { world in
            let session = try await world.client.session()
            let talk = try await world.client.connect(session, Line.Manners(answers: false))
            talk.join()
            try await talk.event("POLY_AGENT_THINKING")
            async let stopped: Void = world.server.stop()
            try await expectEqual(talk.closeCode, 1001)
            await world.pass(.seconds(1))
            await stopped
            _ = try await talk.line.ended()
            try expectCloseIsLast(talk)
        }
    }

    /// The last frame is a Close, and it ends where the bytes end.
    private func expectCloseIsLast(_ talk: Talk) throws {
        let bytes = talk.line.pieces.all.flatMap { $0 }
        let close = try #require(bytes.lastIndex(of: 0x88))
        expectEqual(Int(bytes[close + 1]), bytes.count - close - 2)
    }
}
