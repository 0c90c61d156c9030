package import Texts

/// One client event (protocol.md#client-envelope).
package struct ClientEvent: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// `greeting` is the payload's `greeting_message`.
        case join(greeting: String?)
        case message(text: String)
        case typing(isStarted: Bool)
        case end
        case heartbeat
        /// Exists only in sessions with extensions.
        indirect case change(WireChange)
        /// Accepted only from sessions that ask for receipts.
        case receipt(EventType, messageID: String)
        case notAllowed(EventType)
        case unknown(type: String)
        case malformed(Fault)
    }

    package enum Fault: Equatable, Sendable {
        case json(JSONError)
        case notAnObject
        /// `type` is missing or not a string.
        case noType
        /// The payload, or one of its required fields, is missing or invalid.
        case badPayload(EventType)
    }

    package var content: Content
    /// The JSON text of the object `metadata.custom`, unchanged.
    package var customMetadata: String?
    /// The id that the client gave to the event: `metadata.custom.local_id` (protocol.md#local-id).
    package var localID: Substring?
    /// Whether every value of ``customMetadata`` is a string.
    package var isMetadataPlain: Bool
    /// Name of a field that only servers may set: `id`, `sequence` or `timestamp` (protocol.md#server-fields).
    package var serverField: String?

    package init(
        _ content: Content, customMetadata: String? = nil, localID: Substring? = nil,
        isMetadataPlain: Bool = true, serverField: String? = nil
    ) {
        self.content = content
        self.serverField = serverField
        self.customMetadata = customMetadata
        self.localID = localID
        self.isMetadataPlain = isMetadataPlain
    }
}
