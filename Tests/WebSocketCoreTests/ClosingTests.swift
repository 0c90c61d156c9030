import Expectations
import Testing
import WebSocketCore

@Suite("Closing handshake")
struct ClosingTests {
    static let legal: [UInt16] = [
        1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999,
    ]
    static let illegal: [UInt16] = [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535]

    /// protocol.md#control-frames
    @Test(
        "A Close is answered once with its code, and ends the connection (RFC 6455 §5.5.1)", arguments: legal)
    func answer(_ code: UInt16) {
        var server = WebSocketConnection(role: .server)
        let outputs = server.receive(rawFrame(0x8, closeBody(code, text("bis spät 👋"))) + rawFrame(0x8))
        let close = CloseCode(rawValue: code)
        expectEqual(
            outputs,
            [
                .write([0x88, 2] + closeBody(code)), .peerClosed(close, reason: "bis spät 👋"),
                .finished(close),
            ])
        expectEqual(server.state, .closed)
        #expect(server.inputClosed().isEmpty)
    }

    @Test("A Close without a code is answered without one and counts as 1005 (RFC 6455 §7.1.5)")
    func emptyClose() {
        var server = WebSocketConnection(role: .server)
        expectEqual(
            server.receive(rawFrame(0x8)),
            [
                .write([0x88, 0]), .peerClosed(nil, reason: ""), .finished(.noStatus),
            ])
    }

    @Test("A code that must not be sent is answered with 1002 (RFC 6455 §7.4)", arguments: illegal)
    func illegalCode(_ code: UInt16) {
        #expect(!CloseCode(rawValue: code).isValidOnTheWire)
        var server = WebSocketConnection(role: .server)
        let account = Account(server.receive(rawFrame(0x8, closeBody(code))))
        expectEqual(account.closeCodes, [1002])
        expectEqual(account.finished, [1002])
    }

    @Test("A body of one byte is answered with 1002, a reason that is not UTF-8 with 1007 (RFC 6455 §5.5.1)")
    func malformedBody() {
        for (body, code) in [
            ([0x03], 1002), (closeBody(1000, [0xFF]), 1007), (closeBody(1000, [0x61, 0xE2, 0x82]), 1007),
        ] as [([UInt8], UInt16)] {
            var server = WebSocketConnection(role: .server)
            expectEqual(Account(server.receive(rawFrame(0x8, body))).closeCodes, [code])
        }
    }

    @Test(
        "A message before the Close is delivered, one after it and one it interrupts are not (RFC 6455 §1.4)")
    func aroundClose() {
        var server = WebSocketConnection(role: .server)
        let account = Account(
            server.receive(
                rawFrame(0x1, text("before")) + rawFrame(0x1, text("half"), fin: false)
                    + rawFrame(0x8, closeBody(1000)) + rawFrame(0x0, text("after"))))
        expectEqual(account.messages, [text("before")])
        expectEqual(account.closeCodes, [1000])
    }

    @Test(
        "After our Close data is dropped and Pings are answered until the peer's Close (RFC 6455 §5.5.1, §7.1.3)"
    )
    func weClose() {
        var server = WebSocketConnection(role: .server)
        expectEqual(server.close(.goingAway, reason: "bye"), [.write([0x88, 5, 0x03, 0xE9] + text("bye"))])
        expectEqual(server.state, .closing)
        #expect(
            server.receive(rawFrame(0x1, text("crossing")) + rawFrame(0x1, [0xFF]) + rawFrame(0x0)).isEmpty)
        expectEqual(server.receive(rawFrame(0x9, [1])), [.ping([1]), .write([0x8A, 1, 1])])
        expectEqual(
            server.receive(rawFrame(0x8, closeBody(1001))),
            [
                .peerClosed(.goingAway, reason: ""), .finished(.goingAway),
            ])
        expectEqual(server.state, .closed)
    }

    @Test("A message that is arriving when we close is dropped to its end")
    func closeInsideFrame() {
        let frame = rawFrame(0x1, text("half of this"), fin: false)
        var server = WebSocketConnection(role: .server)
        #expect(server.receive(Array(frame[..<9])).isEmpty)
        _ = server.close(.normal)
        #expect(server.receive(Array(frame[9...]) + rawFrame(0x0, text("end"))).isEmpty)
        expectEqual(Account(server.receive(rawFrame(0x8, closeBody(1000)))).finished, [1000])
    }

    @Test("A violation after our Close finishes without a second Close (RFC 6455 §5.5.1)")
    func violationWhileClosing() {
        var server = WebSocketConnection(role: .server)
        _ = server.close(.normal)
        expectEqual(server.receive(rawFrame(0x3)), [.finished(.protocolError)])
    }

    @Test("Nothing is sent after our Close, and closing twice does nothing (RFC 6455 §5.5.1)")
    func silence() {
        var client = WebSocketConnection(role: .client)
        expectEqual(client.close(.normal).count, 1)
        #expect(client.close(.normal).isEmpty)
        #expect(client.message(.text, text("late")).isEmpty)
        #expect(client.ping([1]).isEmpty)
    }

    @Test("A Close without a code has no body")
    func closeWithoutCode() {
        var server = WebSocketConnection(role: .server)
        expectEqual(server.close(.noStatus, reason: "not sent"), [.write([0x88, 0])])
    }

    @Test(
        "A long reason is cut between characters at 123 bytes (RFC 6455 §5.5.1)",
        arguments: [
            (String(repeating: "a", count: 200), 123), (String(repeating: "é", count: 100), 122),
            ("a" + String(repeating: "👋", count: 40), 121), (String(repeating: "👋🏽", count: 16), 120),
        ] as [(String, Int)])
    func reasonLength(_ reason: String, _ expected: Int) {
        var server = WebSocketConnection(role: .server)
        guard case .write(let close) = server.close(.normal, reason: reason).first else {
            Issue.record("no Close")
            return
        }
        expectEqual(close[1], UInt8(expected + 2))
        #expect(reason.hasPrefix(String(decoding: close[4...], as: UTF8.self)))
    }

    @Test("The end of the stream without a Close counts as 1006, once (RFC 6455 §7.1.5)")
    func endOfStream() {
        for bytes in [
            [], [0x81], rawFrame(0x1, text("half"), announced: 60), rawFrame(0x1, text("a"), fin: false),
        ] {
            var server = WebSocketConnection(role: .server)
            #expect(server.receive(bytes).isEmpty)
            expectEqual(server.inputClosed(), [.finished(.abnormal)])
            #expect(server.inputClosed().isEmpty)
            #expect(server.close(.normal).isEmpty)
        }
    }

    @Test(
        "Client and server close each other's connection cleanly from either side",
        arguments: [true, false] as [Bool])
    func bothSides(_ clientStarts: Bool) throws {
        var starter = WebSocketConnection(role: clientStarts ? .client : .server, maskSeed: 3)
        var other = WebSocketConnection(role: clientStarts ? .server : .client, maskSeed: 4)
        guard case .write(let close) = try #require(starter.close(.serviceRestart, reason: "soon").first)
        else { return }
        let answer = other.receive(close)
        expectEqual(
            answer.dropFirst(), [.peerClosed(.serviceRestart, reason: "soon"), .finished(.serviceRestart)])
        guard case .write(let reply) = try #require(answer.first) else { return }
        expectEqual(starter.receive(reply).last, .finished(.serviceRestart))
        expectEqual(starter.state, .closed)
        expectEqual(other.state, .closed)
    }

    @Test("A code that must not be sent is our own mistake and traps")
    func illegalCodeTraps() async {
        await #expect(processExitsWith: .failure) {
            var server = WebSocketConnection(role: .server)
            _ = server.close(.abnormal)
        }
    }
}
