import Clocks

enum ProtocolRuleLimits {
    // Limits of the memory that the rules use.

    /// Maximum number of tracked sessions.
    static let sessions = 10_000
    /// Maximum number of tracked callers of the token and session routes.
    static let callers = 10_000
    /// Maximum reports of one rule per session or caller.
    static let tellingsPerProtocolRule = 16
    /// Maximum tracked connections per session.
    static let connectionsPerSession = 32
    /// Maximum user messages tracked by `local_id` per session.
    static let localIDs = 32
    /// Maximum characters of a client's text that a violation quotes.
    static let quotedCharacters = 60

    // Tolerances, each larger than a correct client needs.

    /// Time in which messages of client and server may cross on the wire.
    static let crossing = Interval.seconds(1)
    /// Time that a client must wait for an echo before a resend (protocol.md#resends).
    static let echoWait = Interval.seconds(3)
    /// Fraction of a `Retry-After` that a client must wait. Less than 1, because clocks differ.
    static let retryAfterShare = 0.95
    /// Longest wait required of a client, even if `Retry-After` is longer (protocol.md#retry-after-cap).
    static let retryAfterCap = Interval.seconds(30)
    /// Time for which the use of an expired token is no violation (protocol.md#token-expiry).
    static let tokenGrace = Interval.seconds(10)
    /// Time in which a lost session can be resumed (protocol.md#resume-window).
    static let resumeWindow = Interval.seconds(600)
    /// Missed heartbeats that count as silence. 3: one may be late and one lost.
    static let missedHeartbeats = 3
    /// Maximum delay of a heartbeat check. A later check reports nothing, because the clock may have jumped.
    static let checkSlack = Interval.seconds(1)
    /// Heartbeat interval of clients until they know the announced one (protocol.md#heartbeat-interval).
    static let defaultHeartbeat = Interval.seconds(30)
    /// Heartbeats allowed beyond twice the announced rate.
    static let spareHeartbeats = 5
    /// Typing events allowed per second and in a burst.
    static let typingPerSecond = 20
    static let typingBurst = 200
    static let typingPeriod = Interval.milliseconds(1_000 / Int64(typingPerSecond))
    /// Joins allowed on a connection at once, and per ten seconds on average.
    static let joinsInTenSeconds = 10
    /// Connects of a session allowed at once, and per second on average.
    static let connectsPerSecond = 5
    /// Like ``connectsPerSecond``, if several clients may share the session.
    static let sharedConnectsPerSecond = 20
    /// Minimum lifetime of a connection that counts as a success.
    static let hardlyLived = Interval.seconds(3)
    /// Minimum pause before a reconnect that is not hasty.
    static let hastyReturn = Interval.milliseconds(1_500)
    /// Consecutive hasty reconnects allowed: a user may press "retry" several times.
    static let hastyReturns = 6
    /// Like ``hastyReturns``, if several clients may share the session.
    static let sharedHastyReturns = 25
    /// Maximum time between refused connects that count as consecutive.
    static let longestBackoff = Interval.seconds(40)
    /// After a 429, the rule on the connection limit counts the connections whose client was heard within this time.
    static let livelyWithin = Interval.seconds(90)
}
