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

    /// Makes a payload; each argument sets the property of its name.
    public init(agentName: String? = nil, avatarUrl: URL? = nil) {
        self.agentName = agentName
        self.avatarUrl = avatarUrl
    }
}

/// A whole reply of the PolyAI agent: POLY_AGENT_MESSAGE, or assembled from chunks (protocol.md#turn).
public struct AgentMessagePayload: Sendable, Equatable {
    /// The server's id of the message.
    public var messageId: String
    /// What was said.
    public var text: String
    /// The name of the agent.
    public var agentName: String?
    /// A picture of the agent.
    public var avatarUrl: URL?
    /// Link cards and images.
    public var attachments: [Attachment]
    /// Answers to choose from.
    public var responseSuggestions: [ResponseSuggestion]
    /// Telephone numbers to call.
    public var chatCallActions: [ChatCallAction]
    /// True when the agent ends the conversation with this reply.
    public var endConversation: Bool

    /// Makes a payload; each argument sets the property of its name.
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

/// One piece of a streamed reply: POLY_AGENT_MESSAGE_CHUNK (protocol.md#event-poly-agent-message-chunk).
public struct AgentMessageChunkPayload: Sendable, Equatable {
    /// The server's id of the message.
    public var messageId: String
    /// The place of the piece in the reply; servers count from 0 or from 1, only the order matters.
    public var chunkIndex: Int
    /// True for the last piece.
    public var isComplete: Bool
    /// The words of this piece; nil when it has none.
    public var text: String?
    /// Link cards and images.
    public var attachments: [Attachment]
    /// Answers to choose from.
    public var responseSuggestions: [ResponseSuggestion]
    /// Telephone numbers to call.
    public var chatCallActions: [ChatCallAction]
    /// True when the agent ends the conversation with this reply.
    public var endConversation: Bool

    /// Makes a payload; each argument sets the property of its name.
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

    /// Makes a payload; each argument sets the property of its name.
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

    /// Makes a payload; each argument sets the property of its name.
    public init(agentId: String? = nil, agentName: String? = nil, avatarUrl: URL? = nil) {
        self.agentId = agentId
        self.agentName = agentName
        self.avatarUrl = avatarUrl
    }
}

/// A live agent types, or stopped typing: LIVE_AGENT_TYPING (protocol.md#event-live-agent-typing).
public struct LiveAgentTypingPayload: Sendable, Equatable {
    /// Whether typing began or ended.
    public var state: TypingState
    /// The server's id of the live agent.
    public var agentId: String?
    /// The name of the live agent.
    public var agentName: String?

    /// Makes a payload; each argument sets the property of its name.
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
    /// What was said.
    public var text: String
    /// The server's id of the live agent.
    public var agentId: String?
    /// The name of the live agent.
    public var agentName: String?
    /// A picture of the live agent.
    public var avatarUrl: URL?
    /// Link cards and images.
    public var attachments: [Attachment]
    /// Answers to choose from.
    public var responseSuggestions: [ResponseSuggestion]
    /// Telephone numbers to call.
    public var chatCallActions: [ChatCallAction]

    /// Makes a payload; each argument sets the property of its name.
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

    /// Makes a payload; each argument sets the property of its name.
    public init(agentId: String? = nil, agentName: String? = nil, reason: String? = nil) {
        self.agentId = agentId
        self.agentName = agentName
        self.reason = reason
    }
}
