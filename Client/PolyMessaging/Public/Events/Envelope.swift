#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Common fields of all events of a session (protocol.md#server-envelope).
public struct Envelope: Sendable, Equatable {
    /// The id of the event; empty when the server gave none.
    public var id: String
    /// The place in the session's history, from 1; nil for an event that is in no history.
    public var sequence: Int?
    /// Time of the event by the server's clock; the time of arrival when the server did not say.
    public var timestamp: Date
    /// Metadata attached by the sender.
    public var metadata: EventMetadata?

    /// Makes an envelope; each argument sets the property of its name.
    public init(id: String, sequence: Int?, timestamp: Date, metadata: EventMetadata? = nil) {
        self.id = id
        self.sequence = sequence
        self.timestamp = timestamp
        self.metadata = metadata
    }
}

/// Metadata that the sender attached to an event (protocol.md#metadata-echo).
public struct EventMetadata: Sendable, Equatable {
    /// The attached map; nil when there was none or a value of it was not a string.
    public var custom: [String: String]?

    /// Makes metadata; each argument sets the property of its name.
    public init(custom: [String: String]? = nil) {
        self.custom = custom
    }
}
