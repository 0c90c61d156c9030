import Clocks

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Details of the chat to connect to, from the response of StartChatContact to the app's backend.
public struct ChatDetails: Sendable {
    /// The contact's id; nil if the app does not know it.
    public var contactId: String?
    /// The customer's participant id; nil if the app does not know it.
    public var participantId: String?
    /// The secret that authorises the customer.
    public var participantToken: String

    /// Makes details; each argument sets the property of its name.
    public init(contactId: String? = nil, participantId: String? = nil, participantToken: String) {
        self.contactId = contactId
        self.participantId = participantId
        self.participantToken = participantToken
    }
}

/// Response of CreateParticipantConnection.
public struct ConnectionDetails: Sendable {
    private let websocketUrl: String?
    private let connectionToken: String?
    private let expiry: Date?
    var socketExpiry: Date?

    /// Makes connection details: the WebSocket's URL, the connection token and its expiry.
    public init(websocketUrl: String?, connectionToken: String?, expiry: Date?) {
        self.websocketUrl = websocketUrl
        self.connectionToken = connectionToken
        self.expiry = expiry
    }

    /// The address of the WebSocket.
    public func getWebsocketUrl() -> String? { websocketUrl }
    /// The connection token, which authorises all requests except CreateParticipantConnection.
    public func getConnectionToken() -> String? { connectionToken }
    /// The expiry of the connection token.
    public func getExpiry() -> Date? { expiry }
}

/// Thread-safe provider of a chat's details and credentials. Updates take effect at the next request.
///
/// ```swift
/// let provider = ChatSession.shared.getConnectionDetailsProvider()
/// print(provider.getChatDetails()?.participantToken ?? "no chat")
/// ```
public protocol ConnectionDetailsProviderProtocol {
    func updateChatDetails(newDetails: ChatDetails)
    /// The last response of CreateParticipantConnection, or the last update; nil before the first, after `reset` and
    /// after a failed `connect`.
    func getConnectionDetails() -> ConnectionDetails?
    func updateConnectionDetails(newDetails: ConnectionDetails)
    /// The details of the last `connect`, or the last update; nil before the first, and after `reset`.
    func getChatDetails() -> ChatDetails?
    /// True from the first connection to the end of the chat, also while the connection is lost.
    func isChatSessionActive() -> Bool
    /// False stops reconnecting until `connect` or `resumeWebSocketConnection` is called, the network returns, or the
    /// app comes to the front. True has no effect.
    func setChatSessionState(isActive: Bool)
    func reset()
}

/// Configuration of a chat: address and behaviour.
///
/// A chat of Amazon Connect needs its region. A chat of your own server needs an address:
///
/// ```swift
/// let config = GlobalConfig(endpoint: URL(string: "http://127.0.0.1:8787"))
/// ```
public struct GlobalConfig: Sendable {
    /// The region, whose host is `participant.connect.<region>.amazonaws.com`, in China with `.cn`. Default:
    /// `.USWest2`.
    public var region: AWSRegionType
    /// Feature switches. Default: ``Features/defaultFeatures``.
    public var features: Features
    /// Ignored: this SDK collects no metrics. For source compatibility.
    public var disableCsm: Bool
    package var client: (any CustomClient)?
    /// Rewrites the address of each WebSocket before the client connects. Default: nil.
    public var customWebSocketURLProvider: (@Sendable (String) -> String)?
    /// The base URL of the participant service, which may contain a path. Nil means the region's host. Default: nil.
    public var endpoint: URL?

    /// The region that a configuration has if no region is given: `.USWest2`.
    public static var defaultRegion: AWSRegionType { .USWest2 }

    /// Makes a configuration; each argument has a default.
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

    /// Receipts are sent, at most one of each kind every five seconds.
    public static var defaultFeatures: Features { Features() }

    /// Makes settings; each argument sets the property of its name.
    public init(messageReceipts: MessageReceipts = .defaultReceipts) {
        self.messageReceipts = messageReceipts
    }
}

/// Receipts that the client sends.
public struct MessageReceipts: Sendable {
    /// Whether the client sends receipts. Receipts from other participants are reported in either case.
    public var shouldSendMessageReceipts: Bool
    /// Time in seconds during which at most one receipt of each kind is sent, at least 0.1. No limit if 0, negative or
    /// infinite.
    public var throttleTime: Double

    /// Receipts are sent, at most one of each kind every five seconds.
    public static var defaultReceipts: MessageReceipts {
        MessageReceipts(shouldSendMessageReceipts: true, throttleTime: 5)
    }

    /// Makes settings; each argument sets the property of its name.
    public init(shouldSendMessageReceipts: Bool, throttleTime: Double) {
        self.shouldSendMessageReceipts = shouldSendMessageReceipts
        self.throttleTime = throttleTime
    }
}
