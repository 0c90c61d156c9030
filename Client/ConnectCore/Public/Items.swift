import Texts

#if canImport(Combine)
    public import Combine
#else
    public import ClientSupport
#endif

/// Common properties of transcript items.
public protocol TranscriptItemProtocol: Identifiable, Equatable, Hashable, ObservableObject {
    /// The server's id. An own message has a temporary id until the server's id is known.
    var id: String { get }
    /// An id that never changes.
    var persistentId: String { get }
    /// The time as `yyyy-MM-ddTHH:mm:ss.SSSZ`.
    var timeStamp: String { get }
    /// The raw value of a ``ContentType``, or the media type of a file.
    var contentType: String { get set }
    /// The item's frame; see ``TranscriptItem/serializedContent``.
    var serializedContent: [String: Any]? { get set }
}

/// Properties of a message.
public protocol MessageProtocol: TranscriptItemProtocol {
    /// The sender's role, such as `AGENT`.
    var participant: String { get set }
    /// The text; for a file, its name.
    var text: String { get set }
    var messageDirection: MessageDirection? { get set }
    var attachmentId: String? { get set }
    var displayName: String? { get set }
    var metadata: (any MetadataProtocol)? { get set }
}

/// Properties of an event.
public protocol EventProtocol: TranscriptItemProtocol {
    /// The sender's role. For a receipt, the id of the participant who received or read the message.
    var participant: String? { get set }
    var text: String? { get set }
    var displayName: String? { get set }
    var eventDirection: MessageDirection? { get set }
}

/// Delivery status of a message.
public protocol MetadataProtocol: TranscriptItemProtocol {
    /// The current status.
    var status: MessageStatus? { get set }
    var eventDirection: MessageDirection? { get set }
}

/// Direction of an item.
public enum MessageDirection: Sendable {
    /// Sent by the user.
    case Outgoing
    /// Sent by somebody else.
    case Incoming
    /// Neither sent nor received by the user. Most events have this direction.
    case Common
}

/// Delivery status of a message.
public enum MessageStatus: Sendable {
    /// Delivered to a device of another participant.
    case Delivered
    case Read
    case Sending
    /// Sending failed: the message can be sent again. Also a file that the scan has rejected.
    case Failed
    /// Accepted by the service.
    case Sent
    case Unknown
}

/// Item of a transcript, one object for its whole lifetime. The SDK changes it on the main actor only.
public class TranscriptItem: TranscriptItemProtocol {
    /// The server's id. An own message has a temporary id until the server's id is known.
    public internal(set) var id: String
    /// An id that never changes: the temporary id of an own message, otherwise the first ``id``.
    public let persistentId: String
    /// The server's time. An own message has the device's time until the service accepts it.
    public internal(set) var timeStamp: String
    /// The raw value of a ``ContentType``, or the media type of a file.
    public var contentType: String
    /// The frame from which ``serializedContent`` is decoded on access.
    var frame: [UInt8] = []
    var shown: TranscriptRow?
    private var ownContent: [String: Any]?

    /// The frame: `content` (JSON text), `contentType`, `topic`; for receipts also `receipt` and `originalMessage`.
    /// For an own message, empty until the server's item has arrived.
    public var serializedContent: [String: Any]? {
        get { ownContent ?? Self.content(of: frame) }
        set { ownContent = newValue }
    }

    /// The view of a `ViewResource` message, decoded from the message without a request; nil for all other items.
    public var viewResource: ViewResource? { nil }

    /// Makes an item. A missing id is generated.
    public convenience init(
        timeStamp: String, contentType: String, id: String?, serializedContent: [String: Any]?
    ) {
        self.init(timeStamp, contentType, id, serializedContent, persistentId: nil)
    }

    init(
        _ timeStamp: String, _ contentType: String, _ id: String?, _ content: [String: Any]?,
        persistentId: String?
    ) {
        let id = id ?? FreshID.make()
        self.timeStamp = timeStamp
        self.contentType = contentType
        self.id = id
        self.persistentId = persistentId ?? id
        ownContent = content
    }

    /// True if ids, time and type are equal.
    public static func == (left: TranscriptItem, right: TranscriptItem) -> Bool {
        left.persistentId == right.persistentId && left.id == right.id && left.timeStamp == right.timeStamp
            && left.contentType == right.contentType
    }

    /// Hashes only ``persistentId``, so that an item in a `Set` is found after its ``id`` has changed.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(persistentId)
    }

    func announce() {
        #if canImport(Combine)
            objectWillChange.send()
        #endif
    }

    private static func content(of frame: [UInt8]) -> [String: Any] {
        if frame.isEmpty { return [:] }
        return [
            "content": String(decoding: frame, as: UTF8.self), "contentType": "application/json",
            "topic": "aws/chat",
        ]
    }
}

/// A message or a file.
///
/// ```swift
/// ChatSession.shared.onTranscriptUpdated = { data in
///     for case let message as Message in data.transcriptList { print(message.participant, message.text) }
/// }
/// ```
public class Message: TranscriptItem, MessageProtocol {
    /// The sender's role, such as `AGENT`.
    public var participant: String
    /// The text; for a file, its name.
    public var text: String
    /// Direction of the message.
    public var messageDirection: MessageDirection?
    /// The file's id.
    public var attachmentId: String?
    /// The sender's name.
    public var displayName: String?
    /// The delivery status.
    @Published public var metadata: (any MetadataProtocol)?
    /// False while a streamed message is incomplete.
    public internal(set) var isComplete = true
    /// Scan result of a file: `APPROVED`, `REJECTED`, `IN_PROGRESS`.
    public internal(set) var attachmentStatus: String?

    /// The decoded content; nil for an interactive message of unknown form.
    public var content: (any MessageContent)? { ContentDecoder.content(text, contentType) }

    /// The view of a `ViewResource` message; nil for all other messages.
    public override var viewResource: ViewResource? {
        guard let view = content as? ViewResourceContent else { return nil }
        return ViewResource(id: view.viewId, name: nil, arn: nil, version: nil, content: view.content)
    }

    /// Makes a message. A missing id is generated. A missing persistent id is the message's id.
    public init(
        participant: String, text: String, contentType: String, messageDirection: MessageDirection? = nil,
        timeStamp: String, attachmentId: String? = nil, messageId: String? = nil,
        displayName: String? = nil,
        serializedContent: [String: Any], metadata: (any MetadataProtocol)? = nil,
        persistentId: String? = nil
    ) {
        self.participant = participant
        self.text = text
        self.messageDirection = messageDirection
        self.attachmentId = attachmentId
        self.displayName = displayName
        self.metadata = metadata
        super.init(timeStamp, contentType, messageId, serializedContent, persistentId: persistentId)
    }

    init(_ row: TranscriptRow) {
        participant = row.participant
        text = row.text
        messageDirection = row.direction
        attachmentId = row.attachmentId
        displayName = row.displayName
        isComplete = row.isComplete
        attachmentStatus = row.attachmentStatus
        super.init(row.timeStamp, row.contentType, row.id, nil, persistentId: row.persistentId)
        frame = row.frame
        if let status = row.status { metadata = Metadata(row, status) }
    }
}

/// An event of the chat.
public class Event: TranscriptItem, EventProtocol {
    /// The sender's role. For a receipt, the id of the participant who received or read the message.
    public var participant: String?
    /// The event's text.
    public var text: String?
    /// The sender's name.
    public var displayName: String?
    /// Direction of the event.
    public var eventDirection: MessageDirection?

    /// Makes an event; each argument sets the property of its name.
    public init(
        text: String? = nil, timeStamp: String, contentType: String, messageId: String,
        displayName: String? = nil,
        participant: String? = nil, eventDirection: MessageDirection? = .Common,
        serializedContent: [String: Any]
    ) {
        self.text = text
        self.displayName = displayName
        self.participant = participant
        self.eventDirection = eventDirection
        super.init(timeStamp, contentType, messageId, serializedContent, persistentId: nil)
    }

    init(_ row: TranscriptRow) {
        text = row.text.isEmpty ? nil : row.text
        displayName = row.displayName
        participant = row.participant
        eventDirection = row.direction
        super.init(row.timeStamp, row.contentType, row.id, nil, persistentId: row.persistentId)
        frame = row.frame
    }
}

/// Delivery status of a message.
public class Metadata: TranscriptItem, MetadataProtocol {
    /// The current status.
    @Published public var status: MessageStatus?
    /// Direction of the message: sent, received, or neither.
    @Published public var eventDirection: MessageDirection?

    /// Makes a status; each argument sets the property of its name.
    public init(
        status: MessageStatus? = nil, messageId: String? = nil, timeStamp: String, contentType: String,
        eventDirection: MessageDirection? = .Common, serializedContent: [String: Any]
    ) {
        self.status = status
        self.eventDirection = eventDirection
        super.init(timeStamp, contentType, messageId, serializedContent, persistentId: nil)
    }

    init(_ row: TranscriptRow, _ status: MessageStatus) {
        self.status = status
        eventDirection = row.direction
        super.init(row.timeStamp, ContentType.metaData.rawValue, row.id, nil, persistentId: nil)
    }
}
