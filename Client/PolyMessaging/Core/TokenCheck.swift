package import Clocks
import Texts

/// Check of an access token without its signature: the form of a JWT (RFC 7519) and the expiry.
package enum TokenCheck {
    /// Whether the token has three parts, a JSON object as payload, and an `exp`, if any, at most 5 s in the past.
    package static func isUsable(_ token: String, at now: Instant) -> Bool {
        guard let payload = payload(of: token) else { return false }
        guard let expiry = payload["exp"] else { return true }
        guard let seconds = seconds(expiry) else { return false }
        let present = Double(now.nanoseconds) / 1_000_000_000
        return present - seconds <= Double(MessagingLimits.tokenSkewSeconds)
    }

    private static func seconds(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    private static func payload(of token: String) -> JSONObject? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = decode(parts[1]) else { return nil }
        return (try? JSONReader.read(bytes, manner: .lenient))?.object
    }

    /// Decodes Base64url with or without padding (RFC 4648 §5).
    private static func decode(_ text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        var isPadding = false
        for character in text {
            if character == UInt8(ascii: "=") {
                isPadding = true
                continue
            }
            guard !isPadding, let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        return bitCount == 6 ? nil : bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
