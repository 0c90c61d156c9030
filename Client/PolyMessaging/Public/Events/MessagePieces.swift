import Clocks
import MessagingWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A link card or an image (protocol.md#attachments).
public struct Attachment: Sendable, Equatable {
    /// The kind of the attachment.
    public var contentType: AttachmentContentType
    /// The URL of the attachment.
    public var contentUrl: URL?
    /// The title of the attachment.
    public var title: String?
    /// A preview picture.
    public var previewImageUrl: URL?
    /// The label of the attachment's button.
    public var callToActionText: String?

    /// Creates an attachment with these properties.
    public init(
        contentType: AttachmentContentType, contentUrl: URL?, title: String? = nil,
        previewImageUrl: URL? = nil, callToActionText: String? = nil
    ) {
        self.contentType = contentType
        self.contentUrl = contentUrl
        self.title = title
        self.previewImageUrl = previewImageUrl
        self.callToActionText = callToActionText
    }
}

extension Attachment {
    init(_ wire: WireAttachment) {
        self.init(
            contentType: AttachmentContentType(rawValue: wire.contentType.rawValue) ?? .unknown,
            contentUrl: URL(wire: wire.contentURL), title: wire.title,
            previewImageUrl: URL(wire: wire.previewImageURL), callToActionText: wire.callToActionText)
    }
}

/// Kind of an attachment. The raw values, except that of ``unknown``, are the texts in the protocol.
public enum AttachmentContentType: String, Sendable, Codable, CaseIterable {
    /// An image.
    case image = "ATTACHMENT_CONTENT_TYPE_IMAGE"
    /// A link.
    case url = "ATTACHMENT_CONTENT_TYPE_URL"
    /// A kind that this version does not know.
    case unknown

    /// Decodes a kind. An unknown text becomes ``unknown``. Throws `DecodingError` if the value is not a string.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = AttachmentContentType(rawValue: text) ?? .unknown
    }
}

/// An answer that the agent suggests (protocol.md#suggestions).
public struct ResponseSuggestion: Identifiable, Sendable, Equatable {
    /// The id for lists in the app. The SDK creates it; the server does not know it.
    public let id: UUID
    /// The text to show, and to send if the user chooses it.
    public let messageText: String
    /// A value the agent attached for the app.
    public let payload: String?

    /// Creates a suggestion with these properties.
    public init(id: UUID = UUID(), messageText: String, payload: String? = nil) {
        self.id = id
        self.messageText = messageText
        self.payload = payload
    }
}

extension ResponseSuggestion {
    init(_ wire: WireSuggestion, _ generator: inout SeededGenerator) {
        self.init(id: UUID(from: &generator), messageText: wire.messageText, payload: wire.payload)
    }
}

/// A telephone number that the agent suggests to call (protocol.md#call-actions).
public struct ChatCallAction: Identifiable, Sendable, Equatable {
    /// The id for lists in the app. The SDK creates it; the server does not know it.
    public let id: UUID
    /// The label to show.
    public let title: String
    /// The number to call.
    public let contactNumber: String

    /// Creates a call action with these properties.
    public init(id: UUID = UUID(), title: String, contactNumber: String) {
        self.id = id
        self.title = title
        self.contactNumber = contactNumber
    }
}

extension ChatCallAction {
    init(_ wire: WireCallAction, _ generator: inout SeededGenerator) {
        self.init(id: UUID(from: &generator), title: wire.title, contactNumber: wire.contactNumber)
    }
}

/// Fields that all events of a session have (protocol.md#server-envelope).
public struct Envelope: Sendable, Equatable {
    /// The id of the event; empty if the server sent none.
    public var id: String
    /// The position in the session's history, from 1. Nil for a transient event.
    public var sequence: Int?
    /// The server's time of the event, or the client's time of its arrival if the server sent none.
    public var timestamp: Date
    /// Metadata attached by the sender.
    public var metadata: EventMetadata?

    /// Creates an envelope with these properties.
    public init(id: String, sequence: Int?, timestamp: Date, metadata: EventMetadata? = nil) {
        self.id = id
        self.sequence = sequence
        self.timestamp = timestamp
        self.metadata = metadata
    }
}

/// Metadata that the sender attached to an event (protocol.md#metadata-echo).
public struct EventMetadata: Sendable, Equatable {
    /// The attached key-value map. Nil if there was none, or if a value was not a string.
    public var custom: [String: String]?

    /// Creates metadata with these properties.
    public init(custom: [String: String]? = nil) {
        self.custom = custom
    }
}
