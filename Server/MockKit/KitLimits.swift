import Clocks

enum KitLimits {
    /// Time until a request without an answer times out.
    static let missingAnswer = Interval.seconds(15)
    /// Default time limit of an expectation, in mock time.
    static let patience = Interval.seconds(10)
    /// Mock time limit of connecting, of an echo and of other calls of the SDK.
    static let chatTime = Interval.minutes(5)
    /// Maximum mock time until all scripts are idle.
    static let quietTime = Interval.hours(1)
    /// Maximum number of clock moves to the same instant.
    static let movesAtOneMoment = 10_000
    /// Maximum rounds of polling until everything is idle.
    static let settlingRounds = 100_000
    /// Real time between polls of chats on real and scaled clocks.
    static let lookInterval = Interval.milliseconds(5)
    /// Number of yields to other tasks before mock time passes.
    static let yields = 10
    /// Number of rounds of ``yields`` at the time limit of a call.
    static let turnsAtTheEnd = 100
    /// Maximum table rows and near misses in a failure text.
    static let tableRows = 12
    static let nearMisses = 3
    /// Maximum characters of a text quoted in a failure or a comparison.
    static let quotedCharacters = 60
    /// Maximum user messages in a replay command, and their total bytes.
    static let repeatedMessages = 20
    static let repeatedBytes = 2_000
    static let thrownErrors = 100
    /// Maximum observed events of one mock.
    static let observedEvents = 1_000_000
    /// Maximum bytes read from a fixture file to check that it exists.
    static let fixtureBytes = 4 << 20
    static let differingLines = 8
    /// Mock time in which an interrupted chat must catch up.
    static let catchUpTime = Interval.minutes(1)
    /// Mock time in which a client must fill a gap in the sequence.
    static let holeTime = Interval.seconds(10)
    /// Maximum runs of a sweep at the same time.
    static let parallelRuns = 3
    /// Maximum interruptions and pairs of them per conversation.
    static let sweptInterruptions = 200
    static let sweptPairs = 10_000
    /// Maximum bytes of a recording file.
    static let recordingBytes = 256 << 20
    /// Maximum bytes of a recording that is converted to a fixture, unless it is a timeline.
    static let recordedRunBytes = 32 << 20
    /// Maximum bytes of an answer or a frame of a compared server.
    static let answerBytes = 16 << 20
    /// Maximum bytes of all frames of a compared server.
    static let talkBytes = 64 << 20
    /// Number of silent waits in succession after which a compared server has gone.
    static let silences = 2
    /// Time after the last recorded event in which a compared server may send more.
    static let lateEvents = Interval.seconds(2)
    /// Maximum unread bytes of an answer that is being recorded.
    static let recordingBacklog = 1 << 20
    /// Real time in which a recorded agent must begin its answer, and maximum pause before a replayed request.
    static let recordedAnswer = Interval.seconds(30)
    /// Maximum real time between two parts of a recorded agent's answer.
    static let recordedSilence = Interval.minutes(2)
}
