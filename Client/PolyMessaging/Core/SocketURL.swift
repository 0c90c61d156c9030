#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Builder of the WebSocket URL (protocol.md#connect-parameters).
package enum SocketURL {
    /// Returns `base` with the token, the session id and a nonzero cursor in its query; nil if `base` is invalid.
    package static func make(base: URL, accessToken: String, sessionID: String, cursor: UInt64) -> URL? {
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else { return nil }
        var query = parts.percentEncodedQuery.map { $0.isEmpty ? "" : $0 + "&" } ?? ""
        query += "access_token=" + encoded(accessToken) + "&session_id=" + encoded(sessionID)
        if cursor > 0 { query += "&cursor=\(cursor)" }
        parts.percentEncodedQuery = query
        parts.fragment = nil
        return parts.url
    }

    /// Percent-encodes all but unreserved characters (RFC 3986 §2.3): `+` and `&` have a meaning in a query.
    private static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
