/// Everything that can go wrong in the SDK, by who has to act.
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
    /// The connector token or the access token was refused.
    case auth(Auth)
    /// The session could not be made, was lost or is over.
    case session(Session)
    /// One message could not be delivered.
    case message(Message)
    /// The network or the protocol failed.
    case transport(Transport)
    /// The app configured something that cannot work; the text says what.
    case invalidConfiguration(String)

    /// Failures of authentication.
    public enum Auth: Sendable, Equatable {
        /// No access token could be had for another reason than a refusal.
        case tokenAcquisitionFailed
        /// The server refused the connector token.
        case unauthorized
    }

    /// Failures of a session.
    public enum Session: Sendable, Equatable {
        /// The server did not create a session.
        case sessionCreationFailed(SessionErrorCode)
        /// The connection broke and was not repaired.
        case unexpectedDisconnect(code: Int, reason: String)
        /// Every allowed try to reconnect failed.
        case maxReconnectAttemptsExceeded
        /// The session was idle too long, or the server does not know it any more.
        case sessionExpired
        /// The session was ended by one of its sides.
        case sessionEnded(reason: String?)
    }

    /// Failures of one message.
    public enum Message: Sendable, Equatable {
        /// The server never confirmed the message.
        case deliveryFailed(draftId: String)
        /// The message is larger than the server takes.
        case payloadTooLarge(maxBytes: Int)
    }

    /// Failures below the session.
    public enum Transport: Sendable, Equatable {
        /// A request or a connection failed; the text says how.
        case networkError(String)
        /// The other side sent something that makes no sense.
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

    /// True for `.session(.sessionExpired)` alone.
    public var isSessionExpired: Bool { self == .session(.sessionExpired) }

    /// True when the same call may succeed later without anything else changing.
    public var isRetryable: Bool {
        switch self {
        case .transport, .session(.unexpectedDisconnect), .session(.maxReconnectAttemptsExceeded): true
        case .auth, .session, .message, .invalidConfiguration: false
        }
    }
}
