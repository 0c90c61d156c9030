package import Clocks

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Resolved settings of a client: nothing here is optional because of a default.
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
    /// Of a session without chat messages.
    package var sessionTimeout: Interval
    /// nil: none at all, by configuration.
    package var heartbeatInterval: Interval?
    /// 0: unlimited.
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

    /// The window in which a session lives and can be resumed; zero and less mean the default.
    package static func timeout(_ configuration: Configuration) -> Interval {
        guard let seconds = configuration.sessionTimeoutSeconds, seconds > 0 else {
            return Limits.sessionTimeout
        }
        return .seconds(Int64(min(seconds, 10_000_000)))
    }
}
