/// One server event, as clients read it (protocol.md#server-envelope).
package struct WireEvent: Equatable, Sendable {
    /// Empty for a heartbeat without an id.
    package var id: String
    /// Nil for a transient event.
    package var sequence: UInt64?
    /// Time since 1970. Nil if the timestamp is unreadable, or if a heartbeat has none.
    package var nanoseconds: Int64?
    package var payload: WirePayload
    package var metadata: WireMetadata?
}

/// The `metadata` of an event. `custom` is nil if missing, or if one of its values is not a string.
package struct WireMetadata: Equatable, Sendable {
    package var custom: [String: String]?

    package init(custom: [String: String]? = nil) {
        self.custom = custom
    }
}
