/// Where a plain server listens.
package struct Endpoint: Equatable, Sendable {
    /// A name, or an address in figures without brackets.
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// The value of the Host field (RFC 9110 §7.2).
    package var authority: String {
        let shown = host.contains(":") ? "[\(host)]" : host
        return port == 80 ? shown : "\(shown):\(port)"
    }
}
