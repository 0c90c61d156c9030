/// The close of a connection: its code and reason.
public struct ConnectionCloseEvent: Sendable, Equatable {
    /// The WebSocket close code (RFC 6455 §7.4), such as one of ``CloseCode``. With 4003, the SDK reports a network
    /// fault.
    public var code: Int
    /// The reason that the closing side gave, or the cause of a loss; may be empty.
    public var reason: String
    /// True when the connection ended with a close frame, false when it was lost or failed.
    public var wasClean: Bool

    /// Creates a close event with these properties.
    public init(code: Int, reason: String, wasClean: Bool) {
        self.code = code
        self.reason = reason
        self.wasClean = wasClean
    }
}

/// Close codes with a meaning for the SDK.
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
