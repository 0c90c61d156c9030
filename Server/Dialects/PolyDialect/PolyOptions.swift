public import Clocks
package import DialectKit

/// Settings of the Messaging API. Their blocks are at the top level of the configuration.
public struct PolyOptions: Equatable, Sendable {
    /// Connectors that may request access tokens. If empty, any non-empty connector token and host are accepted.
    /// Scenario tokens are accepted as well, unless ``Tokens/acceptsScenarios`` is false.
    public var connectors: [Connector] = []
    /// Lifetime and binding of access tokens.
    public var tokens = Tokens()
    /// Values announced in SESSION_START, and timeouts of sessions.
    public var sessions = Sessions()
    /// Start, number and lifetime of WebSocket connections.
    public var connections = Connections()
    /// Answers to clients.
    public var replies = Replies()
    /// Rate limits of clients.
    public var rates = Rates()

    /// Creates the settings of the documented service.
    public init() {}

    /// Creates the settings of the documented service, changed by `change`.
    package init(_ change: (inout PolyOptions) -> Void) { change(&self) }

    /// A connector: a customer's registration with the service.
    public struct Connector: Sendable, Equatable {
        /// Value of `X-Token`.
        public var token: String
        /// The `connector_id` in access tokens, which never contain the connector token.
        public var id: String
        /// Hosts or app namespaces that may use the connector, including their sub-domains. If empty, token requests
        /// are answered with "Connector missing host domain".
        public var hosts: [String]
        /// Sends a new `context_id` in SESSION_START (protocol.md#context-id). Default off.
        public var sendsContextID: Bool

        /// - Parameters:
        ///   - token: the connector token that clients send as `X-Token`.
        ///   - id: the `connector_id` in access tokens.
        ///   - hosts: hosts or app namespaces that may use the connector.
        ///   - sendsContextID: sends a new `context_id` in SESSION_START.
        public init(token: String, id: String, hosts: [String], sendsContextID: Bool = false) {
            self.token = token
            self.id = id
            self.hosts = hosts
            self.sendsContextID = sendsContextID
        }
    }

    /// Access tokens (protocol.md#token-life).
    public struct Tokens: Sendable, Equatable {
        /// The tokens that may use a session.
        public enum Binding: String, Sendable, CaseIterable {
            /// Only the token that created the session.
            case exactToken
            /// All tokens of the user who created the session (the token's subject).
            case subject
            /// Any valid token.
            case off
        }

        /// Lifetime of a token, sent as `expires_in`. Default 24 hours.
        public var life = Interval.seconds(86_400)
        /// Binding of sessions to tokens. Default ``Binding/exactToken``.
        public var binding = Binding.exactToken
        /// Also accepts scenario tokens such as `mock:booking@seed=7`, without checking the host. Default true.
        public var acceptsScenarios = true

        /// Creates the documented defaults.
        public init() {}
    }

    /// Settings of sessions (protocol.md#event-session-start, protocol.md#session-idle).
    public struct Sessions: Sendable, Equatable {
        /// `max_reconnect_attempts`; 0 means unlimited. Default 5.
        public var maxReconnectAttempts = 5
        /// `heartbeat_interval_seconds`; zero switches heartbeats off. Default 30 seconds.
        public var heartbeatInterval = Interval.seconds(30)
        /// Time without client activity on any connection after which a session ends as abandoned. Default 10 minutes.
        public var idle = Interval.seconds(600)
        /// Time between the end of a session and the closing of its connections. Default 2 seconds.
        public var endGrace = Interval.seconds(2)
        /// Time for which the journal of an ended session stays readable. Default 10 minutes.
        public var endedRetention = Interval.seconds(600)
        /// Event kinds whose journaling differs from the default (protocol.md#what-is-transient), by the engine's
        /// names. True: journaled.
        public var journaling: [String: Bool] = [:]

        /// Creates the documented defaults.
        public init() {}
    }

    /// WebSocket connections (protocol.md#history-first).
    public struct Connections: Sendable, Equatable {
        /// Maximum number of open connections of one session. Default 10.
        public var perSession = 10
        /// Time without client activity after which a connection is closed. Its session continues. Default 10 minutes.
        public var idle = Interval.seconds(600)
        /// Age at which a connection is closed with 1001; nil means no limit. Default nil.
        public var maxAge: Interval?
        /// Delay before the 101 response. Default 25 ms.
        public var handshakeDelay = Interval.milliseconds(25)
        /// Delay between the 101 response and the first batch. Default 25 ms.
        public var firstFrameDelay = Interval.milliseconds(25)
        /// Delay between a replayed history and the first live event. Default 25 ms.
        public var firstLiveEventDelay = Interval.milliseconds(25)
        /// Begins every replay with SESSION_START, even if the client's cursor is after it. Default true.
        public var alwaysReplaysSessionStart = true
        /// In batches, names the member with an event's payload after the event's type instead of `payload`. Default
        /// off.
        public var usesNamedPayloadsInBatches = false

        /// Creates the documented defaults.
        public init() {}
    }

    /// Answers to clients (protocol.md#echoes).
    public struct Replies: Sendable, Equatable {
        /// Greets again after a second join. If false, the second join is only echoed. Default true.
        public var greetsAgain = true
        /// Greets with the `greeting_message` of a join instead of the fixture's greeting. Default off.
        public var honorsGreetingMessage = false
        /// Answers a repeated `local_id` with the first echo, not as a second message. Default off.
        public var dropsRepeatedLocalIDs = false
        /// Accepts EVENT_TYPE_LINK_TO_WEBRTC_CONVERSATION without an answer, instead of refusing it. Default off.
        public var acceptsVoiceLink = false
        /// Delay before a user message is echoed. Default zero.
        public var echoDelay = Interval.zero
        /// Numbers of the user messages, from 1 in each session, whose echo is journaled but not sent. Default none.
        public var droppedEchoes: Set<Int> = []
        /// Lets the agent answer again after a handoff has failed or timed out. Default true.
        public var agentReturnsAfterFailedHandoff = true
        /// The index of a reply's first chunk. Default 1.
        public var firstChunkIndex = 1
        /// Ends every streamed reply with an extra chunk without text. Default off.
        public var endsWithEmptyChunk = false
        /// Size of a streamed reply's chunks. A connector token may choose another: `mock:webchat@chunks=sentences`.
        public enum Chunks: String, Sendable, CaseIterable {
            /// Whole replies for the published SDKs, which put a space between chunks
            /// (protocol.md#chunks-for-blank-joiners), and the fixture's chunks for others.
            case auto
            /// The chunks that the fixture defines: by its paces, and by steps with `chunks`.
            case pace
            /// One word per chunk.
            case words
            /// One grapheme cluster per chunk.
            case characters
            /// Up to four characters of a word per chunk.
            case tokens
            /// One sentence per chunk, with the spaces after it.
            case sentences
            /// One line per chunk, with the line breaks before it.
            case lines
            /// The reply as one chunk.
            case whole
        }

        /// Size of the chunks. Default ``Chunks/auto``.
        public var chunks = Chunks.auto
        /// Sends chunks without trailing spaces, for clients that insert a space between chunks. Default off.
        public var trimsChunks = false
        /// Agent errors to produce on purpose. Default none.
        public var agentErrors: [AgentError] = []

        /// Creates the documented defaults.
        public init() {}
    }

    /// An agent error that is sent in every session at a chosen moment (protocol.md#error-high-load and the next
    /// sections).
    public struct AgentError: Sendable, Equatable {
        /// The moment at which the error is sent. Numbers count from 1 within the session; the greeting is reply 1.
        public enum Moment: Sendable, Equatable {
            /// Before the reply with this number is sent; for reply 1, before the agent joins.
            case reply(Int)
            /// Before the given chunk of a streamed reply. This chunk and the rest of the reply are not sent.
            case chunk(reply: Int, chunk: Int)
            /// Instead of an answer to the given user message.
            case userMessage(Int)
        }

        /// The moment at which the error is sent.
        public var moment: Moment
        /// The problem's short name, such as `high load`. `polymock check --catalogue` lists the names.
        public var problem: String
        /// The number of times that the error is sent in one session. Default 1.
        public var times: Int

        /// - Parameters:
        ///   - moment: when the error is sent.
        ///   - problem: the problem's short name, such as `high load`.
        ///   - times: how often the error is sent in one session.
        public init(at moment: Moment, problem: String, times: Int = 1) {
            self.moment = moment
            self.problem = problem
            self.times = times
        }
    }

    /// Rate limits (protocol.md#request-rate, protocol.md#message-rate). Nil, the default, means no limit.
    public struct Rates: Sendable, Equatable {
        /// A token bucket.
        public struct Bucket: Sendable, Equatable {
            /// Requests that may arrive at once.
            public var burst: Int
            /// Requests per second on average.
            public var perSecond: Double

            /// - Parameters:
            ///   - burst: requests that may arrive at once.
            ///   - perSecond: requests per second on average.
            public init(burst: Int, perSecond: Double) {
                self.burst = burst
                self.perSecond = perSecond
            }

            package var limit: RateLimit { RateLimit(burst: burst, perSecond: perSecond) }
        }

        /// REST requests per connector, counted separately for tokens and sessions. An excess request is answered with
        /// 429 and `Retry-After`.
        public var rest: Bucket?
        /// WebSocket messages per session. An excess message is silently dropped.
        public var webSocket: Bucket?

        /// Creates settings without limits.
        public init() {}
    }
}
