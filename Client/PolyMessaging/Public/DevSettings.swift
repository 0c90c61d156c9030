#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    public import Foundation
#endif

#if canImport(Combine)
    public import Combine
#endif

/// Stored settings for a developer's screen. A change takes effect with the next chat that uses
/// ``buildConfiguration()``. Call ``PolyMessaging/initialize(_:)`` first: its configuration has the token and the
/// default environment.
///
/// ```swift
/// let settings = DevSettings()         // what is stored wins over the configuration
/// settings.environmentKind = .uk
/// let chat = PolyMessaging.start(settings.buildConfiguration())
/// settings.recordSessionApplied()
/// ```
@MainActor
open class DevSettings: ObservableObject {
    /// Kind of servers. The raw values are stored, so their meaning must never change.
    public enum EnvironmentKind: Int, CaseIterable, Identifiable, Sendable {
        /// The cluster `us-1`.
        case us = 0
        /// The cluster `uk-1`.
        case uk = 1
        /// The cluster `euw-1`.
        case euw = 2
        /// A cluster by name.
        case cluster = 3
        /// Custom servers by URL.
        case custom = 4
        /// The production servers, whose host name contains no cluster name.
        case production = 5
        /// The cluster `staging`.
        case staging = 6
        /// The cluster `dev`.
        case dev = 7

        /// The raw value.
        public var id: Int { rawValue }

        /// A label for display.
        public var displayName: String {
            switch self {
            case .us: "US"
            case .uk: "UK"
            case .euw: "EU West"
            case .cluster: "Cluster"
            case .custom: "Custom"
            case .production: "Production"
            case .staging: "Staging"
            case .dev: "Development"
            }
        }
    }

    /// The servers of the next chat.
    @Published public var environmentKind: EnvironmentKind {
        didSet { store(environmentKind.rawValue, as: .environmentKind) }
    }
    /// The name of the cluster, for ``EnvironmentKind/cluster``.
    @Published public var clusterName: String { didSet { store(clusterName, as: .clusterName) } }
    /// The REST base URL, for ``EnvironmentKind/custom``.
    @Published public var customRestURL: String { didSet { store(customRestURL, as: .customRestURL) } }
    /// The WebSocket base URL, for ``EnvironmentKind/custom``.
    @Published public var customWsURL: String { didSet { store(customWsURL, as: .customWsURL) } }
    /// Whether the server is asked to send replies in chunks; true by default.
    @Published public var streamingEnabled: Bool { didSet { store(streamingEnabled, as: .streamingEnabled) } }
    /// The verbosity of the log; ``LogLevel/debug`` by default.
    @Published public var logLevel: LogLevel { didSet { store(logLevel.rawValue, as: .logLevel) } }
    /// Seconds without activity after which a session expires; 0 means the default of the SDK, 600.
    @Published public var sessionTimeoutSeconds: Int {
        didSet { store(sessionTimeoutSeconds, as: .sessionTimeoutSeconds) }
    }
    /// Seconds between heartbeats; 0 means the default of the SDK, 30.
    @Published public var heartbeatIntervalSeconds: Int {
        didSet { store(heartbeatIntervalSeconds, as: .heartbeatIntervalSeconds) }
    }
    /// Maximum number of consecutive reconnects; 0 means the default of the SDK, 10.
    @Published public var maxReconnectAttempts: Int {
        didSet { store(maxReconnectAttempts, as: .maxReconnectAttempts) }
    }
    /// Whether the app shows a strip with the latest events. Default: false.
    @Published public var showDebugStrip: Bool { didSet { store(showDebugStrip, as: .showDebugStrip) } }
    /// Whether the app shows the time of every message. Default: true.
    @Published public var showMessageTimestamps: Bool {
        didSet { store(showMessageTimestamps, as: .showMessageTimestamps) }
    }
    /// Value of ``streamingEnabled`` at the start of the last chat, set by ``recordSessionApplied()``.
    @Published public private(set) var lastAppliedStreamingEnabled: Bool {
        didSet { store(lastAppliedStreamingEnabled, as: .lastAppliedStreamingEnabled) }
    }

    private let base: Configuration
    private let seed: Choices
    private let storage: any SettingsStorage
    private let keyPrefix: String

    /// Reads the stored settings. Defaults for nil arguments come from the configuration.
    public init(
        hostIdentifier: String? = nil, defaultEnvironment: EnvironmentKind? = nil,
        defaults: SettingsDefaults = .standard, keyPrefix: String = "ai.poly.messaging.devsettings."
    ) {
        var base = PolyMessaging.requireInitialized(for: "DevSettings()")
        base.hostIdentifier = hostIdentifier ?? base.hostIdentifier
        self.base = base
        storage = defaults
        self.keyPrefix = keyPrefix
        let seed = Choices(base.environment, kind: defaultEnvironment)
        self.seed = seed
        let stored = Stored(storage: defaults, prefix: keyPrefix)
        environmentKind =
            stored.int(.environmentKind).flatMap { EnvironmentKind(rawValue: $0) } ?? seed.environmentKind
        clusterName = stored.text(.clusterName) ?? seed.clusterName
        customRestURL = stored.text(.customRestURL) ?? seed.customRestURL
        customWsURL = stored.text(.customWsURL) ?? seed.customWsURL
        let streams = stored.bool(.streamingEnabled) ?? seed.streamingEnabled
        streamingEnabled = streams
        lastAppliedStreamingEnabled = stored.bool(.lastAppliedStreamingEnabled) ?? streams
        logLevel = stored.int(.logLevel).flatMap { LogLevel(rawValue: $0) } ?? seed.logLevel
        sessionTimeoutSeconds = stored.int(.sessionTimeoutSeconds) ?? 0
        heartbeatIntervalSeconds = stored.int(.heartbeatIntervalSeconds) ?? 0
        maxReconnectAttempts = stored.int(.maxReconnectAttempts) ?? 0
        showDebugStrip = stored.bool(.showDebugStrip) ?? false
        showMessageTimestamps = stored.bool(.showMessageTimestamps) ?? true
    }

    /// Returns the servers of the next chat, or ``Environment/us`` if the cluster name or the URLs are invalid.
    open func resolvedEnvironment() -> Environment {
        switch environmentKind {
        case .us: .us
        case .uk: .uk
        case .euw: .euw
        case .production: .production
        case .staging: .staging
        case .dev: .dev
        case .cluster: Environment.isClusterName(trimmedCluster) ? .cluster(trimmedCluster) : .us
        case .custom: customEnvironment ?? .us
        }
    }

    /// Returns the host name of the servers, or a placeholder such as `(missing cluster)`.
    open func environmentDisplayName() -> String {
        if environmentKind == .cluster, trimmedCluster.isEmpty { return "(missing cluster)" }
        if environmentKind == .custom, customEnvironment == nil { return "(custom)" }
        return resolvedEnvironment().endpoints?.restBaseURL.host ?? "(custom)"
    }

    /// Whether a setting of the SDK differs from its default.
    open var hasCustomization: Bool { choices != seed }

    /// Resets the settings of the SDK and deletes their stored values. Settings for the app's screens are kept.
    open func resetToDefaults() {
        environmentKind = seed.environmentKind
        clusterName = seed.clusterName
        customRestURL = seed.customRestURL
        customWsURL = seed.customWsURL
        streamingEnabled = seed.streamingEnabled
        logLevel = seed.logLevel
        sessionTimeoutSeconds = seed.sessionTimeoutSeconds
        heartbeatIntervalSeconds = seed.heartbeatIntervalSeconds
        maxReconnectAttempts = seed.maxReconnectAttempts
        for key in Key.allCases where !key.outlivesReset {
            storage.set(nil, forKey: keyPrefix + key.rawValue)
        }
    }

    /// Records ``streamingEnabled`` as that of the last chat. Call it after a chat was started with these settings.
    open func recordSessionApplied() {
        lastAppliedStreamingEnabled = streamingEnabled
    }

    /// Returns the configuration of ``PolyMessaging/initialize(_:)`` with these settings applied.
    open func buildConfiguration() -> Configuration {
        var configuration = base
        configuration.environment = resolvedEnvironment()
        configuration.streamingEnabled = streamingEnabled
        configuration.logLevel = logLevel
        configuration.sessionTimeoutSeconds = Self.override(sessionTimeoutSeconds)
        configuration.heartbeatIntervalSeconds = Self.override(heartbeatIntervalSeconds)
        configuration.maxReconnectAttempts = Self.override(maxReconnectAttempts)
        return configuration
    }

    // MARK: Choices

    private struct Choices: Equatable {
        var environmentKind: EnvironmentKind
        var clusterName = "us-1"
        var customRestURL = ""
        var customWsURL = ""
        var streamingEnabled = true
        var logLevel = LogLevel.debug
        var sessionTimeoutSeconds = 0
        var heartbeatIntervalSeconds = 0
        var maxReconnectAttempts = 0

        init(_ environment: Environment, kind: EnvironmentKind?) {
            switch environment {
            case .production: environmentKind = .production
            case .staging: environmentKind = .staging
            case .dev: environmentKind = .dev
            case .us: environmentKind = .us
            case .uk: environmentKind = .uk
            case .euw: environmentKind = .euw
            case .cluster(let name):
                environmentKind = .cluster
                clusterName = name
            case .custom(let rest, let socket):
                environmentKind = .custom
                customRestURL = rest.absoluteString
                customWsURL = socket.absoluteString
            }
            if let kind { environmentKind = kind }
        }
    }

    private var choices: Choices {
        var choices = seed
        choices.environmentKind = environmentKind
        if environmentKind == .cluster { choices.clusterName = clusterName }
        if environmentKind == .custom {
            choices.customRestURL = customRestURL
            choices.customWsURL = customWsURL
        }
        choices.streamingEnabled = streamingEnabled
        choices.logLevel = logLevel
        choices.sessionTimeoutSeconds = sessionTimeoutSeconds
        choices.heartbeatIntervalSeconds = heartbeatIntervalSeconds
        choices.maxReconnectAttempts = maxReconnectAttempts
        return choices
    }

    private var trimmedCluster: String { clusterName.trimmed }

    private var customEnvironment: Environment? {
        guard let rest = Self.url(customRestURL), let socket = Self.url(customWsURL) else { return nil }
        return .custom(restBaseURL: rest, wsBaseURL: socket)
    }

    private static func url(_ text: String) -> URL? {
        guard let url = URL(string: text.trimmed),
            url.scheme != nil, let host = url.host, !host.isEmpty
        else { return nil }
        return url
    }

    private static func override(_ number: Int) -> Int? { number > 0 ? number : nil }

    // MARK: Storage

    private enum Key: String, CaseIterable {
        case environmentKind
        case clusterName
        case customRestURL
        case customWsURL
        case streamingEnabled
        case logLevel
        case sessionTimeoutSeconds
        case heartbeatIntervalSeconds
        case maxReconnectAttempts
        case showDebugStrip
        case showMessageTimestamps
        case lastAppliedStreamingEnabled

        /// Whether a reset keeps the stored value: true for settings of the app's screens, and for the recorded value
        /// of the last chat.
        var outlivesReset: Bool {
            switch self {
            case .showDebugStrip, .showMessageTimestamps, .lastAppliedStreamingEnabled: true
            default: false
            }
        }
    }

    private struct Stored {
        let storage: any SettingsStorage
        let prefix: String

        func int(_ key: Key) -> Int? { has(key) ? storage.integer(forKey: prefix + key.rawValue) : nil }
        func bool(_ key: Key) -> Bool? { has(key) ? storage.bool(forKey: prefix + key.rawValue) : nil }
        func text(_ key: Key) -> String? { storage.string(forKey: prefix + key.rawValue) }

        private func has(_ key: Key) -> Bool { storage.object(forKey: prefix + key.rawValue) != nil }
    }

    private func store(_ value: Any, as key: Key) {
        storage.set(value, forKey: keyPrefix + key.rawValue)
    }
}
