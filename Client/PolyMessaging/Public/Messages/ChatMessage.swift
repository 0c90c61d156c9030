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
