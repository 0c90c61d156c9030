#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One row of a chat, in the order it is shown.
///
/// ```swift
/// switch message {
/// case .user(let mine): print("me:", mine.text)
/// case .agent(let theirs): print(theirs.agentName ?? "agent", theirs.text)
/// case .system(let note): print(note.event)
/// }
/// ```
public enum ChatMessage: Identifiable, Equatable, Sendable {
    /// Something the user said.
    case user(UserMessage)
    /// Something the agent or a live agent said.
    case agent(AgentMessage)
    /// Something that happened.
    case system(SystemMessage)

    /// The id of the row; it stays the same while the row changes.
    public var id: UUID {
        switch self {
        case .user(let message): message.id
        case .agent(let message): message.id
        case .system(let message): message.id
        }
    }

    /// Time of the message or event.
    public var timestamp: Date {
        switch self {
        case .user(let message): message.timestamp
        case .agent(let message): message.timestamp
        case .system(let message): message.timestamp
        }
    }

    /// The text of the message; nil for a system row.
    public var text: String? {
        switch self {
        case .user(let message): message.text
        case .agent(let message): message.text
        case .system: nil
        }
    }

    /// True for a row of the user.
    public var isUser: Bool {
        if case .user = self { true } else { false }
    }

    /// True for a row of the agent or of a live agent.
    public var isAgent: Bool {
        if case .agent = self { true } else { false }
    }

    /// True for a system row.
    public var isSystem: Bool {
        if case .system = self { true } else { false }
    }

    /// Delivery state of a message of the user; nil for other rows.
    public var delivery: Delivery? {
        if case .user(let message) = self { message.delivery } else { nil }
    }

    /// The answers the agent suggests; empty for other rows.
    public var suggestions: [ResponseSuggestion] {
        if case .agent(let message) = self { message.suggestions } else { [] }
    }

    /// Attachments of the agent; empty for other rows.
    public var attachments: [Attachment] {
        if case .agent(let message) = self { message.attachments } else { [] }
    }
}

/// Something the user said.
public struct UserMessage: Identifiable, Sendable, Equatable {
    /// The id of the row.
    public let id: UUID
    /// The text, without surrounding white space.
    public let text: String
    /// Time of sending.
    public let timestamp: Date
    /// The delivery state.
    public var delivery: Delivery
    /// Names the draft in ``MessagingEvent`` and for `ChatSession.removeMessage(draftId:)`.
    public let draftId: String

    /// Makes a message; each argument sets the property of its name.
    public init(
        id: UUID = UUID(), text: String, timestamp: Date = Date(timeIntervalSinceNow: 0), delivery: Delivery,
        draftId: String
    ) {
        self.id = id
        self.text = text
        self.timestamp = timestamp
        self.delivery = delivery
        self.draftId = draftId
    }
}

/// Delivery state of a message of the user.
public enum Delivery: Sendable, Equatable, CaseIterable {
    /// Shown, and not confirmed by the server yet.
    case pending
    /// Confirmed by the server.
    case sent
    /// Given up.
    case failed
}

/// Something the agent or a live agent said.
public struct AgentMessage: Identifiable, Sendable, Equatable {
    /// The id of the row; it stays the same while a streamed reply grows.
    public let id: UUID
    /// The server's id of the message.
    public let messageId: String
    /// The name of who said it, when known.
    public let agentName: String?
    /// The kind of the sender.
    public let agentKind: AgentKind
    /// The avatar of the sender, when known.
    public let avatarUrl: URL?
    /// The text of the message.
    public let text: String
    /// Time of the message.
    public let timestamp: Date
    /// Link cards and images.
    public let attachments: [Attachment]
    /// Answers to choose from.
    public var suggestions: [ResponseSuggestion]
    /// Telephone numbers to call.
    public let callActions: [ChatCallAction]

    /// Makes a message; each argument sets the property of its name.
    public init(
        id: UUID = UUID(), messageId: String, agentName: String?, agentKind: AgentKind, avatarUrl: URL? = nil,
        text: String, timestamp: Date = Date(timeIntervalSinceNow: 0), attachments: [Attachment] = [],
        suggestions: [ResponseSuggestion] = [], callActions: [ChatCallAction] = []
    ) {
        self.id = id
        self.messageId = messageId
        self.agentName = agentName
        self.agentKind = agentKind
        self.avatarUrl = avatarUrl
        self.text = text
        self.timestamp = timestamp
        self.attachments = attachments
        self.suggestions = suggestions
        self.callActions = callActions
    }
}

/// Kind of an agent.
public enum AgentKind: Sendable, Equatable, CaseIterable {
    /// The PolyAI agent.
    case poly
    /// A person.
    case live
}

/// A row that says what happened.
public struct SystemMessage: Identifiable, Sendable, Equatable {
    /// The id of the row.
    public let id: UUID
    /// The event.
    public let event: SystemEvent
    /// Time of the event.
    public let timestamp: Date

    /// Makes a row; each argument sets the property of its name.
    public init(id: UUID = UUID(), event: SystemEvent, timestamp: Date = Date(timeIntervalSinceNow: 0)) {
        self.id = id
        self.event = event
        self.timestamp = timestamp
    }
}

/// Event shown by a system row.
public enum SystemEvent: Sendable, Equatable {
    /// The conversation is over; the reason is the server's.
    case conversationEnded(reason: String?)
    /// The PolyAI agent left.
    case agentLeft(reason: String?)
    /// A live agent joined.
    case liveAgentJoined(name: String?)
    /// The live agent left; the chat is over. A chat shows ``conversationEnded(reason:)`` for it, once.
    case liveAgentLeft(reason: String?)
    /// The place in the queue for a live agent, from 1, and the server's words for it.
    case queueStatus(position: Int?, displayMessage: String?)
    /// The agent began to hand the conversation over.
    case handoffStarted
    /// The app has to hand the user over to another channel: its route, or else the reason.
    case handoffRequired(reason: String)
    /// A live agent will come.
    case handoffAccepted
    /// No live agent will come; the conversation goes on with the agent.
    case handoffFailed(reason: String?)
    /// No live agent came in time; the conversation goes on with the agent.
    case handoffTimeout
    /// The session ends soon unless somebody says something.
    case idleWarning
    /// A message of the server about the service.
    case serverMessage(text: String, level: SystemMessageLevel)

    /// The content of the system row that an event makes; nil for an event that makes none, or a bubble.
    package init?(_ event: MessagingEvent) {
        switch event {
        case .systemMessage(_, let payload):
            self = .serverMessage(text: payload.message, level: payload.level)
        case .sessionIdleWarning: self = .idleWarning
        case .agentTriggeredHandoff: self = .handoffStarted
        case .clientHandoffRequired(_, let payload):
            self = .handoffRequired(reason: payload.route ?? payload.reason ?? "")
        case .handoffQueueStatus(_, let payload):
            self = .queueStatus(position: payload.position, displayMessage: payload.displayMessage)
        case .handoffAccepted: self = .handoffAccepted
        case .handoffFailed(_, let payload): self = .handoffFailed(reason: payload.reason)
        case .handoffTimeout: self = .handoffTimeout
        case .liveAgentJoined(_, let payload): self = .liveAgentJoined(name: payload.agentName)
        case .liveAgentLeft(_, let payload): self = .liveAgentLeft(reason: payload.reason)
        default: return nil
        }
    }

    /// True for the five steps of a handoff before a live agent is there.
    public var isHandoff: Bool {
        switch self {
        case .handoffStarted, .handoffRequired, .handoffAccepted, .handoffFailed, .handoffTimeout: true
        default: false
        }
    }

    /// True for events that end something: the conversation, or the try to reach a live agent.
    public var isTerminal: Bool {
        switch self {
        case .conversationEnded, .liveAgentLeft, .handoffFailed, .handoffTimeout: true
        default: false
        }
    }

    /// The reason, for the events that carry one.
    public var reason: String? {
        switch self {
        case .conversationEnded(let reason), .agentLeft(let reason), .liveAgentLeft(let reason),
            .handoffFailed(let reason):
            reason
        case .handoffRequired(let reason): reason
        default: nil
        }
    }
}
