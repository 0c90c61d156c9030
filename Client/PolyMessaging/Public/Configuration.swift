/// Configuration of a client: its identity, server and behaviour. Its description hides the token.
///
/// ```swift
/// var config = Configuration(connectorToken: "your connector token", environment: .uk)
/// config.streamingEnabled = false      // whole replies
/// config.logLevel = .debug
/// let chat = PolyMessaging.start(config)
/// ```
public struct Configuration: Sendable, Equatable {
    /// The connector token, which selects the agent. Must not be empty. An alias of ``apiKey``.
    public var connectorToken: String
    /// The servers of a chat.
    public var environment: Environment
    /// Sent as `X-Host`; nil means the bundle identifier.
    public var hostIdentifier: String?
    /// Requests replies in chunks.
    public var streamingEnabled: Bool
    /// A greeting for the agent to use. Servers may ignore it.
    public var greetingMessage: String?
    /// The verbosity of the log.
    public var logLevel: LogLevel
    /// Seconds between heartbeats; nil means 30, 0 means none. The server's value takes precedence.
    public var heartbeatIntervalSeconds: Int?
    /// Seconds without a message after which a session expires; nil means 600.
    public var sessionTimeoutSeconds: Int?
    /// Maximum number of reconnects; nil means 10, 0 means unlimited. The server's value takes precedence.
    public var maxReconnectAttempts: Int?
    /// Logs tokens, session ids and texts. Ignored unless both addresses of the environment are loopback addresses.
    public var logsSecrets = false

    /// The initialiser that was used. It decides how `chat()` shows streamed replies by default.
    package enum Spelling: Sendable, Equatable {
        case connectorToken
        case apiKey
    }

    package private(set) var spelling: Spelling

    /// Creates a configuration with these properties.
    public init(
        connectorToken: String, environment: Environment, hostIdentifier: String? = nil,
        streamingEnabled: Bool = true, greetingMessage: String? = nil, logLevel: LogLevel = .error,
        heartbeatIntervalSeconds: Int? = nil, sessionTimeoutSeconds: Int? = nil,
        maxReconnectAttempts: Int? = nil
    ) {
        self.connectorToken = connectorToken
        self.environment = environment
        self.hostIdentifier = hostIdentifier
        self.streamingEnabled = streamingEnabled
        self.greetingMessage = greetingMessage
        self.logLevel = logLevel
        self.heartbeatIntervalSeconds = heartbeatIntervalSeconds
        self.sessionTimeoutSeconds = sessionTimeoutSeconds
        self.maxReconnectAttempts = maxReconnectAttempts
        spelling = .connectorToken
    }

    /// Creates a configuration with the newer name of the token.
    public init(
        apiKey: String, environment: Environment = .us, hostIdentifier: String? = nil,
        streamingEnabled: Bool = true, logLevel: LogLevel = .error, heartbeatIntervalSeconds: Int? = nil,
        sessionTimeoutSeconds: Int? = nil, maxReconnectAttempts: Int? = nil
    ) {
        self.init(
            connectorToken: apiKey, environment: environment, hostIdentifier: hostIdentifier,
            streamingEnabled: streamingEnabled, logLevel: logLevel,
            heartbeatIntervalSeconds: heartbeatIntervalSeconds, sessionTimeoutSeconds: sessionTimeoutSeconds,
            maxReconnectAttempts: maxReconnectAttempts)
        spelling = .apiKey
    }

    /// The newer name of ``connectorToken``.
    public var apiKey: String {
        get { connectorToken }
        set { connectorToken = newValue }
    }
}

extension Configuration {
    package var hasEmptyToken: Bool { connectorToken.allSatisfy(\.isWhitespace) }

    /// The error that makes the configuration unusable; nil when it is valid.
    package var problem: PolyError? {
        if hasEmptyToken {
            return .invalidConfiguration(
                "The connector token is empty. Pass the token of the connector the agent was published with.")
        }
        if environment.endpoints == nil {
            return .invalidConfiguration(
                "The name of the cluster may have small letters, digits and hyphens only, such as \"us-1\".")
        }
        return nil
    }

    /// Warnings for the log about settings that suit tests only.
    package var warnings: [String] {
        guard let endpoints = environment.endpoints, endpoints.isUnencrypted else { return [] }
        return ["The environment is not encrypted (http or ws): use it for tests only."]
    }

    /// Returns the value of `X-Host`: the app's, the environment's, the bundle identifier, or empty.
    package func hostHeader(bundleIdentifier: String?) -> String {
        hostIdentifier ?? environment.fixedHost ?? bundleIdentifier ?? ""
    }

    /// Whether `chat()` shows streamed replies while they grow, by default.
    package var rendersProgressively: Bool {
        switch spelling {
        case .connectorToken: false
        case .apiKey: streamingEnabled
        }
    }
}
