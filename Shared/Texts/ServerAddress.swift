/// Server address parsed from user input: `http` or `https`, a host, perhaps a port and a path.
///
/// Read strictly, letter by letter, and put together anew, so that whoever reads it later finds the same host in it. An
/// address with a user before the host, as in `http://127.0.0.1@example.com`, is refused (RFC 3986 §3.2.1, §7.6).
package struct ServerAddress: Equatable, Sendable {
    package enum Problem: Error, Equatable, Sendable {
        case notAnAddress
        case hasUser
    }

    package let isEncrypted: Bool
    /// In small letters; an IPv6 address without brackets.
    package let host: String
    package let port: UInt16?
    /// Empty, or a slash and more, with none at the end.
    package let path: String

    /// - Parameters:
    ///   - text: such as `http://127.0.0.1:8787`.
    ///   - needsScheme: false when `http://` may be left out.
    /// - Throws: ``Problem``.
    package init(_ text: String, needsScheme: Bool = true) throws(Problem) {
        // Nothing that one reader may take for a separator and another for a letter.
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

    /// As in the Host field, with the port that was given.
    package var authority: String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }

    /// `http://host:port`, as a page of this server would present it in `X-Host`.
    package var origin: String { (isEncrypted ? "https://" : "http://") + authority }
    package var restBase: String { origin + basePath + "/api/v1" }
    package var socketBase: String { (isEncrypted ? "wss://" : "ws://") + authority + basePath + "/ws" }

    /// Before `/api/v1` and `/ws`.
    private var basePath: Substring {
        path.hasSuffix("/api/v1") ? path.dropLast("/api/v1".count) : path[...]
    }

    /// The port is nil without a colon; an empty host is none.
    private static func split(_ authority: Substring) -> (host: Substring, port: Substring?) {
        var behind = authority.drop { $0 != ":" }
        var host = authority.prefix(authority.count - behind.count)
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return ("", nil) }
            host = authority[..<end].dropFirst()
            behind = authority[end...].dropFirst()
            guard behind.isEmpty || behind.hasPrefix(":") else { return ("", nil) }
        }
        return (host, behind.isEmpty ? nil : behind.dropFirst())
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

    /// In brackets; "%" begins a zone (RFC 6874).
    private static func belongsToNumber(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%")
    }
}
