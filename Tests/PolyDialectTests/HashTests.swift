import MessagingWire
import Testing

@testable import PolyDialect

@Suite("Hashes and base64url")
struct HashTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(
        "SHA-256 gives the published digests (FIPS 180-4)",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            ("a", 10_000, "27dd1f61b867b6a0f6e9d8a41c43231de52107e53ae424de8f847b821db4b711"),
        ])
    func digests(_ text: String, _ count: Int, _ digest: String) {
        #expect(SHA256.hex(of: Array(String(repeating: text, count: count).utf8)) == digest)
    }

    @Test("A message hashed in two parts gives the same digest, wherever it is cut")
    func parts() {
        let message = (0..<150).map { UInt8($0) }
        for cut in 0...message.count {
            var hash = SHA256()
            hash.update(Array(message[..<cut]))
            hash.update(Array(message[cut...]))
            #expect(hash.finish() == SHA256.digest(of: message))
        }
    }

    @Test(
        "HMAC gives the digests of RFC 4231 §4",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                Array(1...25), [UInt8](repeating: 0xCD, count: 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ] as [([UInt8], [UInt8], String)])
    func keyed(_ key: [UInt8], _ message: [UInt8], _ digest: String) {
        #expect(hex(HMAC.sha256(message, key: key)) == digest)
    }

    @Test("The signature of RFC 7515 A.1 comes out")
    func jws() throws {
        let key = try #require(
            Base64URL.decode(
                Array(
                    "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
                        .utf8)))
        let input =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0"
            + "dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let signature = Base64URL.encode(HMAC.sha256(Array(input.utf8), key: key))
        #expect(String(decoding: signature, as: UTF8.self) == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    }

    @Test(
        "Base64url has no padding and round trips (RFC 4648 §5, §10)",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"), ("\u{3FF}\u{3FF}~", "z7_Pv34"),
        ])
    func base64url(_ plain: String, _ text: String) {
        #expect(String(decoding: Base64URL.encode(Array(plain.utf8)), as: UTF8.self) == text)
        #expect(Base64URL.decode(Array(text.utf8)) == Array(plain.utf8))
    }

    @Test(
        "One value has one base64url text",
        arguments: ["Z", "Zg==", "Zh", "Zm9", "Zm+v", "Zm/v", "Zm 9", "Zm9vZ", "é"])
    func strict(_ text: String) {
        #expect(Base64URL.decode(Array(text.utf8)) == nil)
    }

    @Test("Equal means equal bytes and equal length")
    func equality() {
        #expect(HMAC.areEqual([1, 2], [1, 2]))
        #expect(!HMAC.areEqual([1, 2], [1, 3]))
        #expect(!HMAC.areEqual([1, 2], [1, 2, 0]))
    }
}
