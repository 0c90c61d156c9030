import Clocks
import ConversationEngine

/// Limits that keep a fixture from exhausting the process's memory or time.
enum FixtureLimits {
    /// Maximum length of one interval.
    static let longestInterval = Interval.hours(24)
    /// Maximum number of rules in a fixture, including the rules of handoffs.
    static let rules = 10_000
    /// Maximum number of entries in the `positions` of a handoff.
    static let queuePositions = 1_000
    /// Maximum queue position in `positions` and in examples.
    static let queuePosition = 100_000
    /// Maximum bytes of a message (protocol.md#message-size).
    static let messageBytes = 131_072
    static let phraseBytes = 1_000
    /// Maximum number of values and spellings of all entity types that a fixture declares.
    static let kindSpellings = 2_000
    /// Maximum difference between a zone and UTC, in minutes.
    static let zoneMinutes = 14 * 60
    static let repetitions = 1_000_000
    /// Maximum number in a moment of a fault, such as the 2 of `reply 2`.
    static let momentNumber = 100_000
    /// Maximum bytes of an operation's name in a moment of a fault.
    static let operationBytes = 64
    /// Maximum number of events in a recording.
    static let recordedEvents = ConversationLimits.runEntries
    /// Maximum number of calls in one step of a recording. The work grows with the square of the number.
    static let recordedTogether = 100
    /// Maximum number of passes over a recording.
    static let recordingPasses = 20
    /// Maximum pause in a recorded conversation.
    static let recordedPause = Interval.minutes(30)
    /// Pause that replaces a pause over ``recordedPause``.
    static let jumpedPause = Interval.minutes(1)
    /// Data that arrives less than this time after an earlier piece counts as received at the time of that piece.
    static let arrivalNoise = Interval.milliseconds(5)
    /// Maximum number of units of one chunk, such as words or tokens.
    static let chunkSize = 1_000
    /// Maximum value of the setting `connections`, the number of connections of a session.
    static let connections = 1_000
    /// Maximum number of errors per file, and of warnings per file.
    static let findings = 100
    /// Maximum bytes of a scenario token.
    static let scenarioBytes = 512
    /// Maximum number of comparisons in one check of the linter.
    static let comparisons = 100_000
    /// Maximum number of deadlines in all examples of a file.
    static let exampleMoments = 20_000
    /// Maximum number of deadlines in all mutation tests of a file.
    static let mutationMoments = 5_000_000
    /// Maximum number of matcher steps in all examples of one file.
    static let exampleMatchSteps = 100_000_000
    /// Maximum virtual time of an example.
    static let exampleTime = Interval.hours(168)
    /// Maximum number of matcher steps in one check of the linter.
    static let matchSteps = 2_000_000
    /// Maximum virtual time that a simulation waits for an idle agent.
    static let simulationPatience = Interval.hours(1)
    /// Maximum number of deadlines while a simulation waits for an idle agent, and maximum number at the same virtual
    /// time.
    static let simulationMoments = 10_000
    /// Number of failures after which simulations stop.
    static let simulationFailures = 5
    /// Maximum number of simulations that are tried to shrink one failure.
    static let simulationShrinkTries = 2_000
    /// Maximum number of frames into which a fault splits an event.
    static let pieces = 1_000
    /// Maximum bytes per second of a throttled connection.
    static let throttle = 10_000_000
}
