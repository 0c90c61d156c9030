import Texts

package enum WirePayload: Equatable, Sendable {
    case sessionStart(WireCapabilities, contextID: String?)
    case sessionEnd(reason: String?)
    case sessionIdleWarning
    case joinRequest
    case userMessage(messageID: String, text: String)
    case userTyping(WireTyping)
    case userEndSession
    case heartbeat
    case agentJoined(name: String?, avatarURL: String?)
    case agentThinking
    case agentMessage(WireMessage)
    case agentMessageChunk(WireChunk)
    case agentLeft(reason: String?)
    case agentTriggeredHandoff
    case clientHandoffRequired(reason: String?, queueName: String?, route: String?)
    case handoffAccepted(queueName: String?)
    case handoffQueueStatus(WireQueueStatus)
    case handoffFailed(reason: String?)
    case handoffTimeout(reason: String?)
    case liveAgentJoined(WirePerson)
    case liveAgentTyping(WireTyping, WirePerson)
    case liveAgentMessage(WireMessage)
    case liveAgentLeft(WirePerson, reason: String?)
    case systemMessage(WireLevel, message: String)
    case languageChanged(code: String)
    /// `type` is one of the six receipt types.
    case receipt(type: EventType, messageID: String)
    indirect case messageChanged(WireChange)
    case surveyRequest(title: String, question: String)
    /// Any other type. `json` is the JSON text of the payload, an object.
    case other(type: String, json: String)

    package var type: String {
        switch self {
        case .sessionStart: EventType.sessionStart.rawValue
        case .sessionEnd: EventType.sessionEnd.rawValue
        case .sessionIdleWarning: EventType.sessionIdleWarning.rawValue
        case .joinRequest: EventType.joinRequest.rawValue
        case .userMessage: EventType.userMessage.rawValue
        case .userTyping: EventType.userTyping.rawValue
        case .userEndSession: EventType.userEndSession.rawValue
        case .heartbeat: EventType.heartbeat.rawValue
        case .agentJoined: EventType.agentJoined.rawValue
        case .agentThinking: EventType.agentThinking.rawValue
        case .agentMessage: EventType.agentMessage.rawValue
        case .agentMessageChunk: EventType.agentMessageChunk.rawValue
        case .agentLeft: EventType.agentLeft.rawValue
        case .agentTriggeredHandoff: EventType.agentTriggeredHandoff.rawValue
        case .clientHandoffRequired: EventType.clientHandoffRequired.rawValue
        case .handoffAccepted: EventType.handoffAccepted.rawValue
        case .handoffQueueStatus: EventType.handoffQueueStatus.rawValue
        case .handoffFailed: EventType.handoffFailed.rawValue
        case .handoffTimeout: EventType.handoffTimeout.rawValue
        case .liveAgentJoined: EventType.liveAgentJoined.rawValue
        case .liveAgentTyping: EventType.liveAgentTyping.rawValue
        case .liveAgentMessage: EventType.liveAgentMessage.rawValue
        case .liveAgentLeft: EventType.liveAgentLeft.rawValue
        case .systemMessage: EventType.systemMessage.rawValue
        case .languageChanged: EventType.languageChanged.rawValue
        case .receipt(let type, _): type.rawValue
        case .messageChanged: EventType.messageChanged.rawValue
        case .surveyRequest: EventType.surveyRequest.rawValue
        case .other(let type, _): type
        }
    }
}

// MARK: On the wire

extension WirePayload {
    func write(to fields: inout WireFields) {
        switch self {
        case .sessionStart(let capabilities, let contextID):
            capabilities.write(to: &fields)
            fields.field("context_id", contextID)
        case .sessionEnd(let reason), .agentLeft(let reason), .handoffFailed(let reason),
            .handoffTimeout(let reason):
            fields.field("reason", reason)
        case .sessionIdleWarning, .joinRequest, .userEndSession, .heartbeat, .agentThinking,
            .agentTriggeredHandoff, .other:
            break
        case .userMessage(let messageID, let text):
            fields.field("message_id", messageID)
            fields.field("text", text)
        case .userTyping(let state): fields.field("state", state.rawValue)
        case .agentJoined(let name, let avatarURL):
            fields.field("agent_name", name)
            fields.field("agent_avatar_url", avatarURL)
        case .agentMessage(let message): message.write(to: &fields, isLive: false)
        case .agentMessageChunk(let chunk): chunk.write(to: &fields)
        case .clientHandoffRequired(let reason, let queueName, let route):
            fields.field("reason", reason)
            fields.field("queue_name", queueName)
            fields.field("route", route)
        case .handoffAccepted(let queueName): fields.field("queue_name", queueName)
        case .handoffQueueStatus(let status): status.write(to: &fields)
        case .liveAgentJoined(let person): person.writeJoined(to: &fields)
        case .liveAgentTyping(let state, let person):
            fields.field("state", state.rawValue)
            person.writeNamed(to: &fields)
        case .liveAgentMessage(let message): message.write(to: &fields, isLive: true)
        case .liveAgentLeft(let person, let reason):
            person.writeNamed(to: &fields)
            fields.field("reason", reason)
        case .systemMessage(let level, let message):
            fields.field("level", level.rawValue)
            fields.field("message", message)
        case .languageChanged(let code): fields.field("language_code", code)
        case .receipt(_, let messageID): fields.field("message_id", messageID)
        case .messageChanged(let change): change.write(to: &fields)
        case .surveyRequest(let title, let question):
            fields.field("title", title)
            fields.field("question", question)
        }
    }

    init(type: String, _ payload: JSONObject) {
        guard let known = EventType(rawValue: type) else {
            self = .other(type: type, json: Self.text(payload))
            return
        }
        switch known {
        case .sessionStart:
            self = .sessionStart(
                WireCapabilities(payload.object("capabilities")), contextID: payload.text("context_id"))
        case .sessionEnd: self = .sessionEnd(reason: payload.text("reason"))
        case .sessionIdleWarning: self = .sessionIdleWarning
        case .joinRequest: self = .joinRequest
        case .userMessage:
            self = .userMessage(
                messageID: payload.text("message_id") ?? "", text: payload.text("text") ?? "")
        case .userTyping: self = .userTyping(WireTyping(payload))
        case .userEndSession: self = .userEndSession
        case .heartbeat: self = .heartbeat
        case .agentJoined:
            self = .agentJoined(
                name: payload.text("agent_name"),
                avatarURL: payload.link("agent_avatar_url") ?? payload.link("avatar_url"))
        case .agentThinking: self = .agentThinking
        case .agentMessage: self = .agentMessage(WireMessage(payload, isLive: false))
        case .agentMessageChunk: self = .agentMessageChunk(WireChunk(payload))
        case .agentLeft: self = .agentLeft(reason: payload.text("reason"))
        case .agentTriggeredHandoff: self = .agentTriggeredHandoff
        case .clientHandoffRequired:
            self = .clientHandoffRequired(
                reason: payload.text("reason"), queueName: payload.text("queue_name"),
                route: payload.text("route"))
        case .handoffAccepted: self = .handoffAccepted(queueName: payload.text("queue_name"))
        case .handoffQueueStatus: self = .handoffQueueStatus(WireQueueStatus(payload))
        case .handoffFailed: self = .handoffFailed(reason: payload.text("reason"))
        case .handoffTimeout: self = .handoffTimeout(reason: payload.text("reason"))
        case .liveAgentJoined: self = .liveAgentJoined(WirePerson(joined: payload))
        case .liveAgentTyping: self = .liveAgentTyping(WireTyping(payload), WirePerson(named: payload))
        case .liveAgentMessage: self = .liveAgentMessage(WireMessage(payload, isLive: true))
        case .liveAgentLeft: self = .liveAgentLeft(WirePerson(named: payload), reason: payload.text("reason"))
        case .systemMessage:
            self = .systemMessage(WireLevel(payload), message: payload.text("message") ?? "")
        case .languageChanged: self = .languageChanged(code: payload.text("language_code") ?? "")
        case .userReceivedMessage, .userReadMessage, .agentReceivedMessage, .agentReadMessage,
            .liveAgentReceivedMessage, .liveAgentReadMessage:
            self = .receipt(type: known, messageID: payload.text("message_id") ?? "")
        case .surveyRequest:
            self = .surveyRequest(
                title: payload.text("title") ?? "", question: payload.text("question") ?? "")
        case .messageChanged:
            self =
                WireChange(payload).map { .messageChanged($0) }
                ?? .other(type: type, json: Self.text(payload))
        case .surveyResponse, .eventBatch, .joinRequestWithGreeting, .voiceLink:
            self = .other(type: type, json: Self.text(payload))
        }
    }

    private static func text(_ payload: JSONObject) -> String {
        String(decoding: JSONWriter.bytes(.object(payload)), as: UTF8.self)
    }
}
