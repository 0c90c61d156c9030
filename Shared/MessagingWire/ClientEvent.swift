package import Texts

/// One event a client sends (protocol.md#client-envelope).
package struct ClientEvent: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// `greeting` is set by older SDKs; production ignores it.
        case join(greeting: String?)
        case message(text: String)
        case typing(isStarted: Bool)
        case end
        case heartbeat
        /// A type of the catalogue that clients may not send.
        case notAllowed(EventType)
        /// A type of no catalogue.
        case unknown(type: String)
        /// Not an event at all.
        case malformed(Fault)
    }

    package enum Fault: Equatable, Sendable {
        case json(JSONError)
        case notAnObject
        /// Absent, or not a string.
        case noType
        /// The payload is missing although the type needs one, or a field of it is missing or mistyped.
        case badPayload(EventType)
    }

    package var content: Content
    /// The `metadata.custom` object: JSON text, verbatim; nil when there was none.
    package var customMetadata: String?
    /// The client's id of the event: `local_id` in that object (protocol.md#local-id); nil when there was
    /// none.
    package var localID: String?
    /// True when every value of ``customMetadata`` is a string. SDKs discard a map where one is not.
    package var isMetadataPlain: Bool
    /// A field that only servers set: `id`, `sequence` or `timestamp` (protocol.md#server-fields).
    package var serverField: String?

    package init(
        _ content: Content, customMetadata: String? = nil, localID: String? = nil,
        isMetadataPlain: Bool = true, serverField: String? = nil
    ) {
        self.content = content
        self.serverField = serverField
        self.customMetadata = customMetadata
        self.localID = localID
        self.isMetadataPlain = isMetadataPlain
    }
}
