import Clocks

/// The facts about an open connection that the protocol rules need.
struct ConnectionRecord: Sendable {
    let id: UInt64
    let openedAt: Instant
    /// Number of messages received; a violation refers to its message by this number.
    var heardCount = 0
    var lastHeardAt: Instant
    /// True while a fault delays the connection's bytes.
    var isStalled = false
    /// The time until which bytes delayed by a past fault may still arrive; nil without such a fault.
    var excusedUntil: Instant?

    /// True if the client knows from its cursor or from the history that the agent has joined.
    var knowsJoined: Bool
    /// Time at which POLY_AGENT_JOINED was sent.
    var joinedToldAt: Instant?
    var lastJoinAt: Instant?
    /// True if an echo or POLY_AGENT_JOINED has followed the last join.
    var isJoinAnswered = false
    var joinRate: Rate

    var lastEndAt: Instant?
    var isEndAnswered = false
    var endToldAt: Instant?

    var startToldAt: Instant?
    /// Time of the last heartbeat, or the start of the wait for the first.
    var quietSince: Instant
    /// True if the current silence has been reported.
    var isSilent = false
    var heartbeats = 0
    var heartbeatsSince: Instant

    var typingRate: Rate

    init(id: UInt64, at now: Instant, knowsJoined: Bool) {
        self.id = id
        self.knowsJoined = knowsJoined
        openedAt = now
        lastHeardAt = now
        quietSince = now
        heartbeatsSince = now
        joinRate = Rate(full: ProtocolRuleLimits.joinsInTenSeconds, at: now)
        typingRate = Rate(full: ProtocolRuleLimits.typingBurst, at: now)
    }

    /// Returns true if the client had certainly received an event sent at `told` before it sent its current message.
    /// Messages of both sides can cross, longer while a fault delays them.
    func hasHad(_ told: Instant, at now: Instant) -> Bool {
        guard !isStalled, now >= excusedUntil ?? now else { return false }
        return now - told >= ProtocolRuleLimits.crossing
    }

    /// Returns the time at which missing heartbeats become a violation; nil if no heartbeats are required.
    func silenceDeadline(interval: Interval) -> Instant? {
        guard !isSilent, !isStalled, startToldAt != nil, endToldAt == nil, lastEndAt == nil else {
            return nil
        }
        return quietSince + interval * ProtocolRuleLimits.missedHeartbeats
    }
}

/// A token bucket. Delayed messages that arrive together do not exceed the rate: the bucket has refilled meanwhile.
struct Rate: Sendable {
    private var left: Double
    private let full: Double
    private var since: Instant

    init(full: Int, at now: Instant) {
        self.full = Double(full)
        left = Double(full)
        since = now
    }

    /// Takes one token. If the bucket is empty, returns false and refills it, so that the violation is reported once.
    mutating func consume(perSecond: Double, at now: Instant) -> Bool {
        left = min(full, left + Double((now - since).nanoseconds) / 1e9 * perSecond)
        since = now
        guard left >= 1 else {
            left = full
            return false
        }
        left -= 1
        return true
    }
}
