/// Configuration of a client: its identity, server and behaviour. Its description shows at most the last four
/// characters of the token.
///
/// ```swift
/// var config = Configuration(connectorToken: "your connector token", environment: .uk)
/// config.streamingEnabled = false      // whole replies
/// config.logLevel = .debug
/// let chat = PolyMessaging.start(config)
/// ```
public struct Configuration: Sendable, Equatable {
    /// The token that selects the agent. Must not be empty. ``apiKey`` is another name for this property.
    public var connectorToken: String
    /// The servers of a chat.
    public var environment: Environment
    /// Value of the header `X-Host`. Nil means the bundle identifier, unless the environment has a fixed value.
    public var hostIdentifier: String?
    /// Whether the server is asked to send replies in chunks.
    public var streamingEnabled: Bool
    /// A greeting that the agent is asked to use. Servers may ignore it.
    public var greetingMessage: String?
    /// The verbosity of the log.
    public var logLevel: LogLevel
    /// Seconds between heartbeats. Nil means 30; 0 disables them. A value of the server takes precedence.
    public var heartbeatIntervalSeconds: Int?
    /// Seconds without activity after which a session expires. Nil and 0 mean 600. Activity is a chat message, an
    /// opened connection, or the app's return to the foreground.
    public var sessionTimeoutSeconds: Int?
    /// Maximum number of consecutive reconnects. Nil means 10; 0 means unlimited. A value of the server takes
    /// precedence.
    public var maxReconnectAttempts: Int?
    /// Whether the log shows tokens, session ids and texts. Ignored unless both URLs of the environment are loopback
    /// addresses.
    public var logsSecrets = false
    /// Extensions requested from the server; see ``SessionCapabilities/extensions``. Not in the published SDK.
    public var extensions: Set<SessionExtension> = []

    /// Initialiser that created the configuration, for ``rendersProgressively``.
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

    /// Creates a configuration for which `chat()` shows streamed replies while they grow. `apiKey` is the newer name of
    /// the connector token.
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

    package var warnings: [String] {
        guard let endpoints = environment.endpoints, endpoints.isUnencrypted else { return [] }
        return ["The environment is not encrypted (http or ws): use it for tests only."]
    }

    /// Returns the value of the header `X-Host`: ``hostIdentifier``, or else that of the environment, or else the
    /// bundle identifier, or else an empty text.
    package func hostHeader(bundleIdentifier: String?) -> String {
        hostIdentifier ?? environment.fixedHost ?? bundleIdentifier ?? ""
    }

    /// Whether `chat()` shows streamed replies while they grow, unless its arguments determine it.
    package var rendersProgressively: Bool {
        switch spelling {
        case .connectorToken: false
        case .apiKey: streamingEnabled
        }
    }
}
