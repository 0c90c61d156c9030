import Clocks

/// Limits of the protocol rules: memory and tolerances.
enum ProtocolRuleLimits {
    // Memory. `ProtocolRuleBoundsTests` exceeds each of these limits.

    /// Maximum number of tracked sessions. Beyond this number the oldest session is no longer checked.
    static let sessions = 10_000
    /// Maximum number of tracked callers of the token and session routes.
    static let callers = 10_000
    /// Maximum number of reports of one protocol rule per session or caller. 16: enough to show a pattern.
    static let tellingsPerProtocolRule = 16
    /// Maximum number of tracked connections per session. 32: more than the server accepts, because connections that
    /// are closing are tracked too.
    static let connectionsPerSession = 32
    /// Number of user messages tracked by `local_id` per session. 32: the latest messages are enough, because a client
    /// resends within seconds.
    static let localIDs = 32
    /// Maximum number of characters of a client's text that a violation quotes.
    static let quotedCharacters = 60

    // Tolerances. Each tolerance is larger than a correct client needs.

    /// Time in which messages of client and server may cross on the wire.
    static let crossing = Interval.seconds(1)
    /// Time that a client must wait for an echo before a resend (protocol.md#resends).
    static let echoWait = Interval.seconds(3)
    /// Fraction of a `Retry-After` that a client must have waited. Less than 1, because clocks differ.
    static let retryAfterShare = 0.95
    /// Longest wait that the rules require of a client, even if `Retry-After` is longer (protocol.md#retry-after-cap).
    static let retryAfterCap = Interval.seconds(30)
    /// Time after a token's expiry in which its use is tolerated. 10 seconds: 5 for the client
    /// (protocol.md#token-expiry) and 5 for the network.
    static let tokenGrace = Interval.seconds(10)
    /// Time in which a lost session can be resumed (protocol.md#resume-window).
    static let resumeWindow = Interval.seconds(600)
    /// Number of heartbeat intervals without a heartbeat that count as silence. 3: one heartbeat may be late and one
    /// lost.
    static let missedHeartbeats = 3
    /// Maximum delay of a heartbeat check. A check with a longer delay reports nothing and restarts the wait, because
    /// the clock may have jumped.
    static let checkSlack = Interval.seconds(1)
    /// Heartbeat interval of clients until they know the announced interval (protocol.md#heartbeat-interval).
    static let defaultHeartbeat = Interval.seconds(30)
    /// Number of heartbeats allowed beyond twice the announced rate, because clients restart their timer at
    /// SESSION_START.
    static let spareHeartbeats = 5
    /// Typing events allowed per second and in a burst. Typing by hand causes fewer events.
    static let typingPerSecond = 20
    static let typingBurst = 200
    /// Maximum number of joins on a connection within ten seconds, even if errors ask for more joins.
    static let joinsInTenSeconds = 10
    /// Connects of a session allowed within a second. 5: a client with back-off needs two, and one more when its
    /// network returns.
    static let connectsPerSecond = 5
    /// Connects of a session allowed within a second if several clients may share the session. 20: twice the connection
    /// limit.
    static let sharedConnectsPerSecond = 20
    /// Lifetime below which a connection does not count as a success. 3 seconds, because clients themselves use 5
    /// seconds.
    static let hardlyLived = Interval.seconds(3)
    /// Pause below which a reconnect counts as hasty. 1.5 seconds: the first pause of a back-off is 1 second plus up to
    /// 20 %, and later pauses are longer.
    static let hastyReturn = Interval.milliseconds(1_500)
    /// Number of consecutive hasty reconnects allowed. More than one, because a user may press "retry" several times.
    static let hastyReturns = 6
    /// Number of consecutive hasty reconnects allowed if several clients may share the session. 25: ten connections may
    /// each be cut twice.
    static let sharedHastyReturns = 25
    /// Maximum time between two refused connects that count as consecutive. 40 seconds: the longest wait of a back-off
    /// is 36 seconds.
    static let longestBackoff = Interval.seconds(40)
    /// A connection counts towards the connection limit only if its last activity was within this time. Other
    /// connections may be dead.
    static let livelyWithin = Interval.seconds(90)
}
