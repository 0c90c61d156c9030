import Clocks
import Expectations
import HTTPClient
import HTTPCore
import SocketTransport
import TestSupport
import Testing
import WebSocketCore

@Suite("The client on its loop", .timeLimit(.minutes(5)))
struct HTTPClientTests {
    private let clock = VirtualClock()

    private func withClient(
        _ answer: @escaping @Sendable (CannedServer.Request) -> CannedServer.Reply,
        _ body: (HTTPClient, Endpoint) async throws -> Void
    ) async throws {
        let server = try await CannedServer(answer)
        let client = HTTPClient(label: "test.http", clock: clock, seed: 1, unsentBytes: 1 << 20)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(client, Endpoint(host: "127.0.0.1", port: server.port)))
        } catch {
            outcome = .failure(error)
        }
        await client.close()
        await server.stop()
        try outcome.get()
    }

    private func send(
        _ client: HTTPClient, _ request: HTTPClient.Request
    ) -> (HTTPClient.Connection, Gathering<HTTPClient.Report>) {
        let reports = Gathering<HTTPClient.Report>()
        return (client.send(request) { reports.append($0) }, reports)
    }

    private func request(_ home: Endpoint, webSocket: Bool = false, timeout: Interval?) -> HTTPClient.Request
    {
        var request = HTTPClient.Request("GET", home, "/x", answerBytes: 100, timeout: timeout)
        if webSocket { request.webSocket = HTTPClient.WebSocketTerms(messageBytes: 100) }
        return request
    }

    /// Opens a WebSocket and says nothing more.
    @Sendable private static func silentWebSocket(_ request: CannedServer.Request) -> CannedServer.Reply {
        let value = ServerHandshake.acceptValue(for: request.headers["Sec-WebSocket-Key"] ?? "")
        let head =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(value)\r\n\r\n"
        return .pieces([Array(head.utf8)], ends: false)
    }

    @Test("A client that was closed answers every later wish with that, and dials nobody")
    func afterTheEnd() async throws {
        try await withClient({ _ in .json(200, "{}") }) { client, home in
            await client.close()
            for isWebSocket in [false, true] {
                let reports = send(client, request(home, webSocket: isWebSocket, timeout: nil)).1
                let told = try await reports.wait(count: 1)
                expectEqual(told, [.failed(.shutDown)])
            }
        }
    }

    @Test(
        "A body is sent from its file as the peer reads it; one of another length than was said is not sent whole",
        arguments: [(0, true), (5 << 20, true), (5 << 20 - 1, false), (5 << 20 + 1, false)] as [(Int, Bool)])
    func bodyFile(_ announced: Int, isSent: Bool) async throws {
        let path = "/tmp/polymock-body-\(announced)-\(UInt64.random(in: 0...UInt64.max))"
        let bytes = [UInt8](repeating: 0x61, count: announced == 0 ? 0 : 5 << 20)
        expectEqual(Files.Writer(path)?.write(bytes), nil)
        defer { _ = PrivateFile.remove(path) }
        try await withClient({ .json(200, "\($0.body.count)") }) { client, home in
            var request = request(home, timeout: nil)
            request.method = "PUT"
            request.bodyFile = HTTPClient.BodyFile(path: path, byteCount: announced)
            // The client lets no more than 1 MiB wait.
            let report = try await send(client, request).1.wait(count: 1)[0]
            if isSent {
                guard case .answered(let answer) = report else {
                    Issue.record("\(report)")
                    return
                }
                expectEqual(answer.body, Array("\(announced)".utf8))
            } else {
                expectEqual(report, .failed(.badFile))
            }
        }
    }

    @Test("A body is sent in pieces where its progress is reported", arguments: [0, 1, 5 << 20] as [Int])
    func bodyInPieces(_ count: Int) async throws {
        try await withClient({ .json(200, "\($0.body.count)") }) { client, home in
            var request = request(home, timeout: nil)
            request.method = "PUT"
            request.body = [UInt8](repeating: 0x61, count: count)
            request.reportsProgress = true
            let reports = send(client, request).1
            let answer = try await reports.wait(for: "the answer") { all in
                all.lazy.compactMap { if case .answered(let answer) = $0 { answer } else { nil } }.first
            }
            expectEqual(answer.body, Array("\(count)".utf8))
            let sent = reports.all.compactMap { if case .sent(let count) = $0 { count } else { nil } }
            #expect(sent == Array(Set(sent)).sorted() && sent.allSatisfy { 0...count ~= $0 })
            #expect(sent.count > 1 || count < 5 << 20)
        }
    }

    @Test("Each request is answered on a connection of its own, which is gone afterwards")
    func answers() async throws {
        try await withClient({ _ in .json(200, "{}") }) { client, home in
            let all = (0..<5).map { _ in send(client, request(home, timeout: .seconds(1))).1 }
            for reports in all {
                guard case .answered(let answer) = try await reports.wait(count: 1)[0] else {
                    Issue.record("\(reports.all)")
                    return
                }
                #expect(answer.status == 200 && answer.body == Array("{}".utf8))
            }
            while await client.traffic().connectionCount > 0 { await Task.yield() }
            #expect(all.allSatisfy { $0.count == 1 })
        }
    }

    @Test("A silent server is given up when the time is over that the request allows, or never")
    func patience() async throws {
        try await withClient({ _ in .silence }) { client, home in
            let (_, short) = send(client, request(home, timeout: .seconds(7)))
            let (endless, long) = send(client, request(home, timeout: nil))
            while await client.traffic().sockets.count < 2 { await Task.yield() }
            clock.advance(by: .seconds(7))
            let ends = try await short.wait(count: 1)
            expectEqual(ends, [.failed(.timedOut(host: "127.0.0.1", seconds: 7))])
            clock.advance(by: .hours(24))
            #expect(await client.traffic().connectionCount == 1 && long.all.isEmpty)
            endless.cut()
            #expect(await client.traffic().connectionCount == 0 && long.all.isEmpty)
        }
    }

    @Test(
        "A streamed answer may be silent for ever, or as long as its request says",
        arguments: [false, true] as [Bool])
    func stalls(limitsSilence: Bool) async throws {
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"
        try await withClient({ _ in .pieces([Array(half.utf8)], ends: false) }) { client, home in
            var request = request(home, timeout: .seconds(7))
            (request.streamedBytes, request.limitsSilence) = (100, limitsSilence)
            let (connection, reports) = send(client, request)
            _ = try await reports.wait(count: 2)
            _ = await client.traffic()
            clock.advance(by: .milliseconds(6_999))
            _ = await client.traffic()
            expectEqual(reports.count, 2)
            clock.advance(by: .milliseconds(1))
            guard limitsSilence else {
                clock.advance(by: .hours(24))
                #expect(await client.traffic().connectionCount == 1 && reports.count == 2)
                return connection.cut()
            }
            let last = try await reports.wait(count: 3).last
            expectEqual(last, .failed(.timedOut(host: "127.0.0.1", seconds: 7)))
        }
    }

    @Test("A Close that is not answered is given up after 2 s (ClientLimits.closeHandshake)")
    func unansweredClose() async throws {
        try await withClient(Self.silentWebSocket) { client, home in
            let (connection, reports) = send(client, request(home, webSocket: true, timeout: .seconds(1)))
            let first = try await reports.wait(count: 1)
            expectEqual(first, [.opened])
            clock.advance(by: .hours(24))
            connection.close(.normal, reason: "")
            _ = await client.traffic()
            clock.advance(by: .milliseconds(1_999))
            _ = await client.traffic()
            expectEqual(reports.count, 1)
            clock.advance(by: .milliseconds(1))
            let all = try await reports.wait(count: 2)
            expectEqual(all, [.opened, .failed(.closeUnanswered)])
            await expectEqual(client.traffic().connectionCount, 0)
        }
    }

    @Test("Text and bytes arrive as they were sent; nothing is reported behind the end")
    func webSocket() async throws {
        try await withClient({ _ in .feed(["a", "b"], closes: true) }) { client, home in
            let (connection, reports) = send(client, request(home, webSocket: true, timeout: .seconds(1)))
            let seen = try await reports.wait(count: 4)
            expectEqual(
                seen,
                [
                    .opened, .text(Array("a".utf8)), .text(Array("b".utf8)), .closed(.normal, reason: ""),
                ])
            connection.send(.text, [])
            connection.close(.normal, reason: "")
            while await client.traffic().connectionCount > 0 { await Task.yield() }
            expectEqual(reports.count, 4)
        }
    }
}
