import MessagingWire

/// Payload of SESSION_START (protocol.md#event-session-start).
public struct SessionStartPayload: Sendable, Equatable {
    /// The capabilities announced by the server.
    public var capabilities: SessionCapabilities

    /// Creates a payload with these properties.
    public init(capabilities: SessionCapabilities) {
        self.capabilities = capabilities
    }
}

/// Capabilities and limits that the server announces for a session.
public struct SessionCapabilities: Sendable, Equatable {
    /// True when replies arrive in chunks.
    public var streaming: Bool
    /// Maximum bytes of an event that the server accepts. 0 or less means no limit.
    public var maxMessageSize: Int
    /// Seconds between heartbeats. 0 disables heartbeats; nil means ``Configuration/heartbeatIntervalSeconds``.
    public var heartbeatIntervalSeconds: Int?
    /// Maximum number of consecutive reconnects. 0 means unlimited; nil means ``Configuration/maxReconnectAttempts``.
    public var maxReconnectAttempts: Int?
    /// The extensions that the server has switched on: an addition to the published SDK.
    public var extensions: Set<SessionExtension> = []

    /// Creates capabilities with these properties.
    public init(
        streaming: Bool = false, maxMessageSize: Int = 1_048_576, heartbeatIntervalSeconds: Int? = nil,
        maxReconnectAttempts: Int? = nil
    ) {
        self.streaming = streaming
        self.maxMessageSize = maxMessageSize
        self.heartbeatIntervalSeconds = heartbeatIntervalSeconds
        self.maxReconnectAttempts = maxReconnectAttempts
    }
}

/// Payload of SESSION_END (protocol.md#event-session-end).
public struct SessionEndPayload: Sendable, Equatable {
    /// The reason; nil if it is unknown.
    public var reason: String?

    /// Creates a payload with these properties.
    public init(reason: String? = nil) {
        self.reason = reason
    }
}

/// A message of the user that the server has accepted: the echo of USER_MESSAGE (protocol.md#event-user-message).
public struct UserMessageEchoPayload: Sendable, Equatable {
    /// The server's id of the message.
    public var messageId: String
    /// The text of the message.
    public var text: String

    /// Creates a payload with these properties.
    public init(messageId: String, text: String) {
        self.messageId = messageId
        self.text = text
    }
}

/// Payload of SYSTEM_MESSAGE: a message of the server about the service (protocol.md#event-system-message).
public struct SystemMessagePayload: Sendable, Equatable {
    /// The text of the message.
    public var message: String
    /// The severity.
    public var level: SystemMessageLevel

    /// Creates a payload with these properties.
    public init(message: String, level: SystemMessageLevel = .info) {
        self.message = message
        self.level = level
    }
}

/// The conversation continues in another language: LANGUAGE_CHANGED (protocol.md#event-language-changed).
public struct LanguageChangedPayload: Sendable, Equatable {
    /// The language that the server uses, as a code such as `en-GB`.
    public var languageCode: String

    /// Creates a payload with these properties.
    public init(languageCode: String) {
        self.languageCode = languageCode
    }
}

/// Severity of a message of the server. The raw values are the texts in the protocol.
public enum SystemMessageLevel: String, Sendable, CaseIterable {
    /// For information.
    case info = "SYSTEM_MESSAGE_LEVEL_INFO"
    /// Something may not work.
    case warning = "SYSTEM_MESSAGE_LEVEL_WARNING"
    /// Something does not work.
    case error = "SYSTEM_MESSAGE_LEVEL_ERROR"
}

extension SystemMessageLevel {
    fileprivate init(_ wire: WireLevel) {
        switch wire {
        case .info: self = .info
        case .warning: self = .warning
        case .error: self = .error
        }
    }
}

extension SessionCapabilities {
    fileprivate init(_ wire: WireCapabilities) {
        self.init(
            streaming: wire.streaming, maxMessageSize: wire.maxMessageSizeBytes,
            heartbeatIntervalSeconds: wire.heartbeatIntervalSeconds,
            maxReconnectAttempts: wire.maxReconnectAttempts)
        extensions = Set(wire.extensions.compactMap { SessionExtension(rawValue: $0) })
    }
}

extension MessagingEvent {
    static func session(_ payload: WirePayload, _ envelope: Envelope) -> MessagingEvent? {
        switch payload {
        case .sessionStart(let capabilities, _):
            .sessionStart(envelope, .init(capabilities: .init(capabilities)))
        case .sessionEnd(let reason): .sessionEnd(envelope, .init(reason: reason))
        case .sessionIdleWarning: .sessionIdleWarning(envelope)
        case .joinRequest: .requestPolyAgentJoin(envelope)
        case .userMessage(let id, let text): .userMessage(envelope, .init(messageId: id, text: text))
        case .userTyping: .userTyping(envelope)
        case .userEndSession: .userEndSession(envelope)
        case .heartbeat: .heartbeat(envelope)
        case .systemMessage(let level, let message):
            .systemMessage(envelope, .init(message: message, level: .init(level)))
        case .languageChanged(let code): .languageChanged(envelope, .init(languageCode: code))
        default: nil
        }
    }
}
