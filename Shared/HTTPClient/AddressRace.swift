import SocketTransport

/// Order in which a host's addresses are tried. IPv4 and IPv6 alternate, preferred family first (RFC 8305).
struct AddressRace: Sendable {
    private var waiting: ArraySlice<SocketAddress>

    init(_ addresses: [SocketAddress]) {
        var preferred = addresses.filter { $0.isIPv6 == addresses[0].isIPv6 }[...]
        var others = addresses.filter { $0.isIPv6 != addresses[0].isIPv6 }[...]
        var order: [SocketAddress] = []
        while !preferred.isEmpty || !others.isEmpty {
            if let address = preferred.popFirst() { order.append(address) }
            if let address = others.popFirst() { order.append(address) }
        }
        waiting = order.prefix(ClientLimits.addresses)
    }

    var isEmpty: Bool { waiting.isEmpty }

    mutating func next() -> SocketAddress? { waiting.popFirst() }
}
