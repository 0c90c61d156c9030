import Clocks

enum KitLimits {
    /// Time until a request without an answer times out. 15 seconds, as in the clients.
    static let missingAnswer = Interval.seconds(15)
    /// Default time limit of an expectation, in mock time. 10 seconds: longer than any reply of a shipped fixture.
    static let patience = Interval.seconds(10)
    /// Mock time limit for connecting and for an echo. 5 minutes: longer than all reconnection attempts of the SDK.
    static let chatTime = Interval.minutes(5)
    /// Mock time in which all scripts must end. 1 hour: a longer script probably never ends.
    static let quietTime = Interval.hours(1)
    /// Maximum moves of the clock to one instant. If a timer is still due afterwards, the test's call throws an error.
    static let movesAtOneMoment = 10_000
    /// Maximum rounds of polling until everything is idle. Only an endless loop needs more.
    static let settlingRounds = 100_000
    /// Real time between polls of chats on real and scaled clocks. 5 ms: short compared with the delay of any reply.
    static let lookInterval = Interval.milliseconds(5)
    /// Yields to other tasks before mock time passes. 10: a client call needs about that many to send its request.
    static let yields = 10
    /// Rounds of ``yields`` at the time limit of a call. 100 rounds take a few milliseconds in total.
    static let turnsAtTheEnd = 100
    /// Maximum table rows and near misses in a failure text. Together they fit on one screen.
    static let tableRows = 12
    static let nearMisses = 3
    /// Characters of a message quoted in a table. 60: each row stays on one line.
    static let quotedCharacters = 60
    /// Maximum user messages in a replay command, and their total bytes. The journal contains all messages.
    static let repeatedMessages = 20
    static let repeatedBytes = 2_000
    static let thrownErrors = 100
    /// Maximum observed events of one mock. 1,000,000: about the heartbeats of 300 chats in one day.
    static let observedEvents = 1_000_000
    /// Maximum bytes read from a fixture file to check that it exists. 4 MiB, also the linter's limit.
    static let fixtureBytes = 4 << 20
    static let differingLines = 8
    /// Mock time in which an interrupted chat must catch up. 1 minute: longer than any retry delay of the SDK.
    static let catchUpTime = Interval.minutes(1)
    /// Mock time in which a client must fill a gap in the sequence. 10 s: the SDK waits 2 s for missing events.
    static let holeTime = Interval.seconds(10)
    /// Maximum runs of a sweep at the same time. 3: with more runs, some would have to wait for free threads.
    static let parallelRuns = 3
    /// Maximum interruptions and pairs of them per conversation. All runs of a usual example take seconds.
    static let sweptInterruptions = 200
    static let sweptPairs = 10_000
    /// Maximum bytes of a recording file. 256 MiB: the maximum size of an exported timeline.
    static let recordingBytes = 256 << 20
    /// Maximum bytes of a recording that is converted to a fixture. 32 MiB: eight times the limit of a fixture file.
    static let recordedRunBytes = 32 << 20
    /// Maximum bytes of an answer or a frame of a compared server. 16 MiB: more than a page of the longest transcript.
    static let answerBytes = 16 << 20
    /// Time after the last recorded event in which a compared server may send more. 2 seconds: longer than the pauses
    /// within a reply.
    static let lateEvents = Interval.seconds(2)
    /// Maximum unread bytes of an answer that is being recorded. 1 MiB: more than an agent sends at a time.
    static let recordingBacklog = 1 << 20
    /// Real time in which a recorded agent must begin its answer. 30 seconds: the cold start of a model.
    static let recordedAnswer = Interval.seconds(30)
    /// Maximum real time between two parts of an answer. 2 minutes: a tool of the agent may run that long.
    static let recordedSilence = Interval.minutes(2)
}
