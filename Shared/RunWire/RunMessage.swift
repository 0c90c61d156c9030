package import Texts

/// Role of the author of a message.
public enum MessageRole: String, Hashable, Sendable, Codable, CaseIterable {
    /// The developer of the agent.
    case developer
    /// Instructions from the system.
    case system
    /// The agent.
    case assistant
    /// The user.
    case user
    /// A tool, with the result of a call.
    case tool
    /// Structured progress, shown only to the user.
    case activity
    /// Reasoning of the agent.
    case reasoning
}

package enum RunContent: Equatable, Sendable {
    case text(String)
    case parts([RunPart])

    /// The text, or the text parts joined by line feeds.
    package var text: String {
        switch self {
        case .text(let text): text
        case .parts(let parts): parts.compactMap(\.text).joined(separator: "\n")
        }
    }
}

package struct RunMessage: Equatable, Sendable {
    package var id: String
    package var role: MessageRole
    /// Nil for an activity, and for an assistant message without text.
    package var content: RunContent?
    package var name: String?
    package var toolCalls: [RunToolCall]?
    package var toolCallID: String?
    package var error: String?
    package var activity: Activity?
    package var encryptedValue: String?
    package var metadata: JSONObject?
    package var subagentRunID: String?

    package struct Activity: Equatable, Sendable {
        package var type: String
        /// A JSON object.
        package var content: JSONValue

        package init(type: String, content: JSONValue) {
            self.type = type
            self.content = content
        }
    }

    package init(
        id: String, role: MessageRole, content: RunContent? = nil, name: String? = nil,
        toolCalls: [RunToolCall]? = nil, toolCallID: String? = nil, error: String? = nil,
        activity: Activity? = nil, encryptedValue: String? = nil, metadata: JSONObject? = nil,
        subagentRunID: String? = nil
    ) {
        self.id = id
        self.role = role
        self.content = content
        self.name = name
        self.toolCalls = toolCalls
        self.toolCallID = toolCallID
        self.error = error
        self.activity = activity
        self.encryptedValue = encryptedValue
        self.metadata = metadata
        self.subagentRunID = subagentRunID
    }

    /// Whether the message has only an id, a role and a text.
    package var isPlainText: Bool {
        guard case .text? = content else { return false }
        return name == nil && toolCalls == nil && toolCallID == nil && error == nil && activity == nil
            && encryptedValue == nil && metadata == nil && subagentRunID == nil
    }
}

package struct RunToolCall: Equatable, Sendable {
    package var id: String
    package var name: String
    /// Should be JSON, but this is not checked.
    package var arguments: String
    package var encryptedValue: String?
    package var metadata: JSONObject?

    package init(
        id: String, name: String, arguments: String, encryptedValue: String? = nil,
        metadata: JSONObject? = nil
    ) {
        self.id = id
        self.name = name
        self.arguments = arguments
        self.encryptedValue = encryptedValue
        self.metadata = metadata
    }
}

package struct RunPart: Equatable, Sendable {
    /// Retired form of an attachment, with an `id`, a `url` or `data`.
    package struct Binary: Equatable, Sendable {
        package var mimeType: String
        package var id: String?
        package var url: String?
        package var data: String?
        package var filename: String?

        package init(
            mimeType: String, id: String? = nil, url: String? = nil, data: String? = nil,
            filename: String? = nil
        ) {
            self.mimeType = mimeType
            self.id = id
            self.url = url
            self.data = data
            self.filename = filename
        }
    }

    package var kind: ContentKind
    package var text: String?
    package var source: ContentSource?
    package var binary: Binary?
    package var metadata: JSONObject?
    /// Version 1 only.
    package var id: String?

    package init(
        kind: ContentKind, text: String? = nil, source: ContentSource? = nil, binary: Binary? = nil,
        metadata: JSONObject? = nil, id: String? = nil
    ) {
        self.kind = kind
        self.text = text
        self.source = source
        self.binary = binary
        self.metadata = metadata
        self.id = id
    }
}
