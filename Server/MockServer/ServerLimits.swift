import Clocks

/// Limits and defaults of the server.
enum ServerLimits {
    /// Bytes up to which an echo message is always accepted, for conformance tools.
    static let echoMessageBytes = 2 << 20
    /// Maximum frames of one echo message, for conformance tools.
    static let echoFrames = 1 << 18
    /// Maximum number of fixture files read from one folder.
    static let fixtureFiles = 1_000
    /// Estimated bytes of a journal entry without its text, for entries whose encoded messages are not kept.
    static let entryBytes = 256
    /// Maximum outputs in a batch whose buffer is reused.
    static let keptOutputs = 1 << 12
    /// Maximum paths in the cache of routes.
    static let keptDestinations = 256
    /// Maximum capacity, in bytes, that the reused buffer of the encoders keeps.
    static let scratchBytes = 64 << 10
    /// Maximum bytes of a body that is parsed on the loop. 16 KiB take about a millisecond.
    static let shortBodyBytes = 16 << 10
    /// Maximum bytes of a body on the medium queue.
    static let mediumBodyBytes = 512 << 10
    /// Default of `limits.socketsPerAddress`, except for loopback.
    static let socketsPerAddress = 1_000
    /// Highest configurable limit of a request's body, in bytes, and the limit of the HTTP parser.
    static let bodyBytes = 1 << 30
    /// Maximum sockets beyond a limit that are kept to receive a refusal. Further ones are closed at once.
    static let socketsTurnedAway = 64
    /// Maximum number of logged reasons for ignored header fields.
    static let reportedFields = 100
    /// Maximum bytes of a file with a signing key.
    static let signingKeyBytes = 4_096
    /// Minimum file descriptors that must be free after the server has begun to listen. With fewer, it does not start.
    static let leastDescriptors = 16
    static let pageBytes = 1 << 20
    /// `Retry-After`, in seconds, of 503 responses for lack of sockets, memory or workers.
    static let retryAfterSeconds = 1
    /// Time from a failed accept to the next attempt.
    static let acceptRetryMilliseconds: Int64 = 100
    /// Idle time after which a busy-polling loop returns to Dispatch.
    static let lingerMicroseconds: Int64 = 500
    /// Maximum time of busy polling, so that other queues of the process can run.
    static let stayMilliseconds: Int64 = 20
    /// Minimum time between checks of deadlines: a quarter of 1 ms, the tolerance for delays of messages.
    static let turnSpacingMicroseconds: Int64 = 250
    /// Life of tokens up to which ``Server/noteShortTokens()`` warns.
    static let renewalSeconds: Int64 = 300
    /// Maximum turns at one instant while the clock is moved.
    static let turnsAtOneMoment = 1_000
    /// Delay before a changed fixture file is reloaded, because an editor may write it in several steps.
    static let saveSettlingMilliseconds: Int64 = 40
    /// Maximum bytes of a page of history.
    static let historyPageBytes = (512 << 10) - 512
    /// Maximum bytes inflated in one turn of the loop.
    static let inflatedBytes = 64 << 10
    /// Maximum bytes that faults and interceptions hold back for one connection. Beyond it, the connection is cut.
    static let heldBytes = 64 << 20
    /// Delay between a protocol rule's deadline and its check.
    static let protocolRuleCheckMilliseconds: Int64 = 500
    /// Real time for peers to disconnect when the server stops.
    static let farewellMilliseconds: Int64 = 250

    /// Limits of the control API.
    enum Control {
        /// Default number of rows in one answer.
        static let rows = 1_000
        /// Maximum rows that one wait may request.
        static let awaitedRows = 1_000
        /// Maximum concurrent waits, counted together with feeds.
        static let waits = 1_000
        /// Maximum open feeds.
        static let feeds = 100
        /// Maximum steps of work on rows in one turn of the loop. One step searches one byte; 250,000 take about 1 ms.
        static let turnSteps = 250_000
        /// Steps counted for examining one wait or feed, without its rows.
        static let watcherSteps = 64
        /// Steps counted for one session in a list.
        static let sessionSteps = 2_000
        /// Maximum steps of all comparisons together in one piece of work on a queue: 20,000,000 take about 0.1 s.
        static let comparisonSteps = 20_000_000
        /// Maximum steps per byte of a row for the filters of all waits and feeds together.
        static let listenerSteps = 2_000
        /// Minimum time between two lists of changes in a feed.
        static let changeMilliseconds: Int64 = 100
        /// Maximum changed sessions sent to a feed at once, and maximum further changes queued for a slow reader.
        static let changes = 500
        /// Maximum unmatched items, and maximum violations, encoded at once for a feed.
        static let gatheredNews = 50
        /// Maximum number of ids of forgotten sessions that are kept for a feed.
        static let forgotten = 10_000
        /// Maximum duration of a wait.
        static let waiting = Interval.hours(1)
        /// Maximum rows and near misses in the answer of a failed wait, for a person to read.
        static let shownRows = 10
        static let nearMisses = 3
        /// Maximum move of the clock at once: ten years.
        static let advance = Interval.hours(24 * 3_650)
        /// The latest time to which the clock can be moved, 2200-01-01.
        static let lastMoment = Instant(secondsSince1970: 7_258_118_400)
        /// Maximum names of timers in one answer.
        static let ranTimers = 1_000

        static let scale = ClockMode.factors
        /// Maximum sessions, rows or other items of a list that are handled in one turn of the loop.
        static let shortList = 500
        /// Maximum bytes of rows, runs and imports that are handled on the loop.
        static let shortBytes = 256 << 10
        /// Maximum concurrent long answers.
        static let works = 16
        /// Maximum bytes of an import: four times the bytes of a full timeline.
        static let importBytes = 128 << 20
        /// Maximum bytes of a body that is parsed on the loop.
        static let shortBody = 16 << 10
        /// Maximum fixtures added as text.
        static let fixtures = 200
        /// Maximum rows, from the time of a fault's firing on, that are searched for the row of the firing.
        static let firedRows = 100
        /// Default time that an intercepted frame is held.
        static let hold: Interval = .seconds(30)
        /// Maximum time that a frame may be held.
        static let longestHold: Interval = .hours(1)
        /// Maximum bytes of a name, such as a fixture's or a person's, so that it fits on one line.
        static let nameBytes = 100
    }
}
