/// A point in time in milliseconds since 1970 UTC, or a duration in milliseconds.
public typealias Milliseconds = Int64

/// An event of the server, as input of ``ChatModel``.
///
/// ```swift
/// let hello = ChatEvent(
///     id: "e1", sequence: 4, at: 1_768_469_400_000,
///     .message(.init(id: "m1", text: "Hello **there**", name: "Ada"), from: .agent))
/// ```
///
/// ``ChatAction/init(_:)`` converts events of the SDK.
public struct ChatEvent: Equatable, Sendable {
    /// Content of a message or of a chunk of a streamed message.
    public struct Content: Equatable, Sendable {
        /// The message's id on the wire. If it is empty, the event's id is used.
        public var id: String
        /// The text as sent, with its Markdown.
        public var text: String
        /// The sender's name, if the message has one.
        public var name: String?
        /// URL of the sender's picture.
        public var avatar: String?
        /// Images and links.
        public var attachments: [RowAttachment]
        /// Number of attachments that cannot be shown.
        public var unknownCount: Int
        /// Replies to choose from.
        public var suggestions: [RowSuggestion]
        /// Phone numbers to call.
        public var calls: [RowCall]
        /// The id of the message that this one answers.
        public var replyTo: String?

        /// Makes the content of a message, by default text only.
        public init(
            id: String, text: String, name: String? = nil, avatar: String? = nil,
            attachments: [RowAttachment] = [], unknownCount: Int = 0, suggestions: [RowSuggestion] = [],
            calls: [RowCall] = [], replyTo: String? = nil
        ) {
            self.id = id
            self.text = text
            self.name = name
            self.avatar = avatar
            self.attachments = attachments
            self.unknownCount = unknownCount
            self.suggestions = suggestions
            self.calls = calls
            self.replyTo = replyTo
        }
    }

    /// The kind of an event.
    public enum Kind: Equatable, Sendable {
        case agentJoined(name: String?, avatar: String?)
        case agentThinking
        /// The agent left. No row shows this.
        case agentLeft
        case message(Content, from: Speaker)
        /// A chunk of a streamed message. Indexes begin at 1 or 0, depending on the server.
        case chunk(Content, index: Int, isLast: Bool)
        /// Echo of a user's message. `draftID` is the id of the sender's draft, if known.
        case userMessage(
            id: String, text: String, draftID: String?, replyTo: String? = nil, files: [RowAttachment] = [])
        case changed(messageID: String, MessageChange)
        case personJoined(name: String?, avatar: String?)
        case personTyping(isTyping: Bool, name: String?)
        /// The live agent left, which ends the conversation.
        case personLeft(name: String?)
        case handoffStarted
        case handoffAccepted
        /// Position in the queue, expected wait, and the server's own text. Each is nil if unknown.
        case queue(position: Int?, waitSeconds: Int?, text: String?)
        case handoffFailed(hasTimedOut: Bool)
        /// The conversation continues in another channel. If `route` is a web URL, the notice links to it.
        case continueElsewhere(route: String?)
        case systemMessage(text: String, level: RowNotice.Level)
        /// A language tag such as `en-GB`.
        case language(String)
        case idleWarning
        case ended(by: Ending)
        /// The user has asked to end the conversation, here or in another client.
        case userEnded
        /// An event that changes no row, such as a heartbeat. Its sequence number is still recorded.
        case other
    }

    /// Unique id. An event with a known id is ignored, unless the id is empty.
    public var id: String
    /// The sequence number in the conversation, from 1; nil for an event outside of the history.
    public var sequence: Int?
    /// Time of the event by the server's clock.
    public let at: Milliseconds
    /// The kind of the event.
    public var kind: Kind

    /// Makes an event.
    public init(id: String, sequence: Int?, at: Milliseconds, _ kind: Kind) {
        self.id = id
        self.sequence = sequence
        self.at = Times.bounded(at)
        self.kind = kind
    }
}

/// Change of a message that was sent before.
///
/// ```swift
/// let read = ChatEvent(id: "e9", sequence: 9, at: now, .changed(messageID: "m1", .receipt(.read)))
/// _ = chat.apply(.event(read), at: now)
/// ```
///
/// A change that arrives before its complete message is kept until then. Changes of a withdrawn message are ignored.
public enum MessageChange: Equatable, Sendable {
    /// Replaces the text. A blank text is ignored.
    case text(String)
    case deleted
    /// A participant added (`isOn`) or removed a reaction. A message has at most 20 different reactions.
    case reaction(String, isOn: Bool, by: Speaker)
    /// A message of the user was delivered or read. A message that was read stays read.
    case receipt(RowMessage.Delivery)
    /// The progress of a file. Lower percentages and changes of a final state are ignored. If `name` is set, a missing
    /// file is added, up to 20 files.
    case file(id: String, RowAttachment.State, name: String? = nil, type: String? = nil)
}

/// Sender of a message: the user, the automatic agent, or a live agent (`person`).
public enum Speaker: String, Equatable, Sendable {
    case user
    case agent
    case person
}

/// The party or cause that ended a conversation. `person` is a live agent.
public enum Ending: String, Equatable, Sendable {
    case user
    case agent
    /// The user was silent for too long.
    case idle
    case person
    /// The server closed the connection and accepts no new one.
    case closed
}

/// Input of a ``ChatModel``.
///
/// ```swift
/// let effects = chat.apply(.say(id: "draft-1", text: "a table, please"), at: now)
/// for effect in effects { print(effect) }
/// ```
public enum ChatAction: Equatable, Sendable {
    /// Replaces all rows with those of a history. These rows are not announced and do not count as unread.
    case fill(ChatHistory)
    /// Replaces all rows with those of a newer history. New rows at the end are announced and count as unread.
    case update(ChatHistory)
    /// A new session began: all rows are removed except the drafts being sent.
    case anew
    case event(ChatEvent)
    /// An event of an older page. It is not announced, does not count as unread, and changes only rows.
    case earlier(ChatEvent)
    /// Whether the source has older messages for ``ChatCommand/loadEarlier``.
    case hasEarlier(Bool)
    /// The server's current time, for clock correction. Rows made in the client get the server's time.
    case serverTime(Milliseconds)
    /// The user sends a message. `id` is a new draft id; `payload` comes from a suggestion.
    case say(id: String, text: String, payload: String? = nil)
    /// Like ``say(id:text:payload:)``, with files or as the answer to a message.
    case draft(id: String, text: String, replyTo: String?, files: [RowAttachment])
    case retry(id: String, freshID: String)
    case remove(id: String)
    /// The draft `id` arrived as the message `messageID`. Used with ``ChatModel/Delivery/reported``.
    case confirmed(id: String, messageID: String)
    /// The draft `id` could not be sent. Used with ``ChatModel/Delivery/reported``.
    case failed(id: String)
    /// The connection is open. Later events are announced and count as unread.
    case opened
    case lost
    /// The server closed the connection and accepts no new one.
    case closed
    case end
    case hidden
    case shown
    case scrolledUp
    case reachedEnd
    /// The conversation continues an earlier one. `after` is the id of the last message that the user saw.
    case resumed(after: String)
    /// The user did something other than sending a message, such as pressing "Stay in the chat".
    case active
    /// The app shows a notice of its own. `key` is the key of the text in ``ChatStrings``.
    case note(key: String)
    case tick
}
