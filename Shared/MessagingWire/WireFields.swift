import Texts

/// Appends the members of a payload, with the commas between them.
struct WireFields {
    var bytes: [UInt8]
    private var needsComma = false

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The members of `payload` without the braces around them.
    mutating func write(_ payload: WirePayload) {
        switch payload {
        case .sessionStart(let capabilities, let contextID): write(capabilities, contextID: contextID)
        case .sessionEnd(let reason), .agentLeft(let reason), .handoffFailed(let reason),
            .handoffTimeout(let reason):
            field("reason", reason)
        case .sessionIdleWarning, .joinRequest, .userEndSession, .heartbeat, .agentThinking,
            .agentTriggeredHandoff, .other:
            break
        case .userMessage(let messageID, let text):
            field("message_id", messageID)
            field("text", text)
        case .userTyping(let state): field("state", state.rawValue)
        case .agentJoined(let name, let avatarURL):
            field("agent_name", name)
            field("agent_avatar_url", avatarURL)
        case .agentMessage(let message): write(message, isLive: false)
        case .agentMessageChunk(let chunk): write(chunk)
        case .clientHandoffRequired(let reason, let queueName, let route):
            field("reason", reason)
            field("queue_name", queueName)
            field("route", route)
        case .handoffAccepted(let queueName): field("queue_name", queueName)
        case .handoffQueueStatus(let status):
            field("queue_name", status.queueName)
            field("position_in_queue", status.position)
            field("estimated_wait_seconds", status.estimatedWaitSeconds)
            field("display_message", status.displayMessage)
        case .liveAgentJoined(let person):
            open("agent", UInt8(ascii: "{"))
            field("id", person.id)
            field("name", person.name)
            field("avatar_url", person.avatarURL)
            close(UInt8(ascii: "}"))
        case .liveAgentTyping(let state, let person):
            field("state", state.rawValue)
            field("agent_id", person.id)
            field("agent_name", person.name)
        case .liveAgentMessage(let message): write(message, isLive: true)
        case .liveAgentLeft(let person, let reason):
            field("agent_id", person.id)
            field("agent_name", person.name)
            field("reason", reason)
        case .systemMessage(let level, let message):
            field("level", level.rawValue)
            field("message", message)
        case .languageChanged(let code): field("language_code", code)
        case .receipt(_, let messageID): field("message_id", messageID)
        case .surveyRequest(let title, let question):
            field("title", title)
            field("question", question)
        }
    }

    private mutating func write(_ capabilities: WireCapabilities, contextID: String?) {
        open("capabilities", UInt8(ascii: "{"))
        field("streaming", capabilities.streaming)
        field("max_message_size_bytes", capabilities.maxMessageSizeBytes)
        field("max_reconnect_attempts", capabilities.maxReconnectAttempts)
        field("heartbeat_interval_seconds", capabilities.heartbeatIntervalSeconds)
        close(UInt8(ascii: "}"))
        field("context_id", contextID)
    }

    /// Attachments and suggestions always stand there, also when empty; the undocumented fields only when set.
    private mutating func write(_ message: WireMessage, isLive: Bool) {
        field("message_id", message.messageID)
        field("text", message.text)
        write(message.attachments)
        write(message.suggestions)
        write(message.callActions)
        if message.endsConversation, !isLive { field("end_conversation", true) }
        if isLive { field("agent_id", message.sender.id) }
        field("agent_name", message.sender.name)
        field("avatar_url", message.sender.avatarURL)
    }

    private mutating func write(_ chunk: WireChunk) {
        field("message_id", chunk.messageID)
        field("chunk_index", chunk.index)
        field("is_complete", chunk.isComplete)
        field("text", chunk.text)
        write(chunk.attachments)
        write(chunk.suggestions)
        write(chunk.callActions)
        if chunk.endsConversation { field("end_conversation", true) }
    }

    private mutating func write(_ attachments: [WireAttachment]) {
        open("attachments", UInt8(ascii: "["))
        for attachment in attachments {
            element()
            field("title", attachment.title)
            field("content_type", attachment.contentType.rawValue)
            field("content_url", attachment.contentURL)
            field("preview_image_url", attachment.previewImageURL)
            field("call_to_action_text", attachment.callToActionText)
            close(UInt8(ascii: "}"))
        }
        close(UInt8(ascii: "]"))
    }

    private mutating func write(_ suggestions: [WireSuggestion]) {
        open("response_suggestions", UInt8(ascii: "["))
        for suggestion in suggestions {
            element()
            field("message_text", suggestion.messageText)
            field("payload", suggestion.payload)
            close(UInt8(ascii: "}"))
        }
        close(UInt8(ascii: "]"))
    }

    private mutating func write(_ callActions: [WireCallAction]) {
        if callActions.isEmpty { return }
        open("chat_call_actions", UInt8(ascii: "["))
        for action in callActions {
            element()
            field("title", action.title)
            field("contact_number", action.contactNumber)
            close(UInt8(ascii: "}"))
        }
        close(UInt8(ascii: "]"))
    }

    // MARK: Members

    private mutating func name(_ name: StaticString) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        JSONWriter.literal(name, into: &bytes)
        JSONWriter.literal("\":", into: &bytes)
        needsComma = true
    }

    private mutating func field(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        JSONWriter.string(text, into: &bytes)
    }

    private mutating func field(_ name: StaticString, _ number: Int?) {
        guard let number else { return }
        self.name(name)
        JSONWriter.integer(number, into: &bytes)
    }

    private mutating func field(_ name: StaticString, _ flag: Bool) {
        self.name(name)
        JSONWriter.bool(flag, into: &bytes)
    }

    private mutating func open(_ name: StaticString, _ bracket: UInt8) {
        self.name(name)
        bytes.append(bracket)
        needsComma = false
    }

    /// Opens an object inside an array.
    private mutating func element() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
}
