package import Clocks
import ConversationEngine
package import DialectKit

/// An action of a client, or of the server towards a client. Secrets are hashed.
package enum Observation: Sendable, Equatable {
    /// A token request was answered (protocol.md#token-request). Without `X-Token`, `connector` is empty.
    case tokenRequest(connector: String, origin: String?, caller: Caller, status: Int, retryAfter: Interval?)
    /// A session request was answered (protocol.md#session-request). `subject` is the token's id; empty without a valid
    /// token.
    case sessionRequest(
        subject: String, caller: Caller, tokenExpiry: Instant?, status: Int, retryAfter: Interval?,
        session: String?)
    /// A WebSocket request was answered (protocol.md#handshake-order). `session` and `subject` may be empty.
    case connectRequest(
        session: String, subject: String, tokenExpiry: Instant?, cursorText: String?, status: Int,
        retryAfter: Interval?)
    case connected(session: String, connection: UInt64, cursor: UInt64?)
    case heard(session: String, connection: UInt64, HeardMessage)
    /// An event was sent to a client. `isReplay` is true for events of the history (protocol.md#history-first).
    case delivered(
        session: String, connection: UInt64, sequence: UInt64?, kind: DeliveredEvent, isReplay: Bool)
    case dropped(session: String, connection: UInt64, cause: DropCause)
    /// A fault began or stopped delaying the connection's bytes.
    case stalled(session: String, connection: UInt64, isStalled: Bool)
    /// The session has ended.
    case ended(session: String)
    case forgotten(session: String)
}

/// The sender of a request that belongs to no session.
package struct Caller: Sendable, Equatable {
    /// Number of the client's TCP connection.
    package var client: String?
    /// `X-Polyai-Correlation-Id` (protocol.md#correlation-id).
    package var correlation: String?

    package init(client: String? = nil, correlation: String? = nil) {
        self.client = client
        self.correlation = correlation
    }
}

/// A client's message for the protocol rules (protocol.md#client-envelope).
package enum HeardMessage: Sendable, Equatable {
    case join
    case message(localID: Substring?, text: String, bytes: Int)
    case typing
    case end
    case heartbeat
    case serverOnly(type: String)
    case unknown(type: String)
    /// The message is not JSON, is not an object, or has no `type`. `sent` is the beginning of the message.
    case unreadable(sent: String = "")
    /// `sent` is the beginning of the payload.
    case badPayload(type: String, sent: String = "")
    case binary
    case oversized(bytes: Int)
    /// The message was dropped because of the rate limit.
    case rateLimited
    /// The message contains `id`, `sequence` or `timestamp`.
    case serverField(name: String, sent: String = "")
    /// `metadata.custom` has values other than strings. `sent` is the first of them, with its name.
    case metadataNotStrings(sent: String = "")
    case control
}

/// An event sent to a client, for the protocol rules.
package enum DeliveredEvent: Sendable, Equatable {
    /// SESSION_START (protocol.md#event-session-start). Zero means no heartbeats, or no limit.
    case sessionStart(heartbeat: Interval, maxMessageBytes: Int, maxReconnectAttempts: Int)
    case joinEcho
    case agentJoined
    case messageEcho(localID: Substring?)
    case endEcho
    case sessionEnd
    /// The client may send another join.
    case agentLeft
    /// An error after which the client should join again (protocol.md#join-invitations).
    case joinInvitation
    case other
}

extension DropCause {
    /// Whether the server or a fault cut the connection, and the client may continue the session.
    var isServerSide: Bool {
        switch self {
        case .client, .lost: false
        case .server, .fault: isResumable
        }
    }

    /// Whether the client may continue the session (protocol.md#close-normal, protocol.md#close-codes-of-sdks).
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
    init(_ decoded: Decoded, _ message: [UInt8]) {
        switch decoded.fault {
        case .serverOnly?: self = .serverOnly(type: decoded.type)
        case .unknownType?: self = .unknown(type: decoded.type)
        case .badPayload?:
            self = .badPayload(type: decoded.type, sent: SentValue.member(["payload"], of: message))
        case .unreadable?: self = .unreadable(sent: SentValue.beginning(of: message))
        case .binary?: self = .binary
        case nil:
            switch decoded.input.word {
            case .join: self = .join
            case .say(let text):
                self = .message(localID: decoded.input.localID, text: text, bytes: message.count)
            case .typing: self = .typing
            case .end: self = .end
            case .file, .receipt, .change, .run: self = .control
            case .heartbeat: self = .heartbeat
            case .refused: self = .unreadable(sent: SentValue.beginning(of: message))
            case .ignored: self = .control
            }
        }
    }
}

extension DeliveredEvent {
    init(_ event: Event, localID: Substring?) {
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

    /// Creates the event of an entry whose payload is not needed.
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
    /// Whether this error asks the client to join again (protocol.md#join-invitations).
    fileprivate var asksToJoin: Bool {
        switch self {
        case .cannotStart, .noConversation, .conversationNotReady, .noLiveSession: true
        default: false
        }
    }
}
