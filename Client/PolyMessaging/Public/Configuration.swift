/// Configuration of a client: its identity, its server and its behaviour.
///
/// Its description hides the token, so it can be logged.
///
/// ```swift
/// var config = Configuration(connectorToken: "your connector token", environment: .uk)
/// config.streamingEnabled = false      // whole replies
/// config.logLevel = .debug
/// let chat = PolyMessaging.start(config)
/// ```
public struct Configuration: Sendable, Equatable {
    /// The token of the connector, which names the agent. Never empty. An alias of ``apiKey``.
    public var connectorToken: String
    /// The servers of a chat.
    public var environment: Environment
    /// Sent as `X-Host`; nil: the bundle identifier.
    public var hostIdentifier: String?
    /// Asks for replies in chunks.
    public var streamingEnabled: Bool
    /// A greeting to ask the agent for. Servers may ignore it.
    public var greetingMessage: String?
    /// The verbosity of the log.
    public var logLevel: LogLevel
    /// Seconds between heartbeats; nil: 30; 0: none. A wish of the server wins.
    public var heartbeatIntervalSeconds: Int?
    /// Seconds without a message after which a session counts as expired; nil: 600.
    public var sessionTimeoutSeconds: Int?
    /// Tries to reconnect before giving up; nil: 10; 0: without limit. A wish of the server wins.
    public var maxReconnectAttempts: Int?
    /// Lets tokens, session ids and texts into the log, for work on a mock on this machine.
    /// Ignored unless both addresses of the environment are loopback addresses.
    public var logsSecrets = false

    /// The initialiser that was used: it decides how `chat()` renders when the call does not say.
    package enum Spelling: Sendable, Equatable {
        case connectorToken
        case apiKey
    }

    package private(set) var spelling: Spelling

    /// Makes a configuration; each argument sets the property of its name.
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

    /// Makes a configuration with the newer name of the token, by default of ``Environment/us``.
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
    /// White space alone counts as empty.
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

    /// Warnings about settings that work but should not stay; one log line each.
    package var warnings: [String] {
        guard let endpoints = environment.endpoints, endpoints.isUnencrypted else { return [] }
        return ["The environment is not encrypted (http or ws): use it for tests only."]
    }

    /// The value of `X-Host`: the app's own wish, the environment's, the bundle identifier, or empty.
    package func hostHeader(bundleIdentifier: String?) -> String {
        hostIdentifier ?? environment.fixedHost ?? bundleIdentifier ?? ""
    }

    /// Default rendering of streamed replies by `chat()` (completed or growing bubbles).
    package var rendersProgressively: Bool {
        switch spelling {
        case .connectorToken: false
        case .apiKey: streamingEnabled
        }
    }
}
