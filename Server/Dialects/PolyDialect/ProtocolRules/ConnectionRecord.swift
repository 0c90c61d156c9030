import Clocks

/// Facts about an open connection.
struct ConnectionRecord: Sendable {
    let id: UInt64
    let openedAt: Instant
    /// Messages received, to number violations.
    var heardCount = 0
    var lastHeardAt: Instant
    /// A fault delays its bytes.
    var isStalled = false
    /// End of the time in which a fault's delayed bytes may arrive.
    var excusedUntil: Instant?

    // Joining
    /// The client knows that the agent joined: from its cursor or the history.
    var knowsJoined: Bool
    /// Time of the live POLY_AGENT_JOINED; what the client sent a moment later may have crossed it.
    var joinedToldAt: Instant?
    var lastJoinAt: Instant?
    /// The last join was answered by its echo or the agent.
    var isJoinAnswered = false
    var joinRate: Rate

    // Ending
    var lastEndAt: Instant?
    var isEndAnswered = false
    var endToldAt: Instant?

    // Announcement and heartbeats
    var startToldAt: Instant?
    /// Last heartbeat, or start of the wait for one.
    var quietSince: Instant
    /// The current silence was reported.
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

    /// True if an event sent at `told` had certainly reached the client before the client sent the current message:
    /// messages of both sides can cross on the wire, for longer if a fault delays them.
    func hasHad(_ told: Instant, at now: Instant) -> Bool {
        guard !isStalled, now >= excusedUntil ?? now else { return false }
        return now - told >= ProtocolRuleLimits.crossing
    }

    /// End of the allowed silence; nil if heartbeats are not required.
    func silenceDeadline(interval: Interval) -> Instant? {
        guard !isSilent, !isStalled, startToldAt != nil, endToldAt == nil, lastEndAt == nil else {
            return nil
        }
        return quietSince + interval * ProtocolRuleLimits.missedHeartbeats
    }
}

/// Token bucket: delayed bytes that arrive together do not overflow it, because it filled meanwhile.
struct Rate: Sendable {
    private var left: Double
    private let full: Double
    private var since: Instant

    init(full: Int, at now: Instant) {
        self.full = Double(full)
        left = Double(full)
        since = now
    }

    /// Takes one token; false, and full again, if empty.
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
