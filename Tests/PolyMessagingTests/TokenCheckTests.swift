import Clocks
import Expectations
import PolyMessaging
import Testing

@Suite("The look at an access token")
struct TokenCheckTests {
    static let now = Instant(secondsSince1970: 1_800_000_000)

    /// A token with this payload, unpadded unless asked otherwise (RFC 7515 §2).
    static func token(_ payload: String, isPadded: Bool = false) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let bytes = Array(payload.utf8)
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word = group.reduce(0) { $0 << 8 | Int($1) }
            word <<= 8 * (3 - group.count)
            for index in 0...group.count { text.append(alphabet[word >> (18 - 6 * index) & 63]) }
            if isPadded { text += String(repeating: "=", count: 3 - group.count) }
        }
        return "eyJhbGciOiJIUzI1NiJ9.\(text).c2lnbmF0dXJl"
    }

    private func isUsable(_ payload: String) -> Bool {
        TokenCheck.isUsable(Self.token(payload), at: Self.now)
    }

    @Test("JWT-83 A token without an expiry is usable")
    func noExpiry() {
        #expect(isUsable(#"{"sub":"a"}"#))
        #expect(isUsable("{}"))
    }

    @Test("JWT-84 An expiry to come is usable, as integer or with a fraction (RFC 7519 §2)")
    func future() {
        #expect(isUsable(#"{"exp":1800003600}"#))
        #expect(isUsable(#"{"exp":1800003600.5}"#))
        #expect(isUsable(#"{"exp":1e300}"#))
    }

    @Test("JWT-85 An expiry an hour ago is not")
    func past() {
        #expect(!isUsable(#"{"exp":1799996400}"#))
    }

    @Test(
        "JWT-86 Clocks may differ by five seconds",
        arguments: [(1_799_999_998, true), (1_799_999_995, true), (1_799_999_994, false)] as [(Int, Bool)])
    func skew(_ expiry: Int, isUsable: Bool) {
        expectEqual(self.isUsable(#"{"exp":\#(expiry)}"#), isUsable)
    }

    @Test(
        "JWT-87 A token has three parts",
        arguments: ["eyJhIjoxfQ.eyJhIjoxfQ", "a.eyJhIjoxfQ.b.c", "eyJhIjoxfQ", "...."] as [String])
    func parts(_ token: String) {
        #expect(!TokenCheck.isUsable(token, at: Self.now))
    }

    @Test(
        "JWT-88 A payload that cannot be decoded is unusable",
        arguments: [
            "a.!!!.b", "a.e.b", "a..b", "a.bm90IGpzb24.b", "a.W10.b", "a.MQ.b", "a.eyJ=hIjox.b", "a.é.b",
        ] as [String])
    func undecodable(_ token: String) {
        #expect(!TokenCheck.isUsable(token, at: Self.now))
    }

    @Test("JWT-88 A payload may be padded")
    func padding() {
        for payload in ["{}", #"{"a":1}"#, #"{"a":12}"#, #"{"a":123}"#] {
            #expect(TokenCheck.isUsable(Self.token(payload, isPadded: true), at: Self.now))
        }
    }

    @Test(
        "JWT-89, JWT-90 No text at all, and any text, is no token",
        arguments: ["", "hello", "a b c"] as [String])
    func noToken(_ token: String) {
        #expect(!TokenCheck.isUsable(token, at: Self.now))
    }

    @Test(
        "JWT-91 An expiry that is no number is unusable",
        arguments: [#""1800003600""#, "null", "true", "[]"] as [String])
    func expiryOfAnotherKind(_ value: String) {
        #expect(!isUsable(#"{"exp":\#(value)}"#))
    }
}
