import SocketTransport

/// The server that a load test drives: on this machine, or one that its owner has named.
///
/// The address is read strictly, character by character, and put together anew, so that whoever reads it later
/// finds the same host in it. An address with a user before the host, as in `http://127.0.0.1@example.com`, is
/// refused (RFC 3986 §3.2.1, §7.6).
package struct LoadTarget: Equatable, Sendable {
    package enum Problem: Error, Equatable, Sendable {
        case notAnAddress
        case hasUser
        /// The host is not on this machine, and nobody said that it is theirs.
        case notLoopback(host: String)
        /// Another host was named.
        case otherHost(host: String, named: String)
    }

    package let isEncrypted: Bool
    /// In small letters; an IPv6 address without brackets.
    package let host: String
    package let port: UInt16?
    /// Before `/api/v1` and `/ws`; empty, or a slash and more, with none at the end.
    package let path: String

    /// - Parameters:
    ///   - text: `http` or `https`, a host, a port, and a path that may end with `/api/v1`.
    ///   - ownedHost: what the caller says is theirs; must be the very host of the address.
    /// - Throws: ``Problem`` that says why nobody may be driven there.
    package init(_ text: String, ownedHost: String? = nil) throws(Problem) {
        let bytes = Array(text.utf8)
        // Nothing that one reader may take for a separator and another for a letter.
        guard bytes.allSatisfy({ 0x21...0x7E ~= $0 && !Array(#"\"<>^`{|}%?#"#.utf8).contains($0) }) else {
            throw .notAnAddress
        }
        let lowered = text.lowercased()
        let rest: Substring
        if lowered.hasPrefix("http://") {
            (isEncrypted, rest) = (false, text.dropFirst(7))
        } else if lowered.hasPrefix("https://") {
            (isEncrypted, rest) = (true, text.dropFirst(8))
        } else {
            throw .notAnAddress
        }
        let authority = rest.prefix { $0 != "/" }
        var path = String(rest.dropFirst(authority.count))
        guard !authority.contains("@") else { throw .hasUser }
        guard !path.contains("@"), let (host, port) = Self.hostAndPort(authority) else { throw .notAnAddress }
        while path.hasSuffix("/") { path.removeLast() }
        if path.hasSuffix("/api/v1") { path.removeLast("/api/v1".count) }
        (self.host, self.port, self.path) = (host, port, path)
        if let ownedHost {
            let named = ownedHost.lowercased()
            guard named == host || named == "[\(host)]" && host.contains(":") else {
                throw .otherHost(host: host, named: ownedHost)
            }
        } else if !isLoopback {
            throw .notLoopback(host: host)
        }
    }

    /// `localhost`, 127.0.0.0/8 and ::1; no other spelling of them, since resolvers differ in what they accept.
    package var isLoopback: Bool {
        host == "localhost" || SocketAddress(host: host, port: 0)?.isLoopback == true
    }

    /// `http://host:port`, as a page of this server would present it in `X-Host`.
    package var origin: String { (isEncrypted ? "https://" : "http://") + authority }
    package var restBase: String { origin + path + "/api/v1" }
    package var socketBase: String { (isEncrypted ? "wss://" : "ws://") + authority + path + "/ws" }

    private var authority: String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }

    private static func hostAndPort(_ authority: Substring) -> (host: String, port: UInt16?)? {
        var host = authority
        var port: UInt16?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            let behind = authority[authority.index(after: end)...]
            guard behind.isEmpty || behind.hasPrefix(":") else { return nil }
            guard host.contains(":"), SocketAddress(host: String(host), port: 0) != nil else { return nil }
            if !behind.isEmpty {
                guard let number = Self.port(behind.dropFirst()) else { return nil }
                port = number
            }
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            guard let number = Self.port(authority[authority.index(after: colon)...]) else { return nil }
            port = number
        }
        let isName = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                true
            default: authority.hasPrefix("[") && byte == UInt8(ascii: ":")
            }
        }
        guard !host.isEmpty, isName else { return nil }
        return (host.lowercased(), port)
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(text), port > 0 else {
            return nil
        }
        return port
    }
}
