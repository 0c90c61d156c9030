package import Texts

/// Role of the author of a message.
public enum MessageRole: String, Hashable, Sendable, Codable, CaseIterable {
    /// The maker of the agent.
    case developer
    /// The rules of the talk.
    case system
    /// The agent.
    case assistant
    /// The person.
    case user
    /// A tool that answers a call.
    case tool
    /// Structured progress, shown only to the person.
    case activity
    /// Reasoning of the agent.
    case reasoning
}

/// Text, or parts of several kinds.
package enum RunContent: Equatable, Sendable {
    case text(String)
    case parts([RunPart])

    /// Text parts joined by line feeds.
    package var text: String {
        switch self {
        case .text(let text): text
        case .parts(let parts): parts.compactMap(\.text).joined(separator: "\n")
        }
    }
}

/// A message of a thread, in requests and snapshots.
package struct RunMessage: Equatable, Sendable {
    package var id: String
    package var role: MessageRole
    /// Nil for an activity or an assistant's message with calls only.
    package var content: RunContent?
    package var name: String?
    package var toolCalls: [RunToolCall]?
    /// Call that a tool's message answers.
    package var toolCallID: String?
    /// Error of a tool's message.
    package var error: String?
    package var activity: Activity?
    package var encryptedValue: String?
    package var metadata: JSONObject?
    package var subagentRunID: String?

    package struct Activity: Equatable, Sendable {
        package var type: String
        /// An object.
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
}

/// A call in an assistant's message.
package struct RunToolCall: Equatable, Sendable {
    package var id: String
    package var name: String
    /// JSON text exactly as it was streamed, even if it is not JSON.
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

/// One part of a message of several.
package struct RunPart: Equatable, Sendable {
    /// The retired form of an attachment: one of `id`, `url` and `data`.
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
    /// Version 1 alone.
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
