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
        ])
    func sha1(_ part: String, _ times: Int, _ expected: String) {
        let digest = SHA1.digest(text(String(repeating: part, count: times)))
        let hex = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(hex == expected)
    }

    @Test("SHA-1 pads every length around a block to whole blocks", arguments: 50...70)
    func paddingLengths(_ count: Int) {
        let digests = Set((count...count + 1).map { SHA1.digest([UInt8](repeating: 0x61, count: $0)) })
        #expect(digests.count == 2)
        #expect(digests.allSatisfy { $0.count == 20 })
    }

    @Test(
        "Base64 follows the vectors of RFC 4648 §10 in both directions",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func base64(_ plain: String, _ coded: String) {
        #expect(Base64.encode(text(plain)) == coded)
        #expect(Base64.decode(coded) == text(plain))
    }

    @Test("Base64 brings back any bytes", arguments: 0...40)
    func roundTrip(_ count: Int) {
        var dice = Dice(UInt64(count) + 99)
        let bytes = dice.bytes(count)
        #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }

    @Test(
        "Base64 refuses blanks, missing or misplaced padding, other alphabets and stray bits (RFC 4648 §3.5)",
        arguments: [
            "Z", "Zg", "Zg=", "Zm9v=", "Zg==Zg==", "====", "A===", "Z===", "Zm 9", "Zm9v\n", "Zh==", "Zm9=",
            "-_-_", "Zm9é", "=Zg=",
        ])
    func strictDecoding(_ coded: String) {
        #expect(Base64.decode(coded) == nil)
    }
}
