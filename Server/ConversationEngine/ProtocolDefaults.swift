package import Clocks

/// Defaults of a protocol for its sessions. A fixture's session settings take precedence over them, and they over the
/// server's options.
package struct ProtocolDefaults: Equatable, Sendable {
    /// Policy for a connection beyond the limit of its session.
    package enum OverLimit: Equatable, Sendable {
        case refuse
        /// The oldest connection is closed.
        case closeOldest
    }

    /// A session without any word of a client for so long ends as abandoned.
    package var idle: Interval?
    /// A connection without any word of its client for so long is closed.
    package var connectionIdle: Interval?
    /// Open connections of the session.
    package var connections: Int?
    package var overLimit: OverLimit
    /// Typing of a user is sent to all connections.
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
