package import Clocks

/// Protocol defaults for sessions. Fixtures override them; they override the server's options.
package struct ProtocolDefaults: Equatable, Sendable {
    /// Policy for one connection too many.
    package enum OverLimit: Equatable, Sendable {
        case refuse
        case closeOldest
    }

    /// Idle time-out of a session, which ends as abandoned.
    package var idle: Interval?
    /// Idle time-out of a connection, which is closed.
    package var connectionIdle: Interval?
    /// Open connections of the session.
    package var connections: Int?
    package var overLimit: OverLimit
    /// Typing of a user reaches all connections.
    package var relaysTyping: Bool
    /// Prefix of message ids.
    package var userMessagePrefix: String
    package var agentMessagePrefix: String

    package init(
        idle: Interval? = nil, connectionIdle: Interval? = nil, connections: Int? = nil,
        overLimit: OverLimit = .refuse, relaysTyping: Bool = false, userMessagePrefix: String = "msg_u_",
        agentMessagePrefix: String = "msg_"
    ) {
        self.idle = idle
        self.connectionIdle = connectionIdle
        self.connections = connections
        self.overLimit = overLimit
        self.relaysTyping = relaysTyping
        self.userMessagePrefix = userMessagePrefix
        self.agentMessagePrefix = agentMessagePrefix
    }
}
