/// Unsent bytes of all sockets of a pool. Long payloads that wait for several sockets are there once, and count once.
final class OutputAccount {
    /// Bytes in pieces that a queue has for itself.
    var owned = 0
    fileprivate(set) var shared = 0
    /// The latest payloads that still wait somewhere.
    private var latest: [Latest] = []

    private struct Latest {
        weak var payload: SharedPayload?
    }

    var bytes: Int { owned + shared }

    /// `bytes` as a payload: a waiting one with the same bytes is shared, because a transcript sent to many
    /// clients is encoded once for each client.
    func payload(_ bytes: [UInt8]) -> SharedPayload {
        latest.removeAll { $0.payload == nil }
        for known in latest {
            if let payload = known.payload, payload.hasSame(bytes) { return payload }
        }
        let payload = SharedPayload(bytes, of: self)
        if latest.count == Limits.comparedPayloads { latest.removeFirst() }
        latest.append(Latest(payload: payload))
        return payload
    }
}

/// A long payload. It counts as long as a queue has it.
final class SharedPayload {
    let bytes: [UInt8]
    /// Queues that have it.
    var users = 0
    private let account: OutputAccount

    init(_ bytes: [UInt8], of account: OutputAccount) {
        self.bytes = bytes
        self.account = account
        account.shared += bytes.count
    }

    deinit { account.shared -= bytes.count }

    func hasSame(_ other: [UInt8]) -> Bool {
        guard bytes.count == other.count else { return false }
        return bytes.withUnsafeBytes { mine in
            other.withUnsafeBytes { theirs in
                mine.baseAddress == theirs.baseAddress || SystemCalls.areEqual(mine, theirs)
            }
        }
    }
}
