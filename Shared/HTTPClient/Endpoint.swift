package struct Endpoint: Equatable, Sendable {
    /// A name, or an IP address without brackets.
    package let host: String
    package let port: UInt16
    /// Whether the server requires TLS, which ``HTTPClient`` does not support.
    package let isEncrypted: Bool

    package init(host: String, port: UInt16, isEncrypted: Bool = false) {
        self.host = host
        self.port = port
        self.isEncrypted = isEncrypted
    }

    /// The value of the Host field (RFC 9110 §7.2).
    package var authority: String {
        let shown = host.contains(":") ? "[\(host)]" : host
        return port == (isEncrypted ? 443 : 80) ? shown : "\(shown):\(port)"
    }
}
