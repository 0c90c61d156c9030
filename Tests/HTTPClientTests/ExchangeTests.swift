import Clocks
import Expectations
import HTTPCore
import SocketTransport
import Testing
import Texts
import WebSocketCore

@testable import HTTPClient

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

private let home = Endpoint(host: "h", port: 81)
private let reset = SocketError(.read, .tooManySockets(limit: 1))

extension Exchange {
    /// Feeds `input` in pieces of `size` bytes.
    fileprivate mutating func feed(_ input: [UInt8], size: Int = .max) -> [Output] {
        var (rest, outputs) = (input[...], [Output]())
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            outputs += piece.withUnsafeBytes { receive($0) }
        }
        return outputs
    }
}

@Suite("One request and its answer")
struct RequestExchangeTests {
    private func exchange(
        _ method: String = "POST", _ headers: HeaderFields = [:], answerBytes: Int = 1_000
    ) -> Exchange {
        var request = HTTPClient.Request(
            method, home, "/api?x=1", headers: headers, answerBytes: answerBytes, timeout: nil)
        if method != "GET" { request.body = bytes("{}") }
        var generator = SeededGenerator(seed: 1)
        return Exchange(request, &generator)
    }

    /// What is reported of `text`, which may be followed by the end.
    private func report(
        of text: String, ends: Bool = false, because error: SocketError? = nil, size: Int = .max,
        answerBytes: Int = 1_000
    ) -> HTTPClient.Report? {
        var exchange = exchange(answerBytes: answerBytes)
        var outputs = exchange.feed(bytes(text), size: size)
        if ends { outputs += exchange.inputClosed(because: error) }
        guard case .report(let report)? = outputs.first else { return nil }
        expectEqual(outputs, [.report(report), .leave])
        return report
    }

    private func answer(_ status: Int, _ headers: HeaderFields = [:], _ body: String) -> HTTPClient.Report {
        .answered(HTTPClient.Answer(status: status, headers: headers, body: bytes(body)))
    }

    @Test("The request names host, length and an end; a header cannot smuggle in a line (RFC 9110 §5.5)")
    func request() {
        let post = exchange("POST", ["X-Token": "t\r\nX-Evil: 1"])
        expectEqual(
            String(decoding: post.opening, as: UTF8.self),
            "POST /api?x=1 HTTP/1.1\r\nHost: h:81\r\nX-Token: t  X-Evil: 1\r\n"
                + "Content-Length: 2\r\nConnection: close\r\n\r\n{}")
        expectEqual(
            String(decoding: exchange("GET").opening, as: UTF8.self),
            "GET /api?x=1 HTTP/1.1\r\nHost: h:81\r\nConnection: close\r\n\r\n")
    }

    @Test("An answer in pieces of any size is whole", arguments: [1, 2, 3, 7, .max] as [Int])
    func pieces(_ size: Int) {
        let text = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\n{}"
        expectEqual(
            report(of: text, size: size), answer(429, ["Retry-After": "7", "Content-Length": "2"], "{}"))
    }

    @Test("A streamed answer is reported as it arrives, a refusal as a whole")
    func streamed() {
        var request = HTTPClient.Request("POST", home, "/", answerBytes: 2, timeout: nil)
        request.streamedBytes = 1_000
        var generator = SeededGenerator(seed: 1)
        var exchange = Exchange(request, &generator)
        let head = HTTPClient.Answer(status: 200, headers: ["Transfer-Encoding": "chunked"], body: [])
        expectEqual(
            exchange.feed(bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")),
            [.report(.began(head)), .report(.part(bytes("abc")))])
        expectEqual(exchange.feed(bytes("1\r\nd\r\n")), [.report(.part(bytes("d")))])
        expectEqual(exchange.feed(bytes("0\r\n\r\n")), [.report(.answered(head)), .leave])
        var refused = Exchange(request, &generator)
        expectEqual(
            refused.feed(bytes("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nlong")),
            [.report(answer(404, ["Content-Length": "4"], "lo")), .leave])
    }

    @Test("Bodies end by length, by chunks, or with the connection (RFC 9112 §6.3)")
    func framing() {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
        expectEqual(report(of: chunked), answer(200, ["Transfer-Encoding": "chunked"], "{}"))
        let open = "HTTP/1.1 200 OK\r\n\r\n{}"
        expectEqual(report(of: open), nil)
        expectEqual(report(of: open, ends: true), answer(200, [:], "{}"))
    }

    @Test("A body without a length that ends with an error is not whole (RFC 9112 §8)")
    func cutBody() {
        expectEqual(
            report(of: "HTTP/1.1 200 OK\r\n\r\n{}", ends: true, because: reset),
            .failed(.badAnswer(.incomplete, because: reset)))
        expectEqual(
            report(of: "", ends: true, because: reset), .failed(.badAnswer(.noResponse, because: reset)))
    }

    @Test("A redirect is an answer like any other: it is not followed")
    func redirect() {
        let text = "HTTP/1.1 302 Found\r\nLocation: http://elsewhere/\r\nContent-Length: 0\r\n\r\n"
        expectEqual(
            report(of: text), answer(302, ["Location": "http://elsewhere/", "Content-Length": "0"], ""))
    }

    @Test("A 101 that nobody asked for is an answer, too")
    func upgrade() {
        expectEqual(
            report(of: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc"),
            answer(101, ["Upgrade": "x"], ""))
    }

    @Test("An end too soon and nonsense are told apart")
    func broken() {
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"
        expectEqual(report(of: "", ends: true), .failed(.badAnswer(.noResponse, because: nil)))
        for text in [half, "HTTP/1.1 2"] {
            expectEqual(report(of: text, ends: true), .failed(.badAnswer(.incomplete, because: nil)))
        }
        guard case .failed(.badAnswer(.malformed, because: nil))? = report(of: "SSH-2.0-OpenSSH_9.2\r\n\r\n")
        else {
            Issue.record("nonsense was accepted")
            return
        }
    }

    @Test("An answer above the limit fails, one at the limit does not", arguments: [0, 1, 70_000] as [Int])
    func size(_ limit: Int) {
        func answer(_ count: Int) -> HTTPClient.Report? {
            let body = String(repeating: "x", count: count)
            return report(
                of: "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n\(body)", answerBytes: limit)
        }
        guard case .answered(let whole)? = answer(limit) else {
            Issue.record("refused at the limit")
            return
        }
        expectEqual(whole.body.count, limit)
        expectEqual(answer(limit + 1), .failed(.tooLong(limitBytes: limit)))
    }

    @Test("Interim answers without an end are given up (ClientLimits.interimResponses)")
    func interim() {
        let interim = "HTTP/1.1 103 Early Hints\r\n\r\n"
        let many = String(repeating: interim, count: ClientLimits.interimResponses)
        let last = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        expectEqual(report(of: many + last), answer(200, ["Content-Length": "0"], ""))
        expectEqual(report(of: many + interim), .failed(.onlyInterimAnswers))
    }
}

@Suite("One WebSocket without its socket")
struct WebSocketExchangeTests {
    private static let messageBytes = 100_000

    private func exchange(refusalBytes: Int = 0) -> Exchange {
        var request = HTTPClient.Request(
            "GET", Endpoint(host: "h", port: 80), "/ws?x=1", headers: ["User-Agent": "test"],
            answerBytes: refusalBytes, timeout: nil)
        request.webSocket = HTTPClient.WebSocketTerms(messageBytes: Self.messageBytes)
        var generator = SeededGenerator(seed: 1)
        return Exchange(request, &generator)
    }

    /// The answer to the handshake of ``exchange(refusalBytes:)``.
    private var accept: [UInt8] {
        let text = String(decoding: exchange().opening, as: UTF8.self)
        let key = text.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst(19)
        return bytes(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(ServerHandshake.acceptValue(for: String(key ?? "")))\r\n\r\n")
    }

    private func opened() -> Exchange {
        var exchange = exchange()
        expectEqual(exchange.feed(accept), [.report(.opened)])
        return exchange
    }

    @Test("The request asks for the upgrade with path, query and a fresh nonce as key (RFC 6455 §4.1)")
    func request() throws {
        var generator = SeededGenerator(seed: 1)
        let nonce = (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let text = String(decoding: exchange().opening, as: UTF8.self)
        #expect(text.hasPrefix("GET /ws?x=1 HTTP/1.1\r\nHost: h\r\n"))
        #expect(text.contains("Sec-WebSocket-Key: \(Base64.standard.text(of: nonce))\r\n"))
        #expect(text.contains("User-Agent: test\r\n"))
    }

    @Test("A message that comes with the 101 is delivered, split at any byte")
    func early() {
        let input = accept + [0x81, 2] + bytes("hi") + [0x88, 2, 0x03, 0xE8]
        for cut in 0...input.count {
            var exchange = exchange()
            let outputs = exchange.feed(Array(input[..<cut])) + exchange.feed(Array(input[cut...]))
            expectEqual(outputs.prefix(2), [.report(.opened), .report(.text(bytes("hi")))])
            expectEqual(outputs.suffix(2), [.report(.closed(.normal, reason: "")), .leave])
            expectEqual(outputs.count, 5)
        }
    }

    @Test(
        "A refusal is reported once, as soon as so much of it is there as was asked for",
        arguments: [(0, ""), (2, "ab"), (3, "abc"), (9, "abc")] as [(Int, String)])
    func refused(_ limit: Int, _ body: String) {
        let input = bytes("HTTP/1.1 401 No\r\nRetry-After: 9\r\nContent-Length: 3\r\n\r\nabc")
        for cut in 0...input.count {
            var exchange = exchange(refusalBytes: limit)
            let outputs = exchange.feed(Array(input[..<cut])) + exchange.feed(Array(input[cut...]))
            let answer = HTTPClient.Answer(
                status: 401, headers: ["Retry-After": "9", "Content-Length": "3"], body: bytes(body))
            expectEqual(outputs, [.report(.answered(answer)), .leave])
            #expect(exchange.inputClosed().isEmpty)
        }
        var early = exchange()
        expectEqual(early.feed(Array(input.dropLast(3))).count, 2)
    }

    @Test("A 101 without its proof, and an end in the middle, are failures")
    func badHandshake() {
        var other = exchange()
        let wrong = bytes(
            String(decoding: accept, as: UTF8.self).replacing("Accept: ", with: "Accept: x"))
        guard case .report(.failed(.badHandshake(.wrongAccept)))? = other.feed(wrong).first else {
            Issue.record("the handshake was believed")
            return
        }
        for error in [nil, reset] {
            var cut = exchange()
            _ = cut.feed(bytes("HTTP/1.1 101 Sw"))
            expectEqual(
                cut.inputClosed(because: error),
                [.report(.failed(.handshakeEnded(because: error))), .leave])
        }
    }

    @Test("The peer's Close is answered and told with its code and reason (RFC 6455 §5.5.1)")
    func peerCloses() {
        var exchange = opened()
        let outputs = exchange.feed([0x88, 5, 0x0F, 0xA1] + bytes("bye"))
        expectEqual(outputs.count, 3)
        expectEqual(
            outputs.dropFirst(), [.report(.closed(CloseCode(rawValue: 4_001), reason: "bye")), .leave])
        #expect(exchange.message(.text, bytes("late")).isEmpty)
    }

    @Test("A Close without a code is 1005 (RFC 6455 §7.1.5), an end without a Close is a failure")
    func codes() {
        var silent = opened()
        expectEqual(silent.feed([0x88, 0]).dropFirst(), [.report(.closed(.noStatus, reason: "")), .leave])
        for error in [nil, reset] {
            var lost = opened()
            expectEqual(
                lost.inputClosed(because: error), [.report(.failed(.lost(because: error))), .leave])
        }
    }

    @Test("Our Close leaves once; the peer's answer ends the connection")
    func weClose() {
        var exchange = opened()
        let outputs = exchange.close(.normal, reason: "done")
        guard case .write(let frame)? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(frame[0] == 0x88 && frame[1] == 0x80 | 6)
        #expect(exchange.close(.normal, reason: "again").isEmpty)
        #expect(exchange.hasBeenOpen)
        expectEqual(
            exchange.feed([0x88, 2, 0x03, 0xE8]), [.report(.closed(.normal, reason: "")), .leave])
        #expect(!exchange.hasBeenOpen)
    }

    @Test("A code that must not be sent becomes 1000", arguments: [0, 999, 1_005, 1_015] as [UInt16])
    func oddCodes(_ code: UInt16) {
        var exchange = opened()
        guard case .write(let frame)? = exchange.close(CloseCode(rawValue: code), reason: "").first,
            frame.count == 8
        else {
            Issue.record("no Close frame")
            return
        }
        // Two bytes under the mask of four.
        #expect(UInt16(frame[6] ^ frame[2]) << 8 | UInt16(frame[7] ^ frame[3]) == 1_000)
    }

    @Test("What is given up before it is open ends at once")
    func closedEarly() {
        var exchange = exchange()
        expectEqual(exchange.close(.normal, reason: "x"), [.report(.closed(.normal, reason: "x")), .leave])
        #expect(exchange.feed(accept).isEmpty)
    }

    @Test("A violation is told as one, after our Close has left (RFC 6455 §7.1.7)")
    func violation() {
        var exchange = opened()
        let outputs = exchange.feed([0x83, 0])
        guard case .write? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        expectEqual(outputs.dropFirst(), [.report(.failed(.violation(.protocolError))), .leave])
    }

    @Test("A message above the limit is refused as soon as its header announces it, one at the limit is not")
    func tooLarge() {
        func feed(_ size: Int, _ body: [UInt8] = []) -> [Exchange.Output] {
            var exchange = opened()
            let header = [0x81, 127] + (0..<8).map { UInt8(truncatingIfNeeded: size >> (56 - 8 * $0)) }
            return exchange.feed(header + body)
        }
        let body = [UInt8](repeating: 0x78, count: Self.messageBytes)
        expectEqual(feed(Self.messageBytes, body), [.report(.text(body))])
        expectEqual(
            feed(Self.messageBytes + 1).dropFirst(), [.report(.failed(.violation(.messageTooBig))), .leave])
    }
}
