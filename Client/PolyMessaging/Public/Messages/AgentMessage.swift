#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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

    /// Makes a message.
    ///
    /// - Parameters:
    ///   - id: The id of the row; a new one by default.
    ///   - messageId: The server's id of the message.
    ///   - agentName: The name of who said it.
    ///   - agentKind: The kind of the sender.
    ///   - avatarUrl: A picture of who said it.
    ///   - text: The text of the message.
    ///   - timestamp: When; now by default.
    ///   - attachments: Link cards and images.
    ///   - suggestions: Answers to choose from.
    ///   - callActions: Telephone numbers to call.
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
