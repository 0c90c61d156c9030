/// An event a client sends, for use with ``Connection``.
public enum OutgoingEvent: Sendable, Equatable {
    /// Something the user says; `metadata` travels as `metadata.custom` and comes back with the echo.
    case userMessage(text: String, metadata: [String: String]? = nil)
    /// The user ends the conversation.
    case userEndConversation
    /// The user went away; on the wire the same event as ``userEndConversation``.
    case userLeft
    /// Asks the agent to join the session.
    case requestPolyAgentJoin
    /// Asks the agent to join with a greeting of the app's. Servers may ignore the greeting.
    case requestPolyAgentJoinWithGreeting(String)
    /// Keeps the session from becoming idle.
    case heartbeat
    /// The user types, or stopped typing.
    case userTyping(TypingState)

    /// The older spelling of a join request with an optional greeting; nil: the agent's own.
    public static func requestPolyAgentJoin(greetingMessage: String?) -> OutgoingEvent {
        greetingMessage.map { .requestPolyAgentJoinWithGreeting($0) } ?? .requestPolyAgentJoin
    }
}
