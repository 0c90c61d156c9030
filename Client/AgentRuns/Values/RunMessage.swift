public import RunWire

/// A tool call in a message.
public struct RunToolCall: Sendable, Equatable {
    /// The call's id.
    public let id: ToolCallID
    /// The tool's name.
    public var name: String
    /// The arguments as received. The text should be JSON, but may be invalid.
    public var arguments: String
    /// Metadata.
    public var metadata: [String: JSONValue]?

    /// Makes a call. `arguments` is JSON text.
    public init(id: ToolCallID, name: String, arguments: String, metadata: [String: JSONValue]? = nil) {
        self.id = id
        self.name = name
        self.arguments = arguments
        self.metadata = metadata
    }

    init(_ call: RunWire.RunToolCall) {
        self.init(
            id: ToolCallID(rawValue: call.id), name: call.name, arguments: call.arguments,
            metadata: call.metadata.map { JSONValue.members($0) })
    }

    var wire: RunWire.RunToolCall {
        RunWire.RunToolCall(
            id: id.rawValue, name: name, arguments: arguments,
            metadata: metadata.map { JSONValue.object($0) })
    }
}

/// One message of a thread.
public enum RunMessage: Sendable, Equatable, Identifiable {
    /// A text of the user, the system or a developer.
    case text(id: MessageID, role: MessageRole, content: String, name: String?)
    case userParts(id: MessageID, [ContentPart])
    /// A message of the agent with its tool calls. `content` is nil if the message has only calls.
    case assistant(id: MessageID, content: String?, toolCalls: [RunToolCall])
    /// The result of a tool. `error` is the reason of a failure; nil if the tool succeeded.
    case tool(id: MessageID, toolCallID: ToolCallID, content: ToolContent, error: String?)
    case activity(id: MessageID, type: String, content: JSONValue)
    case reasoning(id: MessageID, content: String, encryptedValue: String?)

    /// The message's id.
    public var id: MessageID {
        switch self {
        case .text(let id, _, _, _), .userParts(let id, _), .assistant(let id, _, _), .tool(let id, _, _, _),
            .activity(let id, _, _), .reasoning(let id, _, _):
            id
        }
    }

    /// The role of the sender.
    public var role: MessageRole {
        switch self {
        case .text(_, let role, _, _): role
        case .userParts: .user
        case .assistant: .assistant
        case .tool: .tool
        case .activity: .activity
        case .reasoning: .reasoning
        }
    }

    init(_ message: RunWire.RunMessage) {
        let id = MessageID(rawValue: message.id)
        switch message.role {
        case .developer, .system:
            self = .text(
                id: id, role: message.role, content: message.content?.text ?? "",
                name: message.name)
        case .user:
            if case .parts(let parts)? = message.content {
                self = .userParts(id: id, parts.map { ContentPart($0) })
            } else {
                self = .text(
                    id: id, role: .user, content: message.content?.text ?? "", name: message.name)
            }
        case .assistant:
            self = .assistant(
                id: id, content: message.content?.text,
                toolCalls: (message.toolCalls ?? []).map { RunToolCall($0) })
        case .tool:
            self = .tool(
                id: id, toolCallID: ToolCallID(rawValue: message.toolCallID ?? ""),
                content: ToolContent(message.content), error: message.error)
        case .activity:
            self = .activity(
                id: id, type: message.activity?.type ?? "",
                content: message.activity.map { JSONValue($0.content) } ?? .object([:]))
        case .reasoning:
            self = .reasoning(
                id: id, content: message.content?.text ?? "", encryptedValue: message.encryptedValue)
        }
    }

    var wire: RunWire.RunMessage {
        var message = RunWire.RunMessage(id: id.rawValue, role: role)
        switch self {
        case .text(_, _, let content, let name):
            message.content = .text(content)
            message.name = name
        case .userParts(_, let parts): message.content = .parts(parts.map(\.wire))
        case .assistant(_, let content, let calls):
            message.content = content.map { .text($0) }
            message.toolCalls = calls.isEmpty ? nil : calls.map(\.wire)
        case .tool(_, let call, let content, let error):
            message.toolCallID = call.rawValue
            message.content = content.wire
            message.error = error
        case .activity(_, let type, let content):
            message.activity = RunWire.RunMessage.Activity(type: type, content: content.wire)
        case .reasoning(_, let content, let encryptedValue):
            message.content = .text(content)
            message.encryptedValue = encryptedValue
        }
        return message
    }
}
