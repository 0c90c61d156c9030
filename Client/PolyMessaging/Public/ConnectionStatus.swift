/// Status of the connection of a session.
///
/// A healthy life is `connecting`, `open`; a drop that heals is `reconnecting(1)`, `connecting`, `open`.
public enum ConnectionStatus: Sendable, Equatable {
    /// Nothing was tried yet.
    case idle
    /// A socket is being dialled.
    case connecting
    /// Messages can flow.
    case open
    /// A close was asked for and is not confirmed yet.
    case closing
    /// The connection ended and nobody tries again; the event says how, when that is known.
    case closed(ConnectionCloseEvent?)
    /// The connection dropped and the try with this number, from 1, comes next.
    case reconnecting(attempt: Int)
    /// The SDK gave up. `ChatSession` and clients start again when asked to.
    case failed(reason: PolyError?)

    /// True for `open`.
    public var isConnected: Bool { self == .open }

    /// True for `reconnecting`.
    public var isReconnecting: Bool { reconnectAttempt != nil }

    /// True for `failed`.
    public var isFailed: Bool {
        if case .failed = self { true } else { false }
    }

    /// The number of the try, from 1; nil unless reconnecting.
    public var reconnectAttempt: Int? {
        if case .reconnecting(let attempt) = self { attempt } else { nil }
    }

    /// True when the SDK gave up: nothing more happens automatically.
    public var isTerminal: Bool { isFailed }

    /// True while a connection exists or is being made.
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
