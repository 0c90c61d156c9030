import Texts

extension WirePayload {
    /// Reads the payload of `type`; fields that are missing or of the wrong kind count as absent.
    init(type: String, _ payload: JSONObject) {
        guard let known = EventType(rawValue: type) else {
            self = .other(type: type, json: Self.text(payload))
            return
        }
        switch known {
        case .sessionStart: self = Self.sessionStart(payload)
        case .sessionEnd: self = .sessionEnd(reason: payload.text("reason"))
        case .sessionIdleWarning: self = .sessionIdleWarning
        case .joinRequest: self = .joinRequest
        case .userMessage:
            self = .userMessage(
                messageID: payload.text("message_id") ?? "", text: payload.text("text") ?? "")
        case .userTyping: self = .userTyping(payload.typing)
        case .userEndSession: self = .userEndSession
        case .heartbeat: self = .heartbeat
        case .agentJoined:
            self = .agentJoined(
                name: payload.text("agent_name"),
                avatarURL: payload.link("agent_avatar_url") ?? payload.link("avatar_url"))
        case .agentThinking: self = .agentThinking
        case .agentMessage: self = .agentMessage(payload.message(isLive: false))
        case .agentMessageChunk: self = .agentMessageChunk(payload.chunk)
        case .agentLeft: self = .agentLeft(reason: payload.text("reason"))
        case .agentTriggeredHandoff: self = .agentTriggeredHandoff
        case .clientHandoffRequired:
            self = .clientHandoffRequired(
                reason: payload.text("reason"), queueName: payload.text("queue_name"),
                route: payload.text("route"))
        case .handoffAccepted: self = .handoffAccepted(queueName: payload.text("queue_name"))
        case .handoffQueueStatus: self = .handoffQueueStatus(payload.queueStatus)
        case .handoffFailed: self = .handoffFailed(reason: payload.text("reason"))
        case .handoffTimeout: self = .handoffTimeout(reason: payload.text("reason"))
        case .liveAgentJoined: self = .liveAgentJoined(payload.joinedPerson)
        case .liveAgentTyping: self = .liveAgentTyping(payload.typing, payload.namedPerson)
        case .liveAgentMessage: self = .liveAgentMessage(payload.message(isLive: true))
        case .liveAgentLeft: self = .liveAgentLeft(payload.namedPerson, reason: payload.text("reason"))
        case .systemMessage:
            self = .systemMessage(
                payload.text("level").flatMap { WireLevel(rawValue: $0) } ?? .info,
                message: payload.text("message") ?? "")
        case .languageChanged: self = .languageChanged(code: payload.text("language_code") ?? "")
        case .userReceivedMessage, .userReadMessage, .agentReceivedMessage, .agentReadMessage,
            .liveAgentReceivedMessage, .liveAgentReadMessage:
            self = .receipt(type: known, messageID: payload.text("message_id") ?? "")
        case .surveyRequest:
            self = .surveyRequest(
                title: payload.text("title") ?? "", question: payload.text("question") ?? "")
        case .surveyResponse, .eventBatch, .joinRequestWithGreeting, .voiceLink:
            self = .other(type: type, json: Self.text(payload))
        }
    }

    private static func sessionStart(_ payload: JSONObject) -> WirePayload {
        let facts = payload["capabilities"]?.object ?? JSONObject()
        let capabilities = WireCapabilities(
            streaming: facts["streaming"]?.bool ?? false,
            maxMessageSizeBytes: facts.int("max_message_size_bytes")
                ?? WireCapabilities.assumedMessageSizeBytes,
            maxReconnectAttempts: facts.int("max_reconnect_attempts"),
            heartbeatIntervalSeconds: facts.int("heartbeat_interval_seconds"))
        return .sessionStart(capabilities, contextID: payload.text("context_id"))
    }

    private static func text(_ payload: JSONObject) -> String {
        String(decoding: JSONWriter.bytes(.object(payload)), as: UTF8.self)
    }
}

extension JSONObject {
    fileprivate func text(_ name: String) -> String? { self[name]?.string }

    fileprivate func int(_ name: String) -> Int? { self[name]?.integer.flatMap { Int(exactly: $0) } }

    /// A URL as text; empty counts as absent.
    fileprivate func link(_ name: String) -> String? {
        text(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The objects of a list; elements of another kind are left out.
    fileprivate func objects(_ name: String) -> [JSONObject] {
        (self[name]?.array ?? []).compactMap(\.object)
    }

    /// Missing and unknown states mean: started (protocol.md#event-live-agent-typing).
    fileprivate var typing: WireTyping { text("state").flatMap { WireTyping(rawValue: $0) } ?? .started }

    fileprivate var namedPerson: WirePerson { WirePerson(id: text("agent_id"), name: text("agent_name")) }

    /// The flat legacy fields win over the nested object (protocol.md#event-live-agent-joined).
    fileprivate var joinedPerson: WirePerson {
        let nested = self["agent"]?.object ?? JSONObject()
        return WirePerson(
            id: text("agent_id") ?? nested.text("id"), name: text("agent_name") ?? nested.text("name"),
            avatarURL: link("avatar_url") ?? nested.link("avatar_url"))
    }

    fileprivate var queueStatus: WireQueueStatus {
        WireQueueStatus(
            queueName: text("queue_name"), position: int("position_in_queue") ?? int("position"),
            estimatedWaitSeconds: int("estimated_wait_seconds"), displayMessage: text("display_message"))
    }

    fileprivate func message(isLive: Bool) -> WireMessage {
        WireMessage(
            messageID: text("message_id") ?? "", text: text("text") ?? "", attachments: attachments,
            suggestions: suggestions, callActions: callActions,
            endsConversation: isLive ? false : self["end_conversation"]?.bool ?? false,
            sender: WirePerson(
                id: isLive ? text("agent_id") : nil, name: text("agent_name"), avatarURL: link("avatar_url")))
    }

    fileprivate var chunk: WireChunk {
        WireChunk(
            messageID: text("message_id") ?? "", index: int("chunk_index") ?? 0,
            isComplete: self["is_complete"]?.bool ?? false, text: text("text"), attachments: attachments,
            suggestions: suggestions, callActions: callActions,
            endsConversation: self["end_conversation"]?.bool ?? false)
    }

    private var attachments: [WireAttachment] {
        objects("attachments").map { object in
            WireAttachment(
                contentType: object.text("content_type").flatMap { WireAttachment.ContentType(rawValue: $0) }
                    ?? .unknown,
                contentURL: object.link("content_url"), previewImageURL: object.link("preview_image_url"),
                title: object.text("title"), callToActionText: object.text("call_to_action_text"))
        }
    }

    private var suggestions: [WireSuggestion] {
        objects("response_suggestions").map {
            WireSuggestion(messageText: $0.text("message_text") ?? "", payload: $0.text("payload"))
        }
    }

    private var callActions: [WireCallAction] {
        objects("chat_call_actions").map {
            WireCallAction(title: $0.text("title") ?? "", contactNumber: $0.text("contact_number") ?? "")
        }
    }
}
