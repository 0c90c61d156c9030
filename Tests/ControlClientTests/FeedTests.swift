import Clocks
import Expectations
import HTTPCore
import TestSupport
import Testing
import Texts
import WebSocketCore

@testable import ControlClient
@testable import HTTPClient

@Suite("Feed of the control API", .timeLimit(.minutes(5)))
struct FeedTests {
    private func collect(_ stream: AsyncStream<ControlClient.FeedItem>) async -> [ControlClient.FeedItem] {
        var items: [ControlClient.FeedItem] = []
        for await item in stream { items.append(item) }
        return items
    }

    @Test("Rows arrive in order until the server closes; place and filter are in the address")
    func rows() async throws {
        let server = try await CannedServer { _ in
            .feed([#"{"row":{"n":8}}"#, #"{"dropped":3}"#], closes: true)
        }
        let client = try ControlClient(url: server.url, token: "secret")
        let items = await collect(client.feed(after: 7, filter: "dir:in"))
        expectEqual(
            items,
            [
                .message(.object(["row": .object(["n": .integer(8)])])),
                .message(.object(["dropped": .integer(3)])),
            ])
        expectEqual(server.requests.all[0].target, "/_mock/feed?after=7&filter=dir%3Ain")
        expectEqual(server.requests.all[0].headers["X-Mock-Token"], "secret")
        await server.stop()
    }

    @Test("What happens later arrives when it happens; leaving ends the connection")
    func live() async throws {
        let server = try await CannedServer { _ in .feed([], closes: false) }
        let client = try ControlClient(url: server.url, token: nil)
        let seen = Gathering<ControlClient.FeedItem>()
        let reading = Task {
            for await item in client.feed(after: nil, filter: nil) { seen.append(item) }
            seen.end("the feed ended")
        }
        _ = try await server.requests.wait(count: 1)
        server.tell(#"{"row":{"n":1}}"#)
        let items = try await seen.wait(count: 1)
        expectEqual(items, [.message(.object(["row": .object(["n": .integer(1)])]))])
        reading.cancel()
        _ = try await seen.waitForEnd()
        await server.stop()
    }

    @Test("A refused feed is the server's own sentence")
    func refused() async throws {
        let body = #"{"error":{"message":"The filter has no word \"foo\"."}}"#
        let server = try await CannedServer { _ in .json(400, body) }
        let client = try ControlClient(url: server.url, token: nil)
        let items = await collect(client.feed(after: nil, filter: "foo:x"))
        expectEqual(
            items,
            [
                .failed(
                    .refused(status: 400, message: #"The filter has no word "foo"."#, body: Array(body.utf8)))
            ])
        await server.stop()
    }

    @Test("A feed that breaks off, or brings what is not JSON, says so")
    func broken() async throws {
        let server = try await CannedServer { request in
            request.target.hasSuffix("after=1") ? .feed(["{"], closes: false) : .pieces([[0x48]], ends: true)
        }
        let client = try ControlClient(url: server.url, token: nil)
        for after in [UInt64(0), 1] {
            let items = await collect(client.feed(after: after, filter: nil))
            guard items.count == 1, case .failed(.broken) = items[0] else {
                Issue.record("\(items)")
                continue
            }
        }
        await server.stop()
    }

    @Test("A reader who is too slow is told how many messages are missing (ControlLimits.feedBacklog)")
    func slowReader() async {
        let (stream, sink) = AsyncStream.makeStream(
            of: ControlClient.FeedItem.self, bufferingPolicy: .bufferingOldest(2))
        let inbox = FeedInbox(url: "http://x", sink: sink)
        for number in 1...5 { inbox.receive(.text(Array("\(number)".utf8))) }
        var reader = stream.makeAsyncIterator()
        await expectEqual(reader.next(), .message(.integer(1)))
        await expectEqual(reader.next(), .message(.integer(2)))
        inbox.receive(.text(Array("6".utf8)))
        await expectEqual(reader.next(), .message(.object(["dropped": .integer(3)])))
        await expectEqual(reader.next(), .message(.integer(6)))
    }

    /// What a reader sees of a server that answers the handshake with `answer`, which may go on behind it.
    private func items(_ answer: [UInt8], of exchange: Exchange) async -> [ControlClient.FeedItem] {
        let (stream, sink) = AsyncStream.makeStream(of: ControlClient.FeedItem.self)
        let inbox = FeedInbox(url: "http://x", sink: sink)
        var exchange = exchange
        for output in answer.withUnsafeBytes({ exchange.receive($0) }) {
            if case .report(let report) = output { inbox.receive(report) }
        }
        sink.finish()
        return await collect(stream)
    }

    private func exchange() throws -> Exchange {
        var generator = SeededGenerator(seed: 1)
        return Exchange(
            ControlRequest.feed(
                of: try ControlClient.endpoint("x"), token: nil, after: nil, filter: nil), &generator)
    }

    /// The server's 101 to ``exchange()``.
    private func accepted() throws -> [UInt8] {
        let request = String(decoding: try exchange().opening, as: UTF8.self)
        let key = request.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
        let value = ServerHandshake.acceptValue(for: String(key?.dropFirst(19) ?? ""))
        return Array(
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(value)\r\n\r\n").utf8)
    }

    @Test("A server that answers without a feed has none")
    func noFeed() async throws {
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)
        await expectEqual(
            items(answer, of: try exchange()),
            [.failed(.broken(url: "http://x", reason: "it has no feed"))])
    }

    @Test("Of a refusal its sentence is read, and no more than 64 KiB (ControlLimits.refusalBytes)")
    func longRefusal() async throws {
        let head = "HTTP/1.1 400 Bad\r\n\r\n"
        let body = #"{"error":{"message":"no, no."}}"#
        let blanks = String(repeating: " ", count: ControlLimits.refusalBytes)
        guard
            case .failed(.refused(400, "no, no.", let kept))? =
                await items(Array((head + body + blanks).utf8), of: try exchange()).first
        else {
            Issue.record("it was not read")
            return
        }
        expectEqual(kept.count, ControlLimits.refusalBytes)
    }

    @Test("A message above the limit ends the feed with 1009 (ControlLimits.feedMessageBytes)")
    func tooLarge() async throws {
        let size = UInt64(ControlLimits.feedMessageBytes + 1)
        let header = [0x81, 127] + (0..<8).map { UInt8(truncatingIfNeeded: size >> (56 - 8 * $0)) }
        await expectEqual(
            items(try accepted() + header, of: try exchange()),
            [.failed(.broken(url: "http://x", reason: "the feed was closed with 1009"))])
    }

    @Test("A 101 with a wrong answer to the key is no feed (RFC 6455 §4.1)")
    func wrongKey() async throws {
        let wrong = String(decoding: try accepted(), as: UTF8.self).replacing("Accept: ", with: "Accept: x")
        guard case .failed(.broken)? = await items(Array(wrong.utf8), of: try exchange()).first else {
            Issue.record("the handshake was believed")
            return
        }
    }
}
