package import Clocks

/// One event as it was told: numbered when journaled, without a number when transient.
package struct JournalEntry: Equatable, Sendable {
    /// From 1 upwards within the session; nil when transient.
    package var sequence: UInt64?
    package var id: UniqueID
    package var time: Instant
    package var event: Event
    /// The `metadata.custom` object of the client event that this echoes or answers: JSON text, verbatim.
    package var metadata: String?
    /// Who pushed it; nil when nobody did.
    package var pushedBy: String?

    /// Where an entry comes from.
    package enum Author: Equatable, Sendable {
        /// The agent's script, or the server itself.
        case script
        /// Echoes something that a client said.
        case client
        /// Pushed by a human or a test (mock-server AH-2).
        case pushed(by: String)
    }

    package var author: Author {
        if let pushedBy { return .pushed(by: pushedBy) }
        switch event.kind {
        case .joinRequested, .userMessage, .userTyping, .userEnded, .heartbeat: return .client
        default: return .script
        }
    }

    package init(
        sequence: UInt64?, id: UniqueID, time: Instant, event: Event, metadata: String? = nil,
        pushedBy: String? = nil
    ) {
        self.sequence = sequence
        self.id = id
        self.time = time
        self.event = event
        self.metadata = metadata
        self.pushedBy = pushedBy
    }
}
