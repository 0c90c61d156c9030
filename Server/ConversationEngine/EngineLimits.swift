/// Fixed limits of sessions and of reports about them. Crossed in `GapTests` and `PendingTimerTests`.
package enum EngineLimits {
    /// Bytes of a filled text: eight times the size of an event (protocol.md#message-size), so that fixtures can exceed
    /// it.
    static let filledBytes = 1_048_576
    /// Bytes of a remembered text, the size of an event: `{a}{a}` would double with every step.
    static let rememberedBytes = 131_072
    /// Session turns in one call of `advance`. 10,000: some tens of milliseconds with one event each; then sockets come
    /// first.
    package static let turnsOfSessions = 10_000
    /// Steps of a session in one turn. 10,000: only a long reply streamed without pauses has more.
    package static let stepsOfTurn = 10_000
    /// Removed sessions still listed as ended, besides twice the number of sessions.
    static let spareEndings = 64
    /// Timers in a list.
    package static let listedTimers = 1_000
    /// Rules counted beyond their sessions. A fixture has tens; each edit makes new ones.
    package static let countedRules = 5_000
}

/// Limits of memory that a client can use in a session, without the journal; others are options.
package enum ConversationLimits {
    /// Delayed inputs; more are dropped, as by a rate limit.
    package static let delayedInputs = 1_000
    /// Transient entries that wait for a history; the oldest are dropped.
    package static let heldEntries = 1_000
    /// Queued replies; further messages are only echoed.
    package static let waitingTurns = 1_000
    /// Runs kept, and events of each.
    package static let runs = 50
    package static let runEntries = 100_000
    /// Bytes of a user's text for rules and replies. 128 KiB, the limit of a WebSocket message. The run's thread keeps
    /// longer texts in full.
    package static let heardBytes = 131_072
    /// Bytes of a tool's answer for placeholders and conditions. 64 KiB, the limit of any value of a request.
    package static let answerBytes = 64 << 10
    /// Active faults of a session; further `fault` steps do nothing.
    package static let faults = 256
}
