/// Fixed limits of sessions and reports. The tests `GapTests` and `PendingTimerTests` exceed these limits.
package enum EngineLimits {
    /// Maximum size of a filled template in bytes. 1 MiB: eight times the maximum size of an event
    /// (protocol.md#message-size), so that a fixture can produce an event that is too large.
    static let filledBytes = 1_048_576
    /// Maximum size of a slot value in bytes. 128 KiB: the maximum size of an event. Without a limit, a step that sets
    /// slot `a` to `{a}{a}` would double its value each time.
    static let rememberedBytes = 131_072
    /// Maximum number of session turns in one call of `advance`. 10,000 turns take a few tens of milliseconds. Sockets
    /// are not served during this time.
    package static let turnsOfSessions = 10_000
    /// Maximum number of steps of a session in one turn. Only a long reply streamed without pauses has more than 10,000
    /// steps.
    package static let stepsOfTurn = 10_000
    /// ``EndedSessions`` is cleaned up when it has twice as many entries as there are sessions, plus this number.
    static let spareEndings = 64
    /// Maximum number of timers in a list.
    package static let listedTimers = 1_000
    /// Maximum number of rules whose uses stay counted after their sessions were removed. Each edit of a fixture
    /// creates new rules.
    package static let countedRules = 5_000
}

/// Limits of the memory that a client can use in a session. ``EngineOptions`` limits the journal.
package enum ConversationLimits {
    /// Maximum number of delayed inputs. An excess input is dropped.
    package static let delayedInputs = 1_000
    /// Maximum number of transient entries that wait until a connection has its history. Beyond the limit, the oldest
    /// entry is dropped.
    package static let heldEntries = 1_000
    /// Maximum number of queued replies. Beyond the limit, a user message is echoed but not answered.
    package static let waitingTurns = 1_000
    /// Maximum number of stored runs of a session, and of stored events of each run.
    package static let runs = 50
    package static let runEntries = 100_000
    /// Maximum number of bytes of a user's text that rules and replies use. 128 KiB: the limit of a WebSocket message.
    /// Runs store the whole text.
    package static let heardBytes = 131_072
    /// Maximum number of bytes of a tool result that placeholders and conditions use. 64 KiB: the limit of each value
    /// of a run request.
    package static let answerBytes = 64 << 10
    /// Maximum number of different reactions to one message. A further reaction is refused.
    package static let reactions = 20
    /// Maximum number of bytes of a reaction. 32: the longest emoji sequences have 28.
    package static let reactionBytes = 32
    /// Maximum number of files of one message, and of bytes of a file's id. The files of a message with more are not
    /// connected with it.
    package static let filesOfMessage = 20
    static let fileIDBytes = 64
    /// Maximum number of active faults of a session. Beyond the limit, `fault` steps have no effect.
    package static let faults = 256
}
