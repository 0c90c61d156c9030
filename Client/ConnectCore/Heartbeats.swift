import Clocks

/// Heartbeat monitor of one open connection. A ping and a heartbeat message are due at each tick.
struct Heartbeats: Sendable {
    enum Tick: Equatable, Sendable {
        case send
        case failed(isDeep: Bool)
    }

    private(set) var next: Instant
    private var awaitsPing = false
    private var awaitsHeartbeat = false
    private var badPings = 0

    init(openedAt now: Instant) {
        next = now + ConnectLimits.heartbeat
    }

    /// Returns `failed` if an answer to the previous tick is missing, otherwise `send`. `isUnread`: answers may be
    /// unread, so a missing answer is no failure.
    mutating func tick(at now: Instant, isUnread: Bool = false) -> Tick {
        if isUnread { (awaitsPing, awaitsHeartbeat) = (false, false) }
        if awaitsPing { return .failed(isDeep: true) }
        if awaitsHeartbeat { return .failed(isDeep: false) }
        (awaitsPing, awaitsHeartbeat) = (true, true)
        next = max(next, now - ConnectLimits.heartbeat) + ConnectLimits.heartbeat
        if next <= now { next = now + ConnectLimits.heartbeat }
        return .send
    }

    mutating func heartbeatAnswered() { awaitsHeartbeat = false }

    /// - Returns: the number of consecutive wrong answers.
    mutating func pingAnswered(isFine: Bool) -> Int {
        awaitsPing = false
        badPings = isFine ? 0 : badPings + 1
        return badPings
    }
}
