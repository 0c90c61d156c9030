package import Texts

package struct RunStart: Equatable, Sendable {
    package var threadID: String
    package var runID: String
    package var parentRunID: String?
    /// Version 1 only.
    package var protocolVersion: String?
    package var input: RunInput?

    package init(
        threadID: String, runID: String, parentRunID: String? = nil, protocolVersion: String? = nil,
        input: RunInput? = nil
    ) {
        self.threadID = threadID
        self.runID = runID
        self.parentRunID = parentRunID
        self.protocolVersion = protocolVersion
        self.input = input
    }
}

package struct RunFinish: Equatable, Sendable {
    package var threadID: String
    package var runID: String
    package var result: JSONValue?
    /// Nil counts as success.
    package var outcome: Outcome?
    package var usage: [TokenUsage]?

    package enum Outcome: Equatable, Sendable {
        /// `pendingToolCallIDs` is nil if the key is absent. Version 1 only.
        case success(pendingToolCallIDs: [String]?)
        case interrupt([RunInterrupt])
        /// Version 1 only.
        case cancelled
    }

    package init(
        threadID: String, runID: String, result: JSONValue? = nil, outcome: Outcome? = nil,
        usage: [TokenUsage]? = nil
    ) {
        self.threadID = threadID
        self.runID = runID
        self.result = result
        self.outcome = outcome
        self.usage = usage
    }
}

package struct RunError: Equatable, Sendable {
    package var message: String
    package var code: String?
    package var usage: [TokenUsage]?

    package init(message: String, code: String? = nil, usage: [TokenUsage]? = nil) {
        self.message = message
        self.code = code
        self.usage = usage
    }
}

/// A question that the user must answer before the thread continues.
package struct RunInterrupt: Equatable, Sendable {
    package var id: String
    /// `tool_call`, `input_required`, `confirmation`, or a custom reason.
    package var reason: String
    package var message: String?
    package var toolCallID: String?
    /// JSON Schema of the answer.
    package var responseSchema: JSONObject?
    /// Time in ISO 8601.
    package var expiresAt: String?
    package var metadata: JSONObject?

    package init(
        id: String, reason: String, message: String? = nil, toolCallID: String? = nil,
        responseSchema: JSONObject? = nil, expiresAt: String? = nil, metadata: JSONObject? = nil
    ) {
        self.id = id
        self.reason = reason
        self.message = message
        self.toolCallID = toolCallID
        self.responseSchema = responseSchema
        self.expiresAt = expiresAt
        self.metadata = metadata
    }
}

/// Tokens that one model used in a run.
public struct TokenUsage: Sendable, Equatable, Codable {
    /// Provider of the model.
    public let provider: String?
    /// Name of the model.
    public let model: String?
    /// Input tokens, including cached ones.
    public let inputTokens: Int?
    /// Output tokens, including reasoning.
    public let outputTokens: Int?
    /// Input and output tokens together.
    public let totalTokens: Int?
    /// Output tokens spent on reasoning.
    public let reasoningTokens: Int?
    /// Input tokens read from a cache.
    public let cachedInputTokens: Int?
    /// Input tokens written to a cache. Only in version 1 of AG-UI.
    public package(set) var cacheWriteInputTokens: Int?
}

package struct RunToolResult: Equatable, Sendable {
    package var messageID: String
    package var toolCallID: String
    package var content: RunContent
    package var namesRole: Bool

    package init(messageID: String, toolCallID: String, content: RunContent, namesRole: Bool = true) {
        self.messageID = messageID
        self.toolCallID = toolCallID
        self.content = content
        self.namesRole = namesRole
    }
}

/// Payload of SUBAGENT_STARTED.
public struct SubagentStart: Sendable, Equatable {
    /// Identifier of the subagent's run.
    public let id: String
    /// Name of the subagent.
    public let name: String
    /// Description of the subagent's task.
    public let description: String?
    /// Run of the subagent that started this subagent.
    public let parentSubagentRunID: String?
    /// Tool call that started the subagent.
    public let parentToolCallID: ToolCallID?
    /// Message that started the subagent.
    public let parentMessageID: MessageID?

    package init(
        id: String, name: String, description: String? = nil, parentSubagentRunID: String? = nil,
        parentToolCallID: ToolCallID? = nil, parentMessageID: MessageID? = nil
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.parentSubagentRunID = parentSubagentRunID
        self.parentToolCallID = parentToolCallID
        self.parentMessageID = parentMessageID
    }
}

package enum SubagentOutcome: Equatable, Sendable {
    case success
    case suspended(interruptIDs: [String]?)
}
