import Clocks
import ConversationEngine

/// Limits of fixtures, so that none can exhaust the process. Crossed in `FixtureLimitTests`.
///
/// ``JSON5Limits`` has those of files.
enum Limits {
    /// Maximum length of one interval. A day: longer than any session lives (a token lives 24 h).
    static let longestInterval = Interval.hours(24)
    /// Rules of a fixture, handoffs included. 10,000: matching tries them one after the other.
    static let rules = 10_000
    /// Positions of a queue. 1,000: an hour with one every four seconds.
    static let queuePositions = 1_000
    /// Highest number of a queue position.
    static let queuePosition = 100_000
    /// Bytes of a message: the protocol's limit (protocol.md#message-size). More is a warning.
    static let messageBytes = 131_072
    /// Bytes of a phrase or pattern. 1,000: longer than anybody types.
    static let phraseBytes = 1_000
    /// Values and spellings of all kinds that a fixture declares. 2,000: a long list of cities.
    static let kindSpellings = 2_000
    /// Largest difference of a zone from UTC, in minutes: the farthest is 14 hours ahead.
    static let zoneMinutes = 14 * 60
    /// Maximum `limit` of a rule and `times` of a fault.
    static let repetitions = 1_000_000
    /// The largest number in a moment of a fault, such as the 2 of `reply 2`.
    static let momentNumber = 100_000
    /// Bytes of an operation's name in a moment of a fault.
    static let operationBytes = 64
    /// Events of a recording. 100,000: as many as a server keeps of one run.
    static let recordedEvents = ConversationLimits.runEntries
    /// Calls combined in one step from a recording; further ones are written out as events. 100: models call
    /// a few tools at once, and each call is tried as the first of a step.
    static let recordedTogether = 100
    /// Passes over a recording to find the ids that other events refer to. 20: each pass may find more of
    /// them.
    static let recordingPasses = 20
    /// Largest gap between chunks that still count as sent at the same time. 5 ms: a busy machine delays
    /// some.
    static let arrivalNoise = Interval.milliseconds(5)
    /// Words, characters or tokens of one chunk.
    static let chunkSize = 1_000
    /// Connections of a session; the protocol has 10.
    static let connections = 1_000
    /// Errors of a file, and warnings. 100: nobody reads more, and each may compare many names.
    static let findings = 100
    /// Bytes of a `mock:` line in a connector token: it travels in a header and in access tokens.
    static let scenarioBytes = 512
    /// Comparisons of rules in the search for unreachable ones. 100,000: about 300 rules in one stage.
    static let comparisons = 100_000
    /// Moments of all examples of a file. 20,000: some hundred times those of a long fixture.
    static let exampleMoments = 20_000
    /// Moments of mutation tests, which run the examples once per rule.
    static let mutationMoments = 5_000_000
    /// Steps of the matcher while the examples of one file run.
    static let exampleMatchSteps = 100_000_000
    /// Virtual time of an example. A week.
    static let exampleTime = Interval.hours(168)
    /// Steps of the matcher while linting. 2,000,000: some hundred times what a long fixture needs.
    static let matchSteps = 2_000_000
    /// Virtual wait for an idle agent in a simulation.
    static let simulationPatience = Interval.hours(1)
    /// Moments of one answer in a simulation.
    static let simulationMoments = 10_000
    /// Failures of simulations before they stop: each is shrunk, and one is usually enough.
    static let simulationFailures = 5
    /// Shorter simulations tried while shrinking one.
    static let simulationShrinkTries = 2_000
    /// Frames of an event split by a fault.
    static let pieces = 1_000
    /// Bytes per second of a throttled connection. 10 MB: more has no visible effect.
    static let throttle = 10_000_000
}
