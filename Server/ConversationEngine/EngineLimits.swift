/// Fixed limits of sessions and reports.
package enum EngineLimits {
    /// Maximum bytes of a filled template, so large that a fixture can exceed the maximum size of an event.
    static let filledBytes = 1_048_576
    /// Maximum bytes of a slot value, because a step such as `{a}{a}` can double the value.
    static let rememberedBytes = 131_072
    /// Maximum number of times that one `advance` of the engine lets a session continue.
    package static let turnsOfSessions = 10_000
    /// Maximum number of steps of a session each time that the session continues.
    package static let stepsOfTurn = 10_000
    /// ``EndedSessions`` is cleaned up at twice the number of sessions plus this number.
    static let spareEndings = 64
    package static let listedTimers = 1_000
    /// Maximum number of rules whose uses are counted.
    package static let countedRules = 5_000
}

/// Limits of the memory that a client can use in a session.
package enum ConversationLimits {
    /// Maximum number of delayed inputs.
    package static let delayedInputs = 1_000
    /// Maximum number of transient entries that wait for a history.
    package static let heldEntries = 1_000
    package static let waitingTurns = 1_000
    /// Maximum number of stored runs of a session, and of stored events of each run.
    package static let runs = 50
    package static let runEntries = 100_000
    /// Maximum bytes of a run request's text that rules and replies use.
    package static let heardBytes = 131_072
    /// Maximum bytes of a tool result's text that placeholders and conditions use.
    package static let answerBytes = 64 << 10
    /// Maximum number of different reactions to one message.
    package static let reactions = 20
    /// Maximum number of bytes of a reaction. 40: the longest emoji, a kiss of two people with skin tones, has 35.
    package static let reactionBytes = 40
    /// Maximum number of files of one message.
    package static let filesOfMessage = 20
    static let fileIDBytes = 64
    /// While a session has this number of active faults or more, `fault` steps have no effect.
    package static let faults = 256
}
