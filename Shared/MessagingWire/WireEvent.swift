/// One event of the server, as a client reads it (protocol.md#server-envelope).
package struct WireEvent: Equatable, Sendable {
    /// Empty for a heartbeat that had none.
    package var id: String
    /// nil: transient.
    package var sequence: UInt64?
    /// Since 1970; nil when the text was missing (heartbeats only) or unreadable: take the time of arrival.
    package var nanoseconds: Int64?
    package var payload: WirePayload
    package var metadata: WireMetadata?

    package init(
        id: String, sequence: UInt64?, nanoseconds: Int64?, payload: WirePayload,
        metadata: WireMetadata? = nil
    ) {
        self.id = id
        self.sequence = sequence
        self.nanoseconds = nanoseconds
        self.payload = payload
        self.metadata = metadata
    }
}

/// The `metadata` of an event. `custom` is nil when absent, and when a value in it is not a string.
package struct WireMetadata: Equatable, Sendable {
    package var custom: [String: String]?

    package init(custom: [String: String]? = nil) {
        self.custom = custom
    }
}

/// What an event says, by type.
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
    case surveyRequest(title: String, question: String)
    /// A type without a case here; `json` is the text of its payload, one JSON object.
    case other(type: String, json: String)

    /// The `type` on the wire.
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
        case .surveyRequest: EventType.surveyRequest.rawValue
        case .other(let type, _): type
        }
    }
}
