import ConversationEngine
package import DialectKit
import Texts

/// Everything about the Messaging API that the documentation leaves open or a test wants otherwise.
/// What is assumed in protocol.md can be chosen here.
package struct PolyOptions: Equatable, Sendable {
    /// Which connector tokens may ask for an access token.
    package enum Connectors: Equatable, Sendable {
        /// All, from any host.
        case any
        /// These; and scenario lines (`mock:…`), which name no connector and therefore no host.
        case listed([Connector])
    }

    /// What ties a session to the client that created it (protocol.md#token-binding).
    package enum TokenBinding: String, CaseIterable, Sendable {
        /// The very token it was created with.
        case exactToken
        /// Any token of the same subject.
        case subject
        /// Any valid token.
        case off
    }

    /// How elements of an EVENT_BATCH carry their payload (protocol.md#named-payloads).
    package enum BatchPayloadForm: String, CaseIterable, Sendable {
        case payload
        case oneof
    }

    package var connectors: Connectors
    /// Takes connector tokens that choose a scenario, `mock:booking`, also beside listed connectors.
    package var acceptsScenarios: Bool
    /// 300 and less make the iOS SDK ask for a new token before every connect (protocol.md#token-renewal).
    package var accessTokenSeconds: Int64
    package var tokenBinding: TokenBinding
    /// Who the tokens say minted them.
    package var issuer: String
    /// Per connector; nil switches the limit off (protocol.md#request-rate).
    package var accessTokenRate: RateLimit?
    package var sessionRate: RateLimit?
    package var batchPayloadForm: BatchPayloadForm
    /// Accepts the voice product's event without an answer instead of refusing it
    /// (protocol.md#event-link-to-webrtc-conversation).
    package var acceptsVoiceLink: Bool
    /// Lets clients choose the greeting, as older SDKs could (protocol.md#greeting-message).
    package var honorsGreetingMessage: Bool
    /// Puts a `context_id` into SESSION_START for connectors that are not listed (protocol.md#context-id).
    package var sendsContextID: Bool

    package init(
        connectors: Connectors = .any, acceptsScenarios: Bool = true, accessTokenSeconds: Int64 = 86_400,
        tokenBinding: TokenBinding = .exactToken, issuer: String = "polymock",
        accessTokenRate: RateLimit? = nil, sessionRate: RateLimit? = nil,
        batchPayloadForm: BatchPayloadForm = .payload, acceptsVoiceLink: Bool = false,
        honorsGreetingMessage: Bool = false, sendsContextID: Bool = false
    ) {
        self.connectors = connectors
        self.acceptsScenarios = acceptsScenarios
        self.accessTokenSeconds = accessTokenSeconds
        self.tokenBinding = tokenBinding
        self.issuer = issuer
        self.accessTokenRate = accessTokenRate
        self.sessionRate = sessionRate
        self.batchPayloadForm = batchPayloadForm
        self.acceptsVoiceLink = acceptsVoiceLink
        self.honorsGreetingMessage = honorsGreetingMessage
        self.sendsContextID = sendsContextID
    }
}

/// A connector the server knows: a token, and the hosts that may use it.
package struct Connector: Equatable, Sendable {
    package var token: String
    /// Told in access tokens in place of the connector token, which is a secret.
    package var id: String
    /// Any of them matches (protocol.md#host-match). Without one, every request is refused.
    package var hosts: [String]
    package var sendsContextID: Bool

    package init(token: String, id: String? = nil, hosts: [String], sendsContextID: Bool = false) {
        self.token = token
        self.id = id ?? Self.id(for: token)
        self.hosts = hosts
        self.sendsContextID = sendsContextID
    }

    /// A name for a connector that tells nothing about its token.
    package static func id(for token: String) -> String {
        "connector-" + SHA256.hex(of: Array(token.utf8)).prefix(16)
    }
}
