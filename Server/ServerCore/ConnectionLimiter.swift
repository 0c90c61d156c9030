/// Limiter of concurrent connections, per address and in total.
package struct ConnectionLimiter<Address: Hashable & Sendable>: Sendable {
    package enum OverLimit: Sendable {
        case server
        case address
    }

    package enum Verdict: Equatable, Sendable {
        case admit
        /// The connection is refused at its first request, because a response needs a request (RFC 9112 §9.2).
        case refuse(OverLimit)
        /// The connection is closed at once, because too many are being refused already.
        case cut
    }

    package enum Admission: Equatable, Sendable {
        case uncounted
        case counted
        /// The connection exceeds a limit, and is kept only to receive a refusal.
        case tooMany(of: OverLimit)
    }

    private let most: Int
    private let mostOfAddress: Int
    private let mostRefused: Int
    private var ofAddress: [Address: Int] = [:]
    private var refused = 0

    /// - Parameters:
    ///   - most: limit of connections in total.
    ///   - mostOfAddress: limit of connections per address.
    ///   - mostRefused: limit of excess connections that get a refusal.
    package init(most: Int, mostOfAddress: Int, mostRefused: Int) {
        self.most = most
        self.mostOfAddress = mostOfAddress
        self.mostRefused = mostRefused
    }

    /// Judges a new connection. `isBounded` applies the limit per address. `open` is the number of open connections,
    /// including the new one.
    package mutating func enter(from address: Address, isBounded: Bool, open: Int) -> (Verdict, Admission) {
        if open - refused > most { return turnAway(.server) }
        guard isBounded else { return (.admit, .uncounted) }
        let count = ofAddress[address, default: 0] + 1
        guard count <= mostOfAddress else { return turnAway(.address) }
        ofAddress[address] = count
        return (.admit, .counted)
    }

    private mutating func turnAway(_ limit: OverLimit) -> (Verdict, Admission) {
        guard refused < mostRefused else { return (.cut, .uncounted) }
        refused += 1
        return (.refuse(limit), .tooMany(of: limit))
    }

    package mutating func leave(_ admission: Admission, from address: Address) {
        switch admission {
        case .uncounted: return
        case .tooMany: refused -= 1
        case .counted:
            let count = ofAddress[address, default: 1] - 1
            ofAddress[address] = count > 0 ? count : nil
        }
    }
}
