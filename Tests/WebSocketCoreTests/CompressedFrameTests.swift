import Testing
import WebSocketCore

/// Says each payload twice, unless it begins with a full stop; counts what it is asked for.
private final class Doubling: MessageInflater {
    var heard: [[UInt8]] = []

    func inflate(_ packed: [UInt8], limit: Int) throws(FrameError) -> [UInt8] {
        heard.append(packed)
        if packed.first == UInt8(ascii: ".") { throw .compressedData }
        guard packed.count * 2 <= limit else { throw .messageTooBig(limit: limit) }
        return packed + packed
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
        #expect(outputs == [.text(text("abab")), .text(text("cd")), .binary([0xFF, 0xFF])])
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
            #expect(Account(outputs).messages == [text("abcabc")])
            #expect(inflater.heard == [text("abc")])
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
        ])
    func misplaced(_ bytes: [UInt8]) {
        var server = WebSocketConnection(role: .server)
        let account = Account(server.receive(bytes, inflater: Doubling()))
        #expect(account == Account(messages: [], closeCodes: [1002], finished: [1002]))
    }

    @Test("RSV1 that was not agreed on closes with 1002 (RFC 6455 §5.2)")
    func notAgreed() {
        var server = WebSocketConnection(role: .server)
        #expect(Account(server.receive(rawFrame(1, text("a"), reserved: Self.rsv1))).closeCodes == [1002])
    }

    @Test("Text is checked after inflating, and a character may be cut between fragments (RFC 6455 §8.1)")
    func utf8() {
        var server = WebSocketConnection(role: .server)
        let bad = server.receive(rawFrame(1, [0xC3], reserved: Self.rsv1), inflater: Doubling())
        #expect(Account(bad).closeCodes == [1007])
        server = WebSocketConnection(role: .server)
        let cut = rawFrame(1, [0xC3], fin: false, reserved: Self.rsv1) + rawFrame(0, [0xA4])
        #expect(Account(server.receive(cut, inflater: Doubling())).messages == [text("ää")])
    }

    @Test("Damaged data closes with 1007; what came before it is delivered (RFC 7692 §6.2)")
    func damaged() {
        var server = WebSocketConnection(role: .server)
        let bytes =
            rawFrame(1, text("a"), reserved: Self.rsv1) + rawFrame(1, text("."), reserved: Self.rsv1)
            + rawFrame(8, closeBody(1000))
        let account = Account(server.receive(bytes, inflater: Doubling()))
        #expect(account == Account(messages: [text("aa")], closeCodes: [1007], finished: [1007]))
    }

    @Test("The limit of a message counts inflated bytes, and little more of compressed ones (1009)")
    func limits() {
        let limits = Limits(messageBytes: 640)
        func codes(_ bytes: [UInt8]) -> [UInt16] {
            var server = WebSocketConnection(role: .server, limits: limits)
            return Account(server.receive(bytes, inflater: Doubling())).closeCodes
        }
        #expect(codes(rawFrame(2, .init(repeating: 1, count: 320), reserved: Self.rsv1)) == [])
        #expect(codes(rawFrame(2, .init(repeating: 1, count: 321), reserved: Self.rsv1)) == [1009])
        // 640 + 640 / 64 + 64 bytes may come before anything is inflated.
        #expect(codes(rawFrame(2, [], reserved: Self.rsv1, announced: 714)) == [])
        #expect(codes(rawFrame(2, [], reserved: Self.rsv1, announced: 715)) == [1009])
        #expect(codes(rawFrame(2, [], announced: 641)) == [1009])
        let fragments =
            rawFrame(2, .init(repeating: 1, count: 400), fin: false, reserved: Self.rsv1)
            + rawFrame(0, [], announced: 315)
        #expect(codes(fragments) == [1009])
    }

    @Test("A limit that nobody can reach is one that can be computed with")
    func noLimit() {
        var server = WebSocketConnection(role: .server, limits: Limits(messageBytes: .max))
        let bytes =
            rawFrame(2, [1], reserved: Self.rsv1) + rawFrame(2, [], reserved: Self.rsv1, announced: 1 << 40)
        let account = Account(server.receive(bytes, inflater: Doubling()))
        #expect(account == Account(messages: [[1, 1]], closeCodes: [1009], finished: [1009]))
    }

    @Test("After our Close, compressed messages are dropped unread (RFC 6455 §1.4)")
    func closing() {
        let inflater = Doubling()
        var server = WebSocketConnection(role: .server)
        _ = server.close(.normal)
        #expect(server.receive(rawFrame(1, text("a"), reserved: Self.rsv1), inflater: inflater) == [])
        #expect(inflater.heard == [])
    }

    @Test("The header of a compressed message has RSV1 set and nothing else changed (RFC 7692 §6.1)")
    func header() {
        for length in [0, 125, 126, 65_535, 65_536] {
            var plain: [UInt8] = [7]
            var packed: [UInt8] = [7]
            FrameWriter.appendHeader(opcode: .text, length: length, to: &plain)
            FrameWriter.appendCompressedHeader(opcode: .text, length: length, to: &packed)
            plain[1] |= 0x40
            #expect(packed == plain)
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
