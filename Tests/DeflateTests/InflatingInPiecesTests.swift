import Expectations
import Testing

@testable import Deflate
@testable import WebSocketCore

extension DeflateCodec {
    /// A whole message at once.
    func inflate(_ packed: [UInt8], limit: Int) throws(FrameError) -> [UInt8] {
        var message = CompressedMessage(.binary, packed, limit: limit)
        let isWhole = try inflate(&message)
        precondition(isWhole, "there is no allowance")
        return message.bytes
    }
}

extension Inflater {
    /// A whole message at once.
    func inflate(
        _ packed: [UInt8], limit: Int, by piece: UnsafeMutableRawBufferPointer
    ) throws(FrameError) -> [UInt8] {
        var message = CompressedMessage(.binary, packed, limit: limit)
        var allowance = Int.max
        let isWhole = try inflate(&message, allowance: &allowance, by: piece)
        precondition(isWhole, "it has no end")
        return message.bytes
    }
}

@Suite("Inflating in pieces", .enabled(if: DeflateService.isAvailable, zlibReason))
struct InflatingInPiecesTests {
    /// A peer's compressor, and a codec with its service.
    private struct Pair {
        let service: DeflateService
        let codec: DeflateCodec
        let peer: Compressor

        init(_ offer: String = "") throws {
            service = try #require(DeflateService())
            let offers = try #require(ExtensionOffer.list(["permessage-deflate" + offer]))
            let terms = try #require(DeflateTerms(among: offers))
            codec = try #require(service.codec(for: terms))
            peer = try #require(Compressor(windowBits: 12))
        }

        func packed(_ message: [UInt8]) throws -> [UInt8] {
            try #require(message.withUnsafeBytes { peer.compress($0, by: service.piece) })
        }

        /// Inflates with `allowance` for each turn, and passes the bytes that each turn made to `turn`.
        func inflate(
            _ packed: [UInt8], limit: Int, by allowance: Int, _ turn: (Int) -> Void = { _ in }
        ) throws(FrameError) -> [UInt8] {
            var message = CompressedMessage(.binary, packed, limit: limit)
            while true {
                service.allowance = allowance
                let before = message.bytes.count
                let isWhole = try codec.inflate(&message)
                turn(message.bytes.count - before)
                if isWhole { return message.bytes }
            }
        }
    }

    private static let sizes = [0, 1, 2, 127, 1_000, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 200_000]

    @Test(
        "A turn makes no more than it may, and all turns together make the message (RFC 7692 §6.2)",
        arguments: [64, 1_000, 16_384, 65_536, 65_537] as [Int])
    func pieces(_ allowance: Int) throws {
        let pair = try Pair()
        for size in Self.sizes where size <= allowance * 200 {
            for message in [
                Array(DeflateCodecTests.words(size / 8)), DeflateCodecTests.noise(size),
                [UInt8](repeating: 7, count: size),
            ] {
                var most = 0
                let inflated = try pair.inflate(pair.packed(message), limit: message.count, by: allowance) {
                    most = max(most, $0)
                }
                expectEqual(inflated, message)
                #expect(most <= allowance, "\(most) of \(size) bytes")
            }
        }
    }

    @Test("Bytes that are read count as well: a message that becomes nothing takes turns, too")
    func empty() throws {
        let pair = try Pair()
        let packed: [UInt8] = (0..<120_000).map { $0 % 2 == 0 ? 3 : 0 } + [0]
        var turns = 0
        try expectEqual(pair.inflate(packed, limit: 10, by: 64 << 10) { _ in turns += 1 }, [])
        #expect(turns >= packed.count * DeflateLimits.readCost / (64 << 10))
    }

    @Test("Without allowance nothing is done, and nothing is lost")
    func none() throws {
        let pair = try Pair()
        let words = DeflateCodecTests.words(200)
        var message = CompressedMessage(.text, try pair.packed(words), limit: 10_000)
        pair.service.allowance = 0
        for _ in 0..<3 { #expect(try !pair.codec.inflate(&message)) }
        #expect(message.bytes == [] && message.place == CompressedMessage.Place())
        pair.service.allowance = .max
        #expect(try pair.codec.inflate(&message))
        expectEqual(message.bytes, words)
    }

    @Test(
        "What no compressor makes is refused in pieces as it is at once (RFC 7692 §7.2.2)",
        arguments: DeflateCodecTests.damagedInputs)
    func damaged(_ packed: String) throws {
        for allowance in 1...20 {
            let pair = try Pair()
            #expect(throws: FrameError.compressedData) {
                try pair.inflate(DeflateCodecTests.hex(packed), limit: 1_000, by: allowance)
            }
        }
    }

    @Test("Beginnings and damaged copies of a message end in pieces as they end at once")
    func sameEnd() throws {
        let whole = try Pair().packed(DeflateCodecTests.words(40))
        var copies = whole.indices.map { Array(whole[..<$0]) }
        for index in whole.indices {
            var copy = whole
            copy[index] ^= UInt8(truncatingIfNeeded: index * 31) | 1
            copies.append(copy)
        }
        // Stored bytes that are cut: the tail is taken for the rest of them (RFC 7692 §7.2.2).
        copies += [DeflateCodecTests.hex("00 04 00 fb ff"), DeflateCodecTests.hex("00 05 00 fa ff 41")]
        for copy in copies {
            let codec = try DeflateCodecTests.codec()
            let result = Result { () throws(FrameError) in try codec.inflate(copy, limit: 2_000) }
            for allowance in [1, 2, 3, 7, 50] {
                let pair = try Pair()
                let inPieces = Result { () throws(FrameError) in
                    try pair.inflate(copy, limit: 2_000, by: allowance)
                }
                expectEqual(inPieces, result, "\(copy.count) bytes by \(allowance)")
            }
        }
    }

    @Test(
        "The limit of a message is met in pieces to the byte (1009)",
        arguments: [1, 7, 1_000, 65_536] as [Int])
    func limit(_ allowance: Int) throws {
        let zeroes = [UInt8](repeating: 0, count: 1_000)
        let pair = try Pair("; client_no_context_takeover")
        let packed = try pair.packed(zeroes)
        try expectEqual(pair.inflate(packed, limit: 1_000, by: allowance), zeroes)
        #expect(throws: FrameError.messageTooBig(limit: 999)) {
            try pair.inflate(packed, limit: 999, by: allowance)
        }
        try expectEqual(pair.inflate(packed, limit: 1_000, by: allowance), zeroes)
    }

    @Test("Connections without contexts keep apart while both have a message under way (RFC 7692 §7.1.1)")
    func sharing() throws {
        let service = try #require(DeflateService())
        let offers = try #require(ExtensionOffer.list(["permessage-deflate; client_no_context_takeover"]))
        let terms = try #require(DeflateTerms(among: offers))
        let codecs = try (0..<3).map { _ in try #require(service.codec(for: terms)) }
        for _ in 0..<2 {
            let words = [300, 400, 500].map(DeflateCodecTests.words)
            var messages = try words.map {
                CompressedMessage(.text, try Pair().packed($0), limit: 100_000)
            }
            var left = Set(messages.indices)
            while !left.isEmpty {
                for index in left {
                    service.allowance = 100
                    if try codecs[index].inflate(&messages[index]) { left.remove(index) }
                }
            }
            expectEqual(messages.map(\.bytes), words)
        }
    }
}
