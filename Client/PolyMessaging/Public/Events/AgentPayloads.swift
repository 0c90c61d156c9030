import Clocks
import MessagingWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The PolyAI agent joined: POLY_AGENT_JOINED (protocol.md#event-poly-agent-joined).
public struct AgentJoinedPayload: Sendable, Equatable {
    /// The name of the agent.
    public var agentName: String?
    /// A picture of the agent.
    public var avatarUrl: URL?

    /// Creates a payload with these properties.
    public init(agentName: String? = nil, avatarUrl: URL? = nil) {
        self.agentName = agentName
        self.avatarUrl = avatarUrl
    }
}

/// A complete reply of the PolyAI agent: a POLY_AGENT_MESSAGE, or assembled chunks (protocol.md#turn).
public struct AgentMessagePayload: Sendable, Equatable {
    /// The server's id of the message.
    public var messageId: String
    /// The text of the message.
    public var text: String
    /// The name of the agent.
    public var agentName: String?
    /// A picture of the agent.
    public var avatarUrl: URL?
    /// Link cards and images.
    public var attachments: [Attachment]
    /// Suggested answers.
    public var responseSuggestions: [ResponseSuggestion]
    /// Telephone numbers to call.
    public var chatCallActions: [ChatCallAction]
    /// Whether the agent ends the conversation with this reply.
    public var endConversation: Bool

    /// Creates a payload with these properties.
    public init(
        messageId: String, text: String, agentName: String? = nil, avatarUrl: URL? = nil,
        attachments: [Attachment] = [], responseSuggestions: [ResponseSuggestion] = [],
        chatCallActions: [ChatCallAction] = [], endConversation: Bool = false
    ) {
        self.messageId = messageId
        self.text = text
        self.agentName = agentName
        self.avatarUrl = avatarUrl
        self.attachments = attachments
        self.responseSuggestions = responseSuggestions
        self.chatCallActions = chatCallActions
        self.endConversation = endConversation
    }
}

/// A chunk of a streamed reply: POLY_AGENT_MESSAGE_CHUNK (protocol.md#event-poly-agent-message-chunk).
public struct AgentMessageChunkPayload: Sendable, Equatable {
    /// The server's id of the message.
    public var messageId: String
    /// The index of the chunk. Servers count from 0 or 1.
    public var chunkIndex: Int
    /// True for the last chunk.
    public var isComplete: Bool
    /// The text of this chunk; nil if the chunk has none.
    public var text: String?
    /// Link cards and images.
    public var attachments: [Attachment]
    /// Suggested answers.
    public var responseSuggestions: [ResponseSuggestion]
    /// Telephone numbers to call.
    public var chatCallActions: [ChatCallAction]
    /// Whether the agent ends the conversation with this reply.
    public var endConversation: Bool

    /// Creates a payload with these properties.
    public init(
        messageId: String, chunkIndex: Int, isComplete: Bool, text: String?, attachments: [Attachment] = [],
        responseSuggestions: [ResponseSuggestion] = [], chatCallActions: [ChatCallAction] = [],
        endConversation: Bool = false
    ) {
        self.messageId = messageId
        self.chunkIndex = chunkIndex
        self.isComplete = isComplete
        self.text = text
        self.attachments = attachments
        self.responseSuggestions = responseSuggestions
        self.chatCallActions = chatCallActions
        self.endConversation = endConversation
    }
}

/// The PolyAI agent left: POLY_AGENT_LEFT (protocol.md#event-poly-agent-left).
public struct AgentLeftPayload: Sendable, Equatable {
    /// The server's reason.
    public var reason: String?

    /// Creates a payload with these properties.
    public init(reason: String? = nil) {
        self.reason = reason
    }
}

/// A live agent joined: LIVE_AGENT_JOINED (protocol.md#event-live-agent-joined).
public struct LiveAgentJoinedPayload: Sendable, Equatable {
    /// The server's id of the live agent.
    public var agentId: String?
    /// The name of the live agent.
    public var agentName: String?
    /// A picture of the live agent.
    public var avatarUrl: URL?

    /// Creates a payload with these properties.
    public init(agentId: String? = nil, agentName: String? = nil, avatarUrl: URL? = nil) {
        self.agentId = agentId
        self.agentName = agentName
        self.avatarUrl = avatarUrl
    }
}

/// A live agent started or stopped typing: LIVE_AGENT_TYPING (protocol.md#event-live-agent-typing).
public struct LiveAgentTypingPayload: Sendable, Equatable {
    /// Whether typing began or ended.
    public var state: TypingState
    /// The server's id of the live agent.
    public var agentId: String?
    /// The name of the live agent.
    public var agentName: String?

    /// Creates a payload with these properties.
    public init(state: TypingState, agentId: String? = nil, agentName: String? = nil) {
        self.state = state
        self.agentId = agentId
        self.agentName = agentName
    }
}

/// A message of a live agent: LIVE_AGENT_MESSAGE (protocol.md#event-live-agent-message).
public struct LiveAgentMessagePayload: Sendable, Equatable {
    /// The server's id of the message.
    public var messageId: String
    /// The text of the message.
    public var text: String
    /// The server's id of the live agent.
    public var agentId: String?
    /// The name of the live agent.
    public var agentName: String?
    /// A picture of the live agent.
    public var avatarUrl: URL?
    /// Link cards and images.
    public var attachments: [Attachment]
    /// Suggested answers.
    public var responseSuggestions: [ResponseSuggestion]
    /// Telephone numbers to call.
    public var chatCallActions: [ChatCallAction]

    /// Creates a payload with these properties.
    public init(
        messageId: String, text: String, agentId: String? = nil, agentName: String? = nil,
        avatarUrl: URL? = nil, attachments: [Attachment] = [], responseSuggestions: [ResponseSuggestion] = [],
        chatCallActions: [ChatCallAction] = []
    ) {
        self.messageId = messageId
        self.text = text
        self.agentId = agentId
        self.agentName = agentName
        self.avatarUrl = avatarUrl
        self.attachments = attachments
        self.responseSuggestions = responseSuggestions
        self.chatCallActions = chatCallActions
    }
}

/// A live agent left: LIVE_AGENT_LEFT (protocol.md#event-live-agent-left).
public struct LiveAgentLeftPayload: Sendable, Equatable {
    /// The server's id of the live agent.
    public var agentId: String?
    /// The name of the live agent.
    public var agentName: String?
    /// The server's reason.
    public var reason: String?

    /// Creates a payload with these properties.
    public init(agentId: String? = nil, agentName: String? = nil, reason: String? = nil) {
        self.agentId = agentId
        self.agentName = agentName
        self.reason = reason
    }
}

extension MessagingEvent {
    static func agent(
        _ payload: WirePayload, _ envelope: Envelope, _ generator: inout SeededGenerator
    ) -> MessagingEvent? {
        switch payload {
        case .agentJoined(let name, let avatarURL):
            .agentJoined(envelope, .init(agentName: name, avatarUrl: URL(wire: avatarURL)))
        case .agentThinking: .agentThinking(envelope)
        case .agentMessage(let message):
            .agentMessage(
                envelope,
                .init(
                    messageId: message.messageID, text: message.text, agentName: message.sender.name,
                    avatarUrl: URL(wire: message.sender.avatarURL),
                    attachments: message.parts.attachments.map { .init($0) },
                    responseSuggestions: message.parts.suggestions.map { .init($0, &generator) },
                    chatCallActions: message.parts.callActions.map { .init($0, &generator) },
                    endConversation: message.parts.endsConversation))
        case .agentMessageChunk(let chunk):
            .agentMessageChunk(
                envelope,
                .init(
                    messageId: chunk.messageID, chunkIndex: chunk.index, isComplete: chunk.isComplete,
                    text: chunk.text, attachments: chunk.parts.attachments.map { .init($0) },
                    responseSuggestions: chunk.parts.suggestions.map { .init($0, &generator) },
                    chatCallActions: chunk.parts.callActions.map { .init($0, &generator) },
                    endConversation: chunk.parts.endsConversation))
        case .agentLeft(let reason): .agentLeft(envelope, .init(reason: reason))
        case .agentTriggeredHandoff: .agentTriggeredHandoff(envelope)
        case .liveAgentJoined(let person):
            .liveAgentJoined(
                envelope,
                .init(agentId: person.id, agentName: person.name, avatarUrl: URL(wire: person.avatarURL)))
        case .liveAgentTyping(let state, let person):
            .liveAgentTyping(
                envelope,
                .init(
                    state: state == .started ? .started : .stopped, agentId: person.id,
                    agentName: person.name))
        case .liveAgentMessage(let message):
            .liveAgentMessage(
                envelope,
                .init(
                    messageId: message.messageID, text: message.text, agentId: message.sender.id,
                    agentName: message.sender.name, avatarUrl: URL(wire: message.sender.avatarURL),
                    attachments: message.parts.attachments.map { .init($0) },
                    responseSuggestions: message.parts.suggestions.map { .init($0, &generator) },
                    chatCallActions: message.parts.callActions.map { .init($0, &generator) }))
        case .liveAgentLeft(let person, let reason):
            .liveAgentLeft(
                envelope, .init(agentId: person.id, agentName: person.name, reason: reason))
        default: nil
        }
    }
}
