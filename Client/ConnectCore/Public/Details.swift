import Clocks

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Which chat to connect to: what StartChatContact has answered to the app's backend.
public struct ChatDetails: Sendable {
    /// The contact; nil when the app does not know.
    public var contactId: String?
    /// The customer's own id; nil when the app does not know.
    public var participantId: String?
    /// The secret that lets the customer in.
    public var participantToken: String

    /// - Parameters:
    ///   - contactId: the contact.
    ///   - participantId: the customer's own id.
    ///   - participantToken: the secret that lets the customer in.
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
    /// Expiry of the WebSocket's address, where the response has one.
    var socketExpiry: Date?

    /// - Parameters:
    ///   - websocketUrl: the address of the WebSocket.
    ///   - connectionToken: the secret of all other requests.
    ///   - expiry: when that secret ends.
    public init(websocketUrl: String?, connectionToken: String?, expiry: Date?) {
        self.websocketUrl = websocketUrl
        self.connectionToken = connectionToken
        self.expiry = expiry
    }

    /// - Returns: the address of the WebSocket.
    public func getWebsocketUrl() -> String? { websocketUrl }
    /// - Returns: the secret of all other requests.
    public func getConnectionToken() -> String? { connectionToken }
    /// - Returns: when that secret ends.
    public func getExpiry() -> Date? { expiry }
}

/// Connection details and credentials. Thread-safe; changes act on the next request.
public protocol ConnectionDetailsProviderProtocol {
    /// Replaces the details of the chat.
    func updateChatDetails(newDetails: ChatDetails)
    /// The last response of CreateParticipantConnection; nil before.
    func getConnectionDetails() -> ConnectionDetails?
    /// Replaces it.
    func updateConnectionDetails(newDetails: ConnectionDetails)
    /// The details of the last `connect`; nil before.
    func getChatDetails() -> ChatDetails?
    /// Whether there is a chat that has not ended.
    func isChatSessionActive() -> Bool
    /// False stops reconnecting; true has no effect.
    func setChatSessionState(isActive: Bool)
    /// Forgets everything.
    func reset()
}
