import SocketTransport

/// The order in which the addresses of a host are tried (RFC 8305): families in turn, the preferred one first.
struct AddressRace: Sendable {
    private var waiting: ArraySlice<SocketAddress>

    init(_ addresses: [SocketAddress]) {
        var (first, second) = (
            addresses[...].filter { $0.isIPv6 == addresses.first?.isIPv6 }[...], addresses[...]
        )
        second = addresses.filter { $0.isIPv6 != addresses.first?.isIPv6 }[...]
        var order: [SocketAddress] = []
        while order.count < Limits.addresses, !first.isEmpty || !second.isEmpty {
            if let address = first.popFirst() { order.append(address) }
            if let address = second.popFirst() { order.append(address) }
        }
        waiting = order.prefix(Limits.addresses)
    }

    var isEmpty: Bool { waiting.isEmpty }

    mutating func next() -> SocketAddress? { waiting.popFirst() }
}
