#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Address and behaviour of a chat.
///
/// A chat of the service needs its region. One of your own server needs its address:
///
/// ```swift
/// let config = GlobalConfig(endpoint: URL(string: "http://127.0.0.1:8787"))
/// ```
public struct GlobalConfig: Sendable {
    /// The host is `participant.connect.<region>.amazonaws.com`. Default: `.USWest2`.
    public var region: AWSRegionType
    /// Feature switches. Default: ``Features/defaultFeatures``.
    public var features: Features
    /// Accepted for code of the published SDK, without effect: there are no metrics.
    public var disableCsm: Bool
    /// Makes the requests in place of the SDK. Default: nil.
    package var client: (any CustomClient)?
    /// Rewrites the address of each WebSocket before it is dialled. Default: nil.
    public var customWebSocketURLProvider: (@Sendable (String) -> String)?
    /// The base address of the participant service, in place of the region's host; a path in it is kept. Default: nil.
    public var endpoint: URL?

    /// The region of a configuration that names none: `.USWest2`.
    public static var defaultRegion: AWSRegionType { .USWest2 }

    /// A configuration; each part has a default.
    ///
    /// - Parameters:
    ///   - region: where the service is.
    ///   - features: what can be switched.
    ///   - disableCsm: without effect.
    ///   - customWebSocketURLProvider: rewrites addresses of WebSockets.
    ///   - endpoint: the participant service's base address.
    public init(
        region: AWSRegionType = defaultRegion, features: Features = .defaultFeatures,
        disableCsm: Bool = false, customWebSocketURLProvider: (@Sendable (String) -> String)? = nil,
        endpoint: URL? = nil
    ) {
        self.region = region
        self.features = features
        self.disableCsm = disableCsm
        self.customWebSocketURLProvider = customWebSocketURLProvider
        self.endpoint = endpoint
    }
}

/// Feature switches.
public struct Features: Sendable {
    /// Receipts that the client sends.
    public var messageReceipts: MessageReceipts

    /// Receipts are sent, at most every five seconds.
    public static var defaultFeatures: Features { Features() }

    /// - Parameter messageReceipts: receipts that the client sends.
    public init(messageReceipts: MessageReceipts = .defaultReceipts) {
        self.messageReceipts = messageReceipts
    }
}

/// Receipts that the client sends.
public struct MessageReceipts: Sendable {
    /// Whether any are sent. Those of others are always reported.
    public var shouldSendMessageReceipts: Bool
    /// Seconds in which at most one of each kind is sent; 0, negative and infinite ones send at once.
    public var throttleTime: Double

    /// Receipts are sent, at most every five seconds.
    public static var defaultReceipts: MessageReceipts {
        MessageReceipts(shouldSendMessageReceipts: true, throttleTime: 5)
    }

    /// - Parameters:
    ///   - shouldSendMessageReceipts: whether any are sent.
    ///   - throttleTime: seconds in which at most one of each kind is sent.
    public init(shouldSendMessageReceipts: Bool, throttleTime: Double) {
        self.shouldSendMessageReceipts = shouldSendMessageReceipts
        self.throttleTime = throttleTime
    }
}
