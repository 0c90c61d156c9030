import Clocks
import Expectations
import HTTPCore
import ServerCore
import Testing

/// The requests of one connection, without a socket: what is asked, how long it may be, and until when.
@Suite("The exchange of HTTP messages")
struct HTTPExchangeTests {
    private let now = Instant(secondsSince1970: 1_000)
    private let times = HTTPExchange.Times(
        first: .seconds(10), head: .seconds(4), request: .seconds(30), idle: .seconds(60))

    private func exchange() -> HTTPExchange { HTTPExchange(limits: HTTPLimits(), at: now) }

    /// Feeds `text`, allows each body `limit` bytes, and stops where the exchange ends.
    private func steps(
        _ exchange: inout HTTPExchange, _ text: some Sequence<UInt8>, limit: Int = 100
    ) -> [HTTPExchange.Step] {
        var steps: [HTTPExchange.Step] = []
        for output in Array(text).withUnsafeBytes({ exchange.receive($0) }) {
            guard let step = exchange.handle(output) else { continue }
            steps.append(step)
            if case .judge = step, let refusal = exchange.allowBody(upTo: limit) {
                return steps + [.refuse(refusal)]
            }
            if case .refuse = step { return steps }
        }
        return steps
    }

    private static let requests = [
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "GET /d HTTP/1.1\r\nHost: a\r\n\r\nGET /e HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /f HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nhi",
    ]

    @Test("A head of more than 2 KiB counts from its beginning to the end of its request")
    func heldHead() {
        let value = String(repeating: "a", count: 3_000)
        var exchange = exchange()
        expectEqual(exchange.heldBytes.total, 0)
        _ = steps(&exchange, "POST /b HTTP/1.1\r\nHost: a\r\n".utf8)
        expectEqual(exchange.heldBytes.total, 0)
        _ = steps(&exchange, "X: \(value)".utf8)
        #expect((3_000..<3_200).contains(exchange.heldBytes.head))
        _ = steps(&exchange, "\r\nContent-Length: 5\r\n\r\nhell".utf8)
        #expect((3_000..<3_300).contains(exchange.heldBytes.head) && exchange.heldBytes.body == 5)
        expectEqual(steps(&exchange, "o".utf8).count, 1)
        expectEqual(exchange.heldBytes.total, 0)
        _ = steps(&exchange, "GET".utf8)
        expectEqual(exchange.heldBytes.total, 0)
    }

    @Test("Trailers count with their head as they come, to the end of the request")
    func heldTrailers() {
        var exchange = exchange()
        let text = "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: "
        _ = steps(&exchange, text.utf8)
        expectEqual(exchange.heldBytes.total, 0)
        for end in ["", "\r\nY: b", "\r\n"] {
            _ = steps(&exchange, (end.isEmpty ? String(repeating: "a", count: 3_000) : end).utf8)
            #expect((3_000..<3_300).contains(exchange.heldBytes.head))
        }
        expectEqual(steps(&exchange, "\r\n".utf8).count, 1)
        expectEqual(exchange.heldBytes.total, 0)
    }

    @Test("A value that is no UTF-8 counts as the text that is kept of it")
    func heldLatin() {
        var exchange = exchange()
        let value = [UInt8](repeating: 0xFF, count: 3_000)
        _ = steps(&exchange, Array("GET / HTTP/1.1\r\nX: ".utf8) + value + [13, 10])
        #expect(exchange.heldBytes.head > 6_000)
    }

    @Test("Cut at any byte, the same requests come out", arguments: requests)
    func cuts(text: String) {
        var whole = exchange()
        let expected = steps(&whole, text.utf8)
        let bytes = Array(text.utf8)
        for cut in 1..<bytes.count {
            var parts = exchange()
            var found = steps(&parts, bytes[..<cut])
            _ = parts.nextDeadline(at: now, times)
            found += steps(&parts, bytes[cut...])
            // Who has sent the body already is not asked for it.
            expectEqual(found.filter { $0 != .goOn }, expected.filter { $0 != .goOn }, "cut at \(cut)")
            #expect(!parts.isBusy || cut < bytes.count)
        }
        #expect(expected.contains { if case .answer = $0 { true } else { false } })
    }

    @Test("A body is handed over with its head, once it is whole")
    func body() {
        var exchange = exchange()
        let found = steps(&exchange, Self.requests[1].utf8)
        guard case .answer(let head, let body)? = found.last else {
            Issue.record("no answer in \(found)")
            return
        }
        #expect(head.target == "/b" && body == Array("hello".utf8))
        expectEqual(exchange.bodyLimit, 0)
    }

    @Test("A body that comes in pieces is put together once, in room of its announced size")
    func pieces() {
        var exchange = exchange()
        let text = "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n"
        var found = steps(&exchange, text.utf8, limit: 20_000)
        for _ in 0..<20 { found += steps(&exchange, repeatElement(UInt8(ascii: "x"), count: 1_000)) }
        guard case .answer(_, let body)? = found.last else {
            Issue.record("no answer in \(found)")
            return
        }
        #expect(body.count == 20_000 && body.capacity < 21_000)
    }

    @Test(
        "More body than allowed is refused, before it comes where it is announced",
        arguments: [
            "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n",
            "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n",
            "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n"
                + String(repeating: "x", count: 101) + "\r\n",
        ] as [String])
    func tooLong(text: String) {
        var exchange = exchange()
        let last = steps(&exchange, text.utf8).last
        guard case .refuse(let refusal)? = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        expectEqual(refusal.status, 413)
        if !text.contains("99999") { expectEqual(refusal.reason, "The body is larger than 100 bytes.") }
    }

    @Test("A body of exactly the limit is taken")
    func exactly() {
        var exchange = exchange()
        let text =
            "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n" + String(repeating: "x", count: 100)
        guard case .answer(_, let body)? = steps(&exchange, text.utf8).last else {
            Issue.record("refused")
            return
        }
        expectEqual(body.count, 100)
    }

    @Test("The first head has a time of its own, which dripping does not extend")
    func firstHead() {
        var exchange = exchange()
        expectEqual(exchange.nextDeadline(at: now, times), nil)
        _ = steps(&exchange, "GE".utf8)
        expectEqual(exchange.nextDeadline(at: now + .seconds(8), times), now + .seconds(10))
        _ = steps(&exchange, "T /".utf8)
        expectEqual(exchange.nextDeadline(at: now + .seconds(9), times), nil)
        #expect(exchange.isBusy)
        guard case .refuse(let refusal) = exchange.lateness(times) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.status == 408 && refusal.reason.contains("limits.headerTime"))
    }

    @Test("A head that ended leaves the request's time for its body")
    func bodyTime() {
        var exchange = exchange()
        _ = steps(&exchange, "POST /b HTTP/1.1\r\nHost: a\r\nContent-Le".utf8)
        expectEqual(exchange.nextDeadline(at: now + .seconds(1), times), now + .seconds(5))
        _ = steps(&exchange, "ngth: 5\r\n\r\nhe".utf8)
        expectEqual(exchange.nextDeadline(at: now + .seconds(2), times), now + .seconds(31))
        guard case .refuse(let refusal) = exchange.lateness(times) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.reason.contains("limits.requestTime"))
        exchange.beginAnew()
        expectEqual(exchange.nextDeadline(at: now + .seconds(3), times), now + .seconds(33))
    }

    @Test("The first request has its whole time after its head, also when the head arrived at once")
    func firstBody() {
        var exchange = exchange()
        _ = steps(&exchange, "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe".utf8)
        expectEqual(exchange.nextDeadline(at: now, times), now + .seconds(30))
    }

    @Test("Silence between requests is told from silence before any")
    func silence() {
        var exchange = exchange()
        expectEqual(exchange.lateness(times), .silent(hasAsked: false))
        _ = steps(&exchange, Self.requests[0].utf8)
        expectEqual(exchange.nextDeadline(at: now + .seconds(1), times), now + .seconds(61))
        expectEqual(exchange.lateness(times), .silent(hasAsked: true))
        #expect(!exchange.isBusy)
    }

    @Test("With less time for a head than for the first, the head is what is late")
    func noRequest() {
        var exchange = exchange()
        _ = steps(&exchange, "G".utf8)
        var slow = times
        slow.head = .seconds(20)
        guard case .refuse(let refusal) = exchange.lateness(slow) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.reason.contains("limits.handshakeTime"))
    }

    @Test("A clock that is set back takes the beginning of a request along")
    func shift() {
        var exchange = exchange()
        _ = steps(&exchange, "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n".utf8)
        _ = exchange.nextDeadline(at: now, times)
        exchange.shift(by: .seconds(-100))
        expectEqual(exchange.nextDeadline(at: now - .seconds(100), times), now - .seconds(70))
    }

    @Test("A clock that is set back leaves the first head no more time than it had")
    func shiftBeforeHead() {
        var exchange = exchange()
        exchange.shift(by: .seconds(-100))
        _ = steps(&exchange, "GE".utf8)
        let due = exchange.nextDeadline(at: now - .seconds(92), times)
        expectEqual(due, now - .seconds(90))
    }

    @Test("What is asked for is known from the first line on, and where a head is refused")
    func target() {
        var exchange = exchange()
        expectEqual(exchange.target, nil)
        _ = steps(&exchange, "GET /paper/x?y=1 HTTP/1.1\r\nHo".utf8)
        expectEqual(exchange.target, "/paper/x?y=1")
        let last = steps(&exchange, "st : a\r\n\r\n".utf8).last
        expectEqual(last.map { if case .refuse = $0 { true } else { false } }, true)
        expectEqual(exchange.target, "/paper/x?y=1")
        var other = self.exchange()
        _ = steps(&other, Self.requests[0].utf8)
        expectEqual(other.target, nil)
    }

    @Test("The end of the input refuses half a request, and nothing else")
    func closed() {
        var half = exchange()
        _ = steps(&half, "GET /".utf8)
        let refused = half.inputClosed().compactMap { half.handle($0) }
        expectEqual(refused.count, 1)
        var whole = exchange()
        _ = steps(&whole, Self.requests[0].utf8)
        #expect(whole.inputClosed().isEmpty)
    }

    @Test("A request for a WebSocket takes the bytes behind it along")
    func upgrade() {
        var exchange = exchange()
        let text =
            "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\nrest"
        guard case .upgrade(let head, let leftover)? = steps(&exchange, text.utf8).last else {
            Issue.record("no upgrade")
            return
        }
        #expect(head.target == "/ws" && leftover == Array("rest".utf8))
        #expect(exchange.hasAsked)
    }
}
