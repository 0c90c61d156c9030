package import Texts

/// One client event (protocol.md#client-envelope).
package struct ClientEvent: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// A join request. Older SDKs set `greeting`; the production server ignores it.
        case join(greeting: String?)
        case message(text: String)
        case typing(isStarted: Bool)
        case end
        case heartbeat
        /// A change of a message. Sessions without extensions do not know the type.
        indirect case change(WireChange)
        /// A receipt for the message with this id. Only sessions that ask for receipts take it.
        case receipt(EventType, messageID: String)
        /// A known type that clients may not send.
        case notAllowed(EventType)
        case unknown(type: String)
        /// The frame is not a valid event.
        case malformed(Fault)
    }

    package enum Fault: Equatable, Sendable {
        case json(JSONError)
        case notAnObject
        /// `type` is absent, or not a string.
        case noType
        /// The payload is missing, or one of its required fields is missing or has the wrong type.
        case badPayload(EventType)
    }

    package var content: Content
    /// The JSON text of the object `metadata.custom`, unchanged; nil if there is none.
    package var customMetadata: String?
    /// The id that the client gave to the event: `metadata.custom.local_id` (protocol.md#local-id); nil if there is
    /// none.
    package var localID: String?
    /// Whether every value of ``customMetadata`` is a string. SDKs ignore metadata that has other values.
    package var isMetadataPlain: Bool
    /// The name of a field in the event that only servers may set: `id`, `sequence` or `timestamp`; nil if there is
    /// none (protocol.md#server-fields).
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
