import Expectations
import Testing
import WebSocketCore

/// Says each payload twice, unless it begins with a full stop; counts what it is asked for.
private final class Doubling: MessageInflater {
    var heard: [[UInt8]] = []
    /// Bytes that are made in one step.
    var step = Int.max

    func inflate(_ message: inout CompressedMessage) throws(FrameError) -> Bool {
        let packed = message.packed
        if message.place.read == 0 { heard.append(packed) }
        if packed.first == UInt8(ascii: ".") { throw .compressedData }
        guard packed.count * 2 <= message.limit else { throw .messageTooBig(limit: message.limit) }
        let rest = (packed + packed).dropFirst(message.place.read).prefix(step)
        rest.withUnsafeBytes { message.append($0) }
        message.place.read += rest.count
        return message.place.read == packed.count * 2
    }
}

/// A connection that is asked to go on until all is read.
private struct Steps {
    var server = WebSocketConnection(role: .server)
    let inflater = Doubling()
    var outputs: [WebSocketConnection.Output] = []
    /// Bytes of its own after each step.
    var held: [Int] = []

    init(_ step: Int) { inflater.step = step }

    /// Returns what is left unread after one step.
    mutating func take(_ bytes: [UInt8]) -> [UInt8] {
        var new: [WebSocketConnection.Output] = []
        let count = bytes.withUnsafeBytes { server.receive($0, inflater: inflater) { new.append($0) } }
        outputs += new
        held.append(server.bufferedBytes)
        return Array(bytes[count...])
    }

    mutating func takeAll(_ bytes: [UInt8]) {
        var rest = bytes
        repeat { rest = take(rest) } while server.isInflating
    }
}

@Suite("Compressed frames")
struct CompressedFrameTests {
    private static let rsv1: UInt8 = 0x40

    @Test("A message with RSV1 is inflated, one without is not (RFC 7692 §6.2)")
    func marked() {
        let inflater = Doubling()
        var server = WebSocketConnection(role: .server)
        let bytes =
            rawFrame(1, text("ab"), reserved: Self.rsv1) + rawFrame(1, text("cd"))
            + rawFrame(2, [0xFF], reserved: Self.rsv1)
        let outputs = server.receive(bytes, inflater: inflater)
        expectEqual(outputs, [.text(text("abab")), .text(text("cd")), .binary([0xFF, 0xFF])])
    }

    @Test("Fragments are inflated together, RSV1 on the first alone, cut at any byte (RFC 7692 §6.1)")
    func fragments() {
        let bytes =
            rawFrame(1, text("ab"), fin: false, reserved: Self.rsv1) + rawFrame(9, text("ping"))
            + rawFrame(0, [], fin: false) + rawFrame(0, text("c"))
        for cut in 0...bytes.count {
            let inflater = Doubling()
            var server = WebSocketConnection(role: .server)
            let outputs =
                server.receive(Array(bytes[..<cut]), inflater: inflater)
                + server.receive(Array(bytes[cut...]), inflater: inflater)
            expectEqual(Account(outputs).messages, [text("abcabc")])
            expectEqual(inflater.heard, [text("abc")])
        }
    }

    @Test(
        "RSV1 where it does not belong closes with 1002 (RFC 7692 §6, §6.1)",
        arguments: [
            rawFrame(9, [], reserved: rsv1), rawFrame(10, [], reserved: rsv1),
            rawFrame(8, closeBody(1000), reserved: rsv1),
            rawFrame(1, text("a"), fin: false) + rawFrame(0, text("b"), reserved: rsv1),
            rawFrame(1, text("a"), fin: false, reserved: rsv1) + rawFrame(0, text("b"), reserved: rsv1),
            rawFrame(1, text("a"), reserved: 0x20), rawFrame(1, text("a"), reserved: 0x50),
            rawFrame(1, text("a"), reserved: 0x60),
        ] as [[UInt8]])
    func misplaced(_ bytes: [UInt8]) {
        var server = WebSocketConnection(role: .server)
        let account = Account(server.receive(bytes, inflater: Doubling()))
        expectEqual(account, Account(messages: [], closeCodes: [1002], finished: [1002]))
    }

    @Test("RSV1 that was not agreed on closes with 1002 (RFC 6455 §5.2)")
    func notAgreed() {
        var server = WebSocketConnection(role: .server)
        expectEqual(Account(server.receive(rawFrame(1, text("a"), reserved: Self.rsv1))).closeCodes, [1002])
    }

    @Test("Text is checked after inflating, and a character may be cut between fragments (RFC 6455 §8.1)")
    func utf8() {
        var server = WebSocketConnection(role: .server)
        let bad = server.receive(rawFrame(1, [0xC3], reserved: Self.rsv1), inflater: Doubling())
        expectEqual(Account(bad).closeCodes, [1007])
        server = WebSocketConnection(role: .server)
        let cut = rawFrame(1, [0xC3], fin: false, reserved: Self.rsv1) + rawFrame(0, [0xA4])
        expectEqual(Account(server.receive(cut, inflater: Doubling())).messages, [text("ää")])
    }

    // MARK: In several calls

    @Test("A message that takes several calls comes once, and what follows it afterwards", arguments: 1...17)
    func steps(_ step: Int) {
        let bytes =
            rawFrame(9, text("p")) + rawFrame(1, text("abcdefgh"), reserved: Self.rsv1)
            + rawFrame(9, text("q")) + rawFrame(2, [1]) + rawFrame(8, closeBody(1000))
        var steps = Steps(step)
        steps.takeAll(bytes)
        var whole = WebSocketConnection(role: .server)
        let expected = whole.receive(bytes, inflater: Doubling())
        expectEqual(Account(steps.outputs), Account(expected))
        expectEqual(steps.inflater.heard, [text("abcdefgh")])
        expectEqual(steps.held.count, (16 + step - 1) / step)
    }

    @Test("While a message is inflated nothing behind it is read, and pings before it are answered")
    func unread() {
        let behind = rawFrame(2, [1])
        var steps = Steps(2)
        let rest = steps.take(
            rawFrame(9, []) + rawFrame(1, text("abc"), reserved: Self.rsv1) + behind)
        expectEqual(rest, behind)
        #expect(steps.server.isInflating && steps.outputs == [.ping([]), .write([0x8A, 0])])
        expectEqual(steps.take(rest), behind)
        #expect(steps.take(rest) == [] && !steps.server.isInflating)
        expectEqual(Account(steps.outputs).messages, [text("abcabc"), [1]])
    }

    @Test("What was inflated counts as held until the message is whole")
    func held() {
        var steps = Steps(4)
        steps.takeAll(rawFrame(1, text("abcde"), reserved: Self.rsv1))
        expectEqual(steps.held, [9, 13, 0])
    }

    @Test(
        "A Close while a message is inflated drops it, and its bytes; the peer's Close is read (RFC 6455 §1.4)"
    )
    func closeWhileInflating() {
        var steps = Steps(1)
        let rest = steps.take(
            rawFrame(1, text("abc"), reserved: Self.rsv1) + rawFrame(8, closeBody(1000)))
        expectEqual(steps.server.bufferedBytes, 4)
        _ = steps.server.close(.goingAway)
        #expect(steps.server.bufferedBytes == 0 && !steps.server.isInflating)
        expectEqual(steps.take(rest), [])
        #expect(Account(steps.outputs).messages == [] && steps.server.state == .closed)
    }

    @Test("The end of input while a message is inflated drops it, and its bytes")
    func endWhileInflating() {
        var steps = Steps(1)
        _ = steps.take(rawFrame(1, text("abc"), reserved: Self.rsv1))
        expectEqual(steps.server.inputClosed(), [.finished(.abnormal)])
        #expect(steps.server.bufferedBytes == 0 && !steps.server.isInflating)
    }

    @Test("Bad text is told when the message is whole, with the code for all of it (RFC 6455 §8.1)")
    func badText() {
        var steps = Steps(1)
        steps.takeAll(rawFrame(1, [0xFF, 0x61, 0x62], reserved: Self.rsv1))
        expectEqual(steps.held.count, 6)
        expectEqual(Account(steps.outputs).closeCodes, [1007])
        var good = Steps(1)
        good.takeAll(rawFrame(2, [0xFF, 0x61, 0x62], reserved: Self.rsv1))
        expectEqual(Account(good.outputs).messages, [[0xFF, 0x61, 0x62, 0xFF, 0x61, 0x62]])
    }

    @Test("Damaged data closes with 1007; what came before it is delivered (RFC 7692 §6.2)")
    func damaged() {
        var server = WebSocketConnection(role: .server)
        let bytes =
            rawFrame(1, text("a"), reserved: Self.rsv1) + rawFrame(1, text("."), reserved: Self.rsv1)
            + rawFrame(8, closeBody(1000))
        let account = Account(server.receive(bytes, inflater: Doubling()))
        expectEqual(account, Account(messages: [text("aa")], closeCodes: [1007], finished: [1007]))
    }

    @Test("The limit of a message counts inflated bytes, and little more of compressed ones (1009)")
    func limits() {
        let limits = WebSocketLimits(messageBytes: 640)
        func codes(_ bytes: [UInt8]) -> [UInt16] {
            var server = WebSocketConnection(role: .server, limits: limits)
            return Account(server.receive(bytes, inflater: Doubling())).closeCodes
        }
        expectEqual(codes(rawFrame(2, .init(repeating: 1, count: 320), reserved: Self.rsv1)), [])
        expectEqual(codes(rawFrame(2, .init(repeating: 1, count: 321), reserved: Self.rsv1)), [1009])
        // 640 + 640 / 64 + 64 bytes may come before anything is inflated.
        expectEqual(codes(rawFrame(2, [], reserved: Self.rsv1, announced: 714)), [])
        expectEqual(codes(rawFrame(2, [], reserved: Self.rsv1, announced: 715)), [1009])
        expectEqual(codes(rawFrame(2, [], announced: 641)), [1009])
        let fragments =
            rawFrame(2, .init(repeating: 1, count: 400), fin: false, reserved: Self.rsv1)
            + rawFrame(0, [], announced: 315)
        expectEqual(codes(fragments), [1009])
    }

    @Test("A limit that nobody can reach is one that can be computed with")
    func noLimit() {
        var server = WebSocketConnection(role: .server, limits: WebSocketLimits(messageBytes: .max))
        let bytes =
            rawFrame(2, [1], reserved: Self.rsv1) + rawFrame(2, [], reserved: Self.rsv1, announced: 1 << 40)
        let account = Account(server.receive(bytes, inflater: Doubling()))
        expectEqual(account, Account(messages: [[1, 1]], closeCodes: [1009], finished: [1009]))
    }

    @Test("After our Close, compressed messages are dropped unread (RFC 6455 §1.4)")
    func closing() {
        let inflater = Doubling()
        var server = WebSocketConnection(role: .server)
        _ = server.close(.normal)
        expectEqual(server.receive(rawFrame(1, text("a"), reserved: Self.rsv1), inflater: inflater), [])
        expectEqual(inflater.heard, [])
    }

    @Test("The header of a compressed message has RSV1 set and nothing else changed (RFC 7692 §6.1)")
    func header() {
        for length in [0, 125, 126, 65_535, 65_536] {
            var plain: [UInt8] = [7]
            var packed: [UInt8] = [7]
            FrameWriter.appendHeader(opcode: .text, length: length, to: &plain)
            FrameWriter.appendCompressedHeader(opcode: .text, length: length, to: &packed)
            plain[1] |= 0x40
            expectEqual(packed, plain)
        }
    }
}

extension Account {
    fileprivate init(messages: [[UInt8]], closeCodes: [UInt16], finished: [UInt16]) {
        self.init([])
        self.messages = messages
        self.closeCodes = closeCodes
        self.finished = finished
    }
}
