/// Client addresses from `X-Forwarded-For` of trusted proxies. Each proxy appends the address of its peer, so the
/// client is the last address that is no trusted proxy; earlier ones may be forged. `Forwarded` (RFC 7239) is ignored,
/// because a proxy that does not write the field passes on what the client sent.
package struct ProxyTrust<Address: Hashable & Sendable>: Sendable {
    package static var field: String { "X-Forwarded-For" }

    package enum Verdict: Equatable, Sendable {
        case client(Address)
        /// The field is ignored, because its sender is not a trusted proxy.
        case stranger
        /// An element is not an address.
        case malformed
    }

    private let trusted: Set<Address>

    package init(_ trusted: [Address]) { self.trusted = Set(trusted) }

    package func trusts(_ address: Address) -> Bool { trusted.contains(address) }

    /// Judges the field's values in order. `read` parses a numeric address.
    package func judge(_ fields: [String], from peer: Address, read: (String) -> Address?) -> Verdict {
        guard trusts(peer) else { return .stranger }
        var client = peer
        for field in fields.reversed() {
            for part in field.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                guard let address = read(Self.host(part)) else { return .malformed }
                guard trusts(address) else { return .client(address) }
                client = address
            }
        }
        return .client(client)
    }

    /// Returns an element without blanks, port and brackets, such as `::1` for ` [::1]:80`.
    private static func host(_ part: Substring) -> String {
        var text = part.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
        // A single colon precedes a port. IPv6 addresses have more colons.
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        return String(colons == 1 ? text.prefix { $0 != ":" } : text)
    }
}
