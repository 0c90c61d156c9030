package import ConversationEngine

/// The documented errors, letter for letter (protocol.md#error-missing-headers and on).
package struct ErrorCatalog: Equatable, Sendable {
    /// What `message` says.
    package var text: String
    /// The HTTP status; nil for problems that are told on an open connection.
    package var status: Int?
    /// What `error_code` says: this server's own names, the documentation has none.
    package var code: String

    private init(_ text: String, _ status: Int?, _ code: String) {
        self.text = text
        self.status = status
        self.code = code
    }

    package static func entry(_ problem: KnownProblem) -> ErrorCatalog {
        switch problem {
        case .missingHeaders, .unknownConnector, .connectorWithoutHost, .hostMismatch, .tokenFailure:
            accessToken(problem)
        case .missingToken, .malformedAuthorization, .invalidToken, .unreadableRequest, .sessionFailure:
            session(problem)
        case .invalidParameters, .authenticationFailed, .unknownSession, .tooManyConnections:
            connection(problem)
        default: event(problem)
        }
    }

    /// The text of a notice. `detail` names the event type where the text ends with one.
    package static func notice(_ problem: KnownProblem, detail: String?) -> String {
        let text = entry(problem).text
        guard problem == .eventNotAllowed, let detail else { return text }
        return text + ": " + detail
    }

    private static func accessToken(_ problem: KnownProblem) -> ErrorCatalog {
        switch problem {
        case .missingHeaders:
            ErrorCatalog("Missing authentication headers", 401, "MISSING_AUTHENTICATION_HEADERS")
        case .unknownConnector:
            ErrorCatalog("Connector token does not exist", 401, "CONNECTOR_TOKEN_NOT_FOUND")
        case .connectorWithoutHost:
            ErrorCatalog("Connector missing host domain", 401, "CONNECTOR_WITHOUT_HOST")
        case .hostMismatch: ErrorCatalog("Failed to validate connector", 401, "CONNECTOR_HOST_MISMATCH")
        default: ErrorCatalog("Failed to create access token", 500, "ACCESS_TOKEN_FAILED")
        }
    }

    private static func session(_ problem: KnownProblem) -> ErrorCatalog {
        switch problem {
        case .missingToken: ErrorCatalog("Missing access token", 400, "MISSING_ACCESS_TOKEN")
        case .malformedAuthorization:
            ErrorCatalog("Missing authentication headers", 401, "MALFORMED_AUTHORIZATION")
        case .invalidToken: ErrorCatalog("Invalid access token", 401, "INVALID_ACCESS_TOKEN")
        case .unreadableRequest: ErrorCatalog("Error parsing request", 400, "UNREADABLE_REQUEST")
        default: ErrorCatalog("Failed to create session", 500, "SESSION_FAILED")
        }
    }

    private static func connection(_ problem: KnownProblem) -> ErrorCatalog {
        switch problem {
        case .invalidParameters:
            ErrorCatalog("invalid connection parameters", 400, "INVALID_CONNECTION_PARAMETERS")
        case .authenticationFailed: ErrorCatalog("authentication failed", 401, "AUTHENTICATION_FAILED")
        case .unknownSession: ErrorCatalog("session not found", 404, "SESSION_NOT_FOUND")
        default: ErrorCatalog("connection limit exceeded for session", 429, "CONNECTION_LIMIT_EXCEEDED")
        }
    }

    private static func event(_ problem: KnownProblem) -> ErrorCatalog {
        switch problem {
        case .unknownEvent: told("Unknown event type or invalid message format", "UNKNOWN_EVENT")
        case .eventNotAllowed: told("Event type not allowed", "EVENT_NOT_ALLOWED")
        case .highLoad:
            told("Our system is experiencing high load. Please try again in a moment.", "HIGH_LOAD")
        case .cannotStart:
            told(
                "Sorry, I'm unable to start a conversation right now. Please try again later.", "CANNOT_START"
            )
        case .cannotRespond:
            told("Sorry, I'm having trouble responding right now. Please try again.", "CANNOT_RESPOND")
        case .agentFailure: told("Sorry, I encountered an error. Please try again.", "AGENT_FAILURE")
        case .sessionGone: told("Error: Session not found", "SESSION_GONE")
        case .sessionUnavailable: told("Error: Unable to retrieve session", "SESSION_UNAVAILABLE")
        case .connectorGone: told("Error: Connector not found", "CONNECTOR_GONE")
        case .noConversation: told("Error: Conversation not found", "NO_CONVERSATION")
        case .conversationNotReady:
            told("Error: Conversation ID not found in session", "CONVERSATION_NOT_READY")
        case .noLiveSession:
            told("Sorry, we could not connect you to an agent. Please try again.", "NO_LIVE_SESSION")
        case .notForwarded: told("Failed to forward message to live agent", "NOT_FORWARDED")
        default: told("Sorry, handoff could not be initiated.", "HANDOFF_MISCONFIGURED")
        }
    }

    private static func told(_ text: String, _ code: String) -> ErrorCatalog { ErrorCatalog(text, nil, code) }
}
