/// An error of the SDK, grouped by the part that failed.
///
/// ```swift
/// do {
///     try await session.send(draft)
/// } catch let error as PolyError where error.isSessionExpired {
///     try await session.client.startNewSession()
/// } catch let error as PolyError where error.isRetryable {
///     print("try again: \(error)")
/// }
/// ```
public enum PolyError: Error, Sendable, Equatable {
    /// A token was refused, or no access token could be obtained.
    case auth(Auth)
    /// The session could not be created, was lost, or is over.
    case session(Session)
    /// One message could not be delivered.
    case message(Message)
    /// The network or the protocol failed.
    case transport(Transport)
    /// The configuration is invalid. The text is the reason.
    case invalidConfiguration(String)

    /// Failures of authentication.
    public enum Auth: Sendable, Equatable {
        /// No access token could be obtained, although the connector token was not refused.
        case tokenAcquisitionFailed
        /// The server refused the connector token or the access token (HTTP status 401 or 403).
        case unauthorized
    }

    /// Failures of a session.
    public enum Session: Sendable, Equatable {
        /// The server did not create a session.
        case sessionCreationFailed(SessionErrorCode)
        /// The connection was lost or refused. `code` is a WebSocket close code, see ``ConnectionCloseEvent/code``.
        case unexpectedDisconnect(code: Int, reason: String)
        /// The connection was lost. All allowed reconnects have failed.
        case maxReconnectAttemptsExceeded
        /// The session was idle for too long, or the server no longer knows it.
        case sessionExpired
        /// The session was ended by the user, the agent or the server.
        case sessionEnded(reason: String?)
    }

    /// Failures of one message.
    public enum Message: Sendable, Equatable {
        /// The message could not be sent, or the server did not confirm it in time.
        case deliveryFailed(draftId: String)
        /// The message is larger than the server accepts.
        case payloadTooLarge(maxBytes: Int)
    }

    /// Failures of the network or the protocol.
    public enum Transport: Sendable, Equatable {
        /// A request or a connection failed. The text is the reason.
        case networkError(String)
        /// The server sent something invalid.
        case protocolError(reason: String)
        /// There is no open connection.
        case notConnected
    }
}

extension PolyError {
    /// True for every ``auth(_:)``.
    public var isAuthError: Bool {
        if case .auth = self { true } else { false }
    }

    /// True for every ``session(_:)``.
    public var isSessionError: Bool {
        if case .session = self { true } else { false }
    }

    /// True for every ``transport(_:)``.
    public var isTransportError: Bool {
        if case .transport = self { true } else { false }
    }

    /// True only for `.session(.sessionExpired)`.
    public var isSessionExpired: Bool { self == .session(.sessionExpired) }

    /// Whether the same call may succeed later, without any change by the app.
    public var isRetryable: Bool {
        switch self {
        case .transport, .session(.unexpectedDisconnect), .session(.maxReconnectAttemptsExceeded): true
        case .auth, .session, .message, .invalidConfiguration: false
        }
    }
}
