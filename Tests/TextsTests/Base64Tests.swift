import Expectations
import Testing
import Texts

@Suite("Base64")
struct Base64Tests {
    @Test(
        "Base64 follows the vectors of RFC 4648 §10 in both directions",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ] as [(String, String)])
    func vectors(_ plain: String, _ coded: String) {
        expectEqual(Base64.standard.encode(Array(plain.utf8)), Array(coded.utf8))
        expectEqual(Base64.standard.decode(coded.utf8), Array(plain.utf8))
        expectEqual(Base64.standard.decode(coded.utf8, takesStrayBits: true), Array(plain.utf8))
    }

    @Test("Both forms bring back any bytes", arguments: 0...40)
    func roundTrip(_ count: Int) {
        var random = Random(state: UInt64(count) + 99)
        let bytes = (0..<count).map { _ in UInt8(random.below(256)) }
        expectEqual(Base64.standard.decode(Base64.standard.encode(bytes)), bytes)
        expectEqual(Base64.url.decode(Base64.url.encode(bytes)), bytes)
    }

    @Test(
        "Blanks, missing or misplaced padding, other alphabets and stray bits are refused (RFC 4648 §3.5)",
        arguments: [
            "Z", "Zg", "Zg=", "Zm9v=", "Zg==Zg==", "====", "A===", "Z===", "Zm 9", "Zm9v\n", "Zh==", "Zm9=",
            "-_-_", "Zm9é", "=Zg=", "Z-==",
        ] as [String])
    func strictDecoding(_ coded: String) {
        expectEqual(Base64.standard.decode(coded.utf8), nil)
    }

    @Test(
        "Stray bits are read where a file may have them, and nothing else",
        arguments: [("Zh==", "f"), ("Zm9=", "fo"), ("Zg", nil), ("Zg==Zg==", nil)] as [(String, String?)])
    func strayBits(_ coded: String, _ plain: String?) {
        expectEqual(Base64.standard.decode(coded.utf8, takesStrayBits: true), plain.map { Array($0.utf8) })
    }

    @Test(
        "The form of URLs has no padding and round trips (RFC 4648 §5, §10)",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"), ("\u{3FF}\u{3FF}~", "z7_Pv34"),
        ] as [(String, String)])
    func url(_ plain: String, _ text: String) {
        expectEqual(String(decoding: Base64.url.encode(Array(plain.utf8)), as: UTF8.self), text)
        expectEqual(Base64.url.decode(text.utf8), Array(plain.utf8))
    }

    @Test(
        "One value has one text in the form of URLs",
        arguments: ["Z", "Zg==", "Zh", "Zm9", "Zm+v", "Zm/v", "Zm 9", "Zm9vZ", "é"] as [String])
    func strictURL(_ text: String) {
        expectEqual(Base64.url.decode(text.utf8), nil)
    }
}
