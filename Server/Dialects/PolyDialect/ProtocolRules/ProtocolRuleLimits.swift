import Clocks

/// Limits of the protocol rules' memory and tolerances.
enum ProtocolRuleLimits {
    // Memory. Crossed in `ProtocolRuleBoundsTests`.

    /// Sessions tracked, ten times the load the server is built for. Beyond that the oldest is replaced and
    /// no longer checked.
    static let sessions = 10_000
    /// Callers of the token and session routes tracked.
    static let callers = 10_000
    /// Reports of a protocol rule per session or caller: enough to see a pattern, few enough to read.
    static let tellingsPerProtocolRule = 16
    /// Connections tracked per session: more than the server accepts, for those that are closing.
    static let connectionsPerSession = 32
    /// User messages tracked by `local_id` per session: a resend comes within seconds.
    static let localIDs = 32
    /// Quoted characters of a client's text in a violation.
    static let quotedCharacters = 60

    // Tolerances. Each is longer than a correct client needs.

    /// Time in which bytes of both sides may cross.
    static let crossing = Interval.seconds(1)
    /// Wait for an echo before a resend (protocol.md#resends).
    static let echoWait = Interval.seconds(3)
    /// Part of a `Retry-After` that must have passed, since clocks differ.
    static let retryAfterShare = 0.95
    /// Longest wait required of a client, whatever the header says (protocol.md#retry-after-cap).
    static let retryAfterCap = Interval.seconds(30)
    /// Clients use a token up to 5 s after its end (protocol.md#token-expiry); the same again for the network.
    static let tokenGrace = Interval.seconds(10)
    /// Time in which a lost session can be resumed (protocol.md#resume-window).
    static let resumeWindow = Interval.seconds(600)
    /// Intervals without a heartbeat that count as silence: one may be late and one lost.
    static let missedHeartbeats = 3
    /// A check later than this means that the clock jumped: messages may be on their way, and the wait restarts.
    static let checkSlack = Interval.seconds(1)
    /// Default interval of clients (protocol.md#heartbeat-interval).
    static let defaultHeartbeat = Interval.seconds(30)
    /// Heartbeats allowed beyond twice the announced number: timers restart at the announcement.
    static let spareHeartbeats = 5
    /// Typing events per second and in a burst, more than a person causes.
    static let typingPerSecond = 20
    static let typingBurst = 200
    /// Joins of a connection within ten seconds, even if errors ask for them.
    static let joinsInTenSeconds = 10
    /// Connects of a session within a second: back-off allows two, a returning network adds one.
    static let connectsPerSecond = 5
    /// Limit when several clients may share the session: twice the number of connections.
    static let sharedConnectsPerSecond = 20
    /// Lifetime below which a connection does not count as a success. Clients count from 5 s on.
    static let hardlyLived = Interval.seconds(3)
    /// Pause below which a return counts as hasty: the first pause of a back-off is 1 s plus up to a fifth.
    static let hastyReturn = Interval.milliseconds(1_500)
    /// Consecutive first pauses allowed: a person may press "retry".
    static let hastyReturns = 6
    /// Limit where several clients may share the session: ten connections cut together return together,
    /// twice.
    static let sharedHastyReturns = 25
    /// Refused connects further apart are not consecutive: the longest wait of a back-off is 36 s.
    static let longestBackoff = Interval.seconds(40)
    /// A connection counts against the limit only if it was active this recently: others may be dead.
    static let livelyWithin = Interval.seconds(90)
}
