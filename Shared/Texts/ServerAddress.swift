/// Address of a server as typed. Strict parsing lets every later parser find the same host. User information, as in
/// `http://127.0.0.1@example.com`, is refused (RFC 3986 §3.2.1, §7.6).
package struct ServerAddress: Equatable, Sendable {
    package enum Problem: Error, Equatable, Sendable {
        case notAnAddress
        case hasUser
    }

    package let isEncrypted: Bool
    /// Host in lower case, without the brackets of an IPv6 address.
    package let host: String
    package let port: UInt16?
    /// Path: empty, or with a slash at its start and none at its end.
    package let path: String

    /// - Parameters:
    ///   - text: an address such as `http://127.0.0.1:8787`.
    ///   - needsScheme: whether `http://` or `https://` is required.
    /// - Throws: ``Problem``.
    package init(_ text: String, needsScheme: Bool = true) throws(Problem) {
        // Some parsers take these characters for separators.
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !Self.separators.contains($0) }) else {
            throw .notAnAddress
        }
        let lowered = text.lowercased()
        var rest = text[...]
        if lowered.hasPrefix("https://") {
            (isEncrypted, rest) = (true, text.dropFirst(8))
        } else {
            isEncrypted = false
            if lowered.hasPrefix("http://") {
                rest = text.dropFirst(7)
            } else if needsScheme {
                throw .notAnAddress
            }
        }
        let authority = rest.prefix { $0 != "/" }
        var path = rest.dropFirst(authority.count)
        let (host, port) = Self.split(authority)
        let isNumber = authority.hasPrefix("[")
        guard !authority.contains("@") || authority.contains("%") else { throw .hasUser }
        guard !path.contains("@"), isNumber ? host.contains(":") : !host.isEmpty,
            host.utf8.allSatisfy({ Self.belongsToHost($0) || isNumber && Self.belongsToNumber($0) })
        else { throw .notAnAddress }
        while path.hasSuffix("/") { path.removeLast() }
        self.host = host.lowercased()
        self.port = try port.map { (port) throws(Problem) in
            guard port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = UInt16(port), number > 0 else {
                throw .notAnAddress
            }
            return number
        }
        self.path = String(path)
    }

    /// Host and port, as in the Host field.
    package var authority: String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }

    /// Scheme, host and port, such as `http://127.0.0.1:8787`.
    package var origin: String { (isEncrypted ? "https://" : "http://") + authority }
    package var restBase: String { origin + basePath + "/api/v1" }
    package var socketBase: String { (isEncrypted ? "wss://" : "ws://") + authority + basePath + "/ws" }

    /// Path without a final `/api/v1`.
    private var basePath: Substring {
        path.hasSuffix("/api/v1") ? path.dropLast("/api/v1".count) : path[...]
    }

    /// Splits an authority. The port is nil without a colon. The host is empty if the authority is malformed.
    private static func split(_ authority: Substring) -> (host: Substring, port: Substring?) {
        var suffix = authority.drop { $0 != ":" }
        var host = authority.prefix(authority.count - suffix.count)
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return ("", nil) }
            host = authority[..<end].dropFirst()
            suffix = authority[end...].dropFirst()
            guard suffix.isEmpty || suffix.hasPrefix(":") else { return ("", nil) }
        }
        return (host, suffix.isEmpty ? nil : suffix.dropFirst())
    }

    private static let separators = Array(#"\"<>^`{|}?#"#.utf8)

    private static func belongsToHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether a byte is allowed in a bracketed IPv6 address, but not in a host name. "%" begins a zone (RFC 6874).
    private static func belongsToNumber(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%")
    }
}
