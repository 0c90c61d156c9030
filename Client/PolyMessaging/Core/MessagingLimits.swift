package import Clocks

package enum MessagingLimits {
    /// Minimum length of a token whose last four characters may be logged.
    package static let minShownTokenCharacters = 16
    /// Maximum logged characters of a text, or bytes of a frame: enough to recognise an event.
    package static let maxLoggedBytes = 1_024
    /// Tolerated difference, in seconds, between the clocks of client and server for a token's expiry.
    package static let tokenSkewSeconds = 5
    /// Maximum deadlines that one call of `advance` handles, so that an endless loop cannot block the app.
    package static let runsOfTurn = 1_000

    // MARK: REST

    /// Maximum characters of a server's text about a refusal.
    package static let serverMessage = 500
    /// Maximum attempts of one REST call, the first included.
    package static let restAttempts = 4
    /// Pause before a REST call is repeated after a network fault or HTTP status 5xx.
    package static let restPause = Interval.seconds(1)
    /// Pause in place of an invalid `Retry-After`, or of a missing one after HTTP status 429.
    package static let rateLimitPause = Interval.seconds(5)
    /// Maximum pause for a `Retry-After`.
    package static let maxRateLimitPause = Interval.seconds(30)
    /// Lifetime of a token if the server sends none.
    package static let tokenLifetime = Interval.seconds(3_600)
    /// Minimum remaining lifetime of a stored token for its session to be resumed, unless the token is short-lived.
    package static let tokenMargin = Interval.seconds(300)
    /// Delay before another session is requested.
    package static let refetchDebounce = Interval.milliseconds(300)
    package static let maxRefetches = 3
    /// Minimum time between two writes of a record in which only the last activity has changed.
    package static let storeInterval = Interval.seconds(1)

    // MARK: Connection

    package static let connectTimeout = Interval.seconds(30)
    package static let maxBackoff = Interval.seconds(30)
    /// Pause before the next attempt after a network fault.
    package static let networkPause = Interval.seconds(10)
    package static let reconnectAttempts = 10
    /// Time from SESSION_START, or from a later opening, until a connection counts as good.
    package static let goodConnection = Interval.seconds(5)
    /// A connection open this long counts as good, so later losses count from 1 again, even if the session has had no
    /// SESSION_START. 30 s: a proxy whose server is down closes sooner.
    package static let goodSilence = Interval.seconds(30)
    /// Maximum consecutive refused sessions that are replaced.
    package static let maxRefusals = 3
    /// Value of ``maxRefusals`` for HTTP status 401 or 403 at the upgrade: a second new token would not help.
    package static let maxTokenRefusals = 1
    /// Pause between the close of a replaced connection and the next attempt.
    package static let replacementPause = Interval.milliseconds(150)
    package static let closeTimeout = Interval.seconds(1)
    package static let maxConnectionAge = Interval.seconds(7_200)
    /// Time between two checks for network access while the network is lost.
    package static let offlinePoll = Interval.seconds(3)
    /// Delay before an abnormal close is shown as an error, unless a connection opens meanwhile.
    package static let abnormalCloseGrace = Interval.milliseconds(500)
    package static let heartbeatInterval = Interval.seconds(30)
    /// Maximum consecutive heartbeats without an echo if no other frames arrive.
    package static let missedEchoes = 2
    /// Value of ``missedEchoes`` if other frames arrive: echoes may queue after a long history on a slow network.
    package static let missedEchoesAmongFrames = 6
    /// Maximum wait for a usable frame after an opening or a join request.
    package static let answerWait = Interval.seconds(20)

    // MARK: Session

    /// Time without activity (``StoredSession/lastActivity``) after which a session has expired.
    package static let sessionTimeout = Interval.seconds(600)
    /// Maximum time that `end()` waits for the echo.
    package static let endGrace = Interval.seconds(1)
    /// Delay of the close after the agent's message that ends the chat.
    package static let agentEndGrace = Interval.seconds(2)

    // MARK: Typing

    /// Minimum time between two STARTED events.
    package static let typingThrottle = Interval.seconds(3)
    /// Time between the last keystroke and STOPPED.
    package static let typingPause = Interval.seconds(5)
    /// Time without a new event after which the typing indicator hides.
    package static let typingDots = Interval.seconds(10)

    // MARK: Sending

    /// Time without an echo after which a draft is sent again, if ``ClientSettings/resendsOnOpenConnection`` is true.
    package static let echoWait = Interval.seconds(3)
    /// Maximum number of times that a draft is sent again.
    package static let maxResends = 3
    /// Time without an echo after which a draft fails. 12 s: ``echoWait`` for each of four copies.
    package static let deliveryTimeout = Interval.seconds(12)
    /// Maximum time that a draft waits for a reconnect.
    package static let offlineHold = Interval.seconds(120)
    /// Maximum wait for the first frame of the history after an opening.
    package static let replayWait = Interval.seconds(3)
    /// Time without a further batch after which a history counts as complete.
    package static let replaySettle = Interval.milliseconds(500)
    /// Maximum time for which a history of several batches delays the drafts.
    package static let maxReplayWait = Interval.seconds(15)
    /// Maximum bytes of an outgoing frame, until SESSION_START announces another limit.
    package static let messageBytes = 1_048_576
    package static let maxPendingDrafts = 100
    /// Maximum failed drafts kept for a retry and for late echoes.
    package static let maxFailedDrafts = 200

    // MARK: Receiving

    /// Number of event ids kept to recognise duplicates.
    package static let maxKnownIDs = 10_000
    /// Maximum events that are held while an earlier event is missing.
    package static let maxHeldEvents = 1024
    /// Maximum wait for a missing event: until a replay is requested, and again after the replay.
    package static let holeWait = Interval.seconds(2)
    /// Maximum time that held events wait for a reconnect.
    package static let replayHold = Interval.seconds(8)
    /// Maximum repeated deliveries of an ended reply because of late chunks.
    package static let maxReopenings = 8
    /// Maximum ended replies kept for late chunks.
    package static let maxEndedStreams = 16
    /// Maximum chunks of one streamed reply.
    package static let maxChunks = 65_536
    /// Maximum bytes of text of one streamed reply.
    package static let maxStreamBytes = 16 * 1024 * 1024

    // MARK: Recovery

    /// Maximum consecutive join requests sent because the server lost the conversation.
    package static let maxRecoveryJoins = 3
    /// Pause before the first recovery join, doubled before each further one.
    package static let recoveryPause = Interval.seconds(1)

    // MARK: Transport, besides the bounds of `HTTPClient`

    /// Timeout of a REST request, or of opening a WebSocket, including the connection setup.
    package static let exchangeTimeout = Interval.seconds(30)
    package static let uploadTimeout = Interval.minutes(10)
    /// Maximum bytes of the body of a REST response.
    package static let responseBytes = 1 << 20
    package static let maxRedirects = 3
    /// Maximum characters of a redirect's address in an error.
    package static let shownLocation = 200
    /// Maximum bytes of one incoming WebSocket message, such as a long history in one batch.
    package static let incomingMessageBytes = 16 << 20
    /// Unhandled bytes of a connection above which nothing more is read from it.
    package static let unhandledBytes = 512 << 10
}
