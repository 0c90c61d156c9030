/// Fixed limits of sessions and reports. `GapTests` and `PendingTimerTests` exceed them.
package enum EngineLimits {
    /// Bytes of a filled template. 1 MiB: eight times the size of an event (protocol.md#message-size), so that a
    /// fixture can exceed that size.
    static let filledBytes = 1_048_576
    /// Bytes of a slot value: 128 KiB, the size of an event. Otherwise `{a}{a}` could double a value at every step.
    static let rememberedBytes = 131_072
    /// Turns of sessions in one call of `advance`. 10,000 take some tens of milliseconds; then sockets are served.
    package static let turnsOfSessions = 10_000
    /// Steps of a session in one turn. 10,000: only a long reply streamed without pauses has more.
    package static let stepsOfTurn = 10_000
    /// Removed sessions that remain in ``EndedSessions``, in addition to twice the number of sessions.
    static let spareEndings = 64
    /// Maximum number of timers in a list.
    package static let listedTimers = 1_000
    /// Rules whose uses are counted after their sessions were removed. Each edit of a fixture creates new rules.
    package static let countedRules = 5_000
}

/// Limits of the memory that a client can use in a session, besides the journal and the options.
package enum ConversationLimits {
    /// Delayed inputs; an excess input is dropped.
    package static let delayedInputs = 1_000
    /// Transient entries that wait for a history. Beyond the limit the oldest is dropped.
    package static let heldEntries = 1_000
    /// Queued replies. Beyond the limit a message is only echoed.
    package static let waitingTurns = 1_000
    /// Maximum number of stored runs, and of stored events of each run.
    package static let runs = 50
    package static let runEntries = 100_000
    /// Bytes of a user's text for rules and replies: 128 KiB, the limit of a WebSocket message. Runs store the whole
    /// text.
    package static let heardBytes = 131_072
    /// Bytes of a tool result for placeholders and conditions. 64 KiB: the limit of any value of a request.
    package static let answerBytes = 64 << 10
    /// Active faults of a session. Beyond the limit `fault` steps have no effect.
    package static let faults = 256
}
