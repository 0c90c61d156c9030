public import RunWire
import Texts

/// Start of a run.
public struct RunStart: Sendable, Equatable {
    /// The run that this one continues.
    public let parentRunID: RunID?
    /// The version of AG-UI that the agent speaks; nil for version 0.
    public let protocolVersion: String?
    /// The request, if the agent echoes it.
    public let input: RunAgentInput?

    init(_ start: RunWire.RunStart) {
        parentRunID = start.parentRunID.map { RunID(rawValue: $0) }
        protocolVersion = start.protocolVersion
        input = start.input.map { RunAgentInput($0) }
    }
}

/// Start of a tool call.
public struct ToolCallStart: Sendable, Equatable {
    /// The call.
    public let id: ToolCallID
    /// The tool.
    public let name: String
    /// The message of the agent that holds the call.
    public let parentMessageID: MessageID?
    /// Display name of the tool: `mock.displayName` of the metadata.
    public let displayName: String?
    /// Status text while the tool works: `mock.executionText` of the metadata.
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
    /// The message that the answer becomes.
    public let messageID: MessageID
    /// The call.
    public let toolCallID: ToolCallID
    /// The answer.
    public let content: ToolContent
    /// The reason of a failed call: `mock.toolStatus` says `failed`, or the content is an object with
    /// `error`. Nil for a successful call.
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
    /// Status text until the card arrives.
    public let executionText: String?
}

/// End of a run that has not failed.
public struct RunFinish: Sendable, Equatable {
    /// The outcome.
    public let outcome: RunOutcome
    /// The result of the agent, if any.
    public let result: JSONValue?
    /// Tokens, one entry for each model; empty when the agent does not say.
    public let usage: [TokenUsage]

    init(_ finish: RunWire.RunFinish) {
        outcome = RunOutcome(finish.outcome)
        result = finish.result.map { JSONValue($0) }
        usage = finish.usage ?? []
    }
}

/// Outcome of a run.
public enum RunOutcome: Sendable, Equatable {
    /// The run is done. `pendingToolCallIDs`: calls that the client has to answer, as agents of version 1 list them.
    case success(pendingToolCallIDs: [ToolCallID])
    /// A person has to answer before the thread goes on.
    case interrupted([Interrupt])
    /// The agent has stopped.
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
    /// Description for people.
    public let message: String
    /// Code for programs; a free text of the agent.
    public let code: String?
    /// Tokens, one entry for each model; empty when the agent does not say.
    public let usage: [TokenUsage]

    init(_ error: RunError) {
        message = error.message
        code = error.code
        usage = error.usage ?? []
    }
}

/// Question to a person that interrupts a thread.
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
    /// `tool_call`, `input_required`, `confirmation`, or a name of the agent's own.
    public let reason: String
    /// Text for people.
    public let message: String?
    /// The call that waits.
    public let toolCallID: ToolCallID?
    /// A JSON Schema of the answer.
    public let responseSchema: JSONValue?
    /// Expiry of the interrupt in ISO 8601; nil for none.
    public let expiresAt: String?
    /// Metadata.
    public let metadata: [String: JSONValue]?

    init(_ interrupt: RunInterrupt) {
        id = InterruptID(rawValue: interrupt.id)
        reason = interrupt.reason
        message = interrupt.message
        toolCallID = interrupt.toolCallID.map { ToolCallID(rawValue: $0) }
        responseSchema = interrupt.responseSchema.map { JSONValue(.object($0)) }
        expiresAt = interrupt.expiresAt
        metadata = interrupt.metadata.map { JSONValue.members($0) }
    }
}
