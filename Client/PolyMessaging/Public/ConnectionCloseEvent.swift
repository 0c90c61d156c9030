/// The close of a connection: its code and reason.
public struct ConnectionCloseEvent: Sendable, Equatable {
    /// The WebSocket close code (RFC 6455 §7.4), or one of ``CloseCode``.
    public var code: Int
    /// The reason that the closing side gave; empty if it gave none.
    public var reason: String
    /// True when both sides exchanged close frames.
    public var wasClean: Bool

    /// Creates a close event with these properties.
    public init(code: Int, reason: String, wasClean: Bool) {
        self.code = code
        self.reason = reason
        self.wasClean = wasClean
    }
}

/// The close codes that the SDK reacts to.
public enum CloseCode: Int, Sendable, CaseIterable {
    /// The connection was closed on purpose (RFC 6455 §7.4.1).
    case normal = 1000
    /// The close frame carried no code (RFC 6455 §7.4.1).
    case noStatus = 1005
    /// The connection ended without a close frame (RFC 6455 §7.4.1).
    case abnormal = 1006
    /// A newer connection replaced this one.
    case clientReplaced = 4000
    /// The server does not know the session.
    case sessionUnknown = 4001
    /// The server had an error. The client can rejoin the same session.
    case appError = 4002
}
