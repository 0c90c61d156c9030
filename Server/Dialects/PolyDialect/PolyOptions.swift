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

    package var connectors = Connectors.any
    /// Takes connector tokens that choose a scenario, `mock:booking`, also beside listed connectors.
    package var acceptsScenarios = true
    /// 300 and less make the iOS SDK ask for a new token before every connect (protocol.md#token-renewal).
    package var accessTokenSeconds: Int64 = 86_400
    package var tokenBinding = TokenBinding.exactToken
    /// Open connections that the server allows one session, for the laws.
    package var connectionLimit = 10
    /// Of access tokens and of sessions, per connector; nil switches the limit off (protocol.md#request-rate).
    package var rate: RateLimit?
    /// Elements of an EVENT_BATCH carry their payload under its own name (protocol.md#named-payloads).
    package var usesNamedPayloadsInBatches = false
    /// Accepts the voice product's event without an answer instead of refusing it
    /// (protocol.md#event-link-to-webrtc-conversation).
    package var acceptsVoiceLink = false
    /// Lets clients choose the greeting, as older SDKs could (protocol.md#greeting-message).
    package var honorsGreetingMessage = false

    /// The documented service, with what `change` wants otherwise.
    package init(_ change: (inout PolyOptions) -> Void = { _ in }) {
        change(&self)
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
