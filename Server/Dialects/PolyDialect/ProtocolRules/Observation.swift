package import Clocks
import ConversationEngine
package import DialectKit

/// An action of a client, or of the server towards a client. Secret values are hashed.
package enum Observation: Sendable, Equatable {
    /// A token request was answered (protocol.md#token-request). `connector` or `origin` is empty if the header for it
    /// was missing.
    case tokenRequest(connector: String, origin: String?, caller: Caller, status: Int, retryAfter: Interval?)
    /// A session request was answered (protocol.md#session-request). `subject` is the owner of the token; empty if the
    /// token is missing or invalid.
    case sessionRequest(
        subject: String, caller: Caller, tokenExpiry: Instant?, status: Int, retryAfter: Interval?,
        session: String?)
    /// A WebSocket request was answered (protocol.md#handshake-order). `session` or `subject` is empty if the request
    /// lacks it.
    case connectRequest(
        session: String, subject: String, tokenExpiry: Instant?, cursorText: String?, status: Int,
        retryAfter: Interval?)
    /// A connection opened. `cursor` is the client's cursor as the server read it.
    case connected(session: String, connection: UInt64, cursor: UInt64?)
    case heard(session: String, connection: UInt64, HeardMessage)
    /// An event was sent, and no fault dropped or delayed it. `isReplay` is true for an event of the history
    /// (protocol.md#history-first).
    case delivered(
        session: String, connection: UInt64, sequence: UInt64?, kind: DeliveredEvent, isReplay: Bool)
    case dropped(session: String, connection: UInt64, cause: DropCause)
    /// A fault began or stopped delaying the connection's bytes. While bytes are delayed, silence is no violation.
    case stalled(session: String, connection: UInt64, isStalled: Bool)
    /// A session ended. Later connects to the session are still checked.
    case ended(session: String)
    /// A session was removed; requests for the session are answered with 404.
    case forgotten(session: String)
}

/// The sender of a request that belongs to no session.
package struct Caller: Sendable, Equatable {
    /// Identifies the client: the number of its TCP connection, or a name that a test sets.
    package var client: String?
    /// `X-Polyai-Correlation-Id`. A request and its retries use the same id (protocol.md#correlation-id).
    package var correlation: String?

    package init(client: String? = nil, correlation: String? = nil) {
        self.client = client
        self.correlation = correlation
    }
}

/// A client's message as the protocol rules see it (protocol.md#client-envelope).
package enum HeardMessage: Sendable, Equatable {
    case join
    /// `bytes` is the size of the whole message.
    case message(localID: String?, text: String, bytes: Int)
    case typing
    case end
    case heartbeat
    /// An event type that only the server may send.
    case serverOnly(type: String)
    case unknown(type: String)
    /// A message that is not JSON, not an object, or has no `type`.
    case unreadable
    /// A known client event with an invalid payload.
    case badPayload(type: String)
    case binary
    /// A message larger than the size limit. The server closes the connection with 1009.
    case oversized(bytes: Int)
    /// A message that the server dropped because of the rate limit. This is no violation, because the service publishes
    /// no rate limit.
    case rateLimited
    /// A message contains a server field: `id`, `sequence` or `timestamp`. The message itself is reported as a separate
    /// observation.
    case serverField(name: String)
    /// A message has values in `metadata.custom` that are not strings. The message itself is reported as a separate
    /// observation.
    case metadataNotStrings
    /// A ping or pong of the WebSocket protocol.
    case control
}

/// An event sent to a client, as the protocol rules see it.
package enum DeliveredEvent: Sendable, Equatable {
    /// SESSION_START with its capabilities (protocol.md#event-session-start). If `heartbeat` is zero, heartbeats are
    /// off. If another value is zero, it has no limit.
    case sessionStart(heartbeat: Interval, maxMessageBytes: Int, maxReconnectAttempts: Int)
    case joinEcho
    case agentJoined
    case messageEcho(localID: String?)
    case endEcho
    case sessionEnd
    /// The agent left; the client may send another join.
    case agentLeft
    /// An error after which the client should join again (protocol.md#join-invitations).
    case joinInvitation
    case other
}

extension DropCause {
    /// True if the server or a fault closed the connection with a code after which the session can continue.
    var isServerSide: Bool {
        switch self {
        case .client, .lost: false
        case .server, .fault: isResumable
        }
    }

    /// True if the client may continue the session (protocol.md#close-normal). Codes 1000 and 4001 end the session;
    /// 4000 means that the client has another connection.
    var isResumable: Bool {
        switch self {
        case .client: false
        case .lost: true
        case .server(let code): ![1000, 4000, 4001].contains(code)
        case .fault(let code): code.map { ![1000, 4000, 4001].contains($0) } ?? true
        }
    }
}

extension HeardMessage {
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
            case .say(let text): self = .message(localID: decoded.input.localID, text: text, bytes: bytes)
            case .typing: self = .typing
            case .end: self = .end
            case .file, .receipt, .change, .run: self = .control
            case .heartbeat: self = .heartbeat
            case .refused: self = .unreadable
            case .ignored: self = .control
            }
        }
    }
}

extension DeliveredEvent {
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

    /// Creates the value for an event of a replayed history, whose payload is not needed.
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
    /// True if a client that receives this error has to join again (protocol.md#join-invitations).
    fileprivate var asksToJoin: Bool {
        switch self {
        case .cannotStart, .noConversation, .conversationNotReady, .noLiveSession: true
        default: false
        }
    }
}
