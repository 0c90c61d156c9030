public import RunWire
import Texts

/// Start of a run.
public struct RunStart: Sendable, Equatable {
    /// The run that this run continues.
    public let parentRunID: RunID?
    /// The version of AG-UI that the agent uses; nil for version 0.
    public let protocolVersion: String?
    /// The request of the run, repeated by the agent; nil if the agent does not repeat it.
    public let input: RunAgentInput?

    init(_ start: RunWire.RunStart) {
        parentRunID = start.parentRunID.map { RunID(rawValue: $0) }
        protocolVersion = start.protocolVersion
        input = start.input.map { RunAgentInput($0) }
    }
}

/// Start of a tool call.
public struct ToolCallStart: Sendable, Equatable {
    /// The call's id.
    public let id: ToolCallID
    /// The tool's name.
    public let name: String
    /// The agent's message that contains the call.
    public let parentMessageID: MessageID?
    /// Display name of the tool, from `mock.displayName` in the metadata.
    public let displayName: String?
    /// Text to show while the tool works, from `mock.executionText` in the metadata.
    public let executionText: String?

    init(_ id: String, _ name: String, _ parent: String?, _ metadata: JSONObject?) {
        self.id = ToolCallID(rawValue: id)
        self.name = name
        parentMessageID = parent.map { MessageID(rawValue: $0) }
        displayName = metadata?["mock.displayName"]?.string
        executionText = metadata?["mock.executionText"]?.string
    }
}

/// Result of a tool call.
public struct ToolCallResult: Sendable, Equatable {
    /// The id of the message with the result.
    public let messageID: MessageID
    /// The call's id.
    public let toolCallID: ToolCallID
    /// The result.
    public let content: ToolContent
    /// The reason why the call failed; nil for a successful call. A call has failed if `mock.toolStatus` in the
    /// metadata is `failed`, or if the content is a JSON object with a member `error` other than null.
    public let failure: String?

    init(_ result: RunToolResult, _ metadata: JSONObject?) {
        messageID = MessageID(rawValue: result.messageID)
        toolCallID = ToolCallID(rawValue: result.toolCallID)
        content = ToolContent(result.content)
        failure = Self.failure(content.text, metadata)
    }

    static func failure(_ text: String, _ metadata: JSONObject?) -> String? {
        if case .object(let object)? = try? JSONReader.read(Array(text.utf8), manner: .lenient),
            let error = object["error"],
            error != .null
        {
            return error.string ?? error["message"]?.string ?? JSONValue(error).compactText
        }
        return metadata?["mock.toolStatus"]?.string == "failed" ? text : nil
    }
}

/// Start of a card.
public struct CardStart: Sendable, Equatable {
    /// The card's id.
    public let cardID: String
    /// The message that contains the card.
    public let messageID: MessageID?
    /// Status text, shown until the card arrives.
    public let executionText: String?
}

/// End of a run without failure.
public struct RunFinish: Sendable, Equatable {
    /// The outcome.
    public let outcome: RunOutcome
    /// The result of the agent, if any.
    public let result: JSONValue?
    /// Token usage with one entry for each model; empty if the agent reports no usage.
    public let usage: [TokenUsage]

    init(_ finish: RunWire.RunFinish) {
        outcome = RunOutcome(finish.outcome)
        result = finish.result.map { JSONValue($0) }
        usage = finish.usage ?? []
    }
}

/// Outcome of a run.
public enum RunOutcome: Sendable, Equatable {
    /// `pendingToolCallIDs` are the calls that the client must answer. Only agents of version 1 list them.
    case success(pendingToolCallIDs: [ToolCallID])
    case interrupted([Interrupt])
    case cancelled

    init(_ outcome: RunWire.RunFinish.Outcome?) {
        switch outcome {
        case nil: self = .success(pendingToolCallIDs: [])
        case .success(let ids)?:
            self = .success(pendingToolCallIDs: (ids ?? []).map { ToolCallID(rawValue: $0) })
        case .interrupt(let interrupts)?: self = .interrupted(interrupts.map { Interrupt($0) })
        case .cancelled?: self = .cancelled
        }
    }
}

/// Failure of a run at the agent.
public struct RunFailure: Error, Sendable, Equatable {
    /// Description of the failure.
    public let message: String
    /// Error code, chosen by the agent.
    public let code: String?
    /// Token usage with one entry for each model; empty if the agent reports no usage.
    public let usage: [TokenUsage]

    init(_ error: RunError) {
        message = error.message
        code = error.code
        usage = error.usage ?? []
    }
}

/// A question to the user. The thread continues only after the answer.
public struct Interrupt: Sendable, Equatable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case reason
        case message
        case toolCallID = "toolCallId"
        case responseSchema
        case expiresAt
        case metadata
    }

    /// The id that the answer refers to.
    public let id: InterruptID
    /// The reason: `tool_call`, `input_required`, `confirmation`, or another name chosen by the agent.
    public let reason: String
    /// Text for the user.
    public let message: String?
    /// The call that waits for the answer.
    public let toolCallID: ToolCallID?
    /// A JSON Schema of the answer.
    public let responseSchema: JSONValue?
    /// Expiry time in ISO 8601; nil for an interrupt that never expires.
    public let expiresAt: String?
    /// Metadata.
    public let metadata: [String: JSONValue]?

    package init(_ interrupt: RunInterrupt) {
        id = InterruptID(rawValue: interrupt.id)
        reason = interrupt.reason
        message = interrupt.message
        toolCallID = interrupt.toolCallID.map { ToolCallID(rawValue: $0) }
        responseSchema = interrupt.responseSchema.map { JSONValue(.object($0)) }
        expiresAt = interrupt.expiresAt
        metadata = interrupt.metadata.map { JSONValue.members($0) }
    }
}
