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

    package init(
        sequence: UInt64?, id: UniqueID, time: Instant, event: Event, metadata: String? = nil
    ) {
        self.sequence = sequence
        self.id = id
        self.time = time
        self.event = event
        self.metadata = metadata
    }
}
