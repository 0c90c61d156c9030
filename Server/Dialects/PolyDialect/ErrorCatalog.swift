package import ConversationEngine

/// A documented error with its exact text (protocol.md#error-missing-headers and the sections after it).
package struct ErrorCatalog: Equatable, Sendable {
    package var text: String
    /// HTTP status; nil for a problem on an open WebSocket.
    package var status: Int?
    /// The value of `error_code`, which the documentation leaves open.
    package var code: String

    private init(_ text: String, _ status: Int?, _ code: String) {
        self.text = text
        self.status = status
        self.code = code
    }

    package static func entry(_ problem: KnownProblem) -> ErrorCatalog {
        switch problem {
        case .missingHeaders: Self("Missing authentication headers", 401, "MISSING_AUTHENTICATION_HEADERS")
        case .unknownConnector: Self("Connector token does not exist", 401, "CONNECTOR_TOKEN_NOT_FOUND")
        case .connectorWithoutHost: Self("Connector missing host domain", 401, "CONNECTOR_WITHOUT_HOST")
        case .hostMismatch: Self("Failed to validate connector", 401, "CONNECTOR_HOST_MISMATCH")
        case .tokenFailure: Self("Failed to create access token", 500, "ACCESS_TOKEN_FAILED")
        case .missingToken: Self("Missing access token", 400, "MISSING_ACCESS_TOKEN")
        case .malformedAuthorization: Self("Missing authentication headers", 401, "MALFORMED_AUTHORIZATION")
        case .invalidToken: Self("Invalid access token", 401, "INVALID_ACCESS_TOKEN")
        case .unreadableRequest: Self("Error parsing request", 400, "UNREADABLE_REQUEST")
        case .sessionFailure: Self("Failed to create session", 500, "SESSION_FAILED")
        case .invalidParameters: Self("invalid connection parameters", 400, "INVALID_CONNECTION_PARAMETERS")
        case .authenticationFailed: Self("authentication failed", 401, "AUTHENTICATION_FAILED")
        case .unknownSession: Self("session not found", 404, "SESSION_NOT_FOUND")
        case .tooManyConnections:
            Self("connection limit exceeded for session", 429, "CONNECTION_LIMIT_EXCEEDED")
        case .unknownEvent: Self("Unknown event type or invalid message format", nil, "UNKNOWN_EVENT")
        case .eventNotAllowed: Self("Event type not allowed", nil, "EVENT_NOT_ALLOWED")
        case .highLoad:
            Self("Our system is experiencing high load. Please try again in a moment.", nil, "HIGH_LOAD")
        case .cannotStart:
            Self(
                "Sorry, I'm unable to start a conversation right now. Please try again later.", nil,
                "CANNOT_START"
            )
        case .cannotRespond:
            Self("Sorry, I'm having trouble responding right now. Please try again.", nil, "CANNOT_RESPOND")
        case .agentFailure: Self("Sorry, I encountered an error. Please try again.", nil, "AGENT_FAILURE")
        case .sessionGone: Self("Error: Session not found", nil, "SESSION_GONE")
        case .sessionUnavailable: Self("Error: Unable to retrieve session", nil, "SESSION_UNAVAILABLE")
        case .connectorGone: Self("Error: Connector not found", nil, "CONNECTOR_GONE")
        case .noConversation: Self("Error: Conversation not found", nil, "NO_CONVERSATION")
        case .conversationNotReady:
            Self("Error: Conversation ID not found in session", nil, "CONVERSATION_NOT_READY")
        case .noLiveSession:
            Self("Sorry, we could not connect you to an agent. Please try again.", nil, "NO_LIVE_SESSION")
        case .notForwarded: Self("Failed to forward message to live agent", nil, "NOT_FORWARDED")
        case .handoffMisconfigured:
            Self("Sorry, handoff could not be initiated.", nil, "HANDOFF_MISCONFIGURED")
        }
    }

    /// Returns the text of an error event. `detail` is the refused event type of ``KnownProblem/eventNotAllowed``.
    package static func notice(_ problem: KnownProblem, detail: String?) -> String {
        let text = entry(problem).text
        guard problem == .eventNotAllowed, let detail else { return text }
        return text + ": " + detail
    }
}
