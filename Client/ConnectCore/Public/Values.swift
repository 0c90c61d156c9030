/// The transcript passed to `onTranscriptUpdated`.
public struct TranscriptData {
    /// All items, oldest first.
    public let transcriptList: [TranscriptItem]
    /// Token that requests older items; nil if no older items are known.
    public let previousTranscriptNextToken: String?

    /// Makes a list; each argument sets the property of its name.
    public init(transcriptList: [TranscriptItem], previousTranscriptNextToken: String?) {
        self.transcriptList = transcriptList
        self.previousTranscriptNextToken = previousTranscriptNextToken
    }
}

/// A page of the transcript.
public class TranscriptResponse: Equatable {
    /// The first contact of the chat.
    public let initialContactId: String
    /// Token that requests the next page; empty on the last page.
    public let nextToken: String
    /// The items of the page, in the order of the service's answer.
    public var transcript: [TranscriptItem]

    /// Makes a page; each argument sets the property of its name.
    public init(initialContactId: String, nextToken: String, transcript: [TranscriptItem]) {
        self.initialContactId = initialContactId
        self.nextToken = nextToken
        self.transcript = transcript
    }

    /// True if all members are equal.
    public static func == (left: TranscriptResponse, right: TranscriptResponse) -> Bool {
        left.initialContactId == right.initialContactId && left.nextToken == right.nextToken
            && left.transcript == right.transcript
    }
}

/// A view: a form or a guide.
public struct ViewResource {
    /// The view's id.
    public let id: String?
    /// The view's name.
    public let name: String?
    /// The view's Amazon Resource Name.
    public let arn: String?
    /// The view's version.
    public let version: Int?
    /// The content's members, such as `Actions` (texts), `InputSchema` and `Template` (JSON as text).
    public let content: [String: Any]?

    /// Makes a view; each argument sets the property of its name.
    public init(id: String?, name: String?, arn: String?, version: Int?, content: [String: Any]?) {
        self.id = id
        self.name = name
        self.arn = arn
        self.version = version
        self.content = content
    }
}

/// One item of the transcript, as a value type.
public struct TranscriptRow: Equatable, Sendable {
    /// Kind of a row.
    public enum Kind: Sendable {
        /// A message or a file.
        case message
        /// An event of the chat, such as a participant joining.
        case event
    }

    /// The kind of the row: message or event.
    public internal(set) var kind: Kind
    /// Same as ``TranscriptItem/id``.
    public internal(set) var id: String
    /// Same as ``TranscriptItem/persistentId``.
    public internal(set) var persistentId: String
    /// Same as ``TranscriptItem/timeStamp``.
    public internal(set) var timeStamp: String
    /// Same as ``TranscriptItem/contentType``.
    public internal(set) var contentType: String
    /// The sender's role; empty if missing on the wire.
    public internal(set) var participant = ""
    /// The sender's id; empty if missing on the wire.
    public internal(set) var participantId = ""
    /// The sender's name.
    public internal(set) var displayName: String?
    /// The text; for a file, its name.
    public internal(set) var text = ""
    /// Direction of the message: sent, received, or neither.
    public internal(set) var direction = MessageDirection.Common
    /// The delivery status; nil for events and for messages without one.
    public internal(set) var status: MessageStatus?
    /// The file's id.
    public internal(set) var attachmentId: String?
    /// The result of the file scan.
    public internal(set) var attachmentStatus: String?
    /// Whether the user cancelled the upload of this file.
    public internal(set) var isCancelled = false
    /// False while a streamed message is incomplete.
    public internal(set) var isComplete = true
    /// Whether the row belongs to a past session that this chat continues.
    public internal(set) var isFromPastSession = false
    /// The item's JSON.
    var frame: [UInt8] = []
    /// Number of the last fragment that a streamed message's text contains.
    var chunk: Int64 = 0
    /// Third sort key, for rows of equal time: higher for rows added later, negative for rows of older pages.
    package internal(set) var arrival = 0
    /// Number that sorts own messages by the time at which the user sent them.
    package internal(set) var written = 0
    /// First sort key: 0 for rows sorted by time, 1 for own rows being sent, 2 for typing rows.
    var rank = 0
    /// Second sort key: nanoseconds since 1970.
    var place: Int64 = 0
}

/// Snapshot of the transcript. A copy is cheap, but each access to ``rows`` builds a new array.
public struct TranscriptSnapshot: Equatable, Sendable {
    let list: RowList
    /// Number of rows inserted since the last reset of the chat, not counting typing rows.
    package let insertions: Int
    /// Token that requests older rows; nil if no older rows are known.
    public let previousTranscriptNextToken: String?

    /// All rows, oldest first, at most 20,000.
    public var rows: [TranscriptRow] { list.rows }
    /// Number of rows.
    public var count: Int { list.count }
    /// The typing indicator: the last row, if that row is a typing event.
    package var typing: TranscriptRow? {
        list.last.flatMap { $0.contentType == ContentType.typing.rawValue ? $0 : nil }
    }

    init(_ list: RowList = RowList(), insertions: Int = 0, previousTranscriptNextToken: String? = nil) {
        (self.list, self.insertions) = (list, insertions)
        self.previousTranscriptNextToken = previousTranscriptNextToken
    }
}

/// An event of a chat. Further cases may be added.
///
/// ```swift
/// for await event in session.events {
///     switch event {
///     case .messageReceived(let row): print(row.text)
///     case .chatEnded: return
///     default: break
///     }
/// }
/// ```
public enum ChatSessionEvent: Equatable, Sendable {
    case connecting
    /// The SDK pauses for `seconds` before the next connection attempt. `attempt` counts from 1.
    case waiting(seconds: Double, attempt: Int)
    /// Connected for the first time.
    case connectionEstablished
    case connectionReEstablished
    case connectionBroken
    /// A connection could not be made. ``waiting(seconds:attempt:)`` follows if another attempt is scheduled and no
    /// connection is open.
    case connectionFailed(ConnectChatError)
    /// A ping got no answer in time or a wrong answer.
    case deepHeartbeatFailure
    /// A row is new or has changed.
    case messageReceived(TranscriptRow)
    case transcriptUpdated(TranscriptSnapshot)
    /// The percentage of a file's upload has risen. The id is the row's `persistentId`.
    case uploadProgress(messageId: String, percent: Int)
    case chatEnded
    case typing(TranscriptRow)
    /// A message was read. The row has the reader's id as `participant` and the message's id as `id`.
    case readReceipt(TranscriptRow)
    /// A message was delivered. The row has the recipient's id as `participant` and the message's id as `id`.
    case deliveredReceipt(TranscriptRow)
    case participantIdle(TranscriptRow)
    /// A participant is active again.
    case participantReturned(TranscriptRow)
    /// A participant was disconnected after being idle for too long.
    case autoDisconnection(TranscriptRow)
    case participantInvited(TranscriptRow)
    /// The chat continues a past session.
    case chatRehydrated(TranscriptRow)
    case transferSucceeded(TranscriptRow)
    case transferFailed(TranscriptRow)
}
