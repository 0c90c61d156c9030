import Clocks

/// Pings and heartbeats of one open connection.
///
/// | answer | at the next tick |
/// | --- | --- |
/// | both came | both are sent again |
/// | no ping | failed, deeply |
/// | no heartbeat | failed |
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
        next = now + Limits.heartbeat
    }

    /// `isUnread`: answers may have arrived but are not read at present.
    mutating func tick(at now: Instant, isUnread: Bool = false) -> Tick {
        if isUnread { (awaitsPing, awaitsHeartbeat) = (false, false) }
        if awaitsPing { return .failed(isDeep: true) }
        if awaitsHeartbeat { return .failed(isDeep: false) }
        (awaitsPing, awaitsHeartbeat) = (true, true)
        // However late the tick is, it is one.
        next = max(next, now - Limits.heartbeat) + Limits.heartbeat
        if next <= now { next = now + Limits.heartbeat }
        return .send
    }

    mutating func heartbeatAnswered() { awaitsHeartbeat = false }

    /// - Returns: the number of consecutive bad answers.
    mutating func pingAnswered(isFine: Bool) -> Int {
        awaitsPing = false
        badPings = isFine ? 0 : badPings + 1
        return badPings
    }
}
