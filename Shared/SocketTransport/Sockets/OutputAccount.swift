/// Accounting of unsent bytes of all sockets of a pool. A long payload that waits for several sockets counts once.
final class OutputAccount {
    /// Bytes in pieces that belong to one queue.
    @exclusivity(unchecked) var owned = 0
    fileprivate(set) var shared = 0
    /// The latest payloads that still wait somewhere.
    private var latest: [Latest] = []

    private struct Latest {
        weak var payload: SharedPayload?
    }

    var bytes: Int { owned + shared }

    /// Bytes that may still be compared in this turn of the loop: reading 20 MB takes milliseconds.
    private var comparable = Limits.comparedBytes

    func beginTurn() { comparable = Limits.comparedBytes }

    /// `bytes` as a payload: a waiting one with the same bytes is shared, because a transcript sent to many
    /// clients is encoded once for each client. One in the same memory is found at once, however long.
    func payload(_ bytes: [UInt8]) -> SharedPayload {
        latest.removeAll { $0.payload == nil }
        let known = latest.compactMap(\.payload).filter { $0.bytes.count == bytes.count }
        if let payload = known.first(where: { $0.isSame(bytes) }) { return payload }
        for payload in known where bytes.count <= comparable {
            comparable -= bytes.count
            if payload.isEqual(to: bytes) { return payload }
        }
        let payload = SharedPayload(bytes, of: self)
        if latest.count == Limits.comparedPayloads { latest.removeFirst() }
        latest.append(Latest(payload: payload))
        return payload
    }
}

/// A long payload, shared and counted while at least one queue holds it.
final class SharedPayload {
    let bytes: [UInt8]
    /// Number of queues that hold it.
    var users = 0
    private let account: OutputAccount

    init(_ bytes: [UInt8], of account: OutputAccount) {
        self.bytes = bytes
        self.account = account
        account.shared += bytes.count
    }

    deinit { account.shared -= bytes.count }

    /// Compares bytes of equal length.
    func isSame(_ other: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { mine in other.withUnsafeBytes { mine.baseAddress == $0.baseAddress } }
    }

    /// Compares bytes of equal length.
    func isEqual(to other: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { mine in other.withUnsafeBytes { SystemCalls.areEqual(mine, $0) } }
    }
}
