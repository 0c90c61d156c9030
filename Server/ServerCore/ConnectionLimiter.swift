/// Who may come in: how many connections there are, of each address and of all, and how many are only told that they
/// are too many.
package struct ConnectionLimiter<Address: Hashable & Sendable>: Sendable {
    /// Whose limit a connection is beyond.
    package enum OverLimit: Sendable {
        case server
        case address
    }

    package enum Verdict: Equatable, Sendable {
        case comeIn
        /// It is told so once it has asked something: an answer to nothing would not be read (RFC 9112 §9.2).
        case tell(OverLimit)
        /// Too many are being told already.
        case cut
    }

    /// How a connection counts among all.
    package enum Admission: Equatable, Sendable {
        case uncounted
        /// In the number of its address.
        case counted
        /// One too many: it is only told so.
        case tooMany(of: OverLimit)
    }

    private let most: Int
    private let mostOfAddress: Int
    private let mostTold: Int
    private var ofAddress: [Address: Int] = [:]
    /// Connections that are only told that there are too many.
    private var told = 0

    /// - Parameters:
    ///   - most: connections of all addresses.
    ///   - mostOfAddress: those of one address; where they are bounded.
    ///   - mostTold: further ones that are told so.
    package init(most: Int, mostOfAddress: Int, mostTold: Int) {
        self.most = most
        self.mostOfAddress = mostOfAddress
        self.mostTold = mostTold
    }

    /// Judges a new connection, where `open` sockets are open with it. What is not cut counts until ``leave(_:from:)``.
    package mutating func enter(from address: Address, isBounded: Bool, open: Int) -> (Verdict, Admission) {
        if open - told > most { return turnAway(.server) }
        guard isBounded else { return (.comeIn, .uncounted) }
        let count = ofAddress[address, default: 0] + 1
        guard count <= mostOfAddress else { return turnAway(.address) }
        ofAddress[address] = count
        return (.comeIn, .counted)
    }

    private mutating func turnAway(_ limit: OverLimit) -> (Verdict, Admission) {
        guard told < mostTold else { return (.cut, .uncounted) }
        told += 1
        return (.tell(limit), .tooMany(of: limit))
    }

    /// A connection is gone.
    package mutating func leave(_ admission: Admission, from address: Address) {
        switch admission {
        case .uncounted: return
        case .tooMany: told -= 1
        case .counted:
            let count = ofAddress[address, default: 1] - 1
            ofAddress[address] = count > 0 ? count : nil
        }
    }
}
