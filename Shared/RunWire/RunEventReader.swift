package import Texts

/// Reader of AG-UI events. Unknown members are ignored. For optional members, null counts as missing.
package enum RunEventReader {
    package static func read(
        _ bytes: [UInt8], maxBytes: Int = JSONLimits.maxDocumentBytes, manner: JSONManner = .strict
    ) throws(RunFormatError) -> RunEvent {
        if bytes.count <= maxBytes, let event = bytes.withUnsafeBytes({ delta($0, manner) }) { return event }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(bytes, maxBytes: maxBytes, manner: manner)
        } catch {
            throw RunFormatError(.json(error))
        }
        return try read(value)
    }

    package static func read(_ value: JSONValue) throws(RunFormatError) -> RunEvent {
        guard case .object(let object) = value else { throw RunFormatError(.wrong(expected: "an object")) }
        let fields = RunFields(object)
        let name = try fields.text("type")
        guard let type = RunEventType.named(name) else { return RunEvent(.unknown(type: name, body: object)) }
        do throws(RunFormatError) {
            return try read(type, fields)
        } catch {
            throw RunFormatError(error.problem, at: error.path, type: name)
        }
    }

    /// Fast path for deltas of texts, reasoning and arguments. Nil if the event needs the full reader.
    private static func delta(_ bytes: UnsafeRawBufferPointer, _ manner: JSONManner) -> RunEvent? {
        var cursor = JSONCursor(bytes, maxDepth: 1, manner: manner)
        var id: String?
        var delta: String?
        var stamp: Int64?
        let type: RunEventType
        do throws(JSONError) {
            guard cursor.consume(UInt8(ascii: "{")) else { return nil }
            var name = try self.name(&cursor)
            guard cursor.matches(name, "type"), case let token = try cursor.text(),
                let found = deltaType(token, cursor)
            else { return nil }
            type = found
            while try cursor.isFollowed(close: UInt8(ascii: "}")) {
                name = try self.name(&cursor)
                if delta == nil, cursor.matches(name, "delta") {
                    delta = cursor.string(try cursor.text())
                } else if id == nil,
                    cursor.matches(name, type == .toolArguments ? "toolCallId" : "messageId")
                {
                    id = cursor.string(try cursor.text())
                } else if stamp == nil, cursor.matches(name, "timestamp"), cursor.peek() != nil {
                    let (start, end, isInteger) = try cursor.number()
                    guard isInteger, let number = Int64(cursor.verbatim(start, end)),
                        number.magnitude < 1 << 53
                    else { return nil }
                    stamp = number
                } else {
                    return nil
                }
            }
            try cursor.expectEnd()
        } catch {
            return nil
        }
        guard let id, let delta else { return nil }
        switch type {
        case .toolArguments: return RunEvent(.toolArguments(id: id, delta: delta), timestamp: stamp)
        case .reasoningContent: return RunEvent(.reasoningContent(id: id, delta: delta), timestamp: stamp)
        default: return RunEvent(.textContent(id: id, delta: delta), timestamp: stamp)
        }
    }

    private static func name(_ cursor: inout JSONCursor) throws(JSONError) -> JSONCursor.Text {
        let name = try cursor.text()
        try cursor.expect(UInt8(ascii: ":"))
        return name
    }

    private static func deltaType(_ text: JSONCursor.Text, _ cursor: JSONCursor) -> RunEventType? {
        if cursor.matches(text, "TEXT_MESSAGE_CONTENT") { return .textContent }
        if cursor.matches(text, "TOOL_CALL_ARGS") { return .toolArguments }
        return cursor.matches(text, "REASONING_MESSAGE_CONTENT") ? .reasoningContent : nil
    }

    private static func read(_ type: RunEventType, _ fields: RunFields) throws(RunFormatError) -> RunEvent {
        var event = RunEvent(try kind(type, fields))
        // These rare members have names of more than seven characters, so shorter names are not compared.
        for member in fields.object.members where member.name.utf8.count > 7 {
            if case .null = member.value { continue }
            switch member.name {
            case "timestamp":
                guard let number = member.value.integer, number.magnitude < 1 << 53 else {
                    throw fields.wrong("timestamp", "a whole number of milliseconds")
                }
                event.timestamp = number
            case "metadata": event.metadata = try fields.object("metadata")
            case "rawEvent": event.rawEvent = member.value
            case "subagentRunId":
                if case .runStarted = event.kind { continue }
                if !event.kind.isOfSubagent { event.subagentRunID = try fields.text("subagentRunId") }
            default: break
            }
        }
        return event
    }

    private static func kind(
        _ type: RunEventType, _ fields: RunFields
    ) throws(RunFormatError) -> RunEvent.Kind {
        switch type {
        case .textStart, .textContent, .textEnd, .textChunk: try text(type, fields)
        case .toolStart, .toolArguments, .toolEnd, .toolResult, .toolChunk: try tool(type, fields)
        case .reasoningStart, .reasoningMessageStart, .reasoningContent, .reasoningMessageEnd,
            .reasoningChunk, .reasoningEnd, .reasoningEncrypted, .thinkingStart, .thinkingEnd,
            .thinkingTextStart, .thinkingTextContent, .thinkingTextEnd:
            try reasoning(type, fields)
        case .runStarted, .runFinished, .runError, .stepStarted, .stepFinished: try run(type, fields)
        case .subagentStarted, .subagentFinished, .subagentError: try subagent(type, fields)
        case .stateSnapshot: .stateSnapshot(try fields.any("snapshot"))
        case .stateDelta: .stateDelta(try fields.array("delta", JSONPatchOperation.init))
        case .messagesSnapshot: .messagesSnapshot(try fields.array("messages", RunMessage.init))
        case .activitySnapshot:
            .activitySnapshot(
                id: try fields.text("messageId"), type: try fields.text("activityType"),
                content: try fields.object("content"), replace: try fields.optionalBool("replace"))
        case .activityDelta:
            .activityDelta(
                id: try fields.text("messageId"), type: try fields.text("activityType"),
                patch: try fields.array("patch", JSONPatchOperation.init))
        case .raw: .raw(event: try fields.any("event"), source: try fields.optionalText("source"))
        case .custom: .custom(name: try fields.text("name"), value: try fields.any("value"))
        }
    }

    private static func text(
        _ type: RunEventType, _ fields: RunFields
    ) throws(RunFormatError) -> RunEvent.Kind {
        switch type {
        case .textStart:
            .textStart(
                id: try fields.text("messageId"), role: try role(fields),
                name: try fields.optionalText("name"))
        case .textContent: .textContent(id: try fields.text("messageId"), delta: try fields.text("delta"))
        case .textEnd: .textEnd(id: try fields.text("messageId"))
        default:
            .textChunk(
                id: try fields.optionalText("messageId"), role: try role(fields),
                delta: try fields.optionalText("delta"), name: try fields.optionalText("name"))
        }
    }

    /// Reads the role of a text message.
    private static func role(_ fields: RunFields) throws(RunFormatError) -> MessageRole? {
        let role = try fields.word("role", MessageRole.self)
        switch role {
        case .tool, .activity, .reasoning:
            throw fields.wrong("role", "one of developer, system, assistant, user")
        default: return role
        }
    }

    private static func tool(
        _ type: RunEventType, _ fields: RunFields
    ) throws(RunFormatError) -> RunEvent.Kind {
        switch type {
        case .toolStart:
            return .toolStart(
                id: try fields.text("toolCallId"), name: try fields.text("toolCallName"),
                parentMessageID: try fields.optionalText("parentMessageId"))
        case .toolArguments:
            return .toolArguments(id: try fields.text("toolCallId"), delta: try fields.text("delta"))
        case .toolEnd: return .toolEnd(id: try fields.text("toolCallId"))
        case .toolResult:
            let role = try fields.optionalText("role")
            guard role == nil || role == "tool" else { throw fields.wrong("role", "\"tool\"") }
            return .toolResult(
                RunToolResult(
                    messageID: try fields.text("messageId"), toolCallID: try fields.text("toolCallId"),
                    content: try RunContent(fields, "content"), namesRole: role != nil))
        default:
            return .toolChunk(
                id: try fields.optionalText("toolCallId"), name: try fields.optionalText("toolCallName"),
                parentMessageID: try fields.optionalText("parentMessageId"),
                delta: try fields.optionalText("delta"))
        }
    }

    private static func reasoning(
        _ type: RunEventType, _ fields: RunFields
    ) throws(RunFormatError) -> RunEvent.Kind {
        switch type {
        case .reasoningStart: return .reasoningStart(id: try fields.text("messageId"))
        case .reasoningMessageStart:
            let role = try fields.optionalText("role")
            guard role == nil || role == "reasoning" || role == "assistant" else {
                throw fields.wrong("role", "\"reasoning\"")
            }
            return .reasoningMessageStart(id: try fields.text("messageId"), namesRole: role != nil)
        case .reasoningContent:
            return .reasoningContent(id: try fields.text("messageId"), delta: try fields.text("delta"))
        case .reasoningMessageEnd: return .reasoningMessageEnd(id: try fields.text("messageId"))
        case .reasoningChunk:
            return .reasoningChunk(
                id: try fields.optionalText("messageId"), delta: try fields.optionalText("delta"))
        case .reasoningEnd: return .reasoningEnd(id: try fields.text("messageId"))
        case .reasoningEncrypted:
            guard let subtype = RunEvent.EncryptedSubtype(rawValue: try fields.text("subtype")) else {
                throw fields.wrong("subtype", "one of tool-call, message")
            }
            return .reasoningEncrypted(
                subtype: subtype, entityID: try fields.text("entityId"),
                value: try fields.text("encryptedValue"))
        case .thinkingStart: return .thinkingStart(title: try fields.optionalText("title"))
        case .thinkingEnd: return .thinkingEnd
        case .thinkingTextStart: return .thinkingTextStart
        case .thinkingTextContent: return .thinkingTextContent(delta: try fields.text("delta"))
        default: return .thinkingTextEnd
        }
    }

    private static func run(
        _ type: RunEventType, _ fields: RunFields
    ) throws(RunFormatError) -> RunEvent.Kind {
        switch type {
        case .runStarted:
            let input = try fields.optionalObject("input")
            return .runStarted(
                RunStart(
                    threadID: try fields.text("threadId"), runID: try fields.text("runId"),
                    parentRunID: try fields.optionalText("parentRunId"),
                    protocolVersion: try fields.optionalText("protocolVersion"),
                    input: try input.map { (object) throws(RunFormatError) in
                        try RunInput(fields.inner("input", object))
                    }))
        case .runFinished:
            return .runFinished(
                RunFinish(
                    threadID: try fields.text("threadId"), runID: try fields.text("runId"),
                    result: fields.optional("result"), outcome: try outcome(fields),
                    usage: try fields.optionalArray("usage", TokenUsage.init)))
        case .runError:
            return .runError(
                RunError(
                    message: try fields.text("message"), code: try fields.optionalText("code"),
                    usage: try fields.optionalArray("usage", TokenUsage.init)))
        case .stepStarted: return .stepStarted(name: try fields.text("stepName"))
        default: return .stepFinished(name: try fields.text("stepName"))
        }
    }

    private static func outcome(_ fields: RunFields) throws(RunFormatError) -> RunFinish.Outcome? {
        guard let object = try fields.optionalObject("outcome") else { return nil }
        let inner = fields.inner("outcome", object)
        switch try inner.text("type") {
        case "success": return .success(pendingToolCallIDs: try inner.texts("pendingToolCallIds"))
        case "cancelled": return .cancelled
        case "interrupt":
            let interrupts = try inner.array("interrupts", RunInterrupt.init)
            guard !interrupts.isEmpty else { throw inner.wrong("interrupts", "at least one interrupt") }
            return .interrupt(interrupts)
        default: throw inner.wrong("type", "one of success, interrupt, cancelled")
        }
    }

    private static func subagent(
        _ type: RunEventType, _ fields: RunFields
    ) throws(RunFormatError) -> RunEvent.Kind {
        let id = try fields.text("subagentRunId")
        switch type {
        case .subagentStarted:
            return .subagentStarted(
                SubagentStart(
                    id: id, name: try fields.text("name"),
                    description: try fields.optionalText("description"),
                    parentSubagentRunID: try fields.optionalText("parentSubagentRunId"),
                    parentToolCallID: try fields.optionalText("parentToolCallId").map(
                        ToolCallID.init(rawValue:)),
                    parentMessageID: try fields.optionalText("parentMessageId").map(MessageID.init(rawValue:))
                ))
        case .subagentFinished:
            return .subagentFinished(
                id: id, result: fields.optional("result"), outcome: try subagentOutcome(fields))
        default:
            return .subagentError(
                id: id, message: try fields.text("message"), code: try fields.optionalText("code"))
        }
    }

    private static func subagentOutcome(_ fields: RunFields) throws(RunFormatError) -> SubagentOutcome? {
        guard let object = try fields.optionalObject("outcome") else { return nil }
        let inner = fields.inner("outcome", object)
        switch try inner.text("type") {
        case "success": return .success
        case "suspended": return .suspended(interruptIDs: try inner.texts("interruptIds"))
        default: throw inner.wrong("type", "one of success, suspended")
        }
    }
}

extension RunEvent.Kind {
    /// Whether `subagentRunId` is the event's subject, not its sender.
    fileprivate var isOfSubagent: Bool {
        switch self {
        case .subagentStarted, .subagentFinished, .subagentError: true
        default: false
        }
    }
}
