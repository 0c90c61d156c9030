package import Clocks

/// Engine options from the server's configuration. Defaults are the protocol's.
package struct EngineOptions: Equatable, Sendable {
    /// Payload of SESSION_START; `isStreaming` comes from the session.
    package var facts = SessionStart()
    /// Idle time-out of a session: without any client frame for this long, the session ends as abandoned
    /// (protocol.md#session-idle).
    package var sessionIdle = Interval.minutes(10)
    /// Idle time-out of a single connection, which is closed while its session continues.
    package var connectionIdle = Interval.minutes(10)
    /// A connection older than this is closed; nil leaves it open (protocol.md#connection-age).
    package var connectionAge: Interval?
    /// Between the end of a session and the closing of its connections (protocol.md#end-grace).
    package var endGrace = Interval.seconds(2)
    /// How long an ended session's journal stays readable for reports.
    package var endedRetention = Interval.minutes(10)
    /// Open connections of one session (protocol.md#connection-limit).
    package var connectionsPerSession = 10
    /// SESSION_START leads every replay, also when the cursor is past it (protocol.md#session-start-leads).
    package var alwaysReplaysSessionStart = true
    /// A second join is greeted again, as production seems to, not only echoed (protocol.md#join-again).
    package var greetsAgain = true
    /// Uses a join's `greeting_message` instead of the script's greeting (protocol.md#greeting-message).
    package var honorsGreetingMessage = false
    /// Answer a repeated `local_id` with its first echo only (protocol.md#repeated-local-id).
    package var dropsRepeatedLocalIDs = false
    /// Waiting time before a user message is echoed and answered.
    package var echoDelay = Interval.zero
    /// Numbers, from 1 within the session, of user messages whose echo is journaled but not sent.
    package var droppedEchoes: Set<Int> = []
    /// After a failed or timed-out handoff the agent answers again (protocol.md#handoff-fails).
    package var agentReturnsAfterFailedHandoff = true
    /// The first chunk of a reply (protocol.md#chunk-index).
    package var firstChunkIndex = 1
    /// Ends every streamed reply with an extra chunk that has no text.
    package var endsWithEmptyChunk = false
    /// Sends fragments without their trailing spaces, as a sentence-wise service would (protocol.md#trimmed-chunks).
    package var trimsChunks = false
    /// Kinds whose journaling differs from ``EventKind/isJournaledByDefault`` (protocol.md#what-is-transient).
    /// Events for the sender alone (its heartbeat, its mistakes) never get a sequence number.
    package var journaling: [EventKind: Bool] = [:]
    /// Wire types that `emit` steps send without a sequence number.
    package var transientRawTypes: Set<String> = []
    /// Faults in force for every session; the script's own stay off until asked for.
    package var faults: [Fault] = []
    /// Sessions held at once, ended ones included. Beyond that the session that ended first is forgotten for a new
    /// one; when none has ended, the new one is refused.
    package var maxSessions = 100_000
    /// Entries in one journal, at least 2; the session ends with the last of them.
    package var maxJournalEntries = 100_000
    /// The shard of ids for new sessions; nil for any id.
    package var shard: Shard?

    package init() {}

    func isJournaled(_ event: Event) -> Bool {
        if case .raw(let type, _) = event, transientRawTypes.contains(type) { return false }
        let kind = event.kind
        // Nearly always empty, and asked for every event.
        return (journaling.isEmpty ? nil : journaling[kind]) ?? kind.isJournaledByDefault
    }
}
