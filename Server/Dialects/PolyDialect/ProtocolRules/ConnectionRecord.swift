import Clocks

/// The facts about an open connection that the protocol rules need.
struct ConnectionRecord: Sendable {
    let id: UInt64
    let openedAt: Instant
    /// Number of messages received on the connection. A violation names its message by this number.
    var heardCount = 0
    var lastHeardAt: Instant
    /// True while a fault delays the connection's bytes.
    var isStalled = false
    /// The time until which bytes delayed by a fault that is over may still arrive; nil if no fault has delayed bytes.
    var excusedUntil: Instant?

    /// True if the client knows from its cursor or from the history that the agent has joined.
    var knowsJoined: Bool
    /// Time at which POLY_AGENT_JOINED was sent.
    var joinSentAt: Instant?
    var lastJoinAt: Instant?
    /// True if the server has answered the last join with its echo or with POLY_AGENT_JOINED.
    var isJoinAnswered = false
    var joinRate: Rate

    var lastEndAt: Instant?
    var isEndAnswered = false
    var endSentAt: Instant?

    var startSentAt: Instant?
    /// Time of the last heartbeat. Until the first heartbeat, the time since when heartbeats are expected.
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

    /// Returns true if the client had certainly received the event of `sentAt` before it sent its current message.
    /// Messages of client and server can cross on the wire. While a fault delays bytes, messages can cross for longer.
    func hasHad(_ sentAt: Instant, at now: Instant) -> Bool {
        guard !isStalled, now >= excusedUntil ?? now else { return false }
        return now - sentAt >= ProtocolRuleLimits.crossing
    }

    /// Returns the time at which missing heartbeats become a violation; nil if no heartbeats are required.
    func silenceDeadline(interval: Interval) -> Instant? {
        guard !isSilent, !isStalled, startSentAt != nil, endSentAt == nil, lastEndAt == nil else {
            return nil
        }
        return quietSince + interval * ProtocolRuleLimits.missedHeartbeats
    }
}

/// A token bucket. If messages were delayed and arrive together, they do not exceed the rate, because the bucket was
/// refilled during the delay.
struct Rate: Sendable {
    private var left: Double
    private let full: Double
    private var since: Instant

    init(full: Int, at now: Instant) {
        self.full = Double(full)
        left = Double(full)
        since = now
    }

    /// Takes one token. If the bucket is empty, returns false and fills the bucket, so that the next message does not
    /// report the violation again.
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
