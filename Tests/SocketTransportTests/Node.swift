import SocketTransport

/// An event without its lent bytes.
enum Seen: Equatable, Sendable {
    case accepted(SocketID, peer: SocketAddress)
    case connected(SocketID)
    case received(SocketID, count: Int)
    case inputClosed(SocketID)
    case writable(SocketID)
    case closed(SocketID, SocketError?)
    case acceptPaused(SocketError)
}

/// What lives on a test's loop: a pool, what it told, and who waits for it.
final class Node {
    let pool: SocketPool
    var log: [Seen] = []
    var input: [SocketID: [UInt8]] = [:]
    /// For reactions that count.
    var sent = 0
    /// Called after the event was noted.
    var react: ((Node, Seen) -> Void)?
    private var waiters: [(condition: (Node) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    init(limits: SocketLimits, accept: ((Int32) -> AcceptOutcome)?) throws(SocketError) {
        pool = try SocketPool(limits: limits, accept: accept)
    }

    var accepted: [SocketID] {
        log.compactMap { if case .accepted(let id, _) = $0 { id } else { nil } }
    }

    func closing(of id: SocketID) -> Seen? {
        log.first { if case .closed(id, _) = $0 { true } else { false } }
    }

    func drain() {
        pool.drain { note($0) }
        let ready = waiters.filter { $0.condition(self) }
        waiters.removeAll { $0.condition(self) }
        for waiter in ready { waiter.continuation.resume() }
    }

    func wait(_ condition: @escaping (Node) -> Bool, _ continuation: CheckedContinuation<Void, Never>) {
        if condition(self) { return continuation.resume() }
        waiters.append((condition, continuation))
    }

    private func note(_ event: SocketEvent) {
        let seen: Seen
        switch event {
        case .accepted(let id, let peer, _): seen = .accepted(id, peer: peer)
        case .connected(let id): seen = .connected(id)
        case .received(let id, let bytes):
            input[id, default: []].append(contentsOf: bytes)
            seen = .received(id, count: bytes.count)
        case .inputClosed(let id): seen = .inputClosed(id)
        case .congested: return
        case .writable(let id): seen = .writable(id)
        case .closed(let id, let error): seen = .closed(id, error)
        case .acceptPaused(let error): seen = .acceptPaused(error)
        }
        log.append(seen)
        react?(self, seen)
    }
}

/// A node on its own loop.
struct Host: Sendable {
    let loop: Loop<Node>

    init(
        limits: SocketLimits = SocketLimits(), react: (@Sendable (Node, Seen) -> Void)? = nil,
        accept: (@Sendable (Int32) -> AcceptOutcome)? = nil
    ) async throws {
        let loop = try Loop(label: "test") { _ throws(SocketError) in
            try Node(limits: limits, accept: accept)
        }
        self.loop = loop
        await loop.run { [weak loop] node in
            node.react = react
            guard let queue = loop?.queue else { return }
            node.pool.start(on: queue) { [weak loop] in loop?.assumeInside { $0.drain() } }
        }
    }

    func listen(_ host: String = "127.0.0.1", port: UInt16 = 0) async throws -> SocketAddress {
        try await loop.run { node in
            Result { () throws(SocketError) in try node.pool.listen(host: host, port: port).address }
        }.get()
    }

    func connect(to address: SocketAddress) async throws -> SocketID {
        try await loop.run { node in
            Result { () throws(SocketError) in try node.pool.connect(to: address) }
        }.get()
    }

    /// Acts on the pool and sends what was written.
    func act(_ body: @escaping @Sendable (SocketPool) -> Void) {
        loop.submit { node in
            body(node.pool)
            node.pool.flush()
        }
    }

    /// Waits until `condition` holds, looking again after each event.
    func until(_ condition: @escaping @Sendable (Node) -> Bool) async {
        await withCheckedContinuation { continuation in
            loop.submit { $0.wait(condition, continuation) }
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Node) -> Value) async -> Value {
        await loop.run { body($0) }
    }

    /// The first accepted socket.
    func firstAccepted() async -> SocketID? {
        await until { !$0.accepted.isEmpty }
        return await read { $0.accepted.first }
    }

    func stop() async {
        await withCheckedContinuation { continuation in
            loop.submit { $0.pool.shutDown { continuation.resume() } }
        }
    }
}

/// A reaction that sends everything back and ends when the peer ends.
@Sendable func echo(_ node: Node, _ seen: Seen) {
    switch seen {
    case .received(let id, let count):
        node.pool.write(id, Array((node.input[id] ?? []).suffix(count)))
    case .inputClosed(let id):
        node.pool.close(id, afterFlush: true)
    default:
        break
    }
}

/// Bytes that tell when they arrive in the wrong order.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}
