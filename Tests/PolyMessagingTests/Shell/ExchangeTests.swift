import Foundation
import HTTPCore
import Testing
import WebSocketCore

@testable import PolyMessaging

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

private func target(_ text: String) throws -> PlainTarget {
    try PlainTarget(try #require(URL(string: text)))
}

@Suite("One request and its answer")
struct RequestExchangeTests {
    private func exchange() throws -> RequestExchange {
        let call = HTTPCall(
            url: try #require(URL(string: "http://h/api")),
            headers: [.init("X-Token", "t\r\nX-Evil: 1"), .init("Accept", "application/json")],
            body: bytes("{}"))
        return RequestExchange(call, to: try target("http://h:81/api/v1/sessions"))
    }

    /// Feeds `text` in pieces of `size` bytes.
    private func reply(to text: String, ends: Bool = false, size: Int = .max) throws -> RESTReply? {
        var exchange = try exchange()
        var rest = bytes(text)[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            piece.withUnsafeBytes { exchange.receive($0) }
        }
        if ends { exchange.inputClosed() }
        return exchange.reply
    }

    @Test("The request names host, length and an end; a header cannot smuggle in a line (RFC 9110 §5.5)")
    func request() throws {
        let text = String(decoding: try exchange().request, as: UTF8.self)
        #expect(text.hasPrefix("POST /api/v1/sessions HTTP/1.1\r\nHost: h:81\r\n"))
        #expect(text.contains("X-Token: t  X-Evil: 1\r\n"))
        #expect(text.hasSuffix("Content-Length: 2\r\nConnection: close\r\n\r\n{}"))
    }

    @Test("An answer in pieces of any size is whole", arguments: [1, 2, 3, 7, .max])
    func pieces(_ size: Int) throws {
        let text = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\n{}"
        #expect(
            try reply(to: text, size: size) == .answered(status: 429, retryAfter: "7", body: bytes("{}")))
    }

    @Test("Bodies end by length, by chunks, or with the connection (RFC 9112 §6.3)")
    func framing() throws {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
        #expect(try reply(to: chunked) == .answered(status: 200, retryAfter: nil, body: bytes("{}")))
        let open = "HTTP/1.1 200 OK\r\n\r\n{}"
        #expect(try reply(to: open) == nil)
        #expect(try reply(to: open, ends: true) == .answered(status: 200, retryAfter: nil, body: bytes("{}")))
    }

    @Test("A redirect is an answer like any other: it is not followed")
    func redirect() throws {
        let text = "HTTP/1.1 302 Found\r\nLocation: http://elsewhere/\r\nContent-Length: 0\r\n\r\n"
        #expect(try reply(to: text) == .answered(status: 302, retryAfter: nil, body: []))
    }

    @Test("An end too soon is the network's fault, nonsense is the server's")
    func broken() throws {
        for text in ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", "HTTP/1.1 2"] {
            guard case .failed(.network)? = try reply(to: text, ends: true) else {
                Issue.record("\(text)")
                continue
            }
        }
        guard case .failed(.protocolViolation)? = try reply(to: "SSH-2.0-OpenSSH_9.2\r\n\r\n") else {
            Issue.record("nonsense was accepted")
            return
        }
    }

    @Test("An answer above 1 MiB is refused, one at the limit is not")
    func size() throws {
        func answer(_ count: Int) throws -> RESTReply? {
            try reply(
                to: "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n"
                    + String(repeating: "x", count: count))
        }
        guard case .answered(200, nil, let body)? = try answer(Bounds.responseBytes) else {
            Issue.record("refused at the limit")
            return
        }
        #expect(body.count == 1 << 20)
        guard case .failed(.protocolViolation)? = try answer((1 << 20) + 1) else {
            Issue.record("accepted above the limit")
            return
        }
    }
}

@Suite("One WebSocket without its socket")
struct SocketExchangeTests {
    private func exchange() throws -> SocketExchange {
        SocketExchange(
            to: try target("ws://h/ws?x=1"), nonce: Array(bytes("the sample nonce")), maskSeed: 1)
    }

    /// The accept value of RFC 6455 §1.3, which belongs to the nonce "the sample nonce".
    private static let accept =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

    private func feed(_ exchange: inout SocketExchange, _ input: [UInt8]) -> [SocketExchange.Output] {
        input.withUnsafeBytes { exchange.receive($0) }
    }

    private func opened() throws -> SocketExchange {
        var exchange = try exchange()
        #expect(feed(&exchange, bytes(Self.accept)) == [.report(.opened)])
        return exchange
    }

    @Test("The request asks for the upgrade with path, query and the nonce as key (RFC 6455 §4.1)")
    func request() throws {
        let text = String(decoding: try exchange().request, as: UTF8.self)
        #expect(text.hasPrefix("GET /ws?x=1 HTTP/1.1\r\nHost: h\r\n"))
        #expect(text.contains("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"))
        #expect(text.contains("User-Agent: PolyMessaging-"))
    }

    @Test("A message that comes with the 101 is delivered, split at any byte")
    func early() throws {
        let input = bytes(Self.accept) + [0x81, 2] + bytes("hi")
        for cut in 0...input.count {
            var exchange = try exchange()
            let outputs = feed(&exchange, Array(input[..<cut])) + feed(&exchange, Array(input[cut...]))
            #expect(outputs == [.report(.opened), .report(.text(bytes("hi")))])
        }
    }

    @Test("A refusal tells status and Retry-After, once", arguments: [401, 404, 429, 503, 302, 200])
    func refused(_ status: Int) throws {
        var exchange = try exchange()
        let input = bytes("HTTP/1.1 \(status) No\r\nRetry-After: 9\r\nContent-Length: 3\r\n\r\nabc")
        let outputs = feed(&exchange, input)
        #expect(outputs == [.report(.failed(.refused(status: status, retryAfter: "9"))), .leave])
        #expect(exchange.inputClosed().isEmpty)
    }

    @Test("A 101 without its proof, and an end in the middle, are failures")
    func badHandshake() throws {
        var exchange = try exchange()
        let outputs = feed(&exchange, bytes(Self.accept.replacingOccurrences(of: "s3pP", with: "S3pP")))
        guard case .report(.failed(.protocolViolation))? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        var cut = try self.exchange()
        _ = feed(&cut, bytes("HTTP/1.1 101 Sw"))
        guard case .report(.failed(.network))? = cut.inputClosed().first else {
            Issue.record("an end was no failure")
            return
        }
    }

    @Test("The peer's Close is answered and told with its code and reason (RFC 6455 §5.5.1)")
    func peerCloses() throws {
        var exchange = try opened()
        let outputs = feed(&exchange, [0x88, 5, 0x0F, 0xA1] + bytes("bye"))
        #expect(outputs.count == 3)
        #expect(
            outputs.dropFirst() == [
                .report(.closed(ConnectionCloseEvent(code: 4_001, reason: "bye", wasClean: true))), .leave,
            ])
        #expect(exchange.message(.text, bytes("late")).isEmpty)
    }

    @Test("A Close without a code is 1005, an end without a Close is 1006 (RFC 6455 §7.1.5)")
    func codes() throws {
        var silent = try opened()
        guard case .report(.closed(let event))? = feed(&silent, [0x88, 0]).dropFirst().first else {
            Issue.record("no close was told")
            return
        }
        #expect(event.code == 1_005)
        var lost = try opened()
        guard case .report(.closed(let event))? = lost.inputClosed().first else {
            Issue.record("no end was told")
            return
        }
        #expect(event.code == 1_006 && !event.wasClean)
    }

    @Test("Our Close leaves once; the peer's answer ends the connection")
    func weClose() throws {
        var exchange = try opened()
        let outputs = exchange.close(code: 1_000, reason: "done")
        guard case .write(let frame)? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(frame[0] == 0x88 && frame[1] == 0x80 | 6)
        #expect(exchange.close(code: 1_000, reason: "again").isEmpty)
        let ending = feed(&exchange, [0x88, 2, 0x03, 0xE8])
        #expect(
            ending == [
                .report(.closed(ConnectionCloseEvent(code: 1_000, reason: "", wasClean: true))), .leave,
            ])
    }

    @Test("A code that must not be sent becomes 1000", arguments: [0, 999, 1_005, 1_015, 70_000])
    func oddCodes(_ code: Int) throws {
        var exchange = try opened()
        guard case .write(let frame)? = exchange.close(code: code, reason: "").first, frame.count == 8 else {
            Issue.record("no Close frame")
            return
        }
        // Two bytes under the mask of four.
        #expect(UInt16(frame[6] ^ frame[2]) << 8 | UInt16(frame[7] ^ frame[3]) == 1_000)
    }

    @Test("A connection that is given up before it is open ends at once")
    func closedEarly() throws {
        var exchange = try exchange()
        #expect(exchange.close(code: 1_000, reason: "").last == .leave)
        #expect(feed(&exchange, bytes(Self.accept)).isEmpty)
    }

    @Test("A violation is told as one, after our Close has left (RFC 6455 §7.1.7)")
    func violation() throws {
        var exchange = try opened()
        let outputs = feed(&exchange, [0x83, 0])
        guard case .write? = outputs.first, outputs.count == 3,
            case .report(.failed(.protocolViolation)) = outputs[1]
        else {
            Issue.record("\(outputs)")
            return
        }
    }

    @Test("A message above 16 MiB is refused as soon as its header announces it")
    func tooLarge() throws {
        var exchange = try opened()
        let size = UInt64(Bounds.incomingMessageBytes + 1)
        let header: [UInt8] =
            [0x81, 127] + (0..<8).map { UInt8(truncatingIfNeeded: size >> UInt64(56 - 8 * $0)) }
        guard case .report(.failed(.protocolViolation))? = feed(&exchange, header).dropFirst().first else {
            Issue.record("it was accepted")
            return
        }
    }
}
