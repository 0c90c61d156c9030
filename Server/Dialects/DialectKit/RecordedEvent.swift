package import Clocks
package import ConversationEngine
package import Texts

/// A server's event in recorded rows.
package struct RecordedEvent: Equatable, Sendable {
    package var row: UInt64
    package var time: Instant
    /// The type in the protocol's own words.
    package var type: String
    /// The event as JSON. For a chunk, without the chunk's number.
    package var json: JSONObject
    /// The engine's events that produce this event.
    package var meanings: [Event]
    /// Whether the protocol sends the event to clients but does not keep it in the conversation's history.
    package var isTransient: Bool

    package init(
        row: UInt64, time: Instant, type: String, json: JSONObject, meanings: [Event],
        isTransient: Bool
    ) {
        self.row = row
        self.time = time
        self.type = type
        self.json = json
        self.meanings = meanings
        self.isTransient = isTransient
    }
}
