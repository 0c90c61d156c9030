import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import SocketTransport
import TestSupport
import Testing
import Texts
import WebSocketCore

/// Each limit of `Configuration.Limits` that no other suite crosses, over real sockets. `Shared/Docs/limits.md` lists
/// them all.
@Suite("Limits", .timeLimit(.minutes(5)))
struct LimitTests {
    @Test("Who says nothing is closed without a word, and the log says why (limits.handshakeTime)")
    func silence() async throws {
        try await World.run {
            $0.limits.handshakeTime = .seconds(3)
        } _: { world in
            let line = try await world.client.open()
            // Accepted in order: the other's answer shows that this one is there.
            _ = try await world.client.request("GET", "/_mock/health")
            await world.pass(.milliseconds(2_999))
            #expect(await world.server.inspect { $0.connectionDeadlines } > 0)
            await world.pass(.milliseconds(1))
            _ = try await line.ended()
            expectEqual(line.pieces.count, 0)
            try await world.logged("limits.handshakeTime")
        }
    }

    @Test(
        "A WebSocket request that drips is answered with 408 when the handshake's time is over (limits.handshakeTime)"
    )
    func drippingHandshake() async throws {
        try await World.run {
            $0.limits.handshakeTime = .seconds(5)
            $0.limits.headerTime = .seconds(60)
        } _: { world in
            let line = try await world.client.open()
            line.send("GET /ws HTTP/1.1\r\nHost: a\r\n", requests: ["GET"])
            for _ in 0..<4 {
                try await world.heard(line, "Upgrade: web")
                await world.pass(.seconds(1))
            }
            expectEqual(line.answers.count, 0)
            await world.pass(.seconds(1))
            let answer = try await line.answer(0)
            expectEqual(answer.status, 408)
            expectEqual(answer.message?.contains("limits.handshakeTime"), true)
            _ = try await line.ended()
        }
    }

    @Test("A head that goes on and on is answered with 408, each time its own (limits.headerTime)")
    func slowHead() async throws {
        try await World.run {
            $0.limits.headerTime = .seconds(5)
        } _: { world in
            let line = try await world.client.open()
            try await expectEqual(line.request("GET", "/_mock/health").status, 200)
            await world.pass(.seconds(30))
            line.send("GET /_mock/health HTTP/1.1\r\n", requests: ["GET"])
            for _ in 0..<4 {
                try await world.heard(line, "X-A: b\r\n")
                await world.pass(.seconds(1))
            }
            expectEqual(line.answers.count, 1)
            try await world.heard(line, "X-A: b\r\n")
            await world.pass(.seconds(1))
            let answer = try await line.answer(1)
            expectEqual(answer.status, 408)
            expectEqual(answer.headers["Connection"], "close")
            expectEqual(answer.message?.contains("limits.headerTime"), true)
            _ = try await line.ended()
        }
    }

    @Test(
        "One address more than it may have is told so, and one that leaves makes room (limits.socketsPerAddress)"
    )
    func perAddress() async throws {
        try await World.run {
            $0.limits.socketsPerAddress = 2
        } _: { world in
            let lines = [try await world.client.open(), try await world.client.open()]
            for line in lines { try await expectEqual(line.request("GET", "/_mock/health").status, 200) }
            for _ in 0..<3 {
                let answer = try await world.client.request("GET", "/_mock/health")
                expectEqual(answer.status, 503)
                expectEqual(answer.headers["Retry-After"], "1")
                expectEqual(answer.headers["Connection"], "close")
                expectEqual(answer.message?.contains("limits.socketsPerAddress"), true)
            }
            lines[0].endOutput()
            _ = try await lines[0].ended()
            try await expectEqual(world.client.request("GET", "/_mock/health").status, 200)
        }
    }

    @Test(
        "Loopback, which all programs of a machine share, has no bound of its own (limits.socketsPerAddress)")
    func loopback() async throws {
        try await World.run { world in
            var lines: [Line] = []
            for _ in 0..<100 { lines.append(try await world.client.open()) }
            try await expectEqual(lines[99].request("GET", "/_mock/health").status, 200)
        }
    }

    @Test("Who writes 16 MiB before reading loses nothing: it is slowed down instead (RFC 9293 §3.8.6)")
    func echoBackpressure() async throws {
        try await World.run {
            $0.servesEcho = true
            $0.limits.writeBufferBytes = 1 << 20
        } _: { world in
            let line = try await world.client.upgrade("/_mock/echo")
            try await expectEqual(line.answer(0).status, 101)
            line.pauseReading()
            for number in 0..<256 {
                line.sendFrame(.binary, [UInt8](repeating: UInt8(number), count: 64 << 10))
            }
            // Nothing but the deadline of a peer that does not read is left to wait for.
            try await world.until { $0.connectionDeadlines == 1 }
            line.resumeReading()
            let items = try await line.items.wait(count: 256)
            for (number, item) in items.enumerated() {
                guard case .binary(let bytes) = item else {
                    Issue.record("\(item)")
                    return
                }
                #expect(bytes.count == 64 << 10 && bytes.first == UInt8(number) && bytes.last == bytes.first)
            }
            try await world.until { $0.connectionDeadlines == 0 }
        }
    }

    @Test("A conversation is slowed down alike, and goes on where it was")
    func talkBackpressure() async throws {
        try await World.run {
            $0.fixtureText = fixture("", rest: "")
            $0.limits.writeBufferBytes = 1 << 20
            // What nobody hears would be reported at length.
            $0.unmatched = .pass
            $0.checksProtocol = false
        } _: { world in
            let (session, talk) = try await world.greeted()
            let before = talk.line.items.count
            talk.line.pauseReading()
            let text = String(repeating: "x", count: 60_000)
            for _ in 0..<256 { talk.say(text) }
            try await world.until { $0.connectionDeadlines == 1 }
            talk.line.resumeReading()
            try await world.until { $0.session(session.id)?.userMessageCount == 256 }
            _ = try await talk.line.items.wait(count: before + 256)
            await expectEqual(world.server.inspect { $0.openWebSockets }, 1)
        }
    }

    @Test(
        "Who reads nothing while nothing is read from it is cut at last, and the log says so (limits.stallTime)"
    )
    func stalled() async throws {
        try await World.run {
            $0.servesEcho = true
            $0.limits.stallTime = .seconds(30)
        } _: { world in
            let line = try await world.client.upgrade("/_mock/echo")
            try await expectEqual(line.answer(0).status, 101)
            line.pauseReading()
            for _ in 0..<256 { line.sendFrame(.binary, [UInt8](repeating: 7, count: 64 << 10)) }
            try await world.until { $0.connectionDeadlines == 1 }
            // The kernels may still move something between them.
            while await world.server.inspect({ $0.openWebSockets }) == 1 { await world.pass(.seconds(30)) }
            try await world.logged("the peer read nothing for 30 s (limits.stallTime)")
        }
    }

    @Test(
        "What the server says of itself to peers that do not read ends at the limit (limits.outputTotalBytes)"
    )
    func outputTotal() async throws {
        try await World.run {
            $0.limits.outputTotalBytes = 200_000
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.line.pauseReading()
            let control = try await ControlClient(world)
            let event = #"{"as":"agent","text":"\#(String(repeating: "x", count: 50_000))"}"#
            var pushes = 0
            while await world.server.inspect({ $0.openWebSockets }) == 1, pushes < 1_000 {
                _ = try await control.post("sessions/last/events", event)
                pushes += 1
            }
            let text = try await world.logged("connection lost")
            #expect(text.contains("unsent on all connections, most of it on this one"))
            // The session lives on, with all of it.
            let session = try await control.get("sessions/last")
            expectEqual(session.status, 200)
        }
    }

    /// protocol.md#session-limit
    @Test("A full server forgets the session that ended first for a new one (limits.sessions)")
    func endedSessionsFirst() async throws {
        try await World.run {
            $0.limits.sessions = 2
        } _: { world in
            let (first, talk) = try await world.greeted()
            let (second, other) = try await world.greeted()
            for ending in [other, talk] {
                ending.endSession()
                try await ending.event("SESSION_END")
            }
            let third = try await world.client.session()
            try await expectEqual(other.closeCode, 1000)
            #expect(await world.server.inspect { $0.session(second.id) == nil })
            #expect(await world.server.inspect { $0.session(first.id) != nil })
            let fourth = try await world.client.session()
            await expectEqual(world.server.inspect { Set($0.sessions.map(\.id)) }, [third.id, fourth.id])
            let answer = try await world.client.request(
                "POST", "/api/v1/sessions", ["Authorization": "Bearer \(fourth.token)"])
            expectEqual(answer.status, 500)
            try await world.logged("none of the 2 sessions held has ended (limits.sessions)")
        }
    }
}

extension World {
    /// Sends `text` and waits until the server has read it.
    fileprivate func heard(_ line: Line, _ text: String) async throws {
        var received: Int { server.traffic().map { Int($0.received) }.reduce(0, +) }
        let before = received
        line.send(text)
        while received < before + text.utf8.count { await Task.yield() }
    }

    /// Waits until the server is as `condition` says.
    fileprivate func until(_ condition: @escaping @Sendable (Server) -> Bool) async throws {
        for _ in 0..<1_000_000 {
            if await server.inspect({ condition($0) }) { return }
            await Task.yield()
        }
        throw APIClient.Unexpected("the server never got there")
    }
}
