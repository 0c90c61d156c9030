import Clocks

/// Limits of this module. Each comment states the value and its reason.
enum KitLimits {
    /// Time after which a request without an answer is reported as timed out. 15 seconds, as in the clients.
    static let missingAnswer = Interval.seconds(15)
    /// Default time limit of an expectation, in mock time. 10 seconds: longer than any reply of a shipped fixture.
    static let patience = Interval.seconds(10)
    /// Mock time in which a chat must connect, and in which an echo must arrive. 5 minutes: longer than all
    /// reconnection attempts of the SDK together.
    static let chatTime = Interval.minutes(5)
    /// Mock time in which all scripts must end. 1 hour: a longer script probably never ends.
    static let quietTime = Interval.hours(1)
    /// Maximum number of times that the clock moves to the same instant. If a timer is still due after 10,000 moves,
    /// the call of the test throws an error.
    static let movesAtOneMoment = 10_000
    /// Maximum rounds of polling until everything is idle. 100,000: even on a busy machine, only an endless loop needs
    /// more.
    static let settlingRounds = 100_000
    /// Interval at which chats are polled on real and scaled clocks. 5 ms of real time: short compared with the delay
    /// of any reply.
    static let lookInterval = Interval.milliseconds(5)
    /// Number of times that a call yields to other tasks before mock time passes. 10: a client call needs about that
    /// many task switches until its request is sent.
    static let yields = 10
    /// Rounds of ``yields`` when the time limit of a call is over. 100 rounds take a few milliseconds in total.
    static let turnsAtTheEnd = 100
    /// Maximum rows of the table in a failure text (12), and maximum near misses below the table (3). Together they fit
    /// on one screen.
    static let tableRows = 12
    static let nearMisses = 3
    /// Characters of a message quoted in a table. 60: each row stays on one line.
    static let quotedCharacters = 60
    /// Maximum user messages in a replay command (20), and their maximum total bytes (2,000). A longer command would be
    /// unreadable, and the journal contains all messages.
    static let repeatedMessages = 20
    static let repeatedBytes = 2_000
    /// Number of thrown errors whose call sites are kept. 100: a test that catches errors may throw many.
    static let thrownErrors = 100
    /// Maximum observed events of one mock. 1,000,000: about the heartbeats of 300 chats in one day.
    static let observedEvents = 1_000_000
    /// Maximum bytes read from a fixture file to check that it exists. 4 MiB, which is also the linter's limit.
    static let fixtureBytes = 4 << 20
    /// Maximum lines shown of a difference. 8: enough to see what kind of difference it is.
    static let differingLines = 8
    /// Mock time in which an interrupted chat must catch up. 1 minute: longer than any retry delay of the SDK.
    static let catchUpTime = Interval.minutes(1)
    /// Mock time in which a client must fill a gap in the sequence. 10 s: the SDK waits 2 s for missing events.
    static let holeTime = Interval.seconds(10)
    /// Number of runs that a sweep performs at the same time. 3: more runs would need more threads, and a run may block
    /// while it waits for its threads.
    static let parallelRuns = 3
    /// Maximum interruptions (200) and pairs of interruptions (10,000) that are tried per conversation. The
    /// interruptions of a usual example are within these limits, and all runs together take seconds.
    static let sweptInterruptions = 200
    static let sweptPairs = 10_000
    /// Maximum bytes of a recording file. 256 MiB: the maximum size of an exported timeline.
    static let recordingBytes = 256 << 20
    /// Maximum bytes of a recording that is converted to a fixture. 32 MiB: eight times the limit of a fixture file.
    static let recordedRunBytes = 32 << 20
    /// Maximum unread bytes of an answer that is being recorded. 1 MiB: more than an agent sends at a time.
    static let recordingBacklog = 1 << 20
    /// Real time in which a recorded agent must begin its answer. 30 seconds: long enough for the cold start of a
    /// model.
    static let recordedAnswer = Interval.seconds(30)
    /// Maximum real time between two parts of an answer. 2 minutes: a tool of the agent may run that long.
    static let recordedSilence = Interval.minutes(2)
}
