package import Clocks

/// Timeouts and limits of the client. Tests check the behaviour at each of them.
package enum MessagingLimits {
    /// Minimum length of a token whose last four characters may be logged.
    package static let minShownTokenCharacters = 16
    /// Maximum logged bytes of a text or frame whose content may be logged. This is enough to recognise an event.
    package static let maxLoggedBytes = 1_024
    /// Tolerated difference between the clocks of client and server when the expiry of a token is checked, in seconds.
    package static let tokenSkewSeconds = 5
    /// Maximum deadlines that one call of `advance` handles. The limit prevents an endless loop from blocking the app.
    package static let runsOfTurn = 1_000

    // MARK: REST

    /// Maximum characters of a server's text about a refusal.
    package static let serverMessage = 500
    /// Maximum number of attempts of one REST call, including the first attempt.
    package static let restAttempts = 4
    /// Pause before a REST call is repeated after a network fault or an HTTP status of 500 or more.
    package static let restPause = Interval.seconds(1)
    /// Pause before a REST call is repeated after an HTTP status of 429 without a usable `Retry-After`.
    package static let rateLimitPause = Interval.seconds(5)
    /// Maximum pause for a `Retry-After`. A longer pause is shortened to this maximum.
    package static let maxRateLimitPause = Interval.seconds(30)
    /// Lifetime of a token if the server does not send one.
    package static let tokenLifetime = Interval.seconds(3_600)
    /// Minimum remaining lifetime of a stored token. If less remains, the session is not resumed.
    package static let tokenMargin = Interval.seconds(300)
    /// Delay before a refused session is replaced. Several refusals during the delay cause only one replacement.
    package static let refetchDebounce = Interval.milliseconds(300)
    /// Maximum number of consecutive failed replacements.
    package static let maxRefetches = 3
    /// Minimum time between two writes that store only the last activity. Without this limit, each chunk of a streamed
    /// reply would cause a write.
    package static let storeInterval = Interval.seconds(1)

    // MARK: Connection

    /// Timeout of a connection attempt.
    package static let connectTimeout = Interval.seconds(30)
    /// Maximum pause of the exponential backoff, before jitter is applied.
    package static let maxBackoff = Interval.seconds(30)
    /// Pause before the next connection attempt after a network fault.
    package static let networkPause = Interval.seconds(10)
    /// Default maximum number of reconnects since the last good connection.
    package static let reconnectAttempts = 10
    /// Minimum age of a good connection that has received SESSION_START. After a good connection, losses are counted
    /// from 1 again.
    package static let goodConnection = Interval.seconds(5)
    /// Minimum age of a good connection without SESSION_START. 30 s, because a proxy whose server is down closes the
    /// connection earlier.
    package static let goodSilence = Interval.seconds(30)
    /// Maximum number of consecutive refused sessions that are replaced. After the next refusal, the client gives up.
    package static let maxRefusals = 3
    /// Value of ``maxRefusals`` for an HTTP status of 401 or 403 at the WebSocket upgrade. If one new token does not
    /// help, a second one would not help either.
    package static let maxTokenRefusals = 1
    /// Pause between the close of a replaced connection and the next attempt.
    package static let replacementPause = Interval.milliseconds(150)
    package static let closeTimeout = Interval.seconds(1)
    /// Maximum age of a connection. An older connection is replaced.
    package static let maxConnectionAge = Interval.seconds(7_200)
    /// Time between two checks for network access, on systems that do not report when the network returns.
    package static let offlinePoll = Interval.seconds(3)
    /// Delay before an abnormal close is shown as an error of the session. If a connection opens during the delay, no
    /// error is shown.
    package static let abnormalCloseGrace = Interval.milliseconds(500)
    package static let heartbeatInterval = Interval.seconds(30)
    /// Maximum consecutive heartbeats without an echo if no other frames arrive. When the next heartbeat is due, the
    /// connection is given up.
    package static let missedEchoes = 2
    /// Value of ``missedEchoes`` if other frames arrive. It is higher, because echoes may queue after a long history on
    /// a slow network.
    package static let missedEchoesAmongFrames = 6
    /// Maximum wait for a frame that servers send at once: SESSION_START after the connection opened, or any frame
    /// after a join request.
    package static let answerWait = Interval.seconds(20)

    // MARK: Session

    /// Time without chat messages after which a session has expired.
    package static let sessionTimeout = Interval.seconds(600)
    /// Maximum time that `end()` waits for the echo of the end event. Then the connection is closed.
    package static let endGrace = Interval.seconds(1)
    /// Delay between the message with which the agent ends the chat and the close of the connection. The server usually
    /// closes it earlier.
    package static let agentEndGrace = Interval.seconds(2)

    // MARK: Typing

    /// Minimum time between two STARTED events.
    package static let typingThrottle = Interval.seconds(3)
    /// Time between the last keystroke and STOPPED.
    package static let typingPause = Interval.seconds(5)
    /// Time after which the typing indicator hides if no event renews it.
    package static let typingDots = Interval.seconds(10)

    // MARK: Sending

    /// Time to wait for the echo of a draft. Without an echo, the sent copy counts as lost.
    package static let echoWait = Interval.seconds(3)
    /// Maximum number of times that a draft is sent again after the first copy.
    package static let maxResends = 3
    /// Time after which a sent draft without an echo fails: four times ``echoWait``, once for each possible copy.
    package static let deliveryTimeout = Interval.seconds(12)
    /// Maximum time that a draft waits for a reconnect in progress.
    package static let offlineHold = Interval.seconds(120)
    /// Maximum time to wait for the first frame of the history after a connection opened.
    package static let replayWait = Interval.seconds(3)
    /// Time to wait for a further batch of a history. If none arrives, the history counts as complete.
    package static let replaySettle = Interval.milliseconds(500)
    /// Maximum time for which a history that arrives in several batches delays the drafts.
    package static let maxReplayWait = Interval.seconds(15)
    /// Maximum bytes of an outgoing frame, until SESSION_START announces another limit.
    package static let messageBytes = 1_048_576
    /// Maximum number of drafts that wait for their echoes.
    package static let maxPendingDrafts = 100
    /// Maximum number of failed drafts to remember. A remembered draft can be retried, and its late echo is recognised.
    package static let maxFailedDrafts = 200

    // MARK: Receiving

    /// Number of event ids kept to recognise duplicates.
    package static let maxKnownIDs = 10_000
    /// Maximum number of held events. If there are more, they are delivered although an earlier event is missing.
    package static let maxHeldEvents = 1024
    /// Minimum age of a gap in the sequences. When a gap is this old, a replay of the missing events is requested.
    package static let holeWait = Interval.seconds(2)
    /// Maximum time that held events wait for a replay after the connection was lost. The wait ends early if a
    /// reconnect fails.
    package static let replayHold = Interval.seconds(8)
    /// Maximum number of times that an ended reply is delivered again because of late chunks. Each delivery has the
    /// complete text.
    package static let maxReopenings = 8
    /// Maximum number of ended replies that accept late chunks. Their texts together have at most ``maxStreamBytes``,
    /// but the latest reply is always kept.
    package static let maxEndedStreams = 16
    /// Maximum number of chunks of one streamed reply. Further chunks are ignored.
    package static let maxChunks = 65_536
    /// Maximum bytes of text of one streamed reply. Further chunks are ignored.
    package static let maxStreamBytes = 16 * 1024 * 1024

    // MARK: Recovery

    /// Maximum number of consecutive recovery joins: join requests that are sent because the server lost the
    /// conversation.
    package static let maxRecoveryJoins = 3
    /// Pause before the first recovery join. The pause doubles before each further join.
    package static let recoveryPause = Interval.seconds(1)

    // MARK: Transport, besides the bounds of `HTTPClient`

    /// Timeout of a REST request, or of opening a WebSocket. Connecting is included.
    package static let exchangeTimeout = Interval.seconds(30)
    /// Timeout of the upload of a file.
    package static let uploadTimeout = Interval.minutes(10)
    /// Maximum bytes of the body of a REST response.
    package static let responseBytes = 1 << 20
    /// Maximum number of redirects that are followed for one REST request.
    package static let maxRedirects = 3
    /// Maximum characters of a redirect's address that an error shows.
    package static let shownLocation = 200
    /// Maximum bytes of one incoming WebSocket message. A long history in one batch is an example of a large message.
    package static let incomingMessageBytes = 16 << 20
    /// Maximum unhandled bytes of a connection. Above the limit, reading pauses until half of these bytes are handled.
    package static let unhandledBytes = 512 << 10
}
