package import Clocks

/// Defaults of a protocol for its sessions. These defaults override the server's options. The settings of a fixture
/// override both.
package struct ProtocolDefaults: Equatable, Sendable {
    /// The policy for a connection beyond the limit.
    package enum OverLimit: Equatable, Sendable {
        case refuse
        case closeOldest
    }

    /// Idle timeout of a session. The session then ends as abandoned.
    package var idle: Interval?
    /// Idle timeout of a connection. The connection is then closed.
    package var connectionIdle: Interval?
    /// Maximum number of open connections of a session.
    package var connections: Int?
    package var overLimit: OverLimit
    /// Whether the user's typing events are sent to all connections.
    package var relaysTyping: Bool
    /// Prefixes of message ids.
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
