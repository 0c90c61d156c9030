/// Status of a session's connection. After a loss, usually `reconnecting(1)`, `connecting` and `open` follow.
public enum ConnectionStatus: Sendable, Equatable {
    /// No connection has been attempted yet.
    case idle
    /// A session is being created, or its connection is being opened.
    case connecting
    /// The connection is open: messages can be sent and received.
    case open
    /// The client has requested a close, which the server has not confirmed yet.
    case closing
    /// The connection ended. The client reconnects only on request, and after code 4000 also when the network returns
    /// or the app comes to the front. The event is nil if the close code is unknown.
    case closed(ConnectionCloseEvent?)
    /// The connection was lost, and the client will reconnect. `attempt` counts from 1.
    case reconnecting(attempt: Int)
    /// The SDK has given up. It tries again on request and, unless the connector token was refused, when the network
    /// returns or the app comes to the front.
    case failed(reason: PolyError?)

    /// True for `open`.
    public var isConnected: Bool { self == .open }

    /// True for `reconnecting`.
    public var isReconnecting: Bool { reconnectAttempt != nil }

    /// True for `failed`.
    public var isFailed: Bool {
        if case .failed = self { true } else { false }
    }

    /// The number of the reconnect, counted from 1; nil in other states.
    public var reconnectAttempt: Int? {
        if case .reconnecting(let attempt) = self { attempt } else { nil }
    }

    /// True when the SDK has given up, see ``failed(reason:)``.
    public var isTerminal: Bool { isFailed }

    /// True while a connection is open, is being opened, or was lost and will be restored.
    public var isActive: Bool {
        switch self {
        case .connecting, .open, .reconnecting: true
        case .idle, .closing, .closed, .failed: false
        }
    }
}

/// The older name of ``ConnectionStatus``.
@available(*, deprecated, renamed: "ConnectionStatus")
public typealias ConnectionState = ConnectionStatus
