import Clocks

/// Limits of the server that are not configurable.
enum ServerLimits {
    /// Maximum bytes of one echo message, unless ``Configuration/Limits/messageBytes`` is larger. 2 MiB, for
    /// conformance tools.
    static let echoMessageBytes = 2 << 20
    /// Maximum frames of one echo message. 262,144 frames of 64 bytes hold 16 MiB. Conformance tools send 4 MiB.
    static let echoFrames = 1 << 18
    /// Maximum number of fixture files read from one folder.
    static let fixtureFiles = 1_000
    /// Estimated bytes of a journal entry without its text, for entries whose encoded messages are not kept.
    static let entryBytes = 256
    /// Maximum outputs in a batch whose buffer is reused. The buffer of a larger batch is freed.
    static let keptOutputs = 1 << 12
    /// Maximum paths in the cache of routes. 256 are enough for all paths, and for some of them again with a trailing
    /// slash.
    static let keptDestinations = 256
    /// Maximum capacity of the encoders' reused buffer. A larger buffer is freed. 64 KiB, because nearly all events are
    /// shorter.
    static let scratchBytes = 64 << 10
    /// Maximum bytes of a body that is parsed on the loop. 16 KiB take about a millisecond. Longer bodies are parsed on
    /// a queue.
    static let shortBodyBytes = 16 << 10
    /// Maximum bytes of a body that is parsed on the medium queue. Larger bodies take up to a second and have a queue
    /// of their own.
    static let mediumBodyBytes = 512 << 10
    /// Maximum open sockets of one address, unless ``Configuration/Limits/socketsPerAddress`` is set. Without that
    /// setting, loopback has no limit. 1,000 are enough for a site with one public address and tens of devices, each
    /// with tens of connections.
    static let socketsPerAddress = 1_000
    /// Sockets beyond ``Configuration/Limits/sockets`` that still get a refusal. 64: more would use up file descriptors
    /// in a flood of connections.
    static let socketsTurnedAway = 64
    /// Maximum number of logged reasons for ignored header fields. Each reason is logged once. 100 are enough, because
    /// each line already says how to fix the problem.
    static let reportedFields = 100
    /// Maximum bytes of a file with a signing key. A key has 32 to 64 bytes, so a file of more than 4 KiB is a mistake.
    static let signingKeyBytes = 4_096
    /// File descriptors that must be free once the server listens, for some connections and for the system's queues and
    /// timers. 16: with fewer, the server could neither serve a client nor receive a signal.
    static let leastDescriptors = 16
    /// Maximum bytes of a page file that is read from a folder.
    static let pageBytes = 1 << 20
    /// `Retry-After` for refused connections, in seconds.
    static let retryAfterSeconds = 1
    /// Time between attempts to accept connections when the system has no file descriptors left.
    static let acceptRetryMilliseconds: Int64 = 100
    /// Idle time after which a busy-polling loop returns to Dispatch.
    static let lingerMicroseconds: Int64 = 500
    /// Maximum time of busy polling. The loop then returns to Dispatch, so that other queues of the process can run.
    static let stayMilliseconds: Int64 = 20
    /// Minimum time between two checks of deadlines. 250 µs: a quarter of 1 ms, which is the tolerance for delays
    /// between messages.
    static let turnSpacingMicroseconds: Int64 = 250
    /// A published SDK renews its token before it connects if the token is valid for this time or less.
    static let renewalSeconds: Int64 = 300
    /// Maximum turns at one instant while the clock is moved. After 1,000 turns, time advances although a deadline is
    /// still due.
    static let turnsAtOneMoment = 1_000
    /// Delay between the change of a fixture file and its reload, because an editor may write the file in several
    /// steps.
    static let saveSettlingMilliseconds: Int64 = 40
    /// Maximum bytes of a page of history. 512 bytes less than `PolyLimits.batchBytes`, so that a page fits in one
    /// message.
    static let historyPageBytes = (512 << 10) - 512
    /// Maximum bytes inflated in one turn of the loop, over all connections. 64 KiB take 0.2 ms; a message of 1 MiB
    /// takes 3 ms.
    static let inflatedBytes = 64 << 10
    /// Maximum bytes that faults hold back for one connection. 64 MiB hold hundreds of large events. Without a limit,
    /// an endless stall could use up the memory.
    static let heldBytes = 64 << 20
    /// Delay between a protocol rule's deadline and its check. It is shorter than the rules' tolerance of one second.
    static let protocolRuleCheckMilliseconds: Int64 = 500
    /// Real time that peers have to disconnect when the server stops.
    static let farewellMilliseconds: Int64 = 250

    /// Limits of the control API. The `Control…Tests` test each limit with a larger value.
    enum Control {
        /// Default number of rows in one answer. 1,000 rows: a few hundred kilobytes.
        static let rows = 1_000
        /// Maximum rows that one wait may request. 1,000, because the rows are kept until the last of them arrives.
        static let awaitedRows = 1_000
        /// Maximum concurrent waits. Not more than 1,000, because each wait keeps a connection open and compares every
        /// new row with its filter.
        static let waits = 1_000
        /// Maximum open feeds. 100, because each new row is written to all of them.
        static let feeds = 100
        /// Budget of one loop turn for rows of waits and feeds, in steps. One step is the search of one byte; 250,000
        /// steps take about a millisecond. Further work is done on a queue, or in the next turn.
        static let turnSteps = 250_000
        /// Steps for examining one wait or feed, without the work on its rows. 64 steps take a quarter of a
        /// microsecond.
        static let watcherSteps = 64
        /// Steps for one session in a list. 2,000 steps take some microseconds.
        static let sessionSteps = 2_000
        /// Steps for one comparison on a queue, over all waits and feeds. 20,000,000 steps take a tenth of a second, so
        /// that a costly filter does not delay the other filters for long.
        static let comparisonSteps = 20_000_000
        /// Maximum steps that the filters of all waits and feeds together may take per byte of a row. 2,000 are enough
        /// for a thousand waits that search two texts each.
        static let listenerSteps = 2_000
        /// Minimum time between two lists of changes in a feed.
        static let changeMilliseconds: Int64 = 100
        /// Maximum changes sent at once, and maximum items queued for a slow reader.
        static let changes = 500
        /// Maximum unmatched messages and violations encoded at once for a feed. 50 take at most half a megabyte.
        static let gatheredNews = 50
        /// Maximum number of ids of forgotten sessions that are kept for a feed.
        static let forgotten = 10_000
        /// Maximum duration of a wait. One hour, because an abandoned wait would otherwise keep its connection forever.
        static let waiting = Interval.hours(1)
        /// Maximum rows and near misses in the answer of a failed wait. A person reads no more than 10 rows and 3 near
        /// misses.
        static let shownRows = 10
        static let nearMisses = 3
        /// Maximum move of the clock. Ten years: dates then stay within the range of timestamps.
        static let advance = Interval.hours(24 * 3_650)
        /// The latest time to which the clock can be moved, 2200-01-01. Timestamps end some decades later.
        static let lastMoment = Instant(secondsSince1970: 7_258_118_400)
        /// Maximum names of timers in one answer. 1,000, as in the list of timers.
        static let ranTimers = 1_000

        static let scale = ClockMode.factors
        /// Maximum sessions or rows handled in one turn of the loop. 500 take a few milliseconds. If there are more,
        /// they are listed on a queue and changed in pieces of this size; other clients are served between the pieces.
        static let shortList = 500
        /// Maximum bytes of rows, runs and imports that are handled on the loop. Larger ones are handled on a queue.
        static let shortBytes = 256 << 10
        /// Maximum number of long answers that are made at the same time. 16, because each is in memory as a whole.
        /// ``MemoryShares/works`` may be lower.
        static let works = 16
        /// Maximum bytes of an import. 128 MiB: four times the bytes in a full timeline.
        static let importBytes = 128 << 20
        /// Maximum bytes of a body that is parsed on the loop. 16 KiB: any JSON of this size is parsed in less than a
        /// millisecond.
        static let shortBody = 16 << 10
        /// Maximum fixtures added as text. 200: a test suite has tens of them.
        static let fixtures = 200
        /// Number of rows after a fault's firing that are searched for the row which records the firing.
        static let firedRows = 100
        /// Default time that an intercepted frame is held. 30 s: enough to read and edit the frame before clients give
        /// up.
        static let hold: Interval = .seconds(30)
        /// Maximum time that a frame may be held. 1 h: enough for a demonstration.
        static let longestHold: Interval = .hours(1)
        /// Maximum bytes of a name that a caller gives to a fixture, a fault or a live agent. 100: the name fits on one
        /// line.
        static let nameBytes = 100
    }
}
