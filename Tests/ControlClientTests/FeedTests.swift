import HTTPCore
import TestSupport
import Testing
import Texts
import WebSocketCore

@testable import ControlClient

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
        #expect(
            items == [
                .message(.object(["row": .object(["n": .integer(8)])])),
                .message(.object(["dropped": .integer(3)])),
            ])
        #expect(server.requests.all[0].target == "/_mock/feed?after=7&filter=dir%3Ain")
        #expect(server.requests.all[0].headers["X-Mock-Token"] == "secret")
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
        #expect(items == [.message(.object(["row": .object(["n": .integer(1)])]))])
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
        #expect(
            items == [
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
        let inbox = FeedInbox(url: "http://x", sink)
        for number in 1...5 { inbox.take(.text(Array("\(number)".utf8))) }
        var reader = stream.makeAsyncIterator()
        #expect(await reader.next() == .message(.integer(1)))
        #expect(await reader.next() == .message(.integer(2)))
        inbox.take(.text(Array("6".utf8)))
        #expect(await reader.next() == .message(.object(["dropped": .integer(3)])))
        #expect(await reader.next() == .message(.integer(6)))
    }

    @Test("The handshake and its first frame may be cut anywhere")
    func splitAnywhere() {
        let whole = Array(
            "HTTP/1.1 400 Bad\r\nContent-Length: 31\r\n\r\n{\"error\":{\"message\":\"no, no.\"}}".utf8)
        for cut in 0...whole.count {
            var exchange = FeedExchange(
                target: "/", authority: "x", url: "http://x", token: nil, nonce: Array(0..<16), maskSeed: 1)
            let outputs =
                whole[..<cut].withUnsafeBytes { exchange.receive($0) }
                + whole[cut...].withUnsafeBytes { exchange.receive($0) }
            guard case .ended(.refused(400, "no, no.", _)) = outputs.last, outputs.count == 1 else {
                Issue.record("cut at \(cut): \(outputs)")
                return
            }
        }
    }

    /// The server's 101 to the handshake of an exchange with the nonce 0 to 15.
    private var accepted: [UInt8] {
        let key = ServerHandshake.acceptValue(for: Base64.standard.text(of: Array(0..<16)))
        return Array(
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(key)\r\n\r\n").utf8)
    }

    private var exchange: FeedExchange {
        FeedExchange(
            target: "/", authority: "x", url: "http://x", token: nil, nonce: Array(0..<16), maskSeed: 1)
    }

    @Test("Frames that come with the 101 arrive whole, wherever they are cut (RFC 6455 §4.1, §5.2)")
    func splitFrames() {
        let whole = accepted + [0x81, 2] + Array("{}".utf8) + [0x88, 2, 0x03, 0xE8]
        for cut in 0...whole.count {
            var exchange = exchange
            let outputs =
                whole[..<cut].withUnsafeBytes { exchange.receive($0) }
                + whole[cut...].withUnsafeBytes { exchange.receive($0) }
            #expect(outputs.first == .text(Array("{}".utf8)))
            #expect(outputs.last == .ended(nil))
            #expect(outputs.count == 3)
        }
    }

    @Test("A message above the limit ends the feed with 1009 (ControlLimits.feedMessageBytes)")
    func tooLarge() {
        var exchange = exchange
        #expect(accepted.withUnsafeBytes { exchange.receive($0) } == [])
        let size = UInt64(ControlLimits.feedMessageBytes + 1)
        let header = [0x81, 127] + (0..<8).map { UInt8(truncatingIfNeeded: size >> (56 - 8 * $0)) }
        let outputs = header.withUnsafeBytes { exchange.receive($0) }
        #expect(
            outputs.last
                == .ended(.broken(url: "http://x", reason: "the feed was closed with 1009")))
    }

    @Test("A 101 with a wrong answer to the key is no feed (RFC 6455 §4.1)")
    func wrongKey() {
        var exchange = FeedExchange(
            target: "/", authority: "x", url: "http://x", token: nil, nonce: Array(1..<17), maskSeed: 1)
        guard case .ended(.broken) = accepted.withUnsafeBytes({ exchange.receive($0) }).last else {
            Issue.record("the handshake was believed")
            return
        }
    }
}
