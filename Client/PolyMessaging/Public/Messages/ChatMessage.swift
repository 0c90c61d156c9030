#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One row of a chat.
///
/// ```swift
/// switch message {
/// case .user(let mine): print("me:", mine.text)
/// case .agent(let theirs): print(theirs.agentName ?? "agent", theirs.text)
/// case .system(let note): print(note.event)
/// }
/// ```
public enum ChatMessage: Identifiable, Equatable, Sendable {
    /// A message of the user.
    case user(UserMessage)
    /// A message of the agent or of a live agent.
    case agent(AgentMessage)
    /// A system row, which shows an event such as a handoff.
    case system(SystemMessage)

    /// The id of the row, which stays the same when the content of the row changes.
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

    /// Delivery state of a user message; nil for other rows.
    public var delivery: Delivery? {
        if case .user(let message) = self { message.delivery } else { nil }
    }

    /// The answers that the agent suggests; empty for rows of the user and for system rows.
    public var suggestions: [ResponseSuggestion] {
        if case .agent(let message) = self { message.suggestions } else { [] }
    }

    /// The attachments of an agent's message; empty for other rows.
    public var attachments: [Attachment] {
        if case .agent(let message) = self { message.attachments } else { [] }
    }
}

/// A message of the user.
public struct UserMessage: Identifiable, Sendable, Equatable {
    /// The id of the row.
    public let id: UUID
    /// The text. For a message of this client, surrounding white space was removed.
    public let text: String
    /// Time of sending.
    public let timestamp: Date
    /// The delivery state.
    public var delivery: Delivery
    /// The id of the draft, as in ``MessagingEvent/messagePending(draftId:text:)``. For a message of another device or
    /// of the history, the id of its event.
    public let draftId: String
    /// The server's id of the message; nil until the server has confirmed it. An addition to the published SDK.
    public package(set) var messageId: String?
    /// The server's id of the message that this one answers; nil if there is none. An addition to the published SDK.
    public package(set) var replyTo: String?

    /// Creates a message with these properties.
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

/// Delivery state of a user message.
public enum Delivery: Sendable, Equatable, CaseIterable {
    /// Not confirmed by the server yet.
    case pending
    /// Confirmed by the server.
    case sent
    /// Not delivered.
    case failed
}

/// A message of the agent or of a live agent.
public struct AgentMessage: Identifiable, Sendable, Equatable {
    /// The id of the row, which does not change while a streamed reply grows.
    public let id: UUID
    /// The server's id of the message.
    public let messageId: String
    /// The name of the sender, if known.
    public let agentName: String?
    /// The kind of the sender.
    public let agentKind: AgentKind
    /// The avatar of the sender, if known.
    public let avatarUrl: URL?
    /// The text of the message.
    public let text: String
    /// Time of the message.
    public let timestamp: Date
    /// Link cards and images.
    public let attachments: [Attachment]
    /// Suggested answers.
    public var suggestions: [ResponseSuggestion]
    /// Telephone numbers to call.
    public let callActions: [ChatCallAction]

    /// Creates a message with these properties.
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
    /// A live agent: a human.
    case live
}

/// A row about an event.
public struct SystemMessage: Identifiable, Sendable, Equatable {
    /// The id of the row.
    public let id: UUID
    /// The event.
    public let event: SystemEvent
    /// Time of the event.
    public let timestamp: Date

    /// Creates a row with these properties.
    public init(id: UUID = UUID(), event: SystemEvent, timestamp: Date = Date(timeIntervalSinceNow: 0)) {
        self.id = id
        self.event = event
        self.timestamp = timestamp
    }
}

/// Event shown by a system row.
public enum SystemEvent: Sendable, Equatable {
    /// The conversation is over. `reason` is nil if it is unknown.
    case conversationEnded(reason: String?)
    /// The PolyAI agent left. ``ChatSession`` adds no row for it.
    case agentLeft(reason: String?)
    /// A live agent joined.
    case liveAgentJoined(name: String?)
    /// The live agent left, and the chat is over. ``ChatSession`` shows ``conversationEnded(reason:)`` instead.
    case liveAgentLeft(reason: String?)
    /// The user waits for a live agent. `position` counts from 1. `displayMessage` is the server's text to show.
    case queueStatus(position: Int?, displayMessage: String?)
    /// The agent started a handoff.
    case handoffStarted
    /// The app has to move the user to another channel. `reason` is the route, or else the reason of the handoff, or
    /// else empty.
    case handoffRequired(reason: String)
    /// A live agent will come.
    case handoffAccepted
    /// No live agent will come. The conversation with the agent continues.
    case handoffFailed(reason: String?)
    /// No live agent came in time. The conversation with the agent continues.
    case handoffTimeout
    /// The session will end soon if no new message is sent.
    case idleWarning
    /// A message of the server about the service.
    case serverMessage(text: String, level: SystemMessageLevel)

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

    /// Whether the event is the start or an outcome of a handoff. ``queueStatus(position:displayMessage:)`` is neither.
    public var isHandoff: Bool {
        switch self {
        case .handoffStarted, .handoffRequired, .handoffAccepted, .handoffFailed, .handoffTimeout: true
        default: false
        }
    }

    /// Whether the event ends the conversation or the attempt to reach a live agent.
    public var isTerminal: Bool {
        switch self {
        case .conversationEnded, .liveAgentLeft, .handoffFailed, .handoffTimeout: true
        default: false
        }
    }

    /// The reason that the event contains; nil if it contains none.
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
