/// Accounting of the unsent bytes of all sockets of a pool. A long payload that waits for several sockets counts once.
final class OutputAccount {
    /// Bytes in pieces that belong to one output queue.
    @exclusivity(unchecked) var owned = 0
    fileprivate(set) var shared = 0
    /// The latest payloads that an output queue still holds.
    private var latest: [Latest] = []

    private struct Latest {
        weak var payload: SharedPayload?
    }

    var bytes: Int { owned + shared }

    /// Bytes that may still be compared in this turn, because a comparison of 20 MB takes milliseconds.
    private var comparable = SocketLimits.comparedBytes

    func beginTurn() { comparable = SocketLimits.comparedBytes }

    /// Returns a waiting payload with equal bytes, or a new one. A text sent to many clients is thereby kept once.
    func payload(_ bytes: [UInt8]) -> SharedPayload {
        latest.removeAll { $0.payload == nil }
        let known = latest.compactMap(\.payload).filter { $0.bytes.count == bytes.count }
        if let payload = known.first(where: { $0.isSame(bytes) }) { return payload }
        for payload in known where bytes.count <= comparable {
            comparable -= bytes.count
            if payload.isEqual(to: bytes) { return payload }
        }
        let payload = SharedPayload(bytes, of: self)
        if latest.count == SocketLimits.comparedPayloads { latest.removeFirst() }
        latest.append(Latest(payload: payload))
        return payload
    }
}

/// A long payload that several output queues may hold. It is counted while at least one queue holds it.
final class SharedPayload {
    let bytes: [UInt8]
    var users = 0
    private let account: OutputAccount

    init(_ bytes: [UInt8], of account: OutputAccount) {
        self.bytes = bytes
        self.account = account
        account.shared += bytes.count
    }

    deinit { account.shared -= bytes.count }

    /// Whether both arrays share one memory. The lengths must be equal.
    func isSame(_ other: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { mine in other.withUnsafeBytes { mine.baseAddress == $0.baseAddress } }
    }

    /// Whether the contents are equal. The lengths must be equal.
    func isEqual(to other: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { mine in other.withUnsafeBytes { SystemCalls.areEqual(mine, $0) } }
    }
}
