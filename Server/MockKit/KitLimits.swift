import Clocks

/// Limits of this module. Each comment states the value and its reason.
enum KitLimits {
    /// Time after which a request without an answer is reported as timed out. 15 seconds, as in the clients.
    static let missingAnswer = Interval.seconds(15)
    /// Default time limit of an expectation, in mock time. 10 seconds: longer than any reply of a shipped fixture.
    static let patience = Interval.seconds(10)
    /// Mock time for a chat to connect, and for an echo. 5 minutes: longer than all reconnection attempts of the SDK.
    static let chatTime = Interval.minutes(5)
    /// Mock time in which all scripts must end. 1 hour: a script that is longer probably never ends.
    static let quietTime = Interval.hours(1)
    /// Moves of the clock to one instant. 10,000: a timer that is still due after that gives the test an error.
    static let movesAtOneMoment = 10_000
    /// Rounds of polling until everything is idle. 100,000: even on a busy machine, only an endless loop needs more.
    static let settlingRounds = 100_000
    /// Polling interval of the chats on real and scaled clocks. 5 ms of real time: short compared with any reply.
    static let lookInterval = Interval.milliseconds(5)
    /// Yields to other tasks before time passes. 10: a call takes that many steps before its request is sent.
    static let yields = 10
    /// Rounds of ``yields`` when the time limit of a call is over. 100: together a few milliseconds.
    static let turnsAtTheEnd = 100
    /// Rows of a table in a failure text, and of the near misses below it. 12 and 3: both fit on a screen.
    static let tableRows = 12
    static let nearMisses = 3
    /// Characters of a quoted message in a table. 60: a row stays on one line.
    static let quotedCharacters = 60
    /// User messages in a replay command, and their bytes. 20 and 2,000: more is unreadable; the journal has all.
    static let repeatedMessages = 20
    static let repeatedBytes = 2_000
    /// Thrown errors whose call sites are kept. 100: a test that catches errors may throw many.
    static let thrownErrors = 100
    /// Observed events of one mock. 1,000,000: a day of heartbeats of 300 chats.
    static let observedEvents = 1_000_000
    /// Bytes read from a fixture file to check that it exists. 4 MiB: the linter's limit.
    static let fixtureBytes = 4 << 20
    /// Lines shown of a difference. 8: enough to see its kind.
    static let differingLines = 8
    /// Mock time in which an interrupted chat must catch up. 1 minute: longer than any retry delay of the SDK.
    static let catchUpTime = Interval.minutes(1)
    /// Mock time in which a client must fill a gap in the sequence. 10 s: the SDK waits 2 s for missing events.
    static let holeTime = Interval.seconds(10)
    /// Concurrent runs of a sweep. 3: a run sometimes waits for its own threads.
    static let parallelRuns = 3
    /// Interruptions tried per conversation, and pairs of them. 200 and 10,000: all of a usual example, within seconds.
    static let sweptInterruptions = 200
    static let sweptPairs = 10_000
    /// Bytes of a recording file. 256 MiB: an exported timeline of maximum size.
    static let recordingBytes = 256 << 20
    /// Bytes of a recording that is converted to a fixture. 32 MiB: eight times the limit of a fixture file.
    static let recordedRunBytes = 32 << 20
    /// Unread bytes of an answer that is being recorded. 1 MiB: more than an agent sends at a time.
    static let recordingBacklog = 1 << 20
    /// Real time until a recorded agent begins its answer. 30 s: the cold start of a model.
    static let recordedAnswer = Interval.seconds(30)
    /// Real time of silence after the answer has begun. 2 minutes: a tool may run that long.
    static let recordedSilence = Interval.minutes(2)
}
