import Clocks

/// Limits of the protocol rules: memory and tolerances.
enum ProtocolRuleLimits {
    // Memory. `ProtocolRuleBoundsTests` exceeds each of these limits.

    /// Maximum number of tracked sessions. Beyond this number the oldest session is no longer checked.
    static let sessions = 10_000
    /// Maximum number of tracked callers of the token and session routes.
    static let callers = 10_000
    /// Maximum number of reports of one protocol rule per session or caller: enough to show a pattern.
    static let tellingsPerProtocolRule = 16
    /// Maximum number of tracked connections per session: more than the server accepts, because some may be closing.
    static let connectionsPerSession = 32
    /// Number of latest user messages tracked by `local_id` per session. A client resends within seconds.
    static let localIDs = 32
    /// Characters of a client's text that a violation quotes.
    static let quotedCharacters = 60

    // Tolerances. Each is larger than a correct client needs.

    /// Time in which messages of both sides may cross on the wire.
    static let crossing = Interval.seconds(1)
    /// Time that a client must wait for an echo before a resend (protocol.md#resends).
    static let echoWait = Interval.seconds(3)
    /// Share of a `Retry-After` that a client must have waited; less than 1, since clocks differ.
    static let retryAfterShare = 0.95
    /// Longest wait required of a client, whatever `Retry-After` says (protocol.md#retry-after-cap).
    static let retryAfterCap = Interval.seconds(30)
    /// Tolerance after a token's expiry: 5 s for the client (protocol.md#token-expiry), 5 s for the network.
    static let tokenGrace = Interval.seconds(10)
    /// Time in which a lost session can be resumed (protocol.md#resume-window).
    static let resumeWindow = Interval.seconds(600)
    /// Number of heartbeat intervals without a heartbeat that count as silence: one may be late and one lost.
    static let missedHeartbeats = 3
    /// A heartbeat check that is later than this reports nothing and restarts the wait: the clock may have jumped.
    static let checkSlack = Interval.seconds(1)
    /// Heartbeat interval of clients before they know the announced one (protocol.md#heartbeat-interval).
    static let defaultHeartbeat = Interval.seconds(30)
    /// Heartbeats allowed beyond twice the announced number: clients restart their timer at SESSION_START.
    static let spareHeartbeats = 5
    /// Typing events allowed per second and in a burst; typing by hand causes fewer.
    static let typingPerSecond = 20
    static let typingBurst = 200
    /// Joins of a connection allowed within ten seconds, even if errors ask for more.
    static let joinsInTenSeconds = 10
    /// Connects of a session allowed within a second: back-off needs two, a returning network adds one.
    static let connectsPerSecond = 5
    /// Connects per second if several clients may share the session: twice the number of connections.
    static let sharedConnectsPerSecond = 20
    /// Lifetime below which a connection does not count as a success. Clients use 5 s.
    static let hardlyLived = Interval.seconds(3)
    /// Pause below which a reconnect counts as hasty: the first pause of a back-off is 1 s plus up to 20 %.
    static let hastyReturn = Interval.milliseconds(1_500)
    /// Number of consecutive hasty reconnects allowed; more than one, because a user may press "retry".
    static let hastyReturns = 6
    /// Hasty reconnects allowed if several clients may share the session: ten connections may be cut twice.
    static let sharedHastyReturns = 25
    /// Refused connects further apart than this are not consecutive. The longest wait of a back-off is 36 s.
    static let longestBackoff = Interval.seconds(40)
    /// A connection counts towards the connection limit only if it was active this recently; others may be dead.
    static let livelyWithin = Interval.seconds(90)
}
