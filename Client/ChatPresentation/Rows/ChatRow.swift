/// One row of a conversation: a message or a notice, and the dividers above it.
///
/// A row has everything that its view needs. Equal rows look the same.
///
/// ```swift
/// switch row.content {
/// case .message(let message): print(message)
/// case .notice(let notice): print(notice)
/// }
/// ```
public struct ChatRow: Identifiable, Equatable, Sendable {
    /// The content of the row. Stored indirectly, so that inserting a row moves little memory.
    public indirect enum Content: Equatable, Sendable {
        case message(RowMessage)
        /// A notice about an event.
        case notice(RowNotice)
    }

    /// Position of a message in its group: messages of one speaker and one day, at most five minutes apart, without
    /// another row between them.
    public enum Position: String, Equatable, Sendable {
        /// The only message of its group.
        case single
        /// The first of several messages; shows the speaker's name.
        case first
        case middle
        /// The last of several messages; shows the time.
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
    /// Index of the row's item in the model; ignored by `==`.
    let slot: Int

    /// True if both rows look the same.
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
        /// Being sent; nothing is shown for the first half second.
        case pending
        /// Being sent for longer: shown as "Sending…".
        case sending
        case sent
        /// The message did not arrive: shown as "Not sent".
        case failed

        /// The key of the text next to the message; nil if there is none.
        public var key: String? {
            switch self {
            case .pending: nil
            case .sending: "delivery.pending"
            case .sent: "delivery.sent"
            case .failed: "delivery.failed"
            }
        }
    }

    /// The message's id on the wire; before that is known, the draft's id.
    public var id: String
    /// The sender.
    public var speaker: Speaker
    /// The speaker's name; empty for the user.
    public var name: String
    /// URL of the speaker's picture.
    public var avatar: String?
    /// The text as sent, with its Markdown. See ``MessageText``.
    public var text: String
    /// Images and links; none before the message is complete.
    public var attachments: [RowAttachment] = []
    /// Number of attachments of a kind that cannot be shown.
    public var unknownCount = 0
    /// Phone numbers to call; none before the message is complete.
    public var calls: [RowCall] = []
    /// Delivery state; only for the user's messages.
    public var delivery: Delivery?
    /// Whether more text will follow.
    public var isStreaming = false
    /// Whether the rest of the text did not arrive: shown as "Reply interrupted".
    public var isInterrupted = false

    /// The actions on the message, in the order of its menu.
    public var actions: [MessageAction] {
        (delivery == .failed ? [.retry, .delete] : []) + (text.isEmpty ? [] : [.copy]) + [.details]
    }

    /// The blocks of the text. An agent's text is parsed as Markdown; a user's text is literal.
    public var blocks: [MessageText.Block] {
        speaker == .user ? MessageText.literal(text) : MessageText.parse(text, isOpen: isStreaming)
    }

    /// The text without Markdown, to copy and to speak.
    public var plainText: String {
        speaker == .user ? text : MessageText.plain(MessageText.parse(text))
    }
}

/// Action on a message.
public enum MessageAction: String, CaseIterable, Equatable, Sendable {
    /// Send a failed message again.
    case retry
    /// Delete a failed message.
    case delete
    /// Copy ``RowMessage/plainText``.
    case copy
    /// Show ids, times and what the row leaves out.
    case details

    /// The key of the action's name in ``ChatStrings``.
    public var key: String {
        switch self {
        case .retry: "delivery.retry"
        case .delete: "delivery.delete"
        case .copy: "action.copy"
        case .details: "message.details"
        }
    }
}

/// A notice about an event, shown as one line between messages.
public struct RowNotice: Equatable, Sendable {
    /// Severity of a notice.
    public enum Level: String, Equatable, Sendable {
        case info
        /// The user may want to act.
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
    /// For a queue: earlier texts of the row, oldest first.
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

/// An image or a link of a message.
public struct RowAttachment: Equatable, Sendable {
    /// The kind of an attachment.
    public enum Kind: String, Equatable, Sendable {
        /// An image, shown in the row.
        case image
        /// A link, shown as a card.
        case link
    }

    /// The kind: image or link.
    public var kind: Kind
    /// The address.
    public var url: String
    /// The title.
    public var title: String?
    /// URL of a preview image.
    public var preview: String?
    /// The label of the button.
    public var button: String?

    /// Makes an attachment; nil if its URL is unsafe. Links must be http or https; images may also be `data:image/`
    /// URLs. An image without a safe URL shows its preview.
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
}

/// A suggested reply.
public struct RowSuggestion: Equatable, Sendable {
    /// The text that is sent when the user chooses the reply.
    public var text: String
    /// The value sent with the text.
    public var payload: String?

    /// Makes a suggestion. An empty `payload` counts as nil.
    public init(text: String, payload: String? = nil) {
        self.text = text
        self.payload = payload.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A phone number to call.
public struct RowCall: Equatable, Sendable {
    /// The name of the party to call.
    public var title: String
    /// The digits, with a leading plus if there was one; nil without a digit, so that the call is shown as text.
    public var number: String?

    /// Makes a call. An empty `title` is replaced by the number.
    public init(title: String, number raw: String) {
        self.title = title.isEmpty ? raw : title
        let digits = raw.filter { $0.isASCII && $0.isNumber }
        let plus = raw.first { !$0.isWhitespace } == "+" ? "+" : ""
        number = digits.isEmpty ? nil : plus + digits
    }
}

/// A change of ``ChatModel/rows``. Apply changes in order.
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
