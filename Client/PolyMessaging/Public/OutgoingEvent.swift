/// An event that a client sends, for use with ``Connection``.
public enum OutgoingEvent: Sendable, Equatable {
    /// A message of the user. `metadata` is sent as `metadata.custom` and returned with the echo.
    case userMessage(text: String, metadata: [String: String]? = nil)
    /// The user ends the conversation.
    case userEndConversation
    /// The user left. The wire event is the same as for ``userEndConversation``.
    case userLeft
    /// Requests that the agent join the session.
    case requestPolyAgentJoin
    /// Requests that the agent join with this greeting. Servers may ignore the greeting.
    case requestPolyAgentJoinWithGreeting(String)
    /// A heartbeat, which keeps the connection alive.
    case heartbeat
    /// The user is typing, or has stopped typing.
    case userTyping(TypingState)

    /// The older form of a join request; nil means the agent's own greeting.
    public static func requestPolyAgentJoin(greetingMessage: String?) -> OutgoingEvent {
        greetingMessage.map { .requestPolyAgentJoinWithGreeting($0) } ?? .requestPolyAgentJoin
    }
}
