import Clocks

/// What the book knows of one open connection.
struct ConnectionRecord: Sendable {
    let id: UInt64
    let openedAt: Instant
    /// Messages heard, to number the breaches.
    var heardCount = 0
    var lastHeardAt: Instant
    /// A trouble holds its bytes back.
    var isStalled = false
    /// Until then a trouble's late bytes may arrive.
    var excusedUntil: Instant?

    // Joining
    /// The client has proof that the agent joined: its cursor is past it, or the history had it.
    var knowsJoined: Bool
    /// When POLY_AGENT_JOINED went out live; what the client sent a moment later may have crossed it.
    var joinedToldAt: Instant?
    var lastJoinAt: Instant?
    /// The last join was answered by its echo or by the agent.
    var isJoinAnswered = false
    var joinRate: Rate

    // Ending
    var lastEndAt: Instant?
    var isEndAnswered = false
    var endToldAt: Instant?

    // Announcement and heartbeats
    var startToldAt: Instant?
    /// The last heartbeat, or from when its absence counts.
    var quietSince: Instant
    /// The current silence was told already.
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
        joinRate = Rate(full: LawLimits.joinsInTenSeconds, at: now)
        typingRate = Rate(full: LawLimits.typingBurst, at: now)
    }

    /// Whether what was told at `told` had reached the client when it sent what is heard now: bytes of both
    /// sides cross for a while, and for longer when a trouble held them back.
    func hasHad(_ told: Instant, at now: Instant) -> Bool {
        guard !isStalled, now >= excusedUntil ?? now else { return false }
        return now - told >= LawLimits.crossing
    }

    /// When this connection has been silent for too long, if it is to send heartbeats at all.
    func silenceDeadline(interval: Interval) -> Instant? {
        guard !isSilent, !isStalled, startToldAt != nil, endToldAt == nil, lastEndAt == nil else {
            return nil
        }
        return quietSince + interval * LawLimits.missedHeartbeats
    }
}

/// A bucket of allowances that fills with time: bytes that were held up and arrive together do not overflow
/// it, because it filled meanwhile.
struct Rate: Sendable {
    private var left: Double
    private let full: Double
    private var since: Instant

    init(full: Int, at now: Instant) {
        self.full = Double(full)
        left = Double(full)
        since = now
    }

    /// Takes one allowance; false, and full again, when none is left.
    mutating func take(perSecond: Double, at now: Instant) -> Bool {
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
