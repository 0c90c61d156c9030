/// An event that the app sends through a ``Connection``.
public enum OutgoingEvent: Sendable, Equatable {
    /// A message of the user. `metadata` is sent as `metadata.custom`, and the server returns it with the echo.
    case userMessage(text: String, metadata: [String: String]? = nil)
    /// The user ends the conversation.
    case userEndConversation
    /// The user left. In the protocol, this is the same event as ``userEndConversation``.
    case userLeft
    /// Requests that the agent join the session, with the greeting of ``Configuration/greetingMessage``, if any.
    case requestPolyAgentJoin
    /// Requests that the agent join and use this greeting. Servers may ignore the greeting.
    case requestPolyAgentJoinWithGreeting(String)
    /// A heartbeat, which keeps the connection alive.
    case heartbeat
    /// The user is typing, or has stopped typing.
    case userTyping(TypingState)

    /// The older form of a join request. A nil `greetingMessage` makes it ``requestPolyAgentJoin``.
    public static func requestPolyAgentJoin(greetingMessage: String?) -> OutgoingEvent {
        greetingMessage.map { .requestPolyAgentJoinWithGreeting($0) } ?? .requestPolyAgentJoin
    }
}
