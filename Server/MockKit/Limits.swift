import Clocks

/// Bounds of this module: name, unit, default, reason.
enum Limits {
    /// An answer that never comes is given up after so long: the time-out of the clients' requests.
    static let missingAnswer = Interval.seconds(15)
    /// Mock time an expectation waits that names none. 10 seconds: longer than any reply of a shipped fixture.
    static let patience = Interval.seconds(10)
    /// Mock time for a chat to connect, and for a message to be echoed. 5 minutes: more than all tries of the SDK
    /// to reconnect take.
    static let chatTime = Interval.minutes(5)
    /// Mock time until everything scripted is over. 1 hour: a fixture that talks on for longer never ends.
    static let quietTime = Interval.hours(1)
    /// Moves of the clock that leave it where it is. 10,000: beyond that, something stays due however often it is
    /// dealt with, and the test is told so.
    static let movesAtOneMoment = 10_000
    /// Rounds of looking whether anything is under way. 100,000: only a loop that feeds itself needs more, also on a
    /// busy machine.
    static let settlingRounds = 100_000
    /// Time between two looks at the chats, on clocks that move by themselves. 5 milliseconds of real time: short
    /// beside any reply, long beside a look.
    static let lookInterval = Interval.milliseconds(5)
    /// Times other tasks may run before time passes. 10: as many as a call has steps until it is on its way.
    static let yields = 10
    /// How often that happens once no time is left for a call. 100: a thousand turns, which take milliseconds.
    static let turnsAtTheEnd = 100
    /// Rows of a table in a failure text, and near misses below it. 12 and 3: a screen holds both.
    static let tableRows = 12
    static let nearMisses = 3
    /// Characters of what somebody said, in a table. 60: a row stays on one line.
    static let quotedCharacters = 60
    /// Messages of the user on a line for the shell, and bytes of all of them. 20 and 2,000: what a person can still
    /// read; more than that is in the journal.
    static let repeatedMessages = 20
    static let repeatedBytes = 2_000
    /// Errors thrown by calls of a test whose places are remembered. 100: a test ends with its first, those it catches
    /// are more.
    static let thrownErrors = 100
    /// Things seen of one mock. 1,000,000: a day of heartbeats of 300 chats.
    static let sightings = 1_000_000
    /// Bytes of a fixture file that is looked at to see whether it exists. 4 MiB: what the linter takes.
    static let fixtureBytes = 4 << 20
    /// Lines of a difference that are shown. 8: enough to see what kind it is.
    static let differingLines = 8
    /// Mock time in which an interrupted chat shows what the quiet one shows. 1 minute: longer than the SDK waits
    /// before it asks again for anything.
    static let catchUpTime = Interval.minutes(1)
    /// How long a client may take until a hole is filled that something follows: it waits 2 s for what is missing.
    static let holeTime = Interval.seconds(10)
    /// Runs of a sweep at the same time. 3: each waits for its own threads now and then.
    static let parallelRuns = 3
    /// Interruptions of one talk that are tried, and pairs of them. 200 and 10,000: all of a usual example, and a part
    /// of a history of 500 messages in seconds.
    static let sweptInterruptions = 200
    static let sweptPairs = 10_000
    /// Bytes of a recording. 256 MiB: what the timeline keeps, written out.
    static let recordingBytes = 256 << 20
    /// Bytes of a recording that becomes a fixture. 32 MiB: eight times what a fixture may have.
    static let recordedRunBytes = 32 << 20
    /// Bytes of an answer that wait to be read while it is recorded. 1 MiB: more than an agent tells at a time.
    static let recordingBacklog = 1 << 20
    /// Real time in which an agent has to begin its answer, when it is recorded. 30 s: a model that wakes up.
    static let recordedAnswer = Interval.seconds(30)
    /// Real time in which it may say nothing after that. 2 minutes: a tool at work; many agents send comments meanwhile.
    static let recordedSilence = Interval.minutes(2)
}
