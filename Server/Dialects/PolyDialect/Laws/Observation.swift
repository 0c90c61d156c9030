package import Clocks
import ConversationEngine
package import DialectKit

/// What the server saw a client do, or did to it.
///
/// Keys are opaque: a hash where the real word is a secret.
package enum Observation: Sendable, Equatable {
    /// A request for an access token was answered with `status` (protocol.md#token-request). An empty
    /// `connector` or `origin` means that the header was absent or empty.
    case tokenRequest(
        connector: String, origin: String?, caller: Caller, status: Int, retryAfter: Interval?)
    /// A request for a session was answered (protocol.md#session-request). `subject` is the token's owner,
    /// empty without a good token; `session` is the new session.
    case sessionRequest(
        subject: String, caller: Caller, tokenExpiry: Instant?, status: Int, retryAfter: Interval?,
        session: String?)
    /// A handshake was answered (protocol.md#handshake-order); 101 means accepted. `session` or `subject` is
    /// empty when the parameter was missing or said nothing.
    case connectRequest(
        session: String, subject: String, tokenExpiry: Instant?, cursorText: String?, status: Int,
        retryAfter: Interval?)
    /// The connection is open. `cursor` is what the client asked with, as the server understood it.
    case connected(session: String, connection: UInt64, cursor: UInt64?)
    /// One message of the client, decoded.
    case heard(session: String, connection: UInt64, HeardMessage)
    /// One event was written to the client: not one that a trouble lost or still holds back, and with the
    /// sequence that was written. Each event of a batch is reported alone, in order; `isReplay` marks those
    /// of the history sent on connect (protocol.md#history-first).
    case told(session: String, connection: UInt64, sequence: UInt64?, kind: DeliveredEvent, isReplay: Bool)
    /// The connection is gone.
    case dropped(session: String, connection: UInt64, cause: DropCause)
    /// A trouble holds the connection's bytes back, or has let go: meanwhile silence proves nothing.
    case stalled(session: String, connection: UInt64, isStalled: Bool)
    /// The session is over. Who comes back to it is still judged.
    case ended(session: String)
    /// The server has forgotten the session: from here on it answers 404.
    case forgotten(session: String)
}

/// Who sent a request that has no session yet.
package struct Caller: Sendable, Equatable {
    /// Equal for two requests only when the shell is sure that they come from one client: the number of the
    /// TCP connection that carried both, or the name a test gave its only client.
    package var client: String?
    /// `X-Polyai-Correlation-Id`, which a client keeps over the attempts of one call
    /// (protocol.md#correlation-id).
    package var correlation: String?

    package init(client: String? = nil, correlation: String? = nil) {
        self.client = client
        self.correlation = correlation
    }
}

/// One message of a client, as the laws need it (protocol.md#client-envelope).
package enum HeardMessage: Sendable, Equatable {
    case join
    /// `bytes` is the whole message as sent, not only its text.
    case message(localID: String?, text: String, bytes: Int)
    case typing
    case end
    case heartbeat
    /// A known type that only the server may send.
    case serverOnly(type: String)
    case unknown(type: String)
    /// Not JSON, not an object, or without a type.
    case unreadable
    /// A type that clients may send, with a payload that is none.
    case badPayload(type: String)
    case binary
    /// More than the server takes; it closes the connection with 1009.
    case oversized(bytes: Int)
    /// The server dropped the message because of its rate; that is no breach, since no rate is published.
    case rateLimited
    /// The message, reported beside this, carried a field that only the server sets: `id`, `sequence` or
    /// `timestamp`.
    case serverField(name: String)
    /// The message, reported beside this, carried values in `metadata.custom` that are not strings.
    case metadataNotStrings
    /// A ping or pong of the WebSocket protocol.
    case control
}

/// One event written to a client, as the laws need it.
package enum DeliveredEvent: Sendable, Equatable {
    /// SESSION_START with its capabilities (protocol.md#event-session-start); zero means off, or no limit.
    case sessionStart(heartbeat: Interval, maxMessageBytes: Int, maxReconnectAttempts: Int)
    case joinEcho
    case agentJoined
    case messageEcho(localID: String?)
    case endEcho
    case sessionEnd
    /// The agent left: who wants it back may join again.
    case agentLeft
    /// An error that asks the client to join again (protocol.md#join-invitations), such as `Error: Conversation
    /// not found`.
    case joinInvitation
    case other
}

extension DropCause {
    /// Whether the server or a trouble ended it in a way that the client may come back from.
    var isServerSide: Bool {
        switch self {
        case .client, .lost: false
        case .server, .trouble: isResumable
        }
    }

    /// Whether the client had no part in it and may go on with the same session (protocol.md#close-normal):
    /// 1000 and 4001 end the session for the client, and 4000 means that it has another connection.
    var isResumable: Bool {
        switch self {
        case .client: false
        case .lost: true
        case .server(let code): ![1000, 4000, 4001].contains(code)
        case .trouble(let code): code.map { ![1000, 4000, 4001].contains($0) } ?? true
        }
    }
}

extension HeardMessage {
    /// The laws' word for a message.
    init(_ decoded: Decoded, bytes: Int) {
        switch decoded.fault {
        case .serverOnly?: self = .serverOnly(type: decoded.type)
        case .unknownType?: self = .unknown(type: decoded.type)
        case .badPayload?: self = .badPayload(type: decoded.type)
        case .unreadable?: self = .unreadable
        case .binary?: self = .binary
        case nil:
            switch decoded.input.word {
            case .join: self = .join
            case .say(let text):
                self = .message(localID: decoded.input.localID, text: text, bytes: bytes)
            case .typing: self = .typing
            case .end: self = .end
            case .receipt, .run: self = .control
            case .heartbeat: self = .heartbeat
            case .refused: self = .unreadable
            case .ignored: self = .control
            }
        }
    }
}

extension DeliveredEvent {
    /// The laws' word for an event.
    init(_ event: Event, localID: String?) {
        switch event {
        case .sessionStarted(let facts):
            self = .sessionStart(
                heartbeat: .seconds(Int64(facts.heartbeatIntervalSeconds)),
                maxMessageBytes: facts.maxMessageBytes, maxReconnectAttempts: facts.maxReconnectAttempts)
        case .userMessage: self = .messageEcho(localID: localID)
        case .notice(.error, .known(let problem, _)): self = problem.asksToJoin ? .joinInvitation : .other
        default: self.init(kind: event.kind)
        }
    }

    /// The laws' word for an event of a history.
    init(kind: EventKind) {
        switch kind {
        case .joinRequested: self = .joinEcho
        case .agentJoined: self = .agentJoined
        case .userMessage: self = .messageEcho(localID: nil)
        case .userEnded: self = .endEcho
        case .sessionEnded: self = .sessionEnd
        case .agentLeft: self = .agentLeft
        default: self = .other
        }
    }
}

extension KnownProblem {
    /// A client that receives this event has to ask the agent to join again (protocol.md#join-invitations).
    fileprivate var asksToJoin: Bool {
        switch self {
        case .cannotStart, .noConversation, .conversationNotReady, .noLiveSession: true
        default: false
        }
    }
}
