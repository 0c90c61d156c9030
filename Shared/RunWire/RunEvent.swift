package import Texts

/// An AG-UI event of version 0 or 1. A nil property is a missing member.
package struct RunEvent: Equatable, Sendable {
    package var kind: Kind
    /// Usually in milliseconds since 1970.
    package var timestamp: Int64?
    /// Members to merge into the metadata of the event's message or tool call.
    package var metadata: JSONObject?
    package var rawEvent: JSONValue?
    /// Run id of the subagent that sent the event. In `SUBAGENT_*` events, the id is in ``kind`` instead.
    package var subagentRunID: String?

    package init(
        _ kind: Kind, timestamp: Int64? = nil, metadata: JSONObject? = nil, rawEvent: JSONValue? = nil,
        subagentRunID: String? = nil
    ) {
        self.kind = kind
        self.timestamp = timestamp
        self.metadata = metadata
        self.rawEvent = rawEvent
        self.subagentRunID = subagentRunID
    }

    /// Kind and payload of an event. Rare, large payloads are indirect, because events are copied often.
    package enum Kind: Equatable, Sendable {
        indirect case runStarted(RunStart)
        indirect case runFinished(RunFinish)
        indirect case runError(RunError)
        case stepStarted(name: String)
        case stepFinished(name: String)
        indirect case textStart(id: String, role: MessageRole?, name: String?)
        case textContent(id: String, delta: String)
        case textEnd(id: String)
        indirect case textChunk(id: String?, role: MessageRole?, delta: String?, name: String?)
        indirect case toolStart(id: String, name: String, parentMessageID: String?)
        case toolArguments(id: String, delta: String)
        case toolEnd(id: String)
        indirect case toolResult(RunToolResult)
        indirect case toolChunk(id: String?, name: String?, parentMessageID: String?, delta: String?)
        case stateSnapshot(JSONValue)
        case stateDelta([JSONPatchOperation])
        case messagesSnapshot([RunMessage])
        indirect case activitySnapshot(id: String, type: String, content: JSONObject, replace: Bool?)
        indirect case activityDelta(id: String, type: String, patch: [JSONPatchOperation])
        case reasoningStart(id: String)
        /// `namesRole`: whether the event has a `role` member.
        case reasoningMessageStart(id: String, namesRole: Bool = true)
        case reasoningContent(id: String, delta: String)
        case reasoningMessageEnd(id: String)
        case reasoningChunk(id: String?, delta: String?)
        case reasoningEnd(id: String)
        indirect case reasoningEncrypted(subtype: EncryptedSubtype, entityID: String, value: String)
        indirect case raw(event: JSONValue, source: String?)
        indirect case custom(name: String, value: JSONValue)
        indirect case subagentStarted(SubagentStart)
        indirect case subagentFinished(id: String, result: JSONValue?, outcome: SubagentOutcome?)
        indirect case subagentError(id: String, message: String, code: String?)
        // Retired events of version 0.
        case thinkingStart(title: String?)
        case thinkingEnd
        case thinkingTextStart
        case thinkingTextContent(delta: String)
        case thinkingTextEnd
        case unknown(type: String, body: JSONObject)
    }

    package enum EncryptedSubtype: String, Sendable {
        case toolCall = "tool-call"
        case message
    }
}

package enum RunEventType: String, CaseIterable, Sendable {
    case runStarted = "RUN_STARTED"
    case runFinished = "RUN_FINISHED"
    case runError = "RUN_ERROR"
    case stepStarted = "STEP_STARTED"
    case stepFinished = "STEP_FINISHED"
    case textStart = "TEXT_MESSAGE_START"
    case textContent = "TEXT_MESSAGE_CONTENT"
    case textEnd = "TEXT_MESSAGE_END"
    case textChunk = "TEXT_MESSAGE_CHUNK"
    case toolStart = "TOOL_CALL_START"
    case toolArguments = "TOOL_CALL_ARGS"
    case toolEnd = "TOOL_CALL_END"
    case toolResult = "TOOL_CALL_RESULT"
    case toolChunk = "TOOL_CALL_CHUNK"
    case stateSnapshot = "STATE_SNAPSHOT"
    case stateDelta = "STATE_DELTA"
    case messagesSnapshot = "MESSAGES_SNAPSHOT"
    case activitySnapshot = "ACTIVITY_SNAPSHOT"
    case activityDelta = "ACTIVITY_DELTA"
    case reasoningStart = "REASONING_START"
    case reasoningMessageStart = "REASONING_MESSAGE_START"
    case reasoningContent = "REASONING_MESSAGE_CONTENT"
    case reasoningMessageEnd = "REASONING_MESSAGE_END"
    case reasoningChunk = "REASONING_MESSAGE_CHUNK"
    case reasoningEnd = "REASONING_END"
    case reasoningEncrypted = "REASONING_ENCRYPTED_VALUE"
    case raw = "RAW"
    case custom = "CUSTOM"
    case subagentStarted = "SUBAGENT_STARTED"
    case subagentFinished = "SUBAGENT_FINISHED"
    case subagentError = "SUBAGENT_ERROR"
    case thinkingStart = "THINKING_START"
    case thinkingEnd = "THINKING_END"
    case thinkingTextStart = "THINKING_TEXT_MESSAGE_START"
    case thinkingTextContent = "THINKING_TEXT_MESSAGE_CONTENT"
    case thinkingTextEnd = "THINKING_TEXT_MESSAGE_END"

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Finds a type in a hash table, because `init(rawValue:)` compares the names one by one.
    static func named(_ name: String) -> RunEventType? { byName[name] }
}

extension RunEvent {
    package var type: String {
        if case .unknown(let type, _) = kind { return type }
        return kind.type?.rawValue ?? ""
    }

    package var isTerminal: Bool {
        switch kind {
        case .runFinished, .runError: true
        default: false
        }
    }
}

extension RunEvent.Kind {
    /// Nil for an event of an unknown type.
    package var type: RunEventType? {
        switch self {
        case .runStarted: .runStarted
        case .runFinished: .runFinished
        case .runError: .runError
        case .stepStarted: .stepStarted
        case .stepFinished: .stepFinished
        case .textStart: .textStart
        case .textContent: .textContent
        case .textEnd: .textEnd
        case .textChunk: .textChunk
        case .toolStart: .toolStart
        case .toolArguments: .toolArguments
        case .toolEnd: .toolEnd
        case .toolResult: .toolResult
        case .toolChunk: .toolChunk
        case .stateSnapshot: .stateSnapshot
        case .stateDelta: .stateDelta
        case .messagesSnapshot: .messagesSnapshot
        case .activitySnapshot: .activitySnapshot
        case .activityDelta: .activityDelta
        case .reasoningStart: .reasoningStart
        case .reasoningMessageStart: .reasoningMessageStart
        case .reasoningContent: .reasoningContent
        case .reasoningMessageEnd: .reasoningMessageEnd
        case .reasoningChunk: .reasoningChunk
        case .reasoningEnd: .reasoningEnd
        case .reasoningEncrypted: .reasoningEncrypted
        case .raw: .raw
        case .custom: .custom
        case .subagentStarted: .subagentStarted
        case .subagentFinished: .subagentFinished
        case .subagentError: .subagentError
        case .thinkingStart: .thinkingStart
        case .thinkingEnd: .thinkingEnd
        case .thinkingTextStart: .thinkingTextStart
        case .thinkingTextContent: .thinkingTextContent
        case .thinkingTextEnd: .thinkingTextEnd
        case .unknown: nil
        }
    }
}
