/// State of the session of a client.
public struct SessionState: Sendable, Equatable {
    /// The id of the session on the server. Nil before the session exists and after its end.
    public var sessionId: String?
    /// The phase of the session's life cycle.
    public var status: SessionStatus
    /// True while the connection is open.
    public var isReady: Bool
    /// True while a session is being created.
    public var isLoading: Bool
    /// The last failure; nil if there was none, or if it is resolved.
    public var error: SessionErrorCode?
    /// True when the server refused the connector token, or a header sent with it.
    public var hasInvalidApiKey: Bool
    /// The server's text about ``error``, for developers; nil if it sent none. The text is untrusted: show it as plain
    /// text.
    public var serverMessage: String?

    /// Creates a state with these properties.
    public init(
        sessionId: String?, status: SessionStatus, isReady: Bool, isLoading: Bool, error: SessionErrorCode?,
        hasInvalidApiKey: Bool = false
    ) {
        self.sessionId = sessionId
        self.status = status
        self.isReady = isReady
        self.isLoading = isLoading
        self.error = error
        self.hasInvalidApiKey = hasInvalidApiKey
    }

    /// Whether the token was refused, or another error is present.
    public var isError: Bool { hasInvalidApiKey || error != nil }

    /// A sentence about the error, for the user; nil if there is no error.
    public var errorMessage: String? {
        hasInvalidApiKey ? PolyError.auth(.unauthorized).description : error?.sentence
    }

    /// Whether the connection is open and no error is present.
    public var canSendMessages: Bool { isReady && !isError }

    /// True when the session is over.
    public var isTerminal: Bool { status == .ended || status == .expired }
}

/// Phase of a session's life cycle.
public enum SessionStatus: String, Sendable, CaseIterable {
    /// No session exists: none was created yet, creating it failed, or the old one is being replaced.
    case unknown
    /// The session exists.
    case active
    /// The session was ended by the user, the agent or the server.
    case ended
    /// The session was idle for too long.
    case expired
    /// The session was restored from the store. The status `active` follows.
    case restored
}

/// Reason for a session that could not be created or kept. The raw value is the server's text, if the server has one.
public enum SessionErrorCode: String, Sendable, CaseIterable {
    /// The server could not read the request.
    case errorParsingRequest = "Error parsing request"
    /// An authentication header was missing or empty.
    case missingAuthHeaders = "Missing authentication headers"
    /// The server could not look up the connector.
    case connectorLookupFailed = "Unable to get agent details from connector service"
    /// The connector must not be used from this host.
    case connectorValidationFailed = "Failed to validate connector"
    /// The server failed to create the session.
    case sessionCreationFailed = "Error creating session"
    /// The server sent an unknown reason, or none.
    case unknown = "UNKNOWN_ERROR"
    /// The connection ended without a close frame (code 1006) and was not restored within 500 ms.
    case connectionClosedAbnormally = "Connection closed abnormally"
    /// A message was larger than the session allows. Not used in this version, which throws
    /// ``PolyError/Message/payloadTooLarge(maxBytes:)``.
    case messageTooLarge = "Message too large"
}
