extension RunInput {
    func write(_ fields: inout RunFieldWriter) {
        fields.field("threadId", threadID)
        fields.field("runId", runID)
        fields.field("parentRunId", parentRunID)
        fields.field("protocolVersion", protocolVersion)
        fields.field("state", state)
        fields.array("messages", messages) { $1.write(&$0) }
        fields.array("tools", tools) { fields, tool in
            fields.field("name", tool.name)
            fields.field("description", tool.description)
            fields.field("parameters", tool.parameters)
            fields.field("metadata", tool.metadata)
        }
        fields.array("context", context) { fields, context in
            fields.field("description", context.description)
            fields.field("value", context.value)
        }
        fields.field("forwardedProps", forwardedProps)
        fields.array("resume", resume) { fields, entry in
            fields.field("interruptId", entry.interruptID)
            fields.field("status", entry.status.rawValue)
            fields.field("payload", entry.payload)
            fields.field("metadata", entry.metadata)
        }
    }
}

extension RunMessage {
    func write(_ fields: inout RunFieldWriter) {
        fields.field("id", id)
        fields.field("role", role.rawValue)
        fields.field("toolCallId", toolCallID)
        if let activity {
            fields.field("activityType", activity.type)
            fields.field("content", activity.content)
        } else if let content {
            fields.content(content)
        }
        fields.array("toolCalls", toolCalls) { fields, call in
            fields.field("id", call.id)
            fields.field("type", "function")
            fields.object("function") {
                $0.field("name", call.name)
                $0.field("arguments", call.arguments)
            }
            fields.field("encryptedValue", call.encryptedValue)
            fields.field("metadata", call.metadata)
        }
        fields.field("error", error)
        fields.field("name", name)
        fields.field("encryptedValue", encryptedValue)
        fields.field("metadata", metadata)
        fields.field("subagentRunId", subagentRunID)
    }
}

extension RunFieldWriter {
    mutating func content(_ content: RunContent) {
        switch content {
        case .text(let text): field("content", text)
        case .parts(let parts): array("content", parts) { $1.write(&$0) }
        }
    }
}

extension RunPart {
    func write(_ fields: inout RunFieldWriter) {
        fields.field("type", kind.rawValue)
        fields.field("text", text)
        if let source {
            fields.object("source") { inner in
                switch source {
                case .data(let value, let mimeType):
                    inner.field("type", "data")
                    inner.field("value", value)
                    inner.field("mimeType", mimeType)
                case .url(let value, let mimeType):
                    inner.field("type", "url")
                    inner.field("value", value)
                    inner.field("mimeType", mimeType)
                case .file(let value, let provider, let mimeType):
                    inner.field("type", "file")
                    inner.field("value", value)
                    inner.field("provider", provider)
                    inner.field("mimeType", mimeType)
                }
            }
        }
        if let binary {
            fields.field("mimeType", binary.mimeType)
            fields.field("id", binary.id)
            fields.field("url", binary.url)
            fields.field("data", binary.data)
            fields.field("filename", binary.filename)
        }
        fields.field("metadata", metadata)
        fields.field("id", id)
    }
}

extension RunInterrupt {
    func write(_ fields: inout RunFieldWriter) {
        fields.field("id", id)
        fields.field("reason", reason)
        fields.field("message", message)
        fields.field("toolCallId", toolCallID)
        fields.field("responseSchema", responseSchema)
        fields.field("expiresAt", expiresAt)
        fields.field("metadata", metadata)
    }
}

extension TokenUsage {
    func write(_ fields: inout RunFieldWriter) {
        fields.field("provider", provider)
        fields.field("model", model)
        fields.field("inputTokens", inputTokens)
        fields.field("outputTokens", outputTokens)
        fields.field("totalTokens", totalTokens)
        fields.field("reasoningTokens", reasoningTokens)
        fields.field("cachedInputTokens", cachedInputTokens)
        fields.field("cacheWriteInputTokens", cacheWriteInputTokens)
    }
}

extension JSONPatchOperation {
    func write(_ fields: inout RunFieldWriter) {
        fields.field("op", verb.rawValue)
        fields.field("path", path)
        fields.field("from", from)
        fields.field("value", value)
    }
}
