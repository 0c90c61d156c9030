package import Clocks

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Resolved settings of a client; all defaults are applied.
package struct ClientSettings: Sendable, Equatable {
    package var connectorToken: String
    /// The value of `X-Host`.
    package var host: String
    package var userAgent: String
    package var deviceType: DeviceType
    package var streamingEnabled: Bool
    package var greeting: String?
    /// The WebSocket base URL; its own query is kept.
    package var socketURL: URL
    /// Idle time after which a session without chat messages is over.
    package var sessionTimeout: Interval
    /// Interval of heartbeats; nil if the configuration turns them off.
    package var heartbeatInterval: Interval?
    /// Maximum number of reconnects; 0: unlimited.
    package var reconnectAttempts: Int
    /// True sends a second copy on an open connection when the echo is late, as older versions did. Servers do
    /// not de-duplicate, so this can double a message.
    package var resendsOnOpenConnection = false
    package var redaction: Redaction

    /// `userAgent` and `host` come from the platform; the configuration's host identifier is already in `host`.
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
        socketURL = endpoints.socketBaseURL
        sessionTimeout = Self.timeout(configuration)
        heartbeatInterval = HeartbeatCore.interval(
            seconds: configuration.heartbeatIntervalSeconds, fallback: Limits.heartbeatInterval)
        reconnectAttempts = ConnectionCore.limit(
            configuration.maxReconnectAttempts, fallback: Limits.reconnectAttempts)
        redaction = configuration.redaction
    }

    /// How long an idle session lives and can be resumed; zero or less means the default.
    package static func timeout(_ configuration: Configuration) -> Interval {
        guard let seconds = configuration.sessionTimeoutSeconds, seconds > 0 else {
            return Limits.sessionTimeout
        }
        return .seconds(Int64(min(seconds, 10_000_000)))
    }
}
