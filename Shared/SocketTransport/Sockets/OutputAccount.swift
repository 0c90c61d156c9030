/// Counts the unsent bytes of all sockets of a pool. A long payload that waits for several sockets is counted once.
final class OutputAccount {
    /// Bytes of pieces that belong to a single output queue.
    @exclusivity(unchecked) var owned = 0
    fileprivate(set) var shared = 0
    /// The latest payloads that are still held by an output queue.
    private var latest: [Latest] = []

    private struct Latest {
        weak var payload: SharedPayload?
    }

    var bytes: Int { owned + shared }

    /// Number of bytes that may still be compared in this turn. Comparing 20 MB takes milliseconds.
    private var comparable = SocketLimits.comparedBytes

    func beginTurn() { comparable = SocketLimits.comparedBytes }

    /// Returns a waiting payload with equal bytes if there is one, and otherwise a new payload. A text that is sent to
    /// many clients is thereby stored once.
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

/// A long payload that several output queues can hold. Its bytes are counted as long as at least one queue holds it.
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

    /// Whether both arrays have the same memory. The arrays must have equal lengths.
    func isSame(_ other: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { mine in other.withUnsafeBytes { mine.baseAddress == $0.baseAddress } }
    }

    /// Whether both arrays have the same bytes. The arrays must have equal lengths.
    func isEqual(to other: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { mine in other.withUnsafeBytes { SystemCalls.areEqual(mine, $0) } }
    }
}
