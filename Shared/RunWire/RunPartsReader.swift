import Texts

extension RunInput {
    /// Keys in snake case (`thread_id`) are accepted too. Camel case takes precedence.
    package init(
        reading bytes: [UInt8], maxBytes: Int = JSONLimits.maxDocumentBytes, maxValues: Int = .max
    ) throws(RunFormatError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(bytes, maxBytes: maxBytes, maxValues: maxValues)
        } catch {
            throw RunFormatError(.json(error))
        }
        guard case .object(let object) = value else { throw RunFormatError(.wrong(expected: "an object")) }
        try self.init(RunFields(object, takesSnakeCase: true))
    }

    init(_ fields: RunFields) throws(RunFormatError) {
        self.init(
            threadID: try fields.text("threadId"), runID: try fields.text("runId"),
            parentRunID: try fields.optionalText("parentRunId"),
            protocolVersion: try fields.optionalText("protocolVersion"), state: fields.optional("state"),
            messages: try fields.array("messages", RunMessage.init),
            tools: try fields.optionalArray("tools", RunTool.init),
            context: try fields.optionalArray("context", AGUIContext.init),
            forwardedProps: fields.optional("forwardedProps"),
            resume: try fields.optionalArray("resume", RunResume.init))
    }
}

extension RunTool {
    init(_ fields: RunFields) throws(RunFormatError) {
        self.init(
            name: try fields.text("name"), description: try fields.optionalText("description") ?? "",
            parameters: fields.optional("parameters"), metadata: try fields.optionalObject("metadata"))
    }
}

extension AGUIContext {
    init(_ fields: RunFields) throws(RunFormatError) {
        self.init(description: try fields.text("description"), value: try fields.text("value"))
    }
}

extension RunResume {
    init(_ fields: RunFields) throws(RunFormatError) {
        guard let status = ResumeStatus(rawValue: try fields.text("status")) else {
            throw fields.wrong("status", "one of resolved, cancelled")
        }
        self.init(
            interruptID: try fields.text("interruptId"), status: status, payload: fields.optional("payload"),
            metadata: try fields.optionalObject("metadata"))
    }
}

extension RunInterrupt {
    init(_ fields: RunFields) throws(RunFormatError) {
        self.init(
            id: try fields.text("id"), reason: try fields.text("reason"),
            message: try fields.optionalText("message"), toolCallID: try fields.optionalText("toolCallId"),
            responseSchema: try fields.optionalObject("responseSchema"),
            expiresAt: try fields.optionalText("expiresAt"),
            metadata: try fields.optionalObject("metadata"))
    }
}

extension TokenUsage {
    init(_ fields: RunFields) throws(RunFormatError) {
        self.init(
            provider: try fields.optionalText("provider"), model: try fields.optionalText("model"),
            inputTokens: try fields.optionalInt("inputTokens"),
            outputTokens: try fields.optionalInt("outputTokens"),
            totalTokens: try fields.optionalInt("totalTokens"),
            reasoningTokens: try fields.optionalInt("reasoningTokens"),
            cachedInputTokens: try fields.optionalInt("cachedInputTokens"),
            cacheWriteInputTokens: try fields.optionalInt("cacheWriteInputTokens"))
    }
}

extension JSONPatchOperation {
    init(_ fields: RunFields) throws(RunFormatError) {
        guard let verb = try fields.word("op", JSONPatchVerb.self) else { throw fields.missing("op") }
        let needsValue = verb == .add || verb == .replace || verb == .test
        let needsFrom = verb == .move || verb == .copy
        self.init(
            verb, try fields.text("path"), from: needsFrom ? try fields.text("from") : nil,
            value: needsValue ? try fields.any("value") : nil)
    }
}

extension RunMessage {
    init(_ fields: RunFields) throws(RunFormatError) {
        guard let role = try fields.word("role", MessageRole.self) else { throw fields.missing("role") }
        self.init(
            id: try fields.text("id"), role: role, metadata: try fields.optionalObject("metadata"),
            subagentRunID: try fields.optionalText("subagentRunId"))
        switch role {
        case .developer, .system:
            content = .text(try fields.text("content"))
            name = try fields.optionalText("name")
        case .user:
            content = try RunContent(fields, "content")
            name = try fields.optionalText("name")
        case .assistant:
            content = try fields.optionalText("content").map { .text($0) }
            toolCalls = try fields.optionalArray("toolCalls", RunToolCall.init)
            name = try fields.optionalText("name")
            encryptedValue = try fields.optionalText("encryptedValue")
        case .tool:
            toolCallID = try fields.text("toolCallId")
            content = try RunContent(fields, "content")
            error = try fields.optionalText("error")
            encryptedValue = try fields.optionalText("encryptedValue")
        case .activity:
            activity = Activity(
                type: try fields.text("activityType"), content: .object(try fields.object("content")))
        case .reasoning:
            content = .text(try fields.text("content"))
            encryptedValue = try fields.optionalText("encryptedValue")
        }
    }
}

extension RunToolCall {
    init(_ fields: RunFields) throws(RunFormatError) {
        let function = fields.inner("function", try fields.object("function"))
        self.init(
            id: try fields.text("id"), name: try function.text("name"),
            arguments: try function.text("arguments"),
            encryptedValue: try fields.optionalText("encryptedValue"),
            metadata: try fields.optionalObject("metadata"))
    }
}

extension RunContent {
    init(_ fields: RunFields, _ name: String) throws(RunFormatError) {
        switch fields.optional(name) {
        case .string(let text)?: self = .text(text)
        case .array?: self = .parts(try fields.array(name, RunPart.init))
        case nil: throw fields.missing(name)
        default: throw fields.wrong(name, "a string or an array of parts")
        }
    }
}

extension RunPart {
    init(_ fields: RunFields) throws(RunFormatError) {
        guard let kind = try fields.word("type", ContentKind.self) else { throw fields.missing("type") }
        self.init(kind: kind, metadata: try fields.optionalObject("metadata"))
        switch kind {
        case .text: text = try fields.text("text")
        case .binary:
            binary = Binary(
                mimeType: try fields.text("mimeType"), id: try fields.optionalText("id"),
                url: try fields.optionalText("url"), data: try fields.optionalText("data"),
                filename: try fields.optionalText("filename"))
            return
        case .image, .audio, .video, .document:
            source = try ContentSource(fields.inner("source", try fields.object("source")))
        }
        id = try fields.optionalText("id")
    }
}

extension ContentSource {
    init(_ fields: RunFields) throws(RunFormatError) {
        let value = try fields.text("value")
        switch try fields.text("type") {
        case "data": self = .data(value, mimeType: try fields.text("mimeType"))
        case "url": self = .url(value, mimeType: try fields.optionalText("mimeType"))
        case "file":
            self = .file(
                value, provider: try fields.optionalText("provider"),
                mimeType: try fields.optionalText("mimeType"))
        default: throw fields.wrong("type", "one of data, url, file")
        }
    }
}
