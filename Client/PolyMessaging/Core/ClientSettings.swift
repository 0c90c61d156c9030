package import Clocks

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

package struct ClientSettings: Sendable, Equatable {
    package var connectorToken: String
    /// Value of `X-Host`.
    package var host: String
    package var userAgent: String
    package var deviceType: DeviceType
    package var streamingEnabled: Bool
    package var greeting: String?
    package var extensions: Set<SessionExtension>
    /// Base URL of the WebSocket.
    package var socketURL: URL
    package var sessionTimeout: Interval
    /// Time between heartbeats. Nil disables them.
    package var heartbeatInterval: Interval?
    /// Maximum consecutive reconnects. 0 means unlimited.
    package var reconnectAttempts: Int
    /// Whether a draft is sent again on the same connection if its echo is late. The message can then appear twice.
    package var resendsOnOpenConnection = false
    package var redaction: Redaction

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

    /// Returns the idle timeout of a session: 600 s for nil, 0 and negative values.
    package static func timeout(_ configuration: Configuration) -> Interval {
        guard let seconds = configuration.sessionTimeoutSeconds, seconds > 0 else {
            return MessagingLimits.sessionTimeout
        }
        return .seconds(Int64(min(seconds, 10_000_000)))
    }
}
