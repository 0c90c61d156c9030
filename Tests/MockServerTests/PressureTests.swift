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

@Suite("Connections under pressure", .timeLimit(.minutes(5)))
struct PressureTests {
    @Test("Requests that come together are answered in their order (RFC 9112 §9.3.2)")
    func pipelined() async throws {
        try await World.run { world in
            let line = try await world.client.open()
            let token = Line.bytes(
                "POST", "/api/v1/access-token", ["X-Token": "t", "X-Host": "h"], Array("{}".utf8))
            line.send(
                Line.bytes("GET", "/_mock/health") + token + Line.bytes("HEAD", "/")
                    + Line.bytes("GET", "/x"),
                requests: ["GET", "POST", "HEAD", "GET"])
            let answers = try await line.answers.wait(count: 4)
            expectEqual(answers.map(\.status), [200, 200, 200, 404])
            expectEqual(answers[1]["token_type"], .string("Bearer"))
        }
    }

    @Test("A request that drips in byte by byte is answered like any other")
    func dripping() async throws {
        try await World.run { world in
            let line = try await world.client.open()
            line.drip(
                Line.bytes(
                    "POST", "/api/v1/access-token", ["X-Token": "t", "X-Host": "h"], Array(#"{"a":1}"#.utf8)),
                requests: ["POST"])
            try await expectEqual(line.answer(0).status, 200)
        }
    }

    @Test("A client that has said all it will still gets its answer (half-closed)")
    func halfClosed() async throws {
        try await World.run { world in
            let line = try await world.client.open()
            line.send(Line.bytes("GET", "/_mock/health"), requests: ["GET"])
            line.endOutput()
            try await expectEqual(line.answer(0).status, 200)
            _ = try await line.ended()
            await expectEqual(world.server.inspect { $0.openSockets }, 0)
        }
    }

    @Test("Connection: close is obeyed (RFC 9112 §9.6)")
    func closesOnWish() async throws {
        try await World.run { world in
            let line = try await world.client.open()
            let answer = try await line.request("GET", "/_mock/health", ["Connection": "close"])
            expectEqual(answer.headers["Connection"], "close")
            _ = try await line.ended()
        }
    }

    /// A head whose body is waited for: nothing in it is to be refused.
    private func begin(_ line: Line, length: Int) async throws {
        let fields: HeaderFields = ["X-Token": "t", "X-Host": "a"]
        let token = try await line.request("POST", "/api/v1/access-token", fields)["access_token"]?.string
        line.send(
            "POST /api/v1/sessions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token ?? "")\r\n"
                + "Content-Length: \(length)\r\nExpect: 100-continue\r\n\r\n", requests: ["POST"])
        try await expectEqual(line.answer(1).status, 100)
    }

    @Test("A body that does not come is answered with 408 when the request time is over (limits)")
    func requestTime() async throws {
        try await World.run {
            $0.limits.requestTime = .seconds(5)
        } _: { world in
            let line = try await world.client.open()
            try await begin(line, length: 9)
            await world.pass(.milliseconds(4_999))
            await expectEqual(world.server.inspect { $0.openSockets }, 1)
            await world.pass(.milliseconds(1))
            let answer = try await line.answer(2)
            expectEqual(answer.status, 408)
            expectEqual(answer.headers["Connection"], "close")
            _ = try await line.ended()
        }
    }

    @Test("The time of a request begins with its own first byte, not with its predecessor's")
    func requestTimeOfTheNext() async throws {
        try await World.run {
            $0.limits.requestTime = .seconds(10)
        } _: { world in
            let line = try await world.client.open()
            try await begin(line, length: 2)
            await world.pass(.seconds(6))
            // The end of one request and the beginning of the next in one segment.
            line.send("{}GET / HTTP/1.1\r\nHo", requests: ["GET"])
            try await expectEqual(line.answer(2).status, 200)
            await world.pass(.seconds(6))
            line.send("st: a\r\n\r\n")
            try await expectEqual(line.answer(3).status, 200)
        }
    }

    @Test("A connection is kept for the keep-alive time after each request, and leaves one deadline (limits)")
    func keepAlive() async throws {
        try await World.run {
            $0.limits.keepAliveTime = .seconds(75)
        } _: { world in
            let line = try await world.client.open()
            for _ in 0..<5 {
                try await expectEqual(line.request("GET", "/_mock/health").status, 200)
                await world.pass(.seconds(74))
            }
            await expectEqual(world.server.inspect { $0.connectionDeadlines }, 1)
            try await expectEqual(line.request("GET", "/_mock/health").status, 200)
            await world.pass(.seconds(75))
            _ = try await line.ended()
            expectEqual(line.answers.count, 6)
            line.drop()
            // The server hears of the client's own end a moment after the client heard of the server's.
            var deadlines = 1
            for _ in 0..<10_000 where deadlines > 0 {
                deadlines = await world.server.inspect { $0.connectionDeadlines }
            }
            expectEqual(deadlines, 0)
        }
    }

    @Test("A body over the limit is answered with 413, a head over it with 431, a target with 414 (limits)")
    func tooLong() async throws {
        try await World.run {
            $0.limits.bodyBytes = 100
        } _: { world in
            let long = String(repeating: "x", count: 70_000)
            let chunk = "65\r\n\(long.prefix(101))\r\n0\r\n\r\n"
            let token = "POST /api/v1/access-token HTTP/1.1\r\nHost: a\r\nX-Token: t\r\nX-Host: a\r\n"
            let requests: [(text: String, status: Int)] = [
                (token + "Content-Length: 101\r\n\r\n", 413),
                (token + "Transfer-Encoding: chunked\r\n\r\n" + chunk, 413),
                ("POST / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n", 431),
                ("POST /\(long) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
                ("POST / HTTP/1.1\r\n\r\n", 400),
                ("nonsense\r\n\r\n", 400),
            ]
            for request in requests {
                let line = try await world.client.open()
                line.send(request.text, requests: ["POST"])
                try await expectEqual(line.answer(0).status, request.status)
                _ = try await line.ended()
            }
        }
    }

    @Test("A connection over the limit of sockets is told so; one that ends makes room (limits.sockets)")
    func socketLimit() async throws {
        try await World.run {
            $0.limits.sockets = 2
        } _: { world in
            let lines = [try await world.client.open(), try await world.client.open()]
            for line in lines { try await expectEqual(line.request("GET", "/_mock/health").status, 200) }
            let refused = try await world.client.open()
            let answer = try await refused.request("GET", "/_mock/health")
            expectEqual(answer.status, 503)
            expectEqual(answer.headers["Retry-After"], "1")
            expectEqual(answer.message?.contains("limits.sockets"), true)
            _ = try await refused.ended()
            lines[0].endOutput()
            _ = try await lines[0].ended()
            let line = try await world.client.open()
            try await expectEqual(line.request("GET", "/_mock/health").status, 200)
        }
    }

    @Test("Who floods a handshake that is still waiting is cut off and gives its place back (limits)")
    func floodedHandshake() async throws {
        try await World.run {
            $0.connections.handshakeDelay = .seconds(1)
            $0.limits.messageBytes = 1_000
        } _: { world in
            let session = try await world.client.session()
            let line = try await world.client.upgrade(APIClient.target(session))
            try await world.logged("connected with cursor 0")
            line.send([UInt8](repeating: 0, count: 1_001))
            _ = try await line.ended()
            await expectEqual(world.server.inspect { $0.session(session.id)?.links.count }, 0)
            await expectEqual(world.server.inspect { $0.connectionDeadlines }, 0)
        }
    }
}
