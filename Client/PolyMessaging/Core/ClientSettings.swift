package import Clocks

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Settings of a client, with all defaults applied.
package struct ClientSettings: Sendable, Equatable {
    package var connectorToken: String
    /// The value of `X-Host`.
    package var host: String
    package var userAgent: String
    package var deviceType: DeviceType
    package var streamingEnabled: Bool
    package var greeting: String?
    package var extensions: Set<SessionExtension>
    /// Base URL of the WebSocket. If the URL has a query, the SDK adds its own parameters to that query.
    package var socketURL: URL
    /// Time without chat messages after which the session expires.
    package var sessionTimeout: Interval
    /// Time between heartbeats; nil if the configuration disables heartbeats.
    package var heartbeatInterval: Interval?
    /// Maximum number of reconnects; 0 means unlimited.
    package var reconnectAttempts: Int
    /// Whether a draft is sent again if its echo is late. Servers do not remove duplicates, so a message can then
    /// appear twice.
    package var resendsOnOpenConnection = false
    package var redaction: Redaction

    /// Creates the settings from a configuration. `userAgent` and `host` are sent unchanged. The caller gets `host`
    /// from ``Configuration/hostHeader(bundleIdentifier:)``.
    package init(
        _ configuration: Configuration, endpoints: Endpoints, host: String, userAgent: String,
        deviceType: DeviceType
    ) {
        connectorToken = configuration.connectorToken
        self.host = host
        self.userAgent = userAgent
        self.deviceType = deviceType
        streamingEnabled = configuration.streamingEnabled
        greeting = configuration.greetingMessage
        extensions = configuration.extensions
        socketURL = endpoints.socketBaseURL
        sessionTimeout = Self.timeout(configuration)
        heartbeatInterval = HeartbeatCore.interval(
            seconds: configuration.heartbeatIntervalSeconds, fallback: MessagingLimits.heartbeatInterval)
        reconnectAttempts = ConnectionCore.limit(
            configuration.maxReconnectAttempts, fallback: MessagingLimits.reconnectAttempts)
        redaction = configuration.redaction
    }

    /// Returns the idle timeout of a session. If the configuration has none, or one of 0 or less, returns the default.
    package static func timeout(_ configuration: Configuration) -> Interval {
        guard let seconds = configuration.sessionTimeoutSeconds, seconds > 0 else {
            return MessagingLimits.sessionTimeout
        }
        return .seconds(Int64(min(seconds, 10_000_000)))
    }
}
