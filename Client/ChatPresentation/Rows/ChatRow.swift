/// One row of a conversation: a message or a notice, and the dividers above it. Equal rows look alike.
///
/// ```swift
/// switch row.content {
/// case .message(let message): print(message)
/// case .notice(let notice): print(notice)
/// }
/// ```
public struct ChatRow: Identifiable, Equatable, Sendable {
    /// The content of the row. The enum is `indirect`, so inserting into an array of rows moves little memory.
    public indirect enum Content: Equatable, Sendable {
        case message(RowMessage)
        case notice(RowNotice)
    }

    /// Position of a message in its group: adjacent messages of one speaker on one day, at most five minutes apart.
    public enum Position: String, Equatable, Sendable {
        case single
        /// Shows the speaker's name.
        case first
        case middle
        /// Shows the time.
        case last

        /// Whether the speaker's name and picture are shown.
        public var isFirst: Bool { self == .first || self == .single }
        /// Whether the time is shown.
        public var isLast: Bool { self == .last || self == .single }
    }

    /// The id, which never changes.
    public let id: String
    /// A message or a notice.
    public var content: Content
    /// Time of the message or event, by the server's clock.
    public var at: Milliseconds
    /// Whether a time divider is above the row: at the first message, on a new day, and after more than five minutes.
    public var hasTimeDivider = false
    /// Whether the divider "New messages" is above the row, below the time divider.
    public var hasUnreadDivider = false
    /// The position in the group; `single` for notices.
    public var position = Position.single
    /// Index of the row's item in the model.
    let slot: Int

    /// Whether both rows look alike.
    public static func == (one: Self, other: Self) -> Bool {
        one.id == other.id && one.at == other.at && one.hasTimeDivider == other.hasTimeDivider
            && one.hasUnreadDivider == other.hasUnreadDivider && one.position == other.position
            && one.content == other.content
    }

    /// The message; nil for a notice.
    public var message: RowMessage? {
        if case .message(let message) = content { message } else { nil }
    }

    /// The notice; nil for a message.
    public var notice: RowNotice? {
        if case .notice(let notice) = content { notice } else { nil }
    }
}

/// A message as shown to the user.
public struct RowMessage: Equatable, Sendable {
    /// Delivery state of a message of the user.
    public enum Delivery: String, Equatable, Sendable {
        /// Sending has taken less than half a second. No text is shown.
        case pending
        /// Sending has taken half a second or longer: "Sending…".
        case sending
        case sent
        /// The other side's client has received the message.
        case delivered
        case read
        /// Shown as "Not sent".
        case failed

        /// The key of the text that is shown next to the message; nil if no text is shown.
        public var key: String? {
            switch self {
            case .pending: nil
            case .sending: "delivery.pending"
            case .sent: "delivery.sent"
            case .delivered: "delivery.delivered"
            case .read: "delivery.read"
            case .failed: "delivery.failed"
            }
        }

        /// Whether the server has the message.
        public var hasArrived: Bool { self == .sent || self == .delivered || self == .read }
    }

    /// The message's id on the wire. A draft has an id of its own until the message has one.
    public var id: String
    /// The sender.
    public var speaker: Speaker
    /// The speaker's name; empty for the user.
    public var name: String
    /// URL of the speaker's picture.
    public var avatar: String?
    /// The text as sent, with its Markdown. See ``MessageText``.
    public var text: String
    /// Images, links and files; empty before a streamed message is complete.
    public var attachments: [RowAttachment] = []
    /// Number of attachments that cannot be shown.
    public var unknownCount = 0
    /// Phone numbers to call; empty before a streamed message is complete.
    public var calls: [RowCall] = []
    /// Delivery state; only for the user's messages.
    public var delivery: Delivery?
    /// Whether more text will follow.
    public var isStreaming = false
    /// Whether the rest of the text did not arrive: shown as "Reply interrupted".
    public var isInterrupted = false
    /// The message that this one answers.
    public var quote: RowQuote?
    /// Whether the text was replaced after it was sent.
    public var isEdited = false
    /// Whether the message was withdrawn. Its content is removed.
    public var isDeleted = false
    /// The reactions, in the order of their first appearance; at most 20.
    public var reactions: [RowReaction] = []

    /// The actions that every chat offers for this message, in menu order.
    public var actions: [MessageAction] {
        (delivery == .failed ? [.retry, .delete] : []) + (isUploading ? [.cancel] : [])
            + (text.isEmpty ? [] : [.copy]) + [.details]
    }

    /// Returns the actions for this message, in menu order. Actions of `offers` are included only if the message is
    /// complete, has arrived and is not withdrawn. Only the user's own messages can be edited or withdrawn.
    public func actions(offering offers: Set<MessageAction>) -> [MessageAction] {
        let hasArrived = !isDeleted && !isStreaming && delivery?.hasArrived ?? true
        let isOwn = speaker == .user
        let extra = [MessageAction.reply, .react, .edit, .unsend].filter { action in
            let fits = action == .reply || action == .react || isOwn
            return fits && hasArrived && offers.contains(action)
        }
        return extra + actions
    }

    private var isUploading: Bool {
        guard delivery == .pending || delivery == .sending else { return false }
        return attachments.contains { if case .uploading = $0.state { true } else { false } }
    }

    /// The parsed blocks of the text. An agent's text is Markdown; in a user's text, only addresses are recognised.
    public var blocks: [MessageText.Block] {
        speaker == .user ? MessageText.literal(text) : MessageText.parse(text, isOpen: isStreaming)
    }

    /// The text without Markdown, for the clipboard and for screen readers.
    public var plainText: String {
        speaker == .user ? text : MessageText.plain(MessageText.parse(text))
    }
}

/// Action on a message.
public enum MessageAction: String, CaseIterable, Equatable, Sendable {
    case retry
    case delete
    case cancel
    /// Copy ``RowMessage/plainText``.
    case copy
    case details
    case reply
    case react
    case edit
    case unsend

    /// The key of the action's name in ``ChatStrings``.
    public var key: String {
        switch self {
        case .retry: "delivery.retry"
        case .delete: "delivery.delete"
        case .cancel: "cancel"
        case .copy: "action.copy"
        case .details: "message.details"
        case .reply: "action.reply"
        case .react: "action.react"
        case .edit: "action.edit"
        case .unsend: "action.unsend"
        }
    }
}

/// Quote of a message, shown in the message that answers it.
public struct RowQuote: Equatable, Sendable {
    /// The id of the quoted message.
    public var id: String
    /// The name of the quoted message's speaker. Empty for the user, or for an unknown message.
    public var name: String
    /// The first 200 characters of the quoted text. Empty for a withdrawn or unknown message.
    public var text: String

    /// Makes a quote.
    public init(id: String, name: String, text: String) {
        self.id = id
        self.name = name
        self.text = text
    }
}

/// One reaction to a message.
public struct RowReaction: Equatable, Sendable {
    /// The emoji or word, at most 40 bytes.
    public var text: String
    /// The participants with this reaction.
    public var speakers: Set<Speaker>

    /// Makes a reaction of these participants.
    public init(text: String, speakers: Set<Speaker>) {
        self.text = text
        self.speakers = speakers
    }

    /// Whether the user has this reaction.
    public var isOwn: Bool { speakers.contains(.user) }
}

/// A line between messages that reports an event of the conversation.
public struct RowNotice: Equatable, Sendable {
    /// Severity of a notice.
    public enum Level: String, Equatable, Sendable {
        case info
        case warning
        case error
    }

    /// The name of the event, such as `queueStatus`, `liveAgentJoined` or `sessionEnd`.
    public var event: String
    /// The severity of the notice.
    public var level: Level
    /// The key of the text in ``ChatStrings``.
    public var key: String
    /// The values for the placeholders of the text.
    public var arguments: ChatStrings.Arguments = [:]
    /// The server's own text, shown instead of the text of ``key``.
    public var text: String?
    /// A URL that is safe to open.
    public var link: String?
    /// Earlier texts of a row with a queue position, oldest first.
    public var earlier: [Words] = []

    /// A text that the row showed earlier.
    public struct Words: Equatable, Sendable {
        /// The key of the text.
        public var key: String
        /// The values for its placeholders.
        public var arguments: ChatStrings.Arguments
        /// The server's own text.
        public var text: String?
    }
}

/// An image, a link or a file.
public struct RowAttachment: Equatable, Sendable {
    /// The kind of an attachment.
    public enum Kind: String, Equatable, Sendable {
        case image
        case link
        case video
        case audio
        case file
    }

    /// Progress of a file.
    public enum State: Equatable, Sendable {
        /// `percent` is from 0 to 100, or nil if the progress is unknown.
        case uploading(percent: Int?)
        case complete
        case cancelled
        case failed
    }

    /// The kind of the attachment.
    public var kind: Kind
    /// The URL; may be empty for a file.
    public var url: String
    /// The id of a file, for ``MessageChange/file(id:_:name:type:)``; empty for images and links.
    public var id = ""
    /// The title, or the name of a file.
    public var title: String?
    /// The media type of a file, such as `application/pdf`.
    public var type: String?
    /// The size of a file in bytes.
    public var byteCount: Int?
    /// The progress of a file.
    public var state = State.complete
    /// URL of a picture that is shown instead of the link or file.
    public var preview: String?
    /// The label of the button.
    public var button: String?

    /// Makes an attachment; nil if its URL is unsafe. A link's URL must be http or https. An image's URL may also be
    /// `data:image/`, and defaults to `preview`.
    public init?(
        _ kind: Kind, url: String?, title: String? = nil, preview: String? = nil, button: String? = nil
    ) {
        let preview = preview.flatMap(SafeAddress.picture)
        let content = url.flatMap(kind == .image ? SafeAddress.picture : SafeAddress.web)
        guard let url = content ?? (kind == .image ? preview : nil) else { return nil }
        self.kind = kind
        self.url = url
        self.title = title.flatMap { $0.isEmpty ? nil : $0 }
        self.preview = preview
        self.button = button.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Makes the attachment of a file. Its kind follows from the media type `type`. An unsafe `url` is dropped.
    /// Invisible characters are removed from `name`, because they could disguise the file name extension.
    public init(
        file id: String, name: String, type: String, byteCount: Int? = nil, url: String? = nil,
        state: State = .complete
    ) {
        let media = type.lowercased()
        let address = url.flatMap(media.hasPrefix("image/") ? SafeAddress.picture : SafeAddress.web)
        kind =
            media.hasPrefix("image/") && address != nil
            ? .image : media.hasPrefix("video/") ? .video : media.hasPrefix("audio/") ? .audio : .file
        self.url = address ?? ""
        self.id = id
        title = Self.shown(name)
        self.type = media.isEmpty ? nil : String(media.prefix(Self.longestName))
        self.byteCount = byteCount.flatMap { $0 >= 0 ? $0 : nil }
        self.state = state
        if case .uploading(let percent?) = state {
            self.state = .uploading(percent: min(max(percent, 0), 100))
        }
    }

    /// Maximum characters of a file name or media type. Most file systems limit names to 255 bytes or characters.
    private static let longestName = 255

    private static func shown(_ name: String) -> String? {
        let seen = name.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
            default: true
            }
        }
        let text = String(String(String.UnicodeScalarView(seen)).prefix(longestName))
        return text.isEmpty ? nil : text
    }
}

/// A suggested reply.
public struct RowSuggestion: Equatable, Sendable {
    /// The text that is sent when the user chooses the reply.
    public var text: String
    /// The value sent with the text.
    public var payload: String?
    /// The time that the reply means, or nil. A view shows it in the user's time zone and language instead of ``text``.
    public var at: Milliseconds?

    /// Makes a reply to choose.
    public init(text: String, payload: String? = nil, at: Milliseconds? = nil) {
        self.text = text
        self.at = at
        self.payload = payload.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the text of the button: the time in the form of `format`, or else ``text``.
    public func title(_ format: (Milliseconds) -> String) -> String { at.map(format) ?? text }
}

/// A phone number to call.
public struct RowCall: Equatable, Sendable {
    /// The name of the party to call.
    public var title: String
    /// The digits of the number, with a leading plus sign if present. Nil without a digit: only text is shown.
    public var number: String?

    /// Makes a call. An empty `title` is replaced by the number.
    public init(title: String, number raw: String) {
        self.title = title.isEmpty ? raw : title
        let digits = raw.filter { $0.isASCII && $0.isNumber }
        let plus = raw.first { !$0.isWhitespace } == "+" ? "+" : ""
        number = digits.isEmpty ? nil : plus + digits
    }
}

/// A change of ``ChatModel/rows``. Apply the changes in the order of the effects.
public enum RowChange: Equatable, Sendable {
    case inserted(ChatRow, at: Int)
    case updated(ChatRow, at: Int)
    case removed(at: Int)
}

/// Output of a ``ChatModel``, for the app to execute.
public enum ChatEffect: Equatable, Sendable {
    case rows(RowChange)
    /// Send a draft to the server, with the draft's id as `metadata.custom.local_id`.
    case send(id: String, text: String, payload: String?)
    /// Announce this with a screen reader; ``ChatStrings/text(of:)`` returns the text.
    case announce(Announcement)
}
