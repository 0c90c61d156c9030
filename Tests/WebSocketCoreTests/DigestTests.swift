import Expectations
import Testing
import WebSocketCore

@Suite("Handshake digests")
struct DigestTests {
    @Test(
        "SHA-1 gives the digests of RFC 3174 §7.3 and of FIPS 180",
        arguments: [
            ("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            (
                "0123456701234567012345670123456701234567012345670123456701234567", 10,
                "dea356a2cddd90c7a7ecedc5ebb563934f460452"
            ),
            ("a", 1_000, "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
        ] as [(String, Int, String)])
    func sha1(_ part: String, _ times: Int, _ expected: String) {
        let digest = SHA1.digest(text(String(repeating: part, count: times)))
        let hex = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        expectEqual(hex, expected)
    }

    @Test("SHA-1 pads every length around a block to whole blocks", arguments: 50...70)
    func paddingLengths(_ count: Int) {
        let digests = Set((count...count + 1).map { SHA1.digest([UInt8](repeating: 0x61, count: $0)) })
        expectEqual(digests.count, 2)
        #expect(digests.allSatisfy { $0.count == 20 })
    }
}
