/// One event of the server, as a client reads it (protocol.md#server-envelope).
package struct WireEvent: Equatable, Sendable {
    /// Empty for a heartbeat that had none.
    package var id: String
    /// nil: transient.
    package var sequence: UInt64?
    /// Since 1970; nil when the text was missing (heartbeats only) or unreadable: take the time of arrival.
    package var nanoseconds: Int64?
    package var payload: WirePayload
    package var metadata: WireMetadata?

    package init(
        id: String, sequence: UInt64?, nanoseconds: Int64?, payload: WirePayload,
        metadata: WireMetadata? = nil
    ) {
        self.id = id
        self.sequence = sequence
        self.nanoseconds = nanoseconds
        self.payload = payload
        self.metadata = metadata
    }
}

/// The `metadata` of an event. `custom` is nil when absent, and when a value in it is not a string.
package struct WireMetadata: Equatable, Sendable {
    package var custom: [String: String]?

    package init(custom: [String: String]? = nil) {
        self.custom = custom
    }
}
