import DialectKit
import Expectations
import Testing
import Texts

@Suite("Keyed hashes")
struct KeyedHashTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
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
        expectEqual(hex(HMAC.sha256(message, key: key)), digest)
    }

    @Test("The signature of RFC 7515 A.1 comes out")
    func jws() throws {
        let key = try #require(
            Base64.url.decode(
                Array(
                    "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
                        .utf8)))
        let input =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0"
            + "dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let signature = Base64.url.encode(HMAC.sha256(Array(input.utf8), key: key))
        expectEqual(String(decoding: signature, as: UTF8.self), "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    }

    @Test("Equal means equal bytes and equal length")
    func equality() {
        #expect(HMAC.areEqual([1, 2], [1, 2]))
        #expect(!HMAC.areEqual([1, 2], [1, 3]))
        #expect(!HMAC.areEqual([1, 2], [1, 2, 0]))
    }
}
