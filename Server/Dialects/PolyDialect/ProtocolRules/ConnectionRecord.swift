import Clocks

struct ConnectionRecord: Sendable {
    let id: UInt64
    let openedAt: Instant
    /// Number of received messages, by which violations name a message.
    var heardCount = 0
    var lastHeardAt: Instant
    var isStalled = false
    /// Time until which delayed bytes may still arrive after a fault, or nil.
    var excusedUntil: Instant?

    /// Whether the client knows from its cursor or history that the agent has joined.
    var knowsJoined: Bool
    var joinSentAt: Instant?
    var lastJoinAt: Instant?
    /// Whether an echo or POLY_AGENT_JOINED has answered the last join.
    var isJoinAnswered = false
    var joinRate: Rate

    var lastEndAt: Instant?
    var isEndAnswered = false
    var endSentAt: Instant?

    var startSentAt: Instant?
    /// Time from which silence counts.
    var quietSince: Instant
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

    /// Whether an event sent at `sentAt` had certainly reached the client before the client sent its current message.
    func hasHad(_ sentAt: Instant, at now: Instant) -> Bool {
        guard !isStalled, now >= excusedUntil ?? now else { return false }
        return now - sentAt >= ProtocolRuleLimits.crossing
    }

    /// Returns the time at which missing heartbeats become a violation, or nil.
    func silenceDeadline(interval: Interval) -> Instant? {
        guard !isSilent, !isStalled, startSentAt != nil, endSentAt == nil, lastEndAt == nil else {
            return nil
        }
        return quietSince + interval * ProtocolRuleLimits.missedHeartbeats
    }
}

/// Token bucket.
struct Rate: Sendable {
    private var left: Double
    private let full: Double
    private var since: Instant

    init(full: Int, at now: Instant) {
        self.full = Double(full)
        left = Double(full)
        since = now
    }

    /// Takes one token. If the bucket is empty, fills it and returns false.
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
