import Clocks
import ConversationEngine

/// Limits that keep a fixture from exhausting the process; `FixtureLimitTests` exceeds them.
enum FixtureLimits {
    /// Maximum length of one interval: a day, since a session's token expires after 24 h.
    static let longestInterval = Interval.hours(24)
    /// Rules of a fixture, with those of handoffs. Matching tries them one after the other.
    static let rules = 10_000
    /// Positions of a queue: one every four seconds for an hour.
    static let queuePositions = 1_000
    /// Highest queue position.
    static let queuePosition = 100_000
    /// Bytes of a message: the protocol's limit (protocol.md#message-size). Longer texts cause a warning.
    static let messageBytes = 131_072
    /// Bytes of a phrase or pattern.
    static let phraseBytes = 1_000
    /// Values and spellings of all entity types that a fixture declares.
    static let kindSpellings = 2_000
    /// Maximum difference of a zone from UTC, in minutes. The largest in use is 14 hours.
    static let zoneMinutes = 14 * 60
    static let repetitions = 1_000_000
    /// The largest number in a moment of a fault, such as the 2 of `reply 2`.
    static let momentNumber = 100_000
    /// Bytes of an operation's name in a moment of a fault.
    static let operationBytes = 64
    /// Events of a recording: as many as a server keeps of one run.
    static let recordedEvents = ConversationLimits.runEntries
    /// Calls that a recording combines in one step. Bounds the work, because each call is tried as the first of a step.
    static let recordedTogether = 100
    /// Passes over a recording to find the ids that other events refer to. Each pass may find more ids.
    static let recordingPasses = 20
    /// Largest gap between pieces of data that count as received at the same time; a busy machine delays some pieces.
    static let arrivalNoise = Interval.milliseconds(5)
    /// Words, characters or tokens of one chunk.
    static let chunkSize = 1_000
    /// Connections of a session. The protocol's limit is 10.
    static let connections = 1_000
    /// Errors per file, and warnings per file. Each finding may compare many names.
    static let findings = 100
    /// Bytes of a scenario token, which is sent in a header and in access tokens.
    static let scenarioBytes = 512
    /// Comparisons of rules in the search for unreachable rules: enough for about 300 rules in one stage.
    static let comparisons = 100_000
    /// Deadlines of all examples of a file: some hundred times as many as a long fixture has.
    static let exampleMoments = 20_000
    /// Deadlines in mutation tests, which run the examples once per rule.
    static let mutationMoments = 5_000_000
    /// Steps of the matcher while the examples of one file run.
    static let exampleMatchSteps = 100_000_000
    /// Virtual time of an example: a week.
    static let exampleTime = Interval.hours(168)
    /// Steps of the matcher during linting: some hundred times as many as a long fixture needs.
    static let matchSteps = 2_000_000
    /// Virtual time that a simulation waits for an idle agent.
    static let simulationPatience = Interval.hours(1)
    /// Deadlines of one answer in a simulation.
    static let simulationMoments = 10_000
    /// Failures after which simulations stop. Each failure is shrunk, which takes long.
    static let simulationFailures = 5
    /// Simulations tried to shrink a failure.
    static let simulationShrinkTries = 2_000
    /// Frames into which a fault splits an event.
    static let pieces = 1_000
    /// Bytes per second of a throttled connection. Higher rates have no visible effect.
    static let throttle = 10_000_000
}
