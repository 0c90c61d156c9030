import Clocks
import DialectKit
import Expectations
import Testing
import Texts

@testable import PolyDialect

@Suite("Access tokens (RFC 7519)")
struct AccessTokenTests {
    private static let key = SigningKey([UInt8](repeating: 7, count: 32))
    private static let now = Instant(secondsSince1970: 1_000)
    private static let token = AccessToken(
        issuer: "polymock", subject: "ada", connectorID: "c-1", issuedAt: 900, expiresAt: 1_900,
        tokenID: "t-1",
        scenario: "booking+tunnel@seed=7")

    private static func part(_ json: String) -> String {
        String(decoding: Base64.url.encode(Array(json.utf8)), as: UTF8.self)
    }

    /// `header.payload` with a valid signature of `key`.
    private static func sign(_ header: String, _ payload: String) -> String {
        let text = part(header) + "." + part(payload)
        return text + "." + String(decoding: Base64.url.encode(key.sign(Array(text.utf8))), as: UTF8.self)
    }

    private static let header = #"{"alg":"HS256","typ":"JWT"}"#

    @Test("A signed token is read back with all its claims")
    func roundTrip() throws {
        let text = Self.token.signed(with: Self.key)
        #expect(text.hasPrefix("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."))
        try expectEqual(AccessToken(text, key: Self.key, at: Self.now), Self.token)
        var plain = Self.token
        plain.scenario = nil
        try expectEqual(AccessToken(plain.signed(with: Self.key), key: Self.key, at: Self.now), plain)
    }

    /// protocol.md#token-claims
    @Test("The claims stand in the payload under their names")
    func claims() throws {
        let payload = try #require(Self.token.signed(with: Self.key).split(separator: ".").dropFirst().first)
        let bytes = try #require(Base64.url.decode(Array(payload.utf8)))
        expectEqual(
            String(decoding: bytes, as: UTF8.self),
            #"{"iss":"polymock","sub":"ada","connector_id":"c-1","#
                + #""iat":900,"exp":1900,"jti":"t-1","scenario":"booking+tunnel@seed=7"}"#)
    }

    private static var tampered: [(String, String, AccessToken.Fault)] {
        let good = token.signed(with: key)
        let parts = good.split(separator: ".").map(String.init)
        var evil = token
        evil.subject = "eve"
        let evilPayload = evil.signed(with: key).split(separator: ".").map(String.init)[1]
        let flipped = String(parts[2].first == "A" ? "B" : "A") + parts[2].dropFirst()
        let otherKey = SigningKey([UInt8](repeating: 8, count: 32))
        return [
            ("a changed signature", "\(parts[0]).\(parts[1]).\(flipped)", .wrongSignature),
            ("no signature", "\(parts[0]).\(parts[1]).", .wrongSignature),
            ("a changed payload", "\(parts[0]).\(evilPayload).\(parts[2])", .wrongSignature),
            ("another key", token.signed(with: otherKey), .wrongSignature),
            ("the algorithm none", part(#"{"alg":"none"}"#) + ".\(parts[1]).", .wrongAlgorithm),
            ("another algorithm", sign(#"{"alg":"HS512"}"#, "{}"), .wrongAlgorithm),
            ("two parts", "\(parts[0]).\(parts[1])", .malformed),
            ("four parts", good + ".x", .malformed),
            ("padding", "\(parts[0]).\(parts[1]).\(parts[2])=", .malformed),
            ("a foreign character", "\(parts[0]).\(parts[1].dropLast())+.\(parts[2])", .malformed),
            ("no expiry", sign(header, #"{"sub":"ada","connector_id":"c"}"#), .missingClaim),
            (
                "an expiry in quotes", sign(header, #"{"sub":"ada","connector_id":"c","exp":"9999"}"#),
                .missingClaim
            ),
            ("no subject", sign(header, #"{"sub":"","connector_id":"c","exp":9999}"#), .missingClaim),
            ("a payload that is no object", sign(header, "[1]"), .missingClaim),
            (
                "an expiry that is now", sign(header, #"{"sub":"ada","connector_id":"c","exp":1000}"#),
                .expired
            ),
            ("nothing", "", .malformed), ("dots", "..", .malformed),
            ("too many bytes", good + String(repeating: "A", count: 9_000), .malformed),
        ]
    }

    @Test("A tampered, foreign or expired token is refused", arguments: tampered)
    func tampering(_ what: String, _ text: String, _ fault: AccessToken.Fault) {
        #expect(throws: fault, "\(what)") { try AccessToken(text, key: Self.key, at: Self.now) }
    }

    /// protocol.md#token-expiry
    @Test("A token is good until the second it expires")
    func expiry() throws {
        let text = Self.token.signed(with: Self.key)
        _ = try AccessToken(text, key: Self.key, at: Instant(nanosecondsSince1970: 1_899_999_999_999))
        #expect(throws: AccessToken.Fault.expired) {
            try AccessToken(text, key: Self.key, at: Instant(secondsSince1970: 1_900))
        }
    }

    @Test("No single changed character of a token goes unnoticed")
    func everyCharacter() {
        let good = Array(Self.token.signed(with: Self.key).utf8)
        for index in good.indices {
            var bad = good
            bad[index] = bad[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let text = String(decoding: bad, as: UTF8.self)
            #expect(throws: AccessToken.Fault.self, "changed at \(index)") {
                try AccessToken(text, key: Self.key, at: Self.now)
            }
        }
    }

    @Test("A key tells nothing about itself")
    func keyDescription() {
        expectEqual("\(Self.key) \(String(reflecting: Self.key))", "SigningKey SigningKey")
    }
}
