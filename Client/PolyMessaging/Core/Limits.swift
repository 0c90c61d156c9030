package import Clocks

/// Numbers of the client's behaviour, and bounds of what is read, kept and logged: name, unit, default, reason. Each is
/// crossed by a test.
package enum Limits {
    /// Minimum length of a token to show its end in the log. 16: the four characters shown stay a small part
    /// of it.
    package static let minShownTokenCharacters = 16
    /// Bytes of a text or frame, where the log may show it at all. 1024: enough to recognise an event.
    package static let maxLoggedBytes = 1_024
    /// Tolerated clock difference when a token's expiry is checked, in seconds. 5.
    package static let tokenSkewSeconds = 5
    /// Deadlines handled by one call of `advance`. 1,000: each machine has one deadline, so more mean one
    /// that never goes away, which must not keep the others, and the app, waiting.
    package static let runsOfTurn = 1_000

    // MARK: REST

    /// Attempts of one call, the first included.
    package static let restAttempts = 4
    /// Pause before a call is repeated after a network fault or a 5xx.
    package static let restPause = Interval.seconds(1)
    /// Pause before a call is repeated after a 429 without a usable `Retry-After`.
    package static let rateLimitPause = Interval.seconds(5)
    /// The longest `Retry-After` that is honoured. 30 s: a person waits no longer.
    package static let maxRateLimitPause = Interval.seconds(30)
    /// Lifetime of a token when the server gives none.
    package static let tokenLifetime = Interval.seconds(3_600)
    /// A token with less time left is about to expire: a connection would outlive it.
    package static let tokenMargin = Interval.seconds(300)
    /// Delay before a refused session is replaced; calls during this time share one replacement.
    package static let refetchDebounce = Interval.milliseconds(300)
    /// Maximum number of consecutive failed replacements, unless the user asks for one.
    package static let maxRefetches = 3
    /// Minimum time between two writes of the last activity. 1 s: a streamed reply would write once per
    /// chunk.
    package static let storeInterval = Interval.seconds(1)

    // MARK: Connection

    /// Time-out of a connection attempt. 30 s: a slow mobile network needs a few.
    package static let connectTimeout = Interval.seconds(30)
    /// The longest pause between two attempts, before jitter.
    package static let maxBackoff = Interval.seconds(30)
    /// Pause before the next attempt after a network fault.
    package static let networkPause = Interval.seconds(10)
    /// Attempts since the last good connection, unless configuration or server say otherwise.
    package static let reconnectAttempts = 10
    /// Duration after which a connection counts as stable and its loss as the first, if the server has sent something
    /// in the session. 5 s: a connection that breaks at once would otherwise be retried each second for ever.
    package static let goodConnection = Interval.seconds(5)
    /// ``goodConnection`` of a server that has sent nothing yet. 30 s: longer than the timeout of a proxy without a
    /// server.
    package static let goodSilence = Interval.seconds(30)
    /// Sessions refused in a row that are replaced; the next refusal is final.
    package static let maxRefusals = 3
    /// Limit for refusals with 401 or 403 at the upgrade: if a new token does not help, a third will not.
    package static let maxTokenRefusals = 1
    /// Pause between the close of a replaced connection and the next attempt.
    package static let replacementPause = Interval.milliseconds(150)
    /// Timeout of the closing handshake.
    package static let closeTimeout = Interval.seconds(1)
    /// Maximum age of a connection before it is replaced.
    package static let maxConnectionAge = Interval.seconds(7_200)
    /// Poll interval for the network where the system does not signal its return.
    package static let offlinePoll = Interval.seconds(3)
    /// Delay before an abnormal close that is not healed shows as an error of the session.
    package static let abnormalCloseGrace = Interval.milliseconds(500)
    package static let heartbeatInterval = Interval.seconds(30)
    /// Heartbeats in a row without an echo, and without any frame since the last of them, after which a connection is
    /// given up. 2: one may be late.
    package static let missedEchoes = 2
    /// Heartbeats in a row without an echo, after which a connection that other frames come on is given up.
    /// 6: echoes may wait after a long history on a slow network.
    package static let missedEchoesAmongFrames = 6
    /// Time-out of an answer that a live server sends at once: SESSION_START after the opening, anything
    /// after a join. 20 s: a slow mobile network needs a few.
    package static let answerWait = Interval.seconds(20)

    // MARK: Session

    /// Idle time without chat messages after which a session is over and cannot be resumed.
    package static let sessionTimeout = Interval.seconds(600)
    /// Timeout of `end()` for the echo before it closes.
    package static let endGrace = Interval.seconds(1)
    /// Close delay after the agent's last message. 2 s: the server closes by then.
    package static let agentEndGrace = Interval.seconds(2)

    // MARK: Typing

    /// Minimum time between two STARTED events.
    package static let typingThrottle = Interval.seconds(3)
    /// STOPPED follows this long after the last keystroke.
    package static let typingPause = Interval.seconds(5)
    /// Time after which the typing dots vanish unless renewed.
    package static let typingDots = Interval.seconds(10)

    // MARK: Sending

    /// Timeout of an echo before a copy counts as lost.
    package static let echoWait = Interval.seconds(3)
    /// Copies of one draft after the first.
    package static let maxResends = 3
    /// Time after which a sent draft without an echo fails: the first wait and one for each resend.
    package static let deliveryTimeout = Interval.seconds(12)
    /// Maximum wait of a draft for a reconnect in progress. 120 s: six attempts.
    package static let offlineHold = Interval.seconds(120)
    /// Timeout of the first frame of the history after a connection opens.
    package static let replayWait = Interval.seconds(3)
    /// Idle time after the last frame of a history that may come in parts.
    package static let replaySettle = Interval.milliseconds(500)
    /// Maximum time that a history in parts may delay drafts.
    package static let maxReplayWait = Interval.seconds(15)
    /// Bytes of an outgoing frame until SESSION_START says otherwise.
    package static let messageBytes = 1_048_576
    /// Drafts waiting for their echo. 100: nobody types more in two minutes.
    package static let maxPendingDrafts = 100
    /// Failed drafts that can be retried, and whose late echo is recognised. 200: as many as may wait for an
    /// echo, twice.
    package static let maxFailedDrafts = 200

    // MARK: Receiving

    /// Ids of events that are recognised when they come again. 10,000: a conversation has a few hundred.
    package static let maxKnownIDs = 10_000
    /// Events that wait for a missing one before them. 1,024: a long history sent event by event. Beyond that
    /// they are shown without the missing one, which arrives late.
    package static let maxHeldEvents = 1024
    /// Age of a hole at which its events are requested again.
    package static let holeWait = Interval.seconds(2)
    /// Time that events after a gap in the sequence wait for a replay once the connection is lost, while no attempt has
    /// failed. 8 s: a slow handshake.
    package static let replayHold = Interval.seconds(8)
    /// Number of times a reply that has ended is delivered again for its late chunks. 8: each time with its whole text.
    package static let maxReopenings = 8
    /// Ended replies that still accept late chunks. 16: as many as a short loss of the connection spans.
    /// Together they have at most ``maxStreamBytes`` of text, unless there is only one.
    package static let maxEndedStreams = 16
    /// Chunks of one streamed reply; later ones are ignored.
    package static let maxChunks = 65_536
    /// Bytes of text of one streamed reply; later chunks are ignored. 16 MiB: the limit of one frame.
    package static let maxStreamBytes = 16 * 1024 * 1024

    // MARK: Recovery

    /// Maximum number of consecutive joins sent because the server lost the conversation.
    package static let maxRecoveryJoins = 3
    /// Pause before the first recovery join; doubled for each further one.
    package static let recoveryPause = Interval.seconds(1)

    // MARK: Transport, besides the bounds of `HTTPClient`

    /// Time-out of a request, or of opening a WebSocket, including the connection attempt. 30 s: a slow
    /// mobile network needs a few.
    package static let exchangeTimeout = Interval.seconds(30)
    /// The body of a REST answer. 1 MiB: the real ones have a few hundred bytes.
    package static let responseBytes = 1 << 20
    /// Redirects of one REST request that are followed. 3: a proxy and a slash need two.
    package static let maxRedirects = 3
    /// Characters of a redirect's address in an error.
    package static let shownLocation = 200
    /// One incoming WebSocket message. 16 MiB: the history of a long session in one batch.
    package static let incomingMessageBytes = 16 << 20
    /// Limit of received bytes of one connection that the client has not handled; above it reading pauses
    /// until half of them are handled. 512 KiB: a second of the fastest talk, and no more memory than a
    /// picture.
    package static let unhandledBytes = 512 << 10
}
