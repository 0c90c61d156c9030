package import Clocks

/// Options of the engine, from the server's configuration. The defaults are those of the Messaging API.
package struct EngineOptions: Equatable, Sendable {
    /// Payload of SESSION_START.
    package var facts = SessionStart()
    /// Idle timeout of a session, which then ends as abandoned (protocol.md#session-idle). Default 10 minutes.
    package var sessionIdle = Interval.minutes(10)
    /// Idle timeout of a connection, which is then closed. Its session continues. Default 10 minutes.
    package var connectionIdle = Interval.minutes(10)
    /// Age at which a connection is closed; nil means never (protocol.md#connection-age).
    package var connectionAge: Interval?
    /// Time from the end of a session to the closing of its connections (protocol.md#end-grace). Default 2 seconds.
    package var endGrace = Interval.seconds(2)
    /// Time for which an ended session's journal stays readable. Default 10 minutes.
    package var endedRetention = Interval.minutes(10)
    /// Maximum number of open connections of one session (protocol.md#connection-limit). Default 10.
    package var connectionsPerSession = 10
    /// Begins every replay with SESSION_START, even for a later cursor (protocol.md#session-start-leads).
    package var alwaysReplaysSessionStart = true
    /// Greets again after a second join (protocol.md#join-again).
    package var greetsAgain = true
    /// Greets with the `greeting_message` of a join instead of the script's greeting (protocol.md#greeting-message).
    package var honorsGreetingMessage = false
    /// Answers a repeated `local_id` with the first echo, not as a second message (protocol.md#repeated-local-id).
    package var dropsRepeatedLocalIDs = false
    /// Delay before a user message is echoed and answered. Default zero.
    package var echoDelay = Interval.zero
    /// Numbers of the user messages, from 1 in each session, whose echo is journaled but not sent.
    package var droppedEchoes: Set<Int> = []
    /// Lets the agent answer again after a handoff has failed or timed out (protocol.md#handoff-fails).
    package var agentReturnsAfterFailedHandoff = true
    /// The index of a reply's first chunk (protocol.md#chunk-index).
    package var firstChunkIndex = 1
    package var endsWithEmptyChunk = false
    /// Sends chunks without trailing spaces (protocol.md#trimmed-chunks).
    package var trimsChunks = false
    /// Kinds whose journaling differs from ``EventKind/isJournaledByDefault`` (protocol.md#what-is-transient).
    package var journaling: [EventKind: Bool] = [:]
    /// Wire types that `emit` steps send without a sequence number.
    package var transientRawTypes: Set<String> = []
    /// Faults of every session, in addition to those of `fault` steps.
    package var faults: [Fault] = []
    /// Maximum number of sessions, ended ones included (``ConversationEngine/open(_:at:into:)``).
    package var maxSessions = 100_000
    /// Maximum number of entries in a journal, at least 2. The last entry ends the session.
    package var maxJournalEntries = 100_000
    /// Shard for ids of new sessions; nil for any id.
    package var shard: Shard?

    package init() {}

    func isJournaled(_ event: Event) -> Bool {
        if case .raw(let type, _) = event, transientRawTypes.contains(type) { return false }
        return isJournaled(event.kind)
    }

    /// Like ``isJournaled(_:)`` for any event but a raw one.
    func isJournaled(_ kind: EventKind) -> Bool {
        // Skips the look-up for every event while `journaling` is empty.
        (journaling.isEmpty ? nil : journaling[kind]) ?? kind.isJournaledByDefault
    }
}
