import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import SocketTransport
import TestSupport
import Testing

/// Faults that act on a connection from their moment on, as clients see them.
@Suite("Slow lines, late ears, old tokens", .timeLimit(.minutes(5)))
struct SlowLineTests {
    private func run(
        at moment: String, do effect: String, _ body: (World, APIClient.Session) async throws -> Void
    ) async throws {
        try await World.run { configuration in
            configuration.fixtureText = fixture(
                "", rest: "faults: { t: { at: \"\(moment)\", do: { \(effect) } } },")
        } _: { world in
            let token = try await world.client.token(connector: "mock:webchat+t")
            try await body(world, try await world.client.session(token: token))
        }
    }

    private func greeted(_ world: World, _ session: APIClient.Session) async throws -> Talk {
        let talk = try await world.client.connect(session)
        talk.join()
        try await world.play(talk, through: "POLY_AGENT_MESSAGE")
        return talk
    }

    /// The first byte of each frame that came.
    private func frames(_ talk: Talk) throws -> [UInt8] {
        let all = talk.line.pieces.all.flatMap(\.self)
        let mark = Array("\r\n\r\n".utf8)
        let head = try #require(all.indices.first { all[$0...].starts(with: mark) })
        var bytes = all[(head + mark.count)...]
        var firsts: [UInt8] = []
        while bytes.count >= 2 {
            let start = bytes.startIndex
            firsts.append(bytes[start])
            var (length, header) = (Int(bytes[start + 1] & 0x7F), 2)
            if length == 126 {
                (length, header) = (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]), 4)
            }
            bytes = bytes.dropFirst(header + length)
        }
        return firsts
    }

    @Test("A split event comes in so many frames, and clients read one message")
    func split() async throws {
        try await run(at: "reply 2", do: "split: 4") { world, session in
            let talk = try await greeted(world, session)
            talk.say("Hi", localID: "1")
            try await talk.settle()
            expectEqual(talk.events.last?.text, "I heard you.")
            let frames = try frames(talk)
            expectEqual(frames.filter { $0 == 0x01 }.count, 1)
            expectEqual(frames.filter { $0 == 0x00 }.count, 2)
            expectEqual(frames.filter { $0 == 0x80 }.count, 1)
        }
    }

    @Test("Through a throttle bytes come ten times a second, and all of them in order")
    func throttle() async throws {
        try await run(at: "user message 1", do: "throttle: 100") { world, session in
            let talk = try await greeted(world, session)
            try await talk.settle()
            func received() -> Int { talk.line.pieces.all.reduce(0) { $0 + $1.count } }
            let before = received()
            talk.say("Hi", localID: "1")
            try await world.logged("\"Hi\"")
            for _ in 0..<5 { await world.pass(.milliseconds(100)) }
            _ = try await talk.line.pieces.wait(for: "fifty bytes") { pieces in
                pieces.reduce(0) { $0 + $1.count } >= before + 50 ? true : nil
            }
            expectEqual(received(), before + 50)
            #expect(!talk.events.contains { $0.type == "USER_MESSAGE" })
            await world.pass(.minutes(1))
            let echo = try await talk.event("USER_MESSAGE")
            let reply = try await talk.event("POLY_AGENT_MESSAGE")
            #expect(echo.text == "Hi" && reply.text == "I heard you.")
            let sequences = talk.events.compactMap(\.sequence)
            expectEqual(sequences, sequences.sorted())
        }
    }

    @Test("A client's Close is answered behind what drips: nothing that was told before gets lost")
    func closeBehindDrip() async throws {
        try await run(at: "user message 1", do: "throttle: 100") { world, session in
            let talk = try await greeted(world, session)
            try await talk.settle()
            try await say(["Hi"], talk, world)
            talk.line.sendClose(1_000)
            try await world.logged("client closed")
            // Who has said Close reads no messages any more, but its bytes came.
            func isEchoed() -> Bool {
                String(decoding: talk.line.pieces.all.flatMap(\.self), as: UTF8.self)
                    .contains("USER_MESSAGE")
            }
            #expect(!talk.isClosed && !isEchoed())
            await world.pass(.minutes(1))
            try await expectEqual(talk.closeCode, 1_000)
            #expect(isEchoed())
            await expectEqual(world.server.inspect { $0.openWebSockets }, 0)
        }
    }

    @Test("A close by the server has time for an answer that is heard late")
    func closeWithLag() async throws {
        try await World.run {
            $0.limits.closeTime = .seconds(3)
            $0.connections.maxAge = .seconds(60)
            $0.fixtureText = fixture("")
        } _: { world in
            let (session, talk) = try await world.greeted()
            try await talk.settle()
            _ = await world.server.inspect { server in
                server.inject(
                    Fault(name: "t", moment: .heartbeat(1), effect: .lag(.seconds(20))),
                    session: session.id,
                    by: "test")
            }
            talk.heartbeat()
            try await talk.event("HEARTBEAT")
            let before = await received(world)
            await world.pass(.seconds(60))
            try await expectEqual(talk.closeCode, 1_001)
            while await received(world) == before { await Task.yield() }
            await world.pass(.seconds(19))
            await expectEqual(world.server.inspect { $0.openWebSockets }, 1)
            await world.pass(.seconds(2))
            await expectEqual(world.server.inspect { $0.openWebSockets }, 0)
            try await world.logged("client closed")
        }
    }

    @Test("With a lag the server hears the client later, in order, and at once when it is taken away")
    func lag() async throws {
        try await World.run {
            $0.fixtureText = fixture("")
        } _: { world in
            let (session, talk) = try await world.greeted()
            try await talk.settle()
            let added = await world.server.inspect { server in
                server.inject(
                    Fault(name: "t", moment: .heartbeat(1), effect: .lag(.seconds(2))), session: session.id,
                    by: "test")
            }
            talk.heartbeat()
            try await talk.event("HEARTBEAT")
            try await say(["one", "two"], talk, world)
            await world.pass(.milliseconds(1_900))
            #expect(!talk.events.contains { $0.type == "USER_MESSAGE" })
            await world.pass(.milliseconds(200))
            try await expectEqual(talk.event("USER_MESSAGE").text, "one")
            try await expectEqual(talk.event("USER_MESSAGE").text, "two")
            try await say(["three"], talk, world)
            let id = try #require(added)
            #expect(await world.server.inspect { $0.remove(id) })
            try await expectEqual(talk.event("USER_MESSAGE").text, "three")
        }
    }

    /// Says this, and waits until its bytes are with the server.
    private func say(_ texts: [String], _ talk: Talk, _ world: World) async throws {
        for text in texts {
            let before = await received(world)
            talk.say(text)
            while await received(world) == before { await Task.yield() }
        }
    }

    private func received(_ world: World) async -> UInt64 {
        world.server.traffic().reduce(0) { $0 + UInt64($1.received) }
    }

    @Test(
        "An expired token opens neither connection nor session; open connections stay, and a new token is good"
    )
    func expire() async throws {
        try await run(at: "user message 1", do: "expire: 'token'") { world, session in
            let talk = try await greeted(world, session)
            talk.say("Hi", localID: "1")
            try await world.play(talk, through: "POLY_AGENT_MESSAGE")
            let refused = try await world.client.upgrade(APIClient.target(session)).answer(0)
            let nonsense = try await world.client.upgrade(
                APIClient.target(session, token: "nonsense")
            ).answer(0)
            #expect(refused.status == nonsense.status && refused.message == nonsense.message)
            let again = try await world.client.request(
                "POST", "/api/v1/sessions", ["Authorization": "Bearer \(session.token)"], body: "{}")
            expectEqual(again.status, 401)
            talk.say("Still here")
            try await world.play(talk, through: "POLY_AGENT_MESSAGE")
            let fresh = try await world.client.token(connector: "mock:webchat+t")
            _ = try await world.client.connect(try await world.client.session(token: fresh))
        }
    }
}
