/// Milliseconds: since 1970 UTC for a point in time, otherwise a length of time.
public typealias Milliseconds = Int64

/// Event of the server, in the terms of ``ChatModel``.
///
/// ```swift
/// let hello = ChatEvent(
///     id: "e1", sequence: 4, at: 1_768_469_400_000,
///     .message(.init(id: "m1", text: "Hello **there**", name: "Ada"), from: .agent))
/// ```
///
/// Events of the SDK become these by ``ChatAction/init(_:)``.
public struct ChatEvent: Equatable, Sendable {
    /// Content of a message, or of a piece of a streamed one.
    public struct Content: Equatable, Sendable {
        /// The message's id on the wire; empty to use the event's id.
        public var id: String
        /// The text as sent, with its markup.
        public var text: String
        /// The name of the sender, where the message has it.
        public var name: String?
        /// The address of the speaker's picture.
        public var avatar: String?
        /// Images and links.
        public var attachments: [RowAttachment]
        /// Number of attachments of kinds that cannot be shown.
        public var unknownCount: Int
        /// Replies to choose from.
        public var suggestions: [RowSuggestion]
        /// Numbers to call.
        public var calls: [RowCall]

        /// A message, by default of words alone.
        public init(
            id: String, text: String, name: String? = nil, avatar: String? = nil,
            attachments: [RowAttachment] = [], unknownCount: Int = 0, suggestions: [RowSuggestion] = [],
            calls: [RowCall] = []
        ) {
            self.id = id
            self.text = text
            self.name = name
            self.avatar = avatar
            self.attachments = attachments
            self.unknownCount = unknownCount
            self.suggestions = suggestions
            self.calls = calls
        }
    }

    /// Kind of an event.
    public enum Kind: Equatable, Sendable {
        /// The agent joined.
        case agentJoined(name: String?, avatar: String?)
        /// The agent prepares an answer.
        case agentThinking
        /// The agent left; it is not shown.
        case agentLeft
        /// A whole message of the agent or of a person.
        case message(Content, from: Speaker)
        /// A piece of an agent's message. Indexes begin at 1.
        case chunk(Content, index: Int, isLast: Bool)
        /// Echo of a user's message. `draftID` is the draft's id if this client sent the message.
        case userMessage(id: String, text: String, draftID: String?)
        /// A person took over.
        case personJoined(name: String?, avatar: String?)
        /// A person began or ended typing.
        case personTyping(isTyping: Bool, name: String?)
        /// The person left, which ends the talk.
        case personLeft(name: String?)
        /// A handoff to a person has begun.
        case handoffStarted
        /// A person has accepted the handoff.
        case handoffAccepted
        /// The place in the queue, the wait in seconds, and the server's own words.
        case queue(position: Int?, waitSeconds: Int?, text: String?)
        /// No person could be reached.
        case handoffFailed(hasTimedOut: Bool)
        /// The conversation continues elsewhere, at `route` if that is a URL.
        case continueElsewhere(route: String?)
        /// A text from the server.
        case systemMessage(text: String, level: RowNotice.Level)
        /// The language of the talk, such as `en-GB`.
        case language(String)
        /// The talk ends soon unless the user says something.
        case idleWarning
        /// The talk is over.
        case ended(by: Ending)
        /// The user has asked to end the conversation, here or in another client.
        case userEnded
        /// An event that changes no row, such as a heartbeat. Its sequence still counts.
        case other
    }

    /// Unique id; an event with a known id is ignored. Empty: always new.
    public var id: String
    /// Its sequence in the conversation, from 1; nil for an event that is not part of the history.
    public var sequence: Int?
    /// Time of the event by the server's clock.
    public let at: Milliseconds
    /// The kind of the event.
    public var kind: Kind

    /// An event of the talk.
    public init(id: String, sequence: Int?, at: Milliseconds, _ kind: Kind) {
        self.id = id
        self.sequence = sequence
        self.at = Times.bounded(at)
        self.kind = kind
    }
}

/// Sender of a message.
public enum Speaker: String, Equatable, Sendable {
    /// The person in front of the screen.
    case user
    /// The automatic agent.
    case agent
    /// A live agent.
    case person
}

/// The party or cause that ended a conversation.
public enum Ending: String, Equatable, Sendable {
    /// The user ended it.
    case user
    /// The agent ended it.
    case agent
    /// The user was silent for too long.
    case idle
    /// The person who had taken over left.
    case person
    /// The server closed the connection for good.
    case closed
}

/// Input of a ``ChatModel``.
///
/// ```swift
/// let effects = chat.apply(.say(id: "draft-1", text: "a table, please"), at: now)
/// for effect in effects { print(effect) }
/// ```
public enum ChatAction: Equatable, Sendable {
    /// The talk as it stands takes the place of all rows. Nothing of it is announced or counted as unread.
    case fill(ChatHistory)
    /// Another session began: its screen has no rows but the drafts on their way.
    case anew
    /// An event of the server.
    case event(ChatEvent)
    /// The server's present time, if known, from which new rows take theirs.
    case serverTime(Milliseconds)
    /// The user sends. `id` is the draft's, new with each; `payload` is a suggestion's.
    case say(id: String, text: String, payload: String? = nil)
    /// The user sends a failed message again, as a new draft.
    case retry(id: String, freshID: String)
    /// The user deletes a failed message.
    case remove(id: String)
    /// The SDK reports that a draft arrived. Used with ``ChatModel/Delivery/told``.
    case confirmed(id: String, messageID: String)
    /// The SDK reports that a draft failed. Used with ``ChatModel/Delivery/told``.
    case failed(id: String)
    /// The history of a connection is complete.
    case opened
    /// The connection broke.
    case lost
    /// The server closed for good.
    case closed
    /// The user ended the talk here.
    case end
    /// The app was hidden.
    case hidden
    /// The app became visible again.
    case shown
    /// The reader left the end of the rows.
    case scrolledUp
    /// The reader is at the end of the rows.
    case reachedEnd
    /// The conversation was begun earlier; `id` is the last message that its reader saw.
    case resumed(after: String)
    /// The user did something other than send a message, such as pressing "Stay in the chat".
    case active
    /// The app shows a notice of its own: a key of ``ChatStrings``.
    case note(key: String)
    /// Time has passed.
    case tick
}
