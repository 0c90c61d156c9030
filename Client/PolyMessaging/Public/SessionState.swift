/// State of the session of a client.
public struct SessionState: Sendable, Equatable {
    /// The server's id of the session; nil before it exists and after it ended.
    public var sessionId: String?
    /// The phase of the session's life cycle.
    public var status: SessionStatus
    /// True while the connection is open.
    public var isReady: Bool
    /// True while a session is being created or restored.
    public var isLoading: Bool
    /// The last failure that is not repaired yet.
    public var error: SessionErrorCode?
    /// True when the server refused the connector token.
    public var hasInvalidApiKey: Bool

    /// Makes a state; each argument sets the property of its name.
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

    /// True when the token was refused or an error stands.
    public var isError: Bool { hasInvalidApiKey || error != nil }

    /// A sentence for people about the error that stands; nil without one.
    public var errorMessage: String? {
        hasInvalidApiKey ? PolyError.auth(.unauthorized).description : error?.sentence
    }

    /// True when a message sent now can leave at once.
    public var canSendMessages: Bool { isReady && !isError }

    /// True when the session is over.
    public var isTerminal: Bool { status == .ended || status == .expired }
}

/// The life of a session.
public enum SessionStatus: String, Sendable, CaseIterable {
    /// Nothing is known yet.
    case unknown
    /// The session exists.
    case active
    /// One side ended it.
    case ended
    /// The session was idle for too long.
    case expired
    /// The session was found in the store; `active` follows.
    case restored
}

/// The reason for which a session could not be made or kept. Raw values are the server's words where it has some.
public enum SessionErrorCode: String, Sendable, CaseIterable {
    /// The server could not read the request.
    case errorParsingRequest = "Error parsing request"
    /// A header of authentication was missing or empty.
    case missingAuthHeaders = "Missing authentication headers"
    /// The server could not look the connector up.
    case connectorLookupFailed = "Unable to get agent details from connector service"
    /// The connector may not be used from this host.
    case connectorValidationFailed = "Failed to validate connector"
    /// The server failed to create the session.
    case sessionCreationFailed = "Error creating session"
    /// The server gave a reason the SDK does not know, or none.
    case unknown = "UNKNOWN_ERROR"
    /// The connection broke and did not come back at once.
    case connectionClosedAbnormally = "Connection closed abnormally"
    /// A message was larger than the session allows.
    case messageTooLarge = "Message too large"
}
