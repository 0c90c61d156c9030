import Clocks

/// Bounds of the shell that are nobody's setting.
enum ServerLimits {
    /// One message of the echo at `/_mock/echo`: what conformance tools send, and some room. A larger
    /// ``Configuration/Limits/messageBytes`` counts for the echo, too.
    static let echoMessageBytes = 2 << 20
    /// Frames of one message there. 262,144: the suites' 4 MiB in pieces of 64 bytes are 65,536, and 16 MiB four times
    /// as many.
    static let echoFrames = 1 << 18
    /// Fixture files looked at in one folder.
    static let fixtureFiles = 1_000
    /// What an entry takes besides its text where its messages are not kept; a guess.
    static let entryBytes = 256
    /// Outputs of the server whose room is kept for the next ones.
    static let keptOutputs = 1 << 12
    /// Paths whose routes are kept at hand. 256: all there are, and some with slashes at their ends.
    static let keptDestinations = 256
    /// Room that is kept for putting the next event together. 64 KiB: nearly every event is shorter.
    static let scratchBytes = 64 << 10
    /// Bytes of a body that is read where it came. 16 KiB: a millisecond; longer ones are read away from the loop.
    static let shortBodyBytes = 16 << 10
    /// Bytes of a body that is read away from the loop without waiting for those that take up to a second.
    static let mediumBodyBytes = 512 << 10
    /// Open sockets of one address that is not loopback, unless ``Configuration/Limits/socketsPerAddress`` says
    /// otherwise. 1,000: a house behind one address has tens of devices, a device tens of connections.
    static let socketsPerAddress = 1_000
    /// Sockets beyond ``Configuration/Limits/sockets`` that are told so before they are closed. 64: more would let
    /// whoever floods the server have its descriptors after all; they are closed without a word.
    static let socketsTurnedAway = 64
    /// Senders of a field that counts for nothing, told in the log once each. 100: one line says what is to be done.
    static let toldFields = 100
    /// Bytes of a file with a signing key. 4 KiB: keys have 32 to 64.
    static let signingKeyBytes = 4_096
    /// Files that must be left to open when the server has begun to listen. 16: a few connections, and what the system's
    /// queues and timers take; with fewer, it would say that it listens, serve no client and hear no signal.
    static let leastDescriptors = 16
    /// A file of the pages that is read from a folder, 1 MiB.
    static let pageBytes = 1 << 20
    /// What they are told to wait, in seconds: connections come and go faster.
    static let retryAfterSeconds = 1
    /// Between two attempts to accept when the system has no descriptors left.
    static let acceptRetryMilliseconds: Int64 = 100
    /// How long a loop that was busy waits for more before it goes back to Dispatch.
    static let lingerMicroseconds: Int64 = 500
    /// How long it stays at most, however much there is to do: other queues of the process want their turn.
    static let stayMilliseconds: Int64 = 20
    /// From one look at the deadlines to the next: a quarter of the millisecond that pacing may be off.
    static let turnSpacingMicroseconds: Int64 = 250
    /// Seconds a token must have left when a published SDK connects; it renews one that has less.
    static let renewalSeconds: Int64 = 300
    /// Turns at one moment while somebody moves the clock. 1,000: beyond that, what is due does not go away by being
    /// dealt with, and time goes on without it.
    static let turnsAtOneMoment = 1_000
    /// From a change of a fixture file to looking at it: an editor may write in several steps.
    static let saveSettlingMilliseconds: Int64 = 40
    /// Entries of a history are sent in pages of so many bytes, as fast as the client reads. Half a kibibyte less
    /// than a message of a history may have (`PolyLimits.batchBytes`), so that a page is one.
    static let historyPageBytes = (512 << 10) - 512
    /// Bytes that compressed messages of all connections may become in one turn of the loop. 64 KiB: a fifth of a
    /// millisecond, with the memory for them, where a message of a megabyte inflated at once takes three.
    static let inflatedBytes = 64 << 10
    /// What a long answer is sent in.
    static let answerPieceBytes = 256 << 10
    /// Bytes that troubles hold back of one connection. 64 MiB: hundreds of the longest events; a client that goes on
    /// talking under an endless stall must not fill the memory.
    static let heldBytes = 64 << 20
    /// From the moment a silence breaks a law to looking at it; below the second after which the law book excuses.
    static let lawCheckMilliseconds: Int64 = 500
    /// Real time for peers to take leave when the server stops, in milliseconds.
    static let farewellMilliseconds: Int64 = 250

    /// Of the control API. Crossed in the `Control…Tests`.
    enum Control {
        /// Rows in one answer unless it is asked for fewer. 1,000: a page of a list, some hundred kilobytes.
        static let rows = 1_000
        /// Rows that one wait may ask for. 1,000: they are held until the last one comes.
        static let awaitedRows = 1_000
        /// Waits under way at once. 1,000: each holds a connection, and each new row is shown to all of them.
        static let waits = 1_000
        /// Feeds open at once. 100: each new row is written to all of them.
        static let feeds = 100
        /// Steps that looking at rows for all who wait or follow a feed may cost in one turn of the loop: a byte searched
        /// is one. 250,000: about a millisecond. What is left is done away from the loop, or in the next turn.
        static let turnSteps = 250_000
        /// Steps that a look at one who watches counts for, besides the rows: a quarter of a microsecond.
        static let watcherSteps = 64
        /// Steps that telling one session of a list counts for: some microseconds.
        static let sessionSteps = 2_000
        /// Steps that one look away from the loop may cost for all of them together. 20,000,000: a tenth of a
        /// second, so that a costly filter keeps no other one waiting for long.
        static let comparisonSteps = 20_000_000
        /// Steps for each byte of a row that their filters may cost together. 2,000: each of a thousand waits may look for
        /// two texts.
        static let listenerSteps = 2_000
        /// Between two times that a feed tells what changed.
        static let changeMilliseconds: Int64 = 100
        /// Changes told at once, and news that wait for a slow reader.
        static let changes = 500
        /// Unheard messages and breaches put in words at a time for one feed. 50: half a megabyte at most.
        static let gatheredNews = 50
        /// Ids of sessions that are gone, kept for one.
        static let forgotten = 10_000
        /// Length of one wait. One hour: a forgotten wait must not hold its connection for ever.
        static let waiting = Interval.hours(1)
        /// Rows and near misses that a wait without success tells. 10: what a person reads.
        static let toldRows = 10
        static let nearMisses = 3
        /// How far time moves in one step. Ten years: dates stay within what timestamps can say.
        static let advance = Interval.hours(24 * 3_650)
        /// 2200-01-01: timestamps end some decades later, and a clock that cannot move keeps nobody alive.
        static let lastMoment = Instant(secondsSince1970: 7_258_118_400)
        /// Names of timers in one answer. 1,000: as in the list of timers.
        static let ranTimers = 1_000
        /// How much faster or slower than real time a clock runs.
        static let scale = ClockMode.factors
        /// Sessions or rows that are dealt with in one go: a few milliseconds. More are listed away from the loop, and
        /// changed in pieces of this size, so that other clients are served in between.
        static let shortList = 500
        /// The same for bytes of rows and imports.
        static let shortBytes = 256 << 10
        /// Long answers that are being put together at once. 16: each holds its whole content. Fewer where
        /// the process may use little memory (``MemoryShares/works``).
        static let works = 16
        /// Bytes of an import. 128 MiB: four times what a full timeline holds.
        static let importBytes = 128 << 20
        /// Bytes of a body that is read on the loop. 16 KiB: any shape of JSON of this size is read within a millisecond.
        static let shortBody = 16 << 10
        /// Fixtures given as text. 200: a test suite has tens.
        static let fixtures = 200
        /// Rows behind a strike among which its own is looked for. 100: it comes with what was struck.
        static let struckRows = 100
        /// How long a frame waits for a person. 30 s: time to read and change it, while clients stay patient.
        static let hold: Interval = .seconds(30)
        /// The same at most. 1 h: a demonstration, not a leak.
        static let longestHold: Interval = .hours(1)
        /// Bytes of a name that a caller gives: of a fixture, a trouble, a person at the controls. 100: one line.
        static let nameBytes = 100
    }
}
