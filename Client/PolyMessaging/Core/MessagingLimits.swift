package import Clocks

/// Timeouts and limits of the client. A test crosses each of them.
package enum MessagingLimits {
    /// Minimum length of a token whose last four characters may be logged.
    package static let minShownTokenCharacters = 16
    /// Maximum logged bytes of a text or frame, where the log may show it. Enough to recognise an event.
    package static let maxLoggedBytes = 1_024
    /// Tolerated clock difference when a token's expiry is checked, in seconds.
    package static let tokenSkewSeconds = 5
    /// Maximum deadlines handled by one call of `advance`, so that an endless loop does not block the app.
    package static let runsOfTurn = 1_000

    // MARK: REST

    /// Attempts of one call, including the first.
    package static let restAttempts = 4
    /// Pause before a call is repeated after a network fault or a 5xx.
    package static let restPause = Interval.seconds(1)
    /// Pause before a call is repeated after a 429 without a usable `Retry-After`.
    package static let rateLimitPause = Interval.seconds(5)
    /// The longest `Retry-After` that is honoured.
    package static let maxRateLimitPause = Interval.seconds(30)
    /// Lifetime of a token when the server gives none.
    package static let tokenLifetime = Interval.seconds(3_600)
    /// A stored token with less time left is not used to resume a session.
    package static let tokenMargin = Interval.seconds(300)
    /// Delay before a refused session is replaced. Refusals during this time cause one replacement.
    package static let refetchDebounce = Interval.milliseconds(300)
    /// Maximum number of consecutive failed replacements.
    package static let maxRefetches = 3
    /// Minimum time between two writes of the last activity. A streamed reply would otherwise write once per chunk.
    package static let storeInterval = Interval.seconds(1)

    // MARK: Connection

    /// Timeout of a connection attempt.
    package static let connectTimeout = Interval.seconds(30)
    /// The longest exponential backoff, before jitter.
    package static let maxBackoff = Interval.seconds(30)
    /// Pause before the next attempt after a network fault.
    package static let networkPause = Interval.seconds(10)
    /// Default for the maximum number of reconnects since the last good connection.
    package static let reconnectAttempts = 10
    /// Duration after which a connection with a SESSION_START counts as good: the next loss is then the first.
    package static let goodConnection = Interval.seconds(5)
    /// ``goodConnection`` without a SESSION_START. Longer than the timeout of a proxy whose server is down.
    package static let goodSilence = Interval.seconds(30)
    /// Consecutive refused sessions that are replaced; the next refusal is final.
    package static let maxRefusals = 3
    /// ``maxRefusals`` for a 401 or 403 at the upgrade. A second new token would not help either.
    package static let maxTokenRefusals = 1
    /// Pause between closing a replaced connection and the next attempt.
    package static let replacementPause = Interval.milliseconds(150)
    /// Timeout of the closing handshake.
    package static let closeTimeout = Interval.seconds(1)
    /// Maximum age of a connection before it is replaced.
    package static let maxConnectionAge = Interval.seconds(7_200)
    /// Poll interval for the network where the system does not report its return.
    package static let offlinePoll = Interval.seconds(3)
    /// Delay before an abnormal close without a reconnect is shown as an error of the session.
    package static let abnormalCloseGrace = Interval.milliseconds(500)
    package static let heartbeatInterval = Interval.seconds(30)
    /// Consecutive heartbeats without an echo after which a connection without other frames is given up.
    package static let missedEchoes = 2
    /// ``missedEchoes`` while other frames arrive. Echoes may queue after a long history on a slow network.
    package static let missedEchoesAmongFrames = 6
    /// Timeout of an answer that a server sends at once: SESSION_START after the opening, anything after a join.
    package static let answerWait = Interval.seconds(20)

    // MARK: Session

    /// Idle time without chat messages after which a session has expired.
    package static let sessionTimeout = Interval.seconds(600)
    /// Timeout of `end()` for its echo, before the connection is closed.
    package static let endGrace = Interval.seconds(1)
    /// Delay before the connection is closed after the agent's last message. The server usually closes earlier.
    package static let agentEndGrace = Interval.seconds(2)

    // MARK: Typing

    /// Minimum time between two STARTED events.
    package static let typingThrottle = Interval.seconds(3)
    /// Time between the last keystroke and STOPPED.
    package static let typingPause = Interval.seconds(5)
    /// Time after which the typing indicator hides unless renewed.
    package static let typingDots = Interval.seconds(10)

    // MARK: Sending

    /// Time to wait for an echo before a copy counts as lost.
    package static let echoWait = Interval.seconds(3)
    /// Copies of one draft after the first.
    package static let maxResends = 3
    /// Time after which a sent draft without an echo fails: one ``echoWait`` per copy.
    package static let deliveryTimeout = Interval.seconds(12)
    /// Maximum wait of a draft for a reconnect in progress.
    package static let offlineHold = Interval.seconds(120)
    /// Time to wait for the first frame of the history after a connection opens.
    package static let replayWait = Interval.seconds(3)
    /// Idle time after which a history in several batches counts as complete.
    package static let replaySettle = Interval.milliseconds(500)
    /// Maximum time that a history in several batches delays drafts.
    package static let maxReplayWait = Interval.seconds(15)
    /// Maximum bytes of an outgoing frame until SESSION_START sets a limit.
    package static let messageBytes = 1_048_576
    /// Maximum number of drafts that wait for their echo.
    package static let maxPendingDrafts = 100
    /// Maximum number of failed drafts that can be retried, and whose late echo is recognised.
    package static let maxFailedDrafts = 200

    // MARK: Receiving

    /// Number of event ids kept to recognise duplicates.
    package static let maxKnownIDs = 10_000
    /// Maximum number of held events. Beyond it they are delivered without the missing earlier one.
    package static let maxHeldEvents = 1024
    /// Age of a gap at which its events are requested again.
    package static let holeWait = Interval.seconds(2)
    /// Time that events after a gap wait for a replay after the connection is lost, while no attempt has failed.
    package static let replayHold = Interval.seconds(8)
    /// Number of times an ended reply is delivered again with late chunks. Each delivery has the complete text.
    package static let maxReopenings = 8
    /// Ended replies that accept late chunks. Together they keep at most ``maxStreamBytes``, except a single one.
    package static let maxEndedStreams = 16
    /// Maximum number of chunks of one streamed reply; later ones are ignored.
    package static let maxChunks = 65_536
    /// Maximum bytes of text of one streamed reply; later chunks are ignored.
    package static let maxStreamBytes = 16 * 1024 * 1024

    // MARK: Recovery

    /// Maximum number of consecutive recovery joins, sent because the server lost the conversation.
    package static let maxRecoveryJoins = 3
    /// Pause before the first recovery join, doubled for each further one.
    package static let recoveryPause = Interval.seconds(1)

    // MARK: Transport, besides the bounds of `HTTPClient`

    /// Timeout of a request, or of opening a WebSocket, including the connection attempt.
    package static let exchangeTimeout = Interval.seconds(30)
    /// Maximum bytes of the body of a REST answer.
    package static let responseBytes = 1 << 20
    /// Maximum number of redirects followed for one REST request.
    package static let maxRedirects = 3
    /// Maximum characters of a redirect's address in an error.
    package static let shownLocation = 200
    /// Maximum bytes of one incoming WebSocket message, for example a long history in one batch.
    package static let incomingMessageBytes = 16 << 20
    /// Maximum unhandled bytes of a connection. Above it reading pauses until half of them are handled.
    package static let unhandledBytes = 512 << 10
}
