import Expectations
import TestSupport
import Testing
import WebSocketCore

@Suite("WebSocket violations")
struct ViolationTests {
    /// A server that was sent `bytes` closes with `code` once, delivers nothing and hears nothing more.
    func expectFailure(_ bytes: [UInt8], _ code: UInt16, sourceLocation: SourceLocation = #_sourceLocation) {
        var server = WebSocketConnection(role: .server)
        var account = Account(server.receive(bytes + rawFrame(0x1, text("ignored"))))
        #expect(account.closeCodes == [code], sourceLocation: sourceLocation)
        #expect(account.finished == [code], sourceLocation: sourceLocation)
        #expect(account.messages.isEmpty, sourceLocation: sourceLocation)
        #expect(server.state == .closed, sourceLocation: sourceLocation)
        account = Account(server.receive(rawFrame(0x1, text("later"))))
        #expect(account == Account([]), sourceLocation: sourceLocation)
    }

    @Test("A reserved bit closes with 1002 (RFC 6455 §5.2)", arguments: [0x10, 0x20, 0x40, 0x70] as [UInt8])
    func reservedBits(_ bits: UInt8) {
        for opcode in [0x1, 0x2, 0x8, 0x9, 0xA] as [UInt8] {
            expectFailure(rawFrame(opcode, reserved: bits), 1002)
        }
        expectFailure(rawFrame(0x1, [0x61], fin: false) + rawFrame(0x0, [0x61], reserved: bits), 1002)
    }

    @Test(
        "A reserved opcode closes with 1002 (RFC 6455 §5.2)",
        arguments: [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8])
    func reservedOpcodes(_ opcode: UInt8) {
        expectFailure(rawFrame(opcode), 1002)
        expectFailure(rawFrame(opcode, text("x"), fin: false), 1002)
    }

    @Test(
        "A client frame without a mask closes with 1002 (RFC 6455 §5.1)",
        arguments: [1, 2, 8, 9, 10] as [UInt8])
    func unmasked(_ opcode: UInt8) {
        expectFailure(rawFrame(opcode, mask: nil), 1002)
        expectFailure(rawFrame(opcode, [0x03, 0xE8], mask: nil), 1002)
    }

    @Test("A server frame with a mask closes with 1002, in a masked Close (RFC 6455 §5.1)")
    func maskedServerFrame() {
        var client = WebSocketConnection(role: .client, maskSeed: 1)
        let outputs = client.receive(rawFrame(0x1, text("x")))
        expectEqual(Account(outputs).finished, [1002])
        guard case .write(let close) = outputs.first else {
            Issue.record("no Close: \(outputs)")
            return
        }
        var server = WebSocketConnection(role: .server)
        expectEqual(Account(server.receive(close)).closeCodes, [1002])
    }

    @Test(
        "A control frame is short and whole, or closes with 1002 (RFC 6455 §5.5)",
        arguments: [8, 9, 10] as [UInt8])
    func controlFrames(_ opcode: UInt8) {
        expectFailure(rawFrame(opcode, [UInt8](repeating: 0x61, count: 126)), 1002)
        expectFailure(rawFrame(opcode, [], form: 64, announced: 1 << 40), 1002)
        expectFailure(rawFrame(opcode, [0x03, 0xE8], form: 16), 1002)
        expectFailure(rawFrame(opcode, [0x03, 0xE8], fin: false), 1002)
        expectFailure(rawFrame(opcode, [], fin: false), 1002)
    }

    @Test(
        "A length in more bytes than needed closes with 1002 (RFC 6455 §5.2)",
        arguments: [
            (0, 16), (125, 16), (5, 64), (126, 64), (65535, 64),
        ] as [(Int, Int)])
    func lengthForms(_ count: Int, _ form: Int) {
        expectFailure(rawFrame(0x2, [UInt8](repeating: 0, count: count), form: form), 1002)
    }

    @Test(
        "A length with the highest bit set closes with 1002 from its header alone (RFC 6455 §5.2)",
        arguments: [
            1 << 63, .max,
        ] as [UInt64])
    func negativeLengths(_ length: UInt64) {
        expectFailure(rawFrame(0x2, [], form: 64, announced: length), 1002)
    }

    @Test(
        "Fragments out of sequence close with 1002 (RFC 6455 §5.4)",
        arguments: [
            [(0, true)], [(0, false)], [(1, false), (1, true)], [(2, false), (1, false)],
            [(1, false), (9, false)],
            [(1, false), (9, true), (2, true)], [(9, true), (0, true)],
        ] as [[(UInt8, Bool)]])
    func sequence(_ frames: [(UInt8, Bool)]) {
        var server = WebSocketConnection(role: .server)
        let account = Account(server.receive(frames.flatMap { rawFrame($0.0, [0x61], fin: $0.1) }))
        expectEqual(account.closeCodes, [1002])
        #expect(account.messages.isEmpty)
    }

    @Test("A continuation after a whole message closes with 1002, the message stands (RFC 6455 §5.4)")
    func lateContinuation() {
        var server = WebSocketConnection(role: .server)
        let account = Account(server.receive(rawFrame(0x1, text("whole")) + rawFrame(0x0, text("x"))))
        expectEqual(account.messages, [text("whole")])
        expectEqual(account.closeCodes, [1002])
    }

    @Test(
        "Text that is not UTF-8 closes with 1007 (RFC 6455 §8.1)",
        arguments: [
            [0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x61, 0xE2, 0x82],
        ] as [[UInt8]])
    func invalidText(_ bytes: [UInt8]) {
        expectFailure(rawFrame(0x1, bytes), 1007)
        expectFailure(rawFrame(0x1, bytes, fin: false) + rawFrame(0x0, []), 1007)
        var server = WebSocketConnection(role: .server)
        expectEqual(server.receive(rawFrame(0x2, bytes)), [.binary(bytes)])
    }

    @Test("Bad text is refused at the bad byte, not at the end of the frame or message (RFC 6455 §8.1)")
    func failFast() {
        let key: [UInt8] = [0, 0, 0, 0]
        var server = WebSocketConnection(role: .server)
        #expect(server.receive(rawFrame(0x1, text("abc"), mask: key, announced: 100)).isEmpty)
        #expect(server.receive([0x64, 0xE2]).isEmpty)
        expectEqual(Account(server.receive([0x41])).closeCodes, [1007])
        var other = WebSocketConnection(role: .server)
        #expect(other.receive(rawFrame(0x1, [0xF4], fin: false)).isEmpty)
        expectEqual(Account(other.receive(rawFrame(0x0, [0x90], fin: false))).closeCodes, [1007])
    }

    @Test("A wrong header is refused at its second byte, before the rest arrives")
    func earlyHeader() {
        for start in [[0xC1, 0x80], [0x83, 0x80], [0x09, 0x80], [0x89, 0xFE], [0x81, 0x00]] as [[UInt8]] {
            var server = WebSocketConnection(role: .server)
            expectEqual(Account(server.receive(start)).closeCodes, [1002])
        }
    }

    @Test("The Close after a violation says what was wrong")
    func reason() {
        var server = WebSocketConnection(role: .server)
        guard case .write(let close) = server.receive(rawFrame(0x1, mask: nil)).first else {
            Issue.record("no Close")
            return
        }
        expectEqual(String(decoding: close[4...], as: UTF8.self), FrameError.unmaskedClientFrame.description)
    }

    @Test(
        "Random bytes end in one Close at most, in slices of any size, and never crash",
        arguments: 1...Strength.of(50, full: 150))
    func noise(_ seed: UInt64) {
        var dice = Dice(seed &* 15_485_863)
        var bytes = dice.bytes(600)
        if seed.isMultiple(of: 2) {
            bytes = rawFrame(UInt8(seed % 3), dice.bytes(Int(seed)), fin: false) + bytes
        }
        for role in [.client, .server] as [WebSocketConnection.Role] {
            var whole = WebSocketConnection(role: role, maskSeed: seed)
            let expected = whole.receive(bytes)
            var sliced = WebSocketConnection(role: role, maskSeed: seed)
            expectEqual(Account(bytes.flatMap { sliced.receive([$0]) }).finished, Account(expected).finished)
            #expect(Account(expected).finished.count <= 1)
        }
    }
}
