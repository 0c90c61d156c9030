/// Client addresses from `X-Forwarded-For`, written by trusted proxies alone. Each proxy appends the address of its peer, so the
/// last address that is no trusted proxy's is the client's; anybody may have written those before it. `Forwarded` (RFC 7239)
/// is not read: a proxy that writes one field passes on the other as a client sent it.
package struct ProxyTrust<Address: Hashable & Sendable>: Sendable {
    package static var field: String { "X-Forwarded-For" }

    package enum Verdict: Equatable, Sendable {
        case client(Address)
        /// Ignored: the sender is no trusted proxy.
        case stranger
        /// Ignored: an element up to the client is no address.
        case malformed
    }

    private let trusted: Set<Address>

    package init(_ trusted: [Address]) { self.trusted = Set(trusted) }

    package func trusts(_ address: Address) -> Bool { trusted.contains(address) }

    /// Judges the values of the field, in their order; `read` parses an address in figures.
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

    /// An element without blanks, port and brackets: `::1` of ` [::1]:80`.
    private static func host(_ part: Substring) -> String {
        var text = part.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
        // One colon stands before a port; an IPv6 address has more.
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        return String(colons == 1 ? text.prefix { $0 != ":" } : text)
    }
}
