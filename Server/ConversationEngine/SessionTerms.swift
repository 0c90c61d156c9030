package import Clocks

/// What a protocol wants otherwise for its sessions. A fixture's own wishes come before these, the server's options
/// behind them.
package struct SessionTerms: Equatable, Sendable {
    /// What becomes of one connection more than a session may have.
    package enum OverLimit: Equatable, Sendable {
        case refuse
        /// The connection that was opened first is closed for it.
        case closeOldest
    }

    /// A session without any word of a client for so long ends as abandoned.
    package var idle: Interval?
    /// A connection without any word of its client for so long is closed.
    package var connectionIdle: Interval?
    /// Open connections of the session.
    package var connections: Int?
    package var overLimit: OverLimit
    /// All connections are told when a user types.
    package var relaysTyping: Bool
    /// What the ids of messages begin with.
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
