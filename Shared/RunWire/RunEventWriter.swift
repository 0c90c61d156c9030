import Texts

/// Writer of AG-UI events, requests and messages as JSON.
package enum RunEventWriter {
    /// Appends the event's JSON, without line feeds.
    package static func write(_ event: RunEvent, into bytes: inout [UInt8]) {
        if case .unknown(_, let body) = event.kind { return JSONWriter.value(.object(body), into: &bytes) }
        append(to: &bytes) { fields in
            fields.field("type", event.type)
            switch event.kind {
            case .runStarted(let start): writeStart(start, event, &fields)
            default:
                write(event.kind, &fields)
                writeCommon(event, &fields)
            }
        }
    }

    package static func bytes(_ event: RunEvent) -> [UInt8] {
        var bytes: [UInt8] = []
        write(event, into: &bytes)
        return bytes
    }

    package static func write(_ input: RunInput, into bytes: inout [UInt8]) {
        append(to: &bytes) { input.write(&$0) }
    }

    package static func bytes(_ input: RunInput) -> [UInt8] {
        var bytes: [UInt8] = []
        write(input, into: &bytes)
        return bytes
    }

    package static func write(_ messages: [RunMessage], into bytes: inout [UInt8]) {
        var fields = RunFieldWriter([])
        swap(&fields.bytes, &bytes)
        for (index, message) in messages.enumerated() {
            if index > 0 { fields.bytes.append(UInt8(ascii: ",")) }
            fields.braces { message.write(&$0) }
        }
        swap(&fields.bytes, &bytes)
    }

    private static func append(to bytes: inout [UInt8], _ body: (inout RunFieldWriter) -> Void) {
        var fields = RunFieldWriter([])
        swap(&fields.bytes, &bytes)
        fields.braces(body)
        swap(&fields.bytes, &bytes)
    }

    private static func writeStart(_ start: RunStart, _ event: RunEvent, _ fields: inout RunFieldWriter) {
        fields.field("threadId", start.threadID)
        fields.field("runId", start.runID)
        fields.field("parentRunId", start.parentRunID)
        fields.field("protocolVersion", start.protocolVersion)
        writeCommon(event, &fields)
        guard let input = start.input else { return }
        fields.object("input") { input.write(&$0) }
    }

    private static func writeCommon(_ event: RunEvent, _ fields: inout RunFieldWriter) {
        fields.field("timestamp", event.timestamp.map { Int(clamping: $0) })
        fields.field("metadata", event.metadata)
        fields.field("rawEvent", event.rawEvent)
        fields.field("subagentRunId", event.subagentRunID)
    }

    private static func write(_ kind: RunEvent.Kind, _ fields: inout RunFieldWriter) {
        switch kind {
        case .runStarted, .unknown, .thinkingEnd, .thinkingTextStart, .thinkingTextEnd: break
        case .runFinished(let finish): write(finish, &fields)
        case .runError(let error):
            fields.field("message", error.message)
            fields.field("code", error.code)
            fields.array("usage", error.usage) { $1.write(&$0) }
        case .stepStarted(let name), .stepFinished(let name): fields.field("stepName", name)
        case .textStart(let id, let role, let name):
            fields.field("messageId", id)
            fields.field("role", role?.rawValue)
            fields.field("name", name)
        case .textContent(let id, let delta), .reasoningContent(let id, let delta):
            fields.field("messageId", id)
            fields.field("delta", delta)
        case .textEnd(let id), .reasoningStart(let id), .reasoningMessageEnd(let id), .reasoningEnd(let id):
            fields.field("messageId", id)
        case .textChunk(let id, let role, let delta, let name):
            fields.field("messageId", id)
            fields.field("role", role?.rawValue)
            fields.field("delta", delta)
            fields.field("name", name)
        case .toolStart, .toolArguments, .toolEnd, .toolResult, .toolChunk: writeTool(kind, &fields)
        case .reasoningMessageStart(let id, let namesRole):
            fields.field("messageId", id)
            fields.field("role", namesRole ? "reasoning" : nil)
        case .reasoningChunk(let id, let delta):
            fields.field("messageId", id)
            fields.field("delta", delta)
        case .reasoningEncrypted(let subtype, let entityID, let value):
            fields.field("subtype", subtype.rawValue)
            fields.field("entityId", entityID)
            fields.field("encryptedValue", value)
        case .thinkingStart(let title): fields.field("title", title)
        case .thinkingTextContent(let delta): fields.field("delta", delta)
        case .subagentStarted, .subagentFinished, .subagentError: writeSubagent(kind, &fields)
        case .stateSnapshot, .stateDelta, .messagesSnapshot, .activitySnapshot, .activityDelta, .raw, .custom:
            writeData(kind, &fields)
        }
    }

    private static func writeData(_ kind: RunEvent.Kind, _ fields: inout RunFieldWriter) {
        switch kind {
        case .stateSnapshot(let state): fields.field("snapshot", state)
        case .stateDelta(let patch): fields.array("delta", patch) { $1.write(&$0) }
        case .messagesSnapshot(let messages): fields.array("messages", messages) { $1.write(&$0) }
        case .activitySnapshot(let id, let type, let content, let replace):
            fields.field("messageId", id)
            fields.field("activityType", type)
            fields.field("content", content)
            fields.field("replace", replace.map { .bool($0) })
        case .activityDelta(let id, let type, let patch):
            fields.field("messageId", id)
            fields.field("activityType", type)
            fields.array("patch", patch) { $1.write(&$0) }
        case .raw(let event, let source):
            fields.field("event", event)
            fields.field("source", source)
        case .custom(let name, let value):
            fields.field("name", name)
            fields.field("value", value)
        default: break
        }
    }

    private static func writeTool(_ kind: RunEvent.Kind, _ fields: inout RunFieldWriter) {
        switch kind {
        case .toolStart(let id, let name, let parent):
            fields.field("toolCallId", id)
            fields.field("toolCallName", name)
            fields.field("parentMessageId", parent)
        case .toolArguments(let id, let delta):
            fields.field("toolCallId", id)
            fields.field("delta", delta)
        case .toolEnd(let id): fields.field("toolCallId", id)
        case .toolResult(let result):
            fields.field("messageId", result.messageID)
            fields.field("toolCallId", result.toolCallID)
            fields.content(result.content)
            fields.field("role", result.namesRole ? "tool" : nil)
        case .toolChunk(let id, let name, let parent, let delta):
            fields.field("toolCallId", id)
            fields.field("toolCallName", name)
            fields.field("parentMessageId", parent)
            fields.field("delta", delta)
        default: break
        }
    }

    private static func write(_ finish: RunFinish, _ fields: inout RunFieldWriter) {
        fields.field("threadId", finish.threadID)
        fields.field("runId", finish.runID)
        fields.field("result", finish.result)
        if let outcome = finish.outcome {
            fields.object("outcome") { inner in
                switch outcome {
                case .success(let pending):
                    inner.field("type", "success")
                    inner.field("pendingToolCallIds", pending)
                case .interrupt(let interrupts):
                    inner.field("type", "interrupt")
                    inner.array("interrupts", interrupts) { $1.write(&$0) }
                case .cancelled: inner.field("type", "cancelled")
                }
            }
        }
        fields.array("usage", finish.usage) { $1.write(&$0) }
    }

    private static func writeSubagent(_ kind: RunEvent.Kind, _ fields: inout RunFieldWriter) {
        switch kind {
        case .subagentStarted(let start):
            fields.field("subagentRunId", start.id)
            fields.field("name", start.name)
            fields.field("description", start.description)
            fields.field("parentSubagentRunId", start.parentSubagentRunID)
            fields.field("parentToolCallId", start.parentToolCallID?.rawValue)
            fields.field("parentMessageId", start.parentMessageID?.rawValue)
        case .subagentFinished(let id, let result, let outcome):
            fields.field("subagentRunId", id)
            fields.field("result", result)
            guard let outcome else { return }
            fields.object("outcome") { inner in
                switch outcome {
                case .success: inner.field("type", "success")
                case .suspended(let ids):
                    inner.field("type", "suspended")
                    inner.field("interruptIds", ids)
                }
            }
        case .subagentError(let id, let message, let code):
            fields.field("subagentRunId", id)
            fields.field("message", message)
            fields.field("code", code)
        default: break
        }
    }
}
