package import Clocks
import ConversationEngine
package import DialectKit

/// An observed action of a client, or of the server towards it. Keys are opaque: hashes of secrets.
package enum Observation: Sendable, Equatable {
    /// A request for an access token was answered with `status` (protocol.md#token-request). An empty
    /// `connector` or `origin` means that the header was absent or empty.
    case tokenRequest(connector: String, origin: String?, caller: Caller, status: Int, retryAfter: Interval?)
    /// A request for a session was answered (protocol.md#session-request). `subject` is the token's owner,
    /// empty without a good token; `session` is the new session.
    case sessionRequest(
        subject: String, caller: Caller, tokenExpiry: Instant?, status: Int, retryAfter: Interval?,
        session: String?)
    /// A handshake was answered (protocol.md#handshake-order); 101 means accepted. `session` or `subject` is empty if
    /// the parameter was missing or empty.
    case connectRequest(
        session: String, subject: String, tokenExpiry: Instant?, cursorText: String?, status: Int,
        retryAfter: Interval?)
    /// The connection is open. `cursor` is what the client asked with, as the server understood it.
    case connected(session: String, connection: UInt64, cursor: UInt64?)
    /// A decoded message of the client.
    case heard(session: String, connection: UInt64, HeardMessage)
    /// An event was sent to the client, not lost or delayed by a fault, with the sequence that was sent. Each event of
    /// a batch is reported alone, in order; `isReplay` marks the history sent on connect (protocol.md#history-first).
    case told(session: String, connection: UInt64, sequence: UInt64?, kind: DeliveredEvent, isReplay: Bool)
    /// The connection ended.
    case dropped(session: String, connection: UInt64, cause: DropCause)
    /// A fault delays the connection's bytes, or stopped; silence is no violation meanwhile.
    case stalled(session: String, connection: UInt64, isStalled: Bool)
    /// The session ended. Later connects are still judged.
    case ended(session: String)
    /// The session was removed; it answers 404.
    case forgotten(session: String)
}

/// Sender of a request without session.
package struct Caller: Sendable, Equatable {
    /// Equal only for requests certainly from one client: the number of their TCP connection, or the name that a test
    /// gave its only client.
    package var client: String?
    /// `X-Polyai-Correlation-Id`, which a client keeps over the attempts of one call (protocol.md#correlation-id).
    package var correlation: String?

    package init(client: String? = nil, correlation: String? = nil) {
        self.client = client
        self.correlation = correlation
    }
}

/// A client's message as the protocol rules need it (protocol.md#client-envelope).
package enum HeardMessage: Sendable, Equatable {
    case join
    /// `bytes` is the size of the whole message.
    case message(localID: String?, text: String, bytes: Int)
    case typing
    case end
    case heartbeat
    /// A type that only the server sends.
    case serverOnly(type: String)
    case unknown(type: String)
    /// Not JSON, not an object, or without a type.
    case unreadable
    /// A client type with an invalid payload.
    case badPayload(type: String)
    case binary
    /// Over the size limit; the server closes the connection with 1009.
    case oversized(bytes: Int)
    /// Dropped because of its rate; no violation, since no rate is published.
    case rateLimited
    /// A message, also reported itself, has a field of the server: `id`, `sequence` or `timestamp`.
    case serverField(name: String)
    /// A message, also reported itself, has values in `metadata.custom` that are not strings.
    case metadataNotStrings
    /// A ping or pong of the WebSocket protocol.
    case control
}

/// An event sent to a client, as the protocol rules need it.
package enum DeliveredEvent: Sendable, Equatable {
    /// SESSION_START with its capabilities (protocol.md#event-session-start); zero means off, or no limit.
    case sessionStart(heartbeat: Interval, maxMessageBytes: Int, maxReconnectAttempts: Int)
    case joinEcho
    case agentJoined
    case messageEcho(localID: String?)
    case endEcho
    case sessionEnd
    /// The agent left; the client may join again.
    case agentLeft
    /// An error that asks the client to join again (protocol.md#join-invitations), such as `Error: Conversation
    /// not found`.
    case joinInvitation
    case other
}

extension DropCause {
    /// True if the server or a fault ended it and the client may return.
    var isServerSide: Bool {
        switch self {
        case .client, .lost: false
        case .server, .fault: isResumable
        }
    }

    /// True if the client may continue the session (protocol.md#close-normal): 1000 and 4001 end the session for the
    /// client, and 4000 means that it has another connection.
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
    /// The observation for a decoded message.
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
            case .receipt, .run: self = .control
            case .heartbeat: self = .heartbeat
            case .refused: self = .unreadable
            case .ignored: self = .control
            }
        }
    }
}

extension DeliveredEvent {
    /// The observation for an event.
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

    /// The observation for an event in a history.
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
