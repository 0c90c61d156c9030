package import Clocks

/// Defaults of a protocol, which override the server's options.
package struct ProtocolDefaults: Equatable, Sendable {
    /// The policy for a connection beyond the limit.
    package enum OverLimit: Equatable, Sendable {
        case refuse
        case closeOldest
    }

    package var idle: Interval?
    package var connectionIdle: Interval?
    package var connections: Int?
    package var overLimit: OverLimit
    /// Whether the user's typing events are sent to all connections.
    package var relaysTyping: Bool
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
