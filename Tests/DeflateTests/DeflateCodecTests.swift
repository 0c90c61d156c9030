import Expectations
import TestSupport
import Testing
import WebSocketCore

@testable import Deflate

/// Why a suite did not run, in the list of tests.
let zlibReason: Comment = "this build has no zlib (Debian: zlib1g-dev)"

@Suite("Compression of messages", .enabled(if: DeflateService.isAvailable, zlibReason))
struct DeflateCodecTests {
    /// A codec of a server, and the service behind it.
    static func codec(_ offer: String = "") throws -> DeflateCodec {
        let offers = try #require(ExtensionOffer.list(["permessage-deflate" + offer]))
        let terms = try #require(DeflateTerms(among: offers))
        return try #require(DeflateService()?.codec(for: terms))
    }

    static func hex(_ digits: String) -> [UInt8] {
        digits.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }

    /// Repeatable bytes that no compressor makes smaller.
    static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }

    static func words(_ count: Int) -> [UInt8] {
        Array((0..<count).map { "word \($0 * 7_919 % 1_000), " }.joined().utf8)
    }

    // MARK: Inflating

    @Test(
        "The examples of the RFC, byte by byte (RFC 7692 §7.2.3)",
        arguments: [
            ("one block", "f2 48 cd c9 c9 07 00", "Hello"),
            ("no compression", "00 05 00 fa ff 48 65 6c 6c 6f 00", "Hello"),
            ("a block that says it is the last", "f3 48 cd c9 c9 07 00 00", "Hello"),
            ("two blocks", "f2 48 05 00 00 00 ff ff ca c9 c9 07 00", "Hello"), ("an empty message", "00", ""),
        ] as [(String, String, String)])
    func examples(_ what: String, _ packed: String, _ text: String) throws {
        try expectEqual(Self.codec().inflate(Self.hex(packed), limit: 5), Array(text.utf8), "\(what)")
        let again = try Self.codec()
        for _ in 0..<3 { try expectEqual(again.inflate(Self.hex(packed), limit: 5), Array(text.utf8)) }
    }

    @Test("The example with a shared window needs the message before it (RFC 7692 §7.2.3.2)")
    func sharedWindow() throws {
        let (first, second) = (Self.hex("f2 48 cd c9 c9 07 00"), Self.hex("f2 00 11 00 00"))
        let codec = try Self.codec()
        try expectEqual(codec.inflate(first, limit: 5), Array("Hello".utf8))
        try expectEqual(codec.inflate(second, limit: 5), Array("Hello".utf8))
        let forgetful = try Self.codec("; client_no_context_takeover")
        try expectEqual(forgetful.inflate(first, limit: 5), Array("Hello".utf8))
        #expect(throws: FrameError.compressedData) { try forgetful.inflate(second, limit: 5) }
        try expectEqual(forgetful.inflate(first, limit: 5), Array("Hello".utf8))
    }

    @Test("The window outlives a block that says it is the last (RFC 7692 §7.2.3.4)")
    func windowBehindLastBlock() throws {
        let codec = try Self.codec()
        try expectEqual(codec.inflate(Self.hex("f3 48 cd c9 c9 07 00 00"), limit: 5), Array("Hello".utf8))
        try expectEqual(codec.inflate(Self.hex("f2 00 11 00 00"), limit: 5), Array("Hello".utf8))
    }

    /// Inputs that no compressor makes, in hexadecimal.
    static let damagedInputs = [
        "", "06 ff ff ff", "ff ff ff ff ff ff ff ff", "00 ff 00 00 ff 61 62 63", "f2 48 cd c9 c9 07",
        "f2 00 11 00 00", "f2 48 cd", "00 05 00 fa fe 48 65 6c 6c 6f 00",
    ]

    @Test("What no compressor makes is refused with 1007 (RFC 7692 §7.2.2)", arguments: damagedInputs)
    func damaged(_ packed: String) throws {
        let codec = try Self.codec()
        #expect(throws: FrameError.compressedData) { try codec.inflate(Self.hex(packed), limit: 1_000) }
        expectEqual(FrameError.compressedData.closeCode, .invalidPayload)
    }

    @Test("Every beginning of a compressed message is refused, and none of them is read for ever")
    func truncated() throws {
        let compressor = try #require(Compressor(windowBits: 12))
        let service = try #require(DeflateService())
        let whole = try #require(
            Self.words(40).withUnsafeBytes { compressor.compress($0, by: service.piece) })
        for count in whole.indices {
            let codec = try Self.codec()
            #expect(throws: FrameError.compressedData) {
                try codec.inflate(Array(whole[..<count]), limit: 10_000)
            }
        }
    }

    @Test(
        "Seeded damage gives a message or an error, within the limit",
        arguments: 1...Strength.of(10, full: 40))
    func flipped(_ seed: Int) throws {
        let compressor = try #require(Compressor(windowBits: 12))
        let service = try #require(DeflateService())
        let whole = try #require(
            Self.words(60).withUnsafeBytes { compressor.compress($0, by: service.piece) })
        for index in whole.indices {
            var packed = whole
            packed[index] ^= UInt8(truncatingIfNeeded: seed * 31 + index) | 1
            let codec = try Self.codec()
            let message = try? codec.inflate(packed, limit: 2_000)
            #expect(message?.count ?? 0 <= 2_000)
        }
    }

    @Test("A bomb is refused with 1009 and never held in memory (RFC 6455 §10.4)")
    func bomb() throws {
        let compressor = try #require(Compressor(windowBits: 15))
        let service = try #require(DeflateService())
        let zeroes = [UInt8](repeating: 0, count: 64 << 20)
        let packed = try #require(zeroes.withUnsafeBytes { compressor.compress($0, by: service.piece) })
        #expect(packed.count < 512 << 10)
        let codec = try Self.codec()
        #expect(throws: FrameError.messageTooBig(limit: 131_072)) {
            try codec.inflate(packed, limit: 131_072)
        }
        compressor.reset()
        let exact = try #require(
            zeroes[..<131_072].withUnsafeBytes { compressor.compress($0, by: service.piece) })
        let message = try Self.codec("; client_no_context_takeover").inflate(exact, limit: 131_072)
        expectEqual(message.count, 131_072)
        #expect(message.capacity < 150_000)
        try expectEqual(Self.codec().inflate(exact, limit: .max).count, 131_072)
        #expect(throws: FrameError.messageTooBig(limit: 131_071)) {
            try Self.codec().inflate(exact, limit: 131_071)
        }
    }

    @Test("Thousands of last blocks in one message are read in no more time than other blocks")
    func lastBlocks() throws {
        let packed: [UInt8] = (0..<120_000).map { $0 % 2 == 0 ? 3 : 0 } + [0]
        try expectEqual(Self.codec().inflate(packed, limit: 10), [])
    }

    // MARK: Both directions

    static let offers = [
        "", "; server_no_context_takeover", "; client_no_context_takeover",
        "; server_no_context_takeover; client_no_context_takeover", "; server_max_window_bits=9",
        "; server_max_window_bits=10; server_no_context_takeover", "; server_max_window_bits=15",
    ]

    @Test("Messages of all sizes and kinds come back as they were", arguments: offers)
    func roundTrip(_ offer: String) throws {
        let codec = try Self.codec(offer)
        let bits = offer.contains("=9") ? 9 : offer.contains("=10") ? 10 : 12
        let peer = try #require(Inflater(windowBits: bits))
        let service = try #require(DeflateService())
        for message in Self.messages {
            if offer.contains("server_no") { peer.reset() }
            guard message.count >= DeflateLimits.leastMessageBytes else { continue }
            let packed = try #require(codec.compress(message))
            try expectEqual(peer.inflate(packed, limit: message.count, by: service.piece), message)
        }
    }

    private static let messages = [128, 129, 1_000, 16_383, 16_384, 16_385, 70_000, 300_000].flatMap {
        count in
        [words(count / 8), noise(count), [UInt8](repeating: 7, count: count)]
    }

    @Test("Short messages leave as they are, and do not count for the window")
    func short() throws {
        let codec = try Self.codec()
        let peer = try #require(Inflater(windowBits: 12))
        let service = try #require(DeflateService())
        let long = Self.words(50)
        for _ in 0..<3 {
            expectEqual(codec.compress(Array(long[..<127])), nil)
            let packed = try #require(codec.compress(long))
            try expectEqual(peer.inflate(packed, limit: long.count, by: service.piece), long)
        }
    }

    @Test("A long message leaves as it is, and does not count for the window")
    func large() throws {
        let codec = try Self.codec()
        let peer = try #require(Inflater(windowBits: 12))
        let service = try #require(DeflateService())
        let most = [UInt8](repeating: 7, count: DeflateLimits.mostMessageBytes)
        for _ in 0..<3 {
            expectEqual(codec.compress(most + [7]), nil)
            let packed = try #require(codec.compress(most))
            try expectEqual(peer.inflate(packed, limit: most.count, by: service.piece), most)
        }
    }

    @Test("Context takeover makes a repeated message small; without it all are alike (RFC 7692 §7.1.1.1)")
    func takeover() throws {
        let message = Self.words(30)
        let keeping = try Self.codec()
        let sizes = [keeping.compress(message)?.count, keeping.compress(message)?.count].compactMap(\.self)
        #expect(sizes.count == 2 && sizes[1] * 4 < sizes[0], "\(sizes)")
        let forgetting = try Self.codec("; server_no_context_takeover")
        expectEqual(forgetting.compress(message), forgetting.compress(message))
    }

    @Test("The memory of all connections has a limit: inflaters are reserved, compressors take what is left")
    func memory() throws {
        let peer = try Self.codec()
        let packed = try #require(peer.compress(Self.words(30)))
        let terms = DeflateTerms()
        let service = try #require(DeflateService(limit: 120_000))
        var first = service.codec(for: terms)
        expectEqual(service.heldBytes, 0)
        #expect(first?.compress(Self.words(30)) != nil)
        try expectEqual(first?.inflate(packed, limit: 10_000), Self.words(30))
        #expect(service.heldBytes > 70_000 && service.heldBytes < 80_000)
        let second = try #require(service.codec(for: terms))
        #expect(service.codec(for: terms) == nil)
        expectEqual(second.compress(Self.words(30)), nil)
        try expectEqual(second.inflate(packed, limit: 10_000), Self.words(30))
        #expect(service.heldBytes < 120_000)
        first = nil
        #expect(service.heldBytes > 30_000 && service.heldBytes < 45_000)
        #expect(second.compress(Self.words(30)) != nil)
    }

    @Test("An inflater that is lent counts until its message is whole")
    func lent() throws {
        let service = try #require(DeflateService(limit: 80_000))
        let offers = try #require(ExtensionOffer.list(["permessage-deflate; client_no_context_takeover"]))
        let terms = try #require(DeflateTerms(among: offers))
        let codec = try #require(service.codec(for: terms))
        let packed = try #require(Self.codec().compress([UInt8](repeating: 1, count: 10_000)))
        service.allowance = 1_000
        var message = CompressedMessage(.binary, packed, limit: 20_000)
        #expect(try !codec.inflate(&message))
        #expect(service.heldBytes > 32_000)
        service.allowance = .max
        #expect(try codec.inflate(&message))
        expectEqual(service.heldBytes, 0)
    }

    @Test("Connections without contexts share streams and do not mix (RFC 7692 §7.1.1)")
    func sharing() throws {
        let service = try #require(DeflateService())
        let offers = try #require(
            ExtensionOffer.list(["permessage-deflate; server_no_context_takeover; client_no_context_takeover"]
            ))
        let terms = try #require(DeflateTerms(among: offers))
        let codecs = try (0..<2).map { _ in try #require(service.codec(for: terms)) }
        let packed = try codecs.map { try #require($0.compress(Self.words(30))) }
        expectEqual(packed[0], packed[1])
        for codec in codecs { try expectEqual(codec.inflate(packed[0], limit: 10_000), Self.words(30)) }
        #expect(throws: FrameError.compressedData) {
            try codecs[0].inflate(Self.hex("f2 48 cd"), limit: 1_000)
        }
        try expectEqual(codecs[1].inflate(packed[0], limit: 10_000), Self.words(30))
    }

    @Test("A compressor keeps to the window that was agreed on (RFC 7692 §7.1.2.1)", arguments: 9...12)
    func window(_ bits: Int) throws {
        // The same noise twice, further apart than the smallest window.
        let message = Self.noise(600) + Self.noise(600)
        let service = try #require(DeflateService())
        let packed = try #require(Self.codec("; server_max_window_bits=\(bits)").compress(message))
        let peer = try #require(Inflater(windowBits: bits))
        try expectEqual(peer.inflate(packed, limit: 2_000, by: service.piece), message)
        expectEqual(packed.count < 1_100, bits > 9, "\(packed.count) bytes")
    }

    @Test(
        "A reference beyond the window that was agreed on is refused once its bytes are gone (RFC 7692 §7.1.2.2)"
    )
    func beyondTheWindow() throws {
        let far = try #require(Compressor(windowBits: 15))
        let service = try #require(DeflateService())
        let message = Self.noise(25_000) + Self.noise(25_000)
        let packed = try #require(message.withUnsafeBytes { far.compress($0, by: service.piece) })
        #expect(packed.count < 30_000)
        try expectEqual(Self.codec().inflate(packed, limit: 50_000), message)
        let narrow = try Self.codec("; client_max_window_bits")
        let result = Result { () throws(FrameError) in try narrow.inflate(packed, limit: 50_000).count }
        expectEqual(result, .failure(.compressedData))
    }

    // MARK: Frames

    @Test("Compressed frames arrive whole however they are cut (RFC 7692 §6.2, §7.2.3.1)")
    func cutFrames() throws {
        // "Hello" in two fragments, then once more in one frame that refers to it; masked with zeroes.
        let bytes = Self.hex(
            "41 83 00 00 00 00 f2 48 cd 80 84 00 00 00 00 c9 c9 07 00 c1 85 00 00 00 00 f2 00 11 00 00")
        let hello = Array("Hello".utf8)
        for cut in 0...bytes.count {
            let codec = try Self.codec()
            var server = WebSocketConnection(role: .server)
            let outputs =
                server.receive(Array(bytes[..<cut]), inflater: codec)
                + server.receive(Array(bytes[cut...]), inflater: codec)
            expectEqual(outputs, [.text(hello), .text(hello)])
        }
        let codec = try Self.codec()
        var server = WebSocketConnection(role: .server)
        expectEqual(bytes.flatMap { server.receive([$0], inflater: codec) }, [.text(hello), .text(hello)])
    }
}

@Suite("A build without zlib")
struct WithoutZlibTests {
    @Test("The service is there exactly when zlib is")
    func service() {
        expectEqual(DeflateService() != nil, DeflateService.isAvailable)
    }
}
