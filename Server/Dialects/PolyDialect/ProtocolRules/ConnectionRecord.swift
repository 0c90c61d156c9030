import Clocks

struct ConnectionRecord: Sendable {
    let id: UInt64
    let openedAt: Instant
    var lastHeardAt: Instant
    /// Time until which delayed bytes may still arrive after a fault, or nil.
    @Packed var excusedUntil: Instant?
    @Packed var joinSentAt: Instant?
    @Packed var lastJoinAt: Instant?
    @Packed var lastEndAt: Instant?
    @Packed var endSentAt: Instant?
    @Packed var startSentAt: Instant?
    /// Time from which silence counts.
    var quietSince: Instant
    var heartbeatsSince: Instant
    var joinRate = Rate()
    var typingRate = Rate()
    /// Number of received messages, by which violations name a message.
    var heardCount: Int32 = 0
    var heartbeats: Int32 = 0
    var isStalled = false
    /// Whether the client knows from its cursor or history that the agent has joined.
    var knowsJoined: Bool
    /// Whether an echo or POLY_AGENT_JOINED has answered the last join.
    var isJoinAnswered = false
    var isEndAnswered = false
    var isSilent = false

    init(id: UInt64, at now: Instant, knowsJoined: Bool) {
        self.id = id
        self.knowsJoined = knowsJoined
        openedAt = now
        lastHeardAt = now
        quietSince = now
        heartbeatsSince = now
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

/// Token bucket in 8 bytes.
struct Rate: Sendable {
    /// Time at which the bucket would have been empty with the present tokens. Nil for a full bucket.
    @Packed private var emptyAt: Instant?

    /// Takes one of at most `full` tokens, which come back one by one after each `period`. If the bucket is empty, fills
    /// it and returns false.
    mutating func consume(full: Int, every period: Interval, at now: Instant) -> Bool {
        let earliest = now - period * full
        let since = max(emptyAt ?? earliest, earliest)
        let isAdmitted = now - since >= period
        emptyAt = isAdmitted ? since + period : earliest
        return isAdmitted
    }

    mutating func consume(perSecond count: Int, at now: Instant) -> Bool {
        consume(full: count, every: .milliseconds(1_000 / Int64(count)), at: now)
    }
}

/// Optional time in 8 bytes in place of 16, since each idle session has 12 of them.
@propertyWrapper struct Packed: Sendable {
    private var nanoseconds = Int64.min

    init(wrappedValue: Instant?) { self.wrappedValue = wrappedValue }

    var wrappedValue: Instant? {
        get { nanoseconds == .min ? nil : Instant(nanosecondsSince1970: nanoseconds) }
        set { nanoseconds = newValue?.nanoseconds ?? .min }
    }
}
