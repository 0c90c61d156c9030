public import Clocks
package import DialectKit

/// Settings of the Messaging API for points that its documentation leaves open or that a test wants to
/// change. The keys of its blocks stand at the top level of the configuration.
public struct PolyOptions: Equatable, Sendable {
    /// Connectors that may ask for tokens. Empty accepts any non-empty connector token and host. Tokens that
    /// choose a scenario are accepted as well, unless ``Tokens/acceptsScenarios`` is false.
    public var connectors: [Connector] = []
    /// Lifetime and binding of access tokens.
    public var tokens = Tokens()
    /// Announced capabilities and ends of sessions.
    public var sessions = Sessions()
    /// Start, number and lifetime of WebSocket connections.
    public var connections = Connections()
    /// Answers to clients.
    public var replies = Replies()
    /// Rate limits of clients.
    public var rates = Rates()

    /// Options of the documented service.
    public init() {}

    /// The documented service with the changes that `change` makes.
    package init(_ change: (inout PolyOptions) -> Void) { change(&self) }

    /// A customer's connector, as the real service registers it.
    public struct Connector: Sendable, Equatable {
        /// Value of `X-Token`.
        public var token: String
        /// `connector_id` of the access token, in place of the connector token, which is a secret.
        public var id: String
        /// Hosts or app namespaces that may use it; sub-domains match. Empty answers
        /// "Connector missing host domain".
        public var hosts: [String]
        /// Sends a fresh `context_id` in SESSION_START (protocol.md#context-id). Default off.
        public var sendsContextID: Bool

        /// - Parameters:
        ///   - token: what clients send as `X-Token`.
        ///   - id: the access token's `connector_id`; the connector token itself is never part of it.
        ///   - hosts: hosts or app namespaces that may use it.
        ///   - sendsContextID: sends a fresh `context_id` in SESSION_START.
        public init(token: String, id: String, hosts: [String], sendsContextID: Bool = false) {
            self.token = token
            self.id = id
            self.hosts = hosts
            self.sendsContextID = sendsContextID
        }
    }

    /// Access tokens (protocol.md#token-life).
    public struct Tokens: Sendable, Equatable {
        /// Binding of a session to its token.
        public enum Binding: String, Sendable, CaseIterable {
            /// The exact token that created the session.
            case exactToken
            /// The user named in the token.
            case subject
            /// No binding: any valid token is accepted.
            case off
        }

        /// How long a token is valid: `expires_in`. With 300 seconds or less the published SDKs renew it
        /// before every connect, which breaks the binding: the SDKs are refused and give up. The server logs
        /// a warning at the start. Default 24 hours.
        public var life = Interval.seconds(86_400)
        /// Binding of sessions to tokens. Default ``Binding/exactToken``.
        public var binding = Binding.exactToken
        /// Accepts connector tokens that choose a scenario, such as `mock:booking@seed=7`, in addition to the listed
        /// connectors; their host is not checked. Default true; false answers them as unknown connectors.
        public var acceptsScenarios = true

        /// Options with the documented defaults.
        public init() {}
    }

    /// Values of SESSION_START, and ends of sessions (protocol.md#event-session-start,
    /// protocol.md#session-idle).
    public struct Sessions: Sendable, Equatable {
        /// `max_reconnect_attempts`; 0 means unlimited. Default 5.
        public var maxReconnectAttempts = 5
        /// `heartbeat_interval_seconds`; zero switches heartbeats off. Default 30 seconds.
        public var heartbeatInterval = Interval.seconds(30)
        /// Silence on all connections after which a session counts as abandoned. Default 10 minutes.
        public var idle = Interval.seconds(600)
        /// Time from the end of a session to the closing of its connections. Default 2 seconds.
        public var endGrace = Interval.seconds(2)
        /// How long the journal of an ended session can still be read. Default 10 minutes.
        public var endedRetention = Interval.seconds(600)
        /// Event kinds whose journaling differs from the default, by their engine name
        /// (protocol.md#what-is-transient).
        public var journaling: [String: Bool] = [:]

        /// Options with the documented defaults.
        public init() {}
    }

    /// WebSocket connections (protocol.md#history-first).
    public struct Connections: Sendable, Equatable {
        /// Open connections of one session. Default 10.
        public var perSession = 10
        /// Silence on one connection after which it is closed while its session lives. Default 10 minutes.
        public var idle = Interval.seconds(600)
        /// Age at which a connection is closed with 1001; nil for no limit. Default nil.
        public var maxAge: Interval?
        /// Waiting time before the 101 response. Default 25 ms: a client may miss an answer that is too fast.
        public var handshakeDelay = Interval.milliseconds(25)
        /// Waiting time between the 101 response and the first batch. Default 25 ms.
        public var firstFrameDelay = Interval.milliseconds(25)
        /// Waiting time between a history of several events and the first live event after it; later live
        /// events keep their order and are not delayed further. A client may process history and live events
        /// separately, and show a live event first if it arrives only milliseconds after the history. Default
        /// 25 ms.
        public var firstLiveEventDelay = Interval.milliseconds(25)
        /// Whether SESSION_START leads every replay; false leaves it out if the cursor is past it. Default
        /// true.
        public var alwaysReplaysSessionStart = true
        /// Sends batch elements in the alternative form, the payload under the type's own name. Default off.
        public var usesNamedPayloadsInBatches = false

        /// Options with the documented defaults.
        public init() {}
    }

    /// Answers of the service to clients (protocol.md#echoes).
    public struct Replies: Sendable, Equatable {
        /// Whether a second join in a running conversation is greeted again; false only echoes it. Default
        /// true.
        public var greetsAgain = true
        /// Uses the `greeting_message` of a join instead of the fixture's greeting. Default off.
        public var honorsGreetingMessage = false
        /// Answers a repeated `local_id` with the first echo only. Default off, as in production.
        public var dropsRepeatedLocalIDs = false
        /// Accepts EVENT_TYPE_LINK_TO_WEBRTC_CONVERSATION without an answer. Default off: the event is
        /// refused.
        public var acceptsVoiceLink = false
        /// Waiting time before a user message is echoed. Default zero.
        public var echoDelay = Interval.zero
        /// Numbers of user messages, from 1 in a session, whose echo is journaled but not sent. Default none.
        public var droppedEchoes: Set<Int> = []
        /// After a failed or timed-out handoff the agent answers again. Default true.
        public var agentReturnsAfterFailedHandoff = true
        /// The index of a reply's first chunk. Default 1.
        public var firstChunkIndex = 1
        /// Ends every streamed reply with an extra chunk without text. Default off.
        public var endsWithEmptyChunk = false
        /// Size of the chunks of a streamed reply. A client may choose another size with its connector token:
        /// `mock:webchat@chunks=sentences`.
        public enum Chunks: String, Sendable, CaseIterable {
            /// Whole replies for the published SDKs, which put a blank between chunks
            /// (protocol.md#chunks-for-blank-joiners); the fixture's chunks for all others.
            case auto
            /// The fixture's chunks: from its paces, and its steps with `chunks`.
            case pace
            /// One word.
            case words
            /// One character, as a reader sees it.
            case characters
            /// Up to four characters of a word.
            case tokens
            /// One sentence, with the blanks after it.
            case sentences
            /// One line, with the line breaks in front of it.
            case lines
            /// The reply as one chunk.
            case whole
        }

        /// Size of chunks. Default ``Chunks/auto``.
        public var chunks = Chunks.auto
        /// Sends chunks without trailing blanks, for clients that insert one between chunks. Other clients
        /// show words run together. Default off.
        public var trimsChunks = false
        /// Deliberate agent errors. Default none.
        public var agentErrors: [AgentError] = []

        /// Options with the documented defaults.
        public init() {}
    }

    /// An agent error that fires every session at one moment (protocol.md#error-high-load and on).
    public struct AgentError: Sendable, Equatable {
        /// The moment at which the error fires; numbers count from 1 within the session, the greeting is reply 1.
        public enum Moment: Sendable, Equatable {
            /// Before the reply is sent; for reply 1, before the agent joins.
            case reply(Int)
            /// Before that chunk of a streamed reply; the stream is abandoned.
            case chunk(reply: Int, chunk: Int)
            /// Instead of an answer to that user message.
            case userMessage(Int)
        }

        /// The moment at which the error fires.
        public var moment: Moment
        /// The problem's short name, such as `high load`; `polymock check --catalogue` lists them.
        public var problem: String
        /// How often it fires in one session. Default 1.
        public var times: Int

        /// - Parameters:
        ///   - moment: when it fires.
        ///   - problem: the problem's short name, such as `high load`.
        ///   - times: how often it fires in one session.
        public init(at moment: Moment, problem: String, times: Int = 1) {
            self.moment = moment
            self.problem = problem
            self.times = times
        }
    }

    /// Rate limits (protocol.md#request-rate, protocol.md#message-rate); nil, the default, means none.
    public struct Rates: Sendable, Equatable {
        /// A token bucket.
        public struct Bucket: Sendable, Equatable {
            /// Requests that may come at once.
            public var burst: Int
            /// Requests per second on average.
            public var perSecond: Double

            /// - Parameters:
            ///   - burst: requests that may come at once.
            ///   - perSecond: requests per second on average.
            public init(burst: Int, perSecond: Double) {
                self.burst = burst
                self.perSecond = perSecond
            }

            package var limit: RateLimit { RateLimit(burst: burst, perSecond: perSecond) }
        }

        /// REST calls per connector; answered with 429 and Retry-After.
        public var rest: Bucket?
        /// WebSocket messages per session; an excess message is silently dropped.
        public var webSocket: Bucket?

        /// No limits.
        public init() {}
    }
}
