import Clocks

/// Bounds of this module: name, unit, default, reason.
enum Limits {
    /// Time-out of the clients' requests.
    static let missingAnswer = Interval.seconds(15)
    /// Default time limit of an expectation, in mock time. 10 seconds: longer than any reply of a shipped fixture.
    static let patience = Interval.seconds(10)
    /// Mock time for a chat to connect, and for a message to be echoed. 5 minutes: more than all reconnection
    /// attempts of the SDK take.
    static let chatTime = Interval.minutes(5)
    /// Mock time until every script is over. 1 hour: a fixture that talks on for longer never ends.
    static let quietTime = Interval.hours(1)
    /// Clock moves without progress. 10,000: beyond that, some timer stays due however often it runs, and the
    /// test gets an error.
    static let movesAtOneMoment = 10_000
    /// Rounds of polling for rest. 100,000: only a loop that feeds itself needs more, also on a busy machine.
    static let settlingRounds = 100_000
    /// Polling interval of the chats, on clocks that move automatically. 5 milliseconds of real time: short compared
    /// with any reply, long compared with a poll.
    static let lookInterval = Interval.milliseconds(5)
    /// Number of yields to other tasks before time passes. 10: as many as the steps of a call before its
    /// request is sent.
    static let yields = 10
    /// Rounds of yields at the end of a call's time. 100: a thousand yields take milliseconds.
    static let turnsAtTheEnd = 100
    /// Rows of a table in a failure text, and near misses below it. 12 and 3: a screen holds both.
    static let tableRows = 12
    static let nearMisses = 3
    /// Characters of a quoted message in a table. 60: a row stays on one line.
    static let quotedCharacters = 60
    /// Messages of the user in a shell command, and their bytes. 20 and 2,000: readable for a person; the journal has
    /// all.
    static let repeatedMessages = 20
    static let repeatedBytes = 2_000
    /// Thrown errors whose call sites are kept. 100: a test ends with its first; caught ones are more.
    static let thrownErrors = 100
    /// Observed events of one mock. 1,000,000: a day of heartbeats of 300 chats.
    static let observedEvents = 1_000_000
    /// Bytes read from a fixture file to check that it exists. 4 MiB: the linter's limit.
    static let fixtureBytes = 4 << 20
    /// Shown lines of a difference. 8: enough to see its kind.
    static let differingLines = 8
    /// Mock time in which an interrupted chat shows all rows of the quiet one. 1 minute: longer than the SDK waits
    /// before it asks again for anything.
    static let catchUpTime = Interval.minutes(1)
    /// Mock time in which a client fills a gap in the sequence: the SDK waits 2 s for missing events.
    static let holeTime = Interval.seconds(10)
    /// Concurrent runs of a sweep. 3: each waits for its own threads now and then.
    static let parallelRuns = 3
    /// Interruptions of one conversation that are tried, and pairs of them. 200 and 10,000: all of a usual
    /// example, and part of a history of 500 messages, within seconds.
    static let sweptInterruptions = 200
    static let sweptPairs = 10_000
    /// Bytes of a recording. 256 MiB: the timeline's bound, written out.
    static let recordingBytes = 256 << 20
    /// Bytes of a recording that becomes a fixture. 32 MiB: eight times the bound of a fixture.
    static let recordedRunBytes = 32 << 20
    /// Bytes of an answer waiting to be read while it is recorded. 1 MiB: more than an agent sends at a time.
    static let recordingBacklog = 1 << 20
    /// Real time until a recorded agent begins its answer. 30 s: the cold start of a model.
    static let recordedAnswer = Interval.seconds(30)
    /// Real time of silence after the answer has begun. 2 minutes: a tool at work; many agents send comments
    /// meanwhile.
    static let recordedSilence = Interval.minutes(2)
}
