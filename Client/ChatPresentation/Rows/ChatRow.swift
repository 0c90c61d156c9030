/// One row of a talk: a message or a notice, with the dividers that stand above it.
///
/// A row holds all that its view needs; two rows that are equal look alike.
///
/// ```swift
/// switch row.content {
/// case .message(let message): print(message)
/// case .notice(let notice): print(notice)
/// }
/// ```
public struct ChatRow: Identifiable, Equatable, Sendable {
    /// The content of the row.
    ///
    /// Stored indirectly, so that inserting a row moves little memory.
    public indirect enum Content: Equatable, Sendable {
        /// Something that was said.
        case message(RowMessage)
        /// Something that happened.
        case notice(RowNotice)
    }

    /// The place of a message in its group: one speaker, one day, at most five minutes apart, no other row between.
    public enum Position: String, Equatable, Sendable {
        /// Alone.
        case single
        /// The first of several: it has the speaker's name.
        case first
        /// Between others.
        case middle
        /// The last of several: it has the time.
        case last

        /// Whether the speaker's name and picture are shown.
        public var isFirst: Bool { self == .first || self == .single }
        /// Whether the time is shown.
        public var isLast: Bool { self == .last || self == .single }
    }

    /// Constant as long as the row exists.
    public let id: String
    /// A message or a notice.
    public var content: Content
    /// Time of the message or event, by the server's clock.
    public var at: Milliseconds
    /// A divider with the time stands above: the first message, and one on another day or more than five minutes later.
    public var hasTimeDivider = false
    /// The divider "New messages" stands above, below that of the time.
    public var hasUnreadDivider = false
    /// The place in the group; `single` for notices.
    public var position = Position.single
    /// The place of the rest in the model. Rows that look alike are equal, wherever the model keeps them.
    let slot: Int

    /// Equal in all that a view shows.
    public static func == (one: Self, other: Self) -> Bool {
        one.id == other.id && one.at == other.at && one.hasTimeDivider == other.hasTimeDivider
            && one.hasUnreadDivider == other.hasUnreadDivider && one.position == other.position
            && one.content == other.content
    }

    /// The message, where the row is one.
    public var message: RowMessage? {
        if case .message(let message) = content { message } else { nil }
    }

    /// The notice, where the row is one.
    public var notice: RowNotice? {
        if case .notice(let notice) = content { notice } else { nil }
    }
}

/// A message as its reader sees it.
public struct RowMessage: Equatable, Sendable {
    /// Delivery state of a message of the user.
    public enum Delivery: String, Equatable, Sendable {
        /// On its way; nothing is shown for the first half second.
        case pending
        /// On its way for longer: "Sending…".
        case sending
        /// It arrived.
        case sent
        /// It did not: "Not sent".
        case failed

        /// The key of the text next to the message; nil where there are none.
        public var key: String? {
            switch self {
            case .pending: nil
            case .sending: "delivery.pending"
            case .sent: "delivery.sent"
            case .failed: "delivery.failed"
            }
        }
    }

    /// The message's id on the wire, or the draft's id until it has one.
    public var id: String
    /// The sender.
    public var speaker: Speaker
    /// The speaker's name; empty for the user.
    public var name: String
    /// The address of the speaker's picture.
    public var avatar: String?
    /// The text as it was sent, with its marks. See ``MessageText``.
    public var text: String
    /// Images and links; none before the message is complete.
    public var attachments: [RowAttachment] = []
    /// Number of attachments of a kind that cannot be shown.
    public var unknownCount = 0
    /// Numbers to call; none before the message is complete.
    public var calls: [RowCall] = []
    /// Delivery state; only for the user's messages.
    public var delivery: Delivery?
    /// Whether more text will follow.
    public var isStreaming = false
    /// Whether the rest of the text did not arrive: "Reply interrupted".
    public var isInterrupted = false

    /// The actions on the message, in the order of its menu.
    public var actions: [MessageAction] {
        (delivery == .failed ? [.retry, .delete] : []) + (text.isEmpty ? [] : [.copy]) + [.details]
    }

    /// The blocks of the text: agents write Markdown, what users write is literal.
    public var blocks: [MessageText.Block] {
        speaker == .user ? MessageText.literal(text) : MessageText.parse(text, isOpen: isStreaming)
    }

    /// The words without their marks, to copy and to speak.
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
    /// Show ids, times and what was left out.
    case details

    /// The key of its name in ``ChatStrings``.
    public var key: String {
        switch self {
        case .retry: "delivery.retry"
        case .delete: "delivery.delete"
        case .copy: "action.copy"
        case .details: "message.details"
        }
    }
}

/// Something that happened, as one line between messages.
public struct RowNotice: Equatable, Sendable {
    /// Severity of a notice.
    public enum Level: String, Equatable, Sendable {
        /// For information.
        case info
        /// The user may want to act.
        case warning
        /// Something failed.
        case error
    }

    /// The event: `queueStatus`, `liveAgentJoined`, `sessionEnd` and so on.
    public var event: String
    /// The severity of the notice.
    public var level: Level
    /// The key of its words in ``ChatStrings``.
    public var key: String
    /// The values for the placeholders of those words.
    public var arguments: ChatStrings.Arguments = [:]
    /// The server's own words, shown instead of those of the key.
    public var text: String?
    /// An address that may be followed.
    public var link: String?
    /// For a queue: earlier words of the row, oldest first.
    public var earlier: [Words] = []

    /// Words that a row showed earlier.
    public struct Words: Equatable, Sendable {
        /// The key of the words.
        public var key: String
        /// The values for their placeholders.
        public var arguments: ChatStrings.Arguments
        /// The server's own words.
        public var text: String?
    }
}

/// An image or a link.
public struct RowAttachment: Equatable, Sendable {
    /// Kind of an attachment.
    public enum Kind: String, Equatable, Sendable {
        /// A picture, shown.
        case image
        /// An address, shown as a card.
        case link
    }

    /// An image or a link.
    public var kind: Kind
    /// The address.
    public var url: String
    /// The title.
    public var title: String?
    /// A picture to show in its place.
    public var preview: String?
    /// The words of its button.
    public var button: String?

    /// Nil unless the addresses may be followed: http and https; for pictures `data:image/` too. An image without an
    /// address shows its preview.
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

/// A reply to choose.
public struct RowSuggestion: Equatable, Sendable {
    /// The text that the user sends by choosing it.
    public var text: String
    /// The value sent with the text.
    public var payload: String?

    /// A reply to choose.
    public init(text: String, payload: String? = nil) {
        self.text = text
        self.payload = payload.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A number to call.
public struct RowCall: Equatable, Sendable {
    /// The name of the party to call.
    public var title: String
    /// Digits, a plus before them where there was one; nil when there is no digit: the call is then shown as
    /// text.
    public var number: String?

    /// An empty `title` is replaced by the number.
    public init(title: String, number raw: String) {
        self.title = title.isEmpty ? raw : title
        let digits = raw.filter { $0.isASCII && $0.isNumber }
        let plus = raw.first { !$0.isWhitespace } == "+" ? "+" : ""
        number = digits.isEmpty ? nil : plus + digits
    }
}

/// A change of ``ChatModel/rows``. Changes apply one after the other.
public enum RowChange: Equatable, Sendable {
    /// A row was inserted at this index.
    case inserted(ChatRow, at: Int)
    /// The row at this index was replaced by this one.
    case updated(ChatRow, at: Int)
    /// The row at this index was removed.
    case removed(at: Int)
}

/// Output of a ``ChatModel``, for the app to execute.
public enum ChatEffect: Equatable, Sendable {
    /// Rows changed.
    case rows(RowChange)
    /// Send a draft to the server, with its id as `metadata.custom.local_id`.
    case send(id: String, text: String, payload: String?)
    /// A screen reader announces this; ``ChatStrings/text(of:)`` has the words.
    case announce(Announcement)
}
