/// Status of a session's connection: `connecting`, `open`; after a loss `reconnecting(1)`, `connecting`, `open`.
public enum ConnectionStatus: Sendable, Equatable {
    /// No connection was tried yet.
    case idle
    /// A socket is being dialled.
    case connecting
    /// Messages can flow.
    case open
    /// The client has requested a close, which is not confirmed yet.
    case closing
    /// The connection ended, and the client does not reconnect. The event holds the close code, where known.
    case closed(ConnectionCloseEvent?)
    /// The connection was lost, and the reconnect with this number follows. The first number is 1.
    case reconnecting(attempt: Int)
    /// The SDK gave up. It tries again on request, when the network returns, or when the app comes to the front.
    case failed(reason: PolyError?)

    /// True for `open`.
    public var isConnected: Bool { self == .open }

    /// True for `reconnecting`.
    public var isReconnecting: Bool { reconnectAttempt != nil }

    /// True for `failed`.
    public var isFailed: Bool {
        if case .failed = self { true } else { false }
    }

    /// The number of the reconnect, from 1; nil unless reconnecting.
    public var reconnectAttempt: Int? {
        if case .reconnecting(let attempt) = self { attempt } else { nil }
    }

    /// True when the SDK gave up, see ``failed(reason:)``.
    public var isTerminal: Bool { isFailed }

    /// True while a connection is open or being opened.
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
