/// Type of an event. The raw value is its text on the wire, case-sensitive (protocol.md#known-types). Most types have a
/// section in protocol.md, such as protocol.md#event-heartbeat.
package enum EventType: String, CaseIterable, Hashable, Sendable {
    // Types that clients may send (protocol.md#allowed-types).
    case joinRequest = "EVENT_TYPE_REQUEST_POLY_AGENT_JOIN"
    case userMessage = "EVENT_TYPE_USER_MESSAGE"
    case userTyping = "EVENT_TYPE_USER_TYPING"
    case userEndSession = "EVENT_TYPE_USER_END_SESSION"
    case heartbeat = "EVENT_TYPE_HEARTBEAT"
    // Types that the server sends.
    case sessionStart = "EVENT_TYPE_SESSION_START"
    case sessionEnd = "EVENT_TYPE_SESSION_END"
    case agentJoined = "EVENT_TYPE_POLY_AGENT_JOINED"
    case agentThinking = "EVENT_TYPE_POLY_AGENT_THINKING"
    case agentMessage = "EVENT_TYPE_POLY_AGENT_MESSAGE"
    case agentMessageChunk = "EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK"
    case agentLeft = "EVENT_TYPE_POLY_AGENT_LEFT"
    case agentTriggeredHandoff = "EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF"
    case clientHandoffRequired = "EVENT_TYPE_CLIENT_HANDOFF_REQUIRED"
    case handoffAccepted = "EVENT_TYPE_HANDOFF_ACCEPTED"
    case handoffQueueStatus = "EVENT_TYPE_HANDOFF_QUEUE_STATUS"
    case handoffFailed = "EVENT_TYPE_HANDOFF_FAILED"
    case handoffTimeout = "EVENT_TYPE_HANDOFF_TIMEOUT"
    case liveAgentJoined = "EVENT_TYPE_LIVE_AGENT_JOINED"
    case liveAgentTyping = "EVENT_TYPE_LIVE_AGENT_TYPING"
    case liveAgentMessage = "EVENT_TYPE_LIVE_AGENT_MESSAGE"
    case liveAgentLeft = "EVENT_TYPE_LIVE_AGENT_LEFT"
    case systemMessage = "EVENT_TYPE_SYSTEM_MESSAGE"
    case languageChanged = "EVENT_TYPE_LANGUAGE_CHANGED"
    case eventBatch = "EVENT_TYPE_EVENT_BATCH"
    // Types that are defined and not sent (protocol.md).
    case sessionIdleWarning = "EVENT_TYPE_SESSION_IDLE_WARNING"
    case userReceivedMessage = "EVENT_TYPE_USER_RECEIVED_MESSAGE"
    case userReadMessage = "EVENT_TYPE_USER_READ_MESSAGE"
    case agentReceivedMessage = "EVENT_TYPE_POLY_AGENT_RECEIVED_MESSAGE"
    case agentReadMessage = "EVENT_TYPE_POLY_AGENT_READ_MESSAGE"
    case liveAgentReceivedMessage = "EVENT_TYPE_LIVE_AGENT_RECEIVED_MESSAGE"
    case liveAgentReadMessage = "EVENT_TYPE_LIVE_AGENT_READ_MESSAGE"
    case surveyRequest = "EVENT_TYPE_SHOW_CSAT_REQUEST"
    case surveyResponse = "EVENT_TYPE_CSAT_RESPONSE"
    // Only for sessions with extensions (extensions.md).
    case messageChanged = "EVENT_TYPE_EXT_MESSAGE_CHANGED"
    // Types that are internal to the server or belong to the voice product.
    case joinRequestWithGreeting = "EVENT_TYPE_REQUEST_POLY_AGENT_JOIN_WITH_GREETING_MESSAGE"
    case voiceLink = "EVENT_TYPE_LINK_TO_WEBRTC_CONVERSATION"

    package static let prefix = "EVENT_TYPE_"
}
