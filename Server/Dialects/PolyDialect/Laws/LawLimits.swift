import Clocks

/// Bounds of the laws. What they remember is bounded by numbers, what they forgive by time.
enum LawLimits {
    // Memory. Crossed in `LawBoundsTests`.

    /// Sessions remembered; the oldest makes room, and what it does from then on is not judged. As many as
    /// the load the server is built for, ten times over.
    static let sessions = 10_000
    /// Callers of the token and session routes remembered.
    static let callers = 10_000
    /// How often one law is told of one session or caller: enough to see a pattern, few enough to read.
    static let tellingsPerLaw = 16
    /// Connections followed in one session: more than the server lets in, for those that are closing.
    static let connectionsPerSession = 32
    /// User messages whose `local_id` is remembered in one session: a resend comes within seconds.
    static let localIDs = 32
    /// Characters of a client's word repeated in a breach.
    static let quotedCharacters = 60

    // Patience. Each is longer than what a correct client needs.

    /// How long bytes of both sides may cross without either being wrong.
    static let crossing = Interval.seconds(1)
    /// When an echo is overdue and the client may doubt its first try: the wait before a resend
    /// (protocol.md#resends).
    static let echoWait = Interval.seconds(3)
    /// Part of a `Retry-After` that must have passed: clocks differ a little.
    static let retryAfterShare = 0.95
    /// A client need not wait longer, whatever the header says (protocol.md#retry-after-cap).
    static let retryAfterCap = Interval.seconds(30)
    /// Clients trust a token for 5 s past its end (protocol.md#token-expiry); as much again for the way.
    static let tokenGrace = Interval.seconds(10)
    /// A lost session can be resumed for so long (protocol.md#resume-window).
    static let resumeWindow = Interval.seconds(600)
    /// Intervals without a heartbeat before it counts as silence: one may be late and one be lost.
    static let missedHeartbeats = 3
    /// When a check comes later than this after the end of the patience, the clock has jumped: what the
    /// client sent meanwhile may still be on its way, and the wait starts again.
    static let checkSlack = Interval.seconds(1)
    /// The interval clients use unless told otherwise (protocol.md#heartbeat-interval).
    static let defaultHeartbeat = Interval.seconds(30)
    /// Heartbeats beyond twice the announced number: timers restart when the interval is announced.
    static let spareHeartbeats = 5
    /// Typing events a second and in one go; nobody types at this rate.
    static let typingPerSecond = 20
    static let typingBurst = 200
    /// Joins of one connection within ten seconds, however many errors ask for them.
    static let joinsInTenSeconds = 10
    /// Connects of one session within a second: back-off leaves room for two, and a returning network adds
    /// one.
    static let connectsPerSecond = 5
    /// The same when several clients may share the session: twice the number of connections.
    static let sharedConnectsPerSecond = 20
    /// A connection cut sooner than this after its opening was no success. Clients count from 5 s on.
    static let hardlyLived = Interval.seconds(3)
    /// A pause below this is the first one of a back-off (1 s and a fifth), or one that does not grow.
    static let hastyReturn = Interval.milliseconds(1_500)
    /// First pauses in a row that a client may have: a person who presses "again" has some.
    static let hastyReturns = 6
    /// The same where several clients may share the session: ten that are cut together come back together, twice.
    static let sharedHastyReturns = 25
    /// Refused connects further apart than this are not one row: the longest wait of a back-off is 36 s.
    static let longestBackoff = Interval.seconds(40)
    /// A connection counts against the limit only when it spoke so recently: others may be dead already.
    static let livelyWithin = Interval.seconds(90)
}
