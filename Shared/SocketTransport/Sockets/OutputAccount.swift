/// Counter of a pool's unsent bytes. A long payload that waits for several sockets is counted once.
final class OutputAccount {
    @exclusivity(unchecked) var owned = 0
    fileprivate(set) var shared = 0
    private var latest: [Latest] = []

    private struct Latest {
        weak var payload: SharedPayload?
    }

    var bytes: Int { owned + shared }

    private var comparable = SocketLimits.comparedBytes

    func beginTurn() { comparable = SocketLimits.comparedBytes }

    /// Returns one of the latest waiting payloads if its bytes are equal, otherwise a new payload.
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

/// Long payload that several output queues can hold.
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

    /// Whether both arrays are the same memory. They must have the same length.
    func isSame(_ other: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { mine in other.withUnsafeBytes { mine.baseAddress == $0.baseAddress } }
    }

    /// Whether both arrays have the same bytes. They must have the same length.
    func isEqual(to other: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { mine in other.withUnsafeBytes { SystemCalls.areEqual(mine, $0) } }
    }
}
