/// The documented problems, by short name. The dialects contain the texts. Each problem has a section in protocol.md;
/// for example, `high load` is protocol.md#error-high-load.
package enum KnownProblem: String, CaseIterable, Hashable, Sendable {
    // access token
    case missingHeaders = "missing headers"
    case unknownConnector = "unknown connector"
    case connectorWithoutHost = "connector without host"
    case hostMismatch = "host mismatch"
    case tokenFailure = "token failure"
    // session
    case missingToken = "missing token"
    case malformedAuthorization = "malformed authorization"
    case invalidToken = "invalid token"
    case unreadableRequest = "unreadable request"
    case sessionFailure = "session failure"
    // connection
    case invalidParameters = "invalid parameters"
    case authenticationFailed = "authentication failed"
    case unknownSession = "unknown session"
    case tooManyConnections = "too many connections"
    // events
    case unknownEvent = "unknown event"
    case eventNotAllowed = "event not allowed"
    // agent
    case highLoad = "high load"
    case cannotStart = "cannot start"
    case cannotRespond = "cannot respond"
    case agentFailure = "agent failure"
    // session state
    case sessionGone = "session gone"
    case sessionUnavailable = "session unavailable"
    case connectorGone = "connector gone"
    case noConversation = "no conversation"
    case conversationNotReady = "conversation not ready"
    // handoff
    case noLiveSession = "no live session"
    case notForwarded = "not forwarded"
    case handoffMisconfigured = "handoff misconfigured"
}
