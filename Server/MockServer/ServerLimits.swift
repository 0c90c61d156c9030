import Clocks

/// Limits of the server that are not configurable.
enum ServerLimits {
    /// Bytes of one echo message; ``Configuration/Limits/messageBytes`` may be larger. 2 MiB, for conformance tools.
    static let echoMessageBytes = 2 << 20
    /// Frames of one echo message. 262,144: 16 MiB in pieces of 64 bytes; conformance tools send 4 MiB.
    static let echoFrames = 1 << 18
    /// Fixture files read from one folder.
    static let fixtureFiles = 1_000
    /// Estimated bytes of an entry besides its text, if its encoded messages are not kept.
    static let entryBytes = 256
    /// Capacity kept in the reused output buffer.
    static let keptOutputs = 1 << 12
    /// Paths in the cache of routes. 256: all paths, and some with trailing slashes.
    static let keptDestinations = 256
    /// Capacity kept in the encoders' buffer. 64 KiB: nearly every event is shorter.
    static let scratchBytes = 64 << 10
    /// Bytes of a body that is parsed on the loop. 16 KiB: a millisecond. Longer bodies are parsed on a queue.
    static let shortBodyBytes = 16 << 10
    /// Bytes of a body for the medium queue, where it need not wait for larger bodies, which take up to a second.
    static let mediumBodyBytes = 512 << 10
    /// Open sockets of one address that is not loopback, unless ``Configuration/Limits/socketsPerAddress`` is set.
    /// 1,000: a site with one public address has tens of devices, and a device has tens of connections.
    static let socketsPerAddress = 1_000
    /// Sockets beyond ``Configuration/Limits/sockets`` that get an answer. 64: a flood must not use up descriptors.
    static let socketsTurnedAway = 64
    /// Reasons for ignored header fields that are logged, once each. 100: one line already says what to do.
    static let toldFields = 100
    /// Bytes of a file with a signing key. 4 KiB: keys have 32 to 64 bytes.
    static let signingKeyBytes = 4_096
    /// Descriptors that must be free once the server listens, for some connections and the system's queues and timers.
    /// 16: with fewer, the server could serve no client and receive no signal.
    static let leastDescriptors = 16
    /// Bytes of a page file that is read from a folder.
    static let pageBytes = 1 << 20
    /// `Retry-After` for refused connections, in seconds.
    static let retryAfterSeconds = 1
    /// Time between attempts to accept when the system has no descriptors left.
    static let acceptRetryMilliseconds: Int64 = 100
    /// Idle time after which a busy-polling loop returns to Dispatch.
    static let lingerMicroseconds: Int64 = 500
    /// Longest time of busy polling before the loop returns to Dispatch, so that other queues of the process run.
    static let stayMilliseconds: Int64 = 20
    /// Time between two checks of deadlines. 250 µs: a quarter of the tolerance of pacing, 1 ms.
    static let turnSpacingMicroseconds: Int64 = 250
    /// Remaining life below which a published SDK renews its token before it connects.
    static let renewalSeconds: Int64 = 300
    /// Turns at one instant while the clock is moved. 1,000: after that, time goes on without the deadline still due.
    static let turnsAtOneMoment = 1_000
    /// Delay from the change of a fixture file to its reload: an editor may write in several steps.
    static let saveSettlingMilliseconds: Int64 = 40
    /// Bytes of a page of history. Half a kibibyte below `PolyLimits.batchBytes`, so that a page fits in one message.
    static let historyPageBytes = (512 << 10) - 512
    /// Bytes inflated in one turn of the loop, over all connections. 64 KiB take 0.2 ms, a message of 1 MiB takes 3 ms.
    static let inflatedBytes = 64 << 10
    /// Bytes held back for one connection. 64 MiB: hundreds of events; an endless stall must not fill the memory.
    static let heldBytes = 64 << 20
    /// Delay from a protocol rule's deadline to its check, below the rules' tolerance of one second.
    static let protocolRuleCheckMilliseconds: Int64 = 500
    /// Real time in which peers may disconnect when the server stops.
    static let farewellMilliseconds: Int64 = 250

    /// Limits of the control API, crossed in the `Control…Tests`.
    enum Control {
        /// Default number of rows in one answer. 1,000: some hundred kilobytes.
        static let rows = 1_000
        /// Rows that one wait may request. 1,000: they are held until the last one comes.
        static let awaitedRows = 1_000
        /// Concurrent waits. 1,000: each has a connection, and each new row is compared for all of them.
        static let waits = 1_000
        /// Open feeds. 100: each new row is written to all of them.
        static let feeds = 100
        /// Budget of one loop turn for rows of waits and feeds, in steps: searching one byte is a step. 250,000: about
        /// a millisecond. The rest is done on a queue, or in the next turn.
        static let turnSteps = 250_000
        /// Work units for a wait or feed without its rows: a quarter of a microsecond.
        static let watcherSteps = 64
        /// Work units for a session in a list: some microseconds.
        static let sessionSteps = 2_000
        /// Steps for one comparison on a queue, over all waits and feeds. 20,000,000: a tenth of a second, so that a
        /// costly filter does not delay the others for long.
        static let comparisonSteps = 20_000_000
        /// Work units of all filters per byte of a row. 2,000: each of a thousand waits may search two texts.
        static let listenerSteps = 2_000
        /// Time between two lists of changes in a feed.
        static let changeMilliseconds: Int64 = 100
        /// Changes sent at once, and items queued for a slow reader.
        static let changes = 500
        /// Unmatched messages and violations encoded at once for a feed. 50: half a megabyte at most.
        static let gatheredNews = 50
        /// Ids of forgotten sessions kept for a feed.
        static let forgotten = 10_000
        /// Longest wait. One hour: an abandoned wait must not keep its connection forever.
        static let waiting = Interval.hours(1)
        /// Rows and near misses in the answer of a failed wait. 10: as many as a person reads.
        static let toldRows = 10
        static let nearMisses = 3
        /// The longest move of the clock. Ten years: dates stay within the range of timestamps.
        static let advance = Interval.hours(24 * 3_650)
        /// The latest time of the clock, 2200-01-01: timestamps end some decades later.
        static let lastMoment = Instant(secondsSince1970: 7_258_118_400)
        /// Names of timers in one answer. 1,000: as in the list of timers.
        static let ranTimers = 1_000

        static let scale = ClockMode.factors
        /// Sessions or rows handled at once. 500: a few milliseconds. More are listed on a queue and changed in pieces
        /// of this size; other clients are served in between.
        static let shortList = 500
        /// Bytes of rows and imports handled at once.
        static let shortBytes = 256 << 10
        /// Long answers made at the same time. 16: each is held as a whole. ``MemoryShares/works`` may be less.
        static let works = 16
        /// Bytes of an import. 128 MiB: four times what a full timeline holds.
        static let importBytes = 128 << 20
        /// Bytes of a body that is parsed on the loop. 16 KiB: any JSON of this size takes less than a millisecond.
        static let shortBody = 16 << 10
        /// Fixtures added as text. 200: a test suite has tens.
        static let fixtures = 200
        /// Rows after a firing that are searched for the row of that firing.
        static let firedRows = 100
        /// Default time that an intercepted frame is held. 30 s: enough to read and change it before clients give up.
        static let hold: Interval = .seconds(30)
        /// Longest time that a frame may be held. 1 h: enough for a demonstration.
        static let longestHold: Interval = .hours(1)
        /// Bytes of a name that a caller gives to a fixture, a fault or a live agent. 100: one line.
        static let nameBytes = 100
    }
}
