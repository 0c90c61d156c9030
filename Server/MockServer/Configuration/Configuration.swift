@_exported public import Clocks
@_exported public import ConnectDialect
package import DialectKit
package import ServerCore
package import Texts

/// How a ``MockServer`` behaves. The defaults are those of the documented service, on loopback.
///
/// Lengths of time are `Interval`s. The configuration file that `polymock --config` reads has keys of the same
/// names; ``fixturesFolder`` and ``servesEcho`` are called `fixtures` and `echo` there, as on the command line,
/// and ``log`` is only on the command line.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.fixture = "booking"
/// configuration.tokens.life = .hours(1)
/// configuration.limits.sessions = 100
/// let server = try await MockServer.start(configuration)
/// ```
public struct Configuration: Sendable {
    /// The address to listen on. `localhost` means 127.0.0.1 and ::1. Default `127.0.0.1`.
    public var host = "127.0.0.1"
    /// The TCP port; 0 picks a free one. Default 0; the command line uses 8787.
    public var port: UInt16 = 0
    /// How the agent behaves: a fixture's name, or the path of a file ending in `.json5`. Default `webchat`.
    public var fixture = "webchat"
    /// The folder that names are looked up in; nil uses only the fixtures inside the binary.
    public var fixturesFolder: String?
    /// A fixture file that is saved takes effect for new sessions; a file with a mistake leaves the old version in
    /// force. Default true.
    public var watchesFixtures = true
    /// Decides every id and every chance; nil draws one. The server tells it in ``MockServer/seed``.
    public var seed: UInt64?
    /// Which of several servers this is that share the work: it makes the session ids of that shard alone. Default nil:
    /// the only one.
    public var shard: Shard?
    /// The path of a file whose bytes sign tokens and links: 32 or more, readable by its owner alone. Servers with the
    /// same file take each other's. Default nil: each server draws its own key.
    public var signingKey: String?
    /// What is logged, and where to. Default: nothing.
    public var log = Log.quiet
    /// Also serves a plain WebSocket echo at `/_mock/echo`, for conformance tools. Default off.
    public var servesEcho = false
    /// Compresses WebSocket messages of clients that offer permessage-deflate (RFC 7692). The package must have been
    /// built where zlib is; ``MockServer/start(_:)`` says so otherwise. Default off.
    public var deflate = false
    /// Addresses in figures of proxies in front of the server: `X-Forwarded-For` of a request from one of them tells the
    /// client's address, which log and control API then show; from any other address the field counts for nothing.
    /// ``Limits/socketsPerAddress`` does not count their connections. Default none.
    public var trustedProxies: [String] = []
    /// Who may ask for tokens. Empty accepts any non-empty connector token and host. Tokens
    /// that choose a scenario are taken as well, unless ``Tokens/acceptsScenarios`` is false.
    public var connectors: [Connector] = []
    /// How long access tokens live and what they open.
    public var tokens = Tokens()
    /// What sessions are told and when they end.
    public var sessions = Sessions()
    /// How WebSocket connections begin, and how many and how long.
    public var connections = Connections()
    /// How clients are answered.
    public var replies = Replies()
    /// How much clients may ask at once.
    public var rates = Rates()
    /// What peers may cost.
    public var limits = Limits()
    /// Who may look into the server and steer it, by requests to `/_mock/…`.
    public var control = Control()
    /// Amazon Connect chat.
    public var connect = ConnectOptions()
    /// Agent runs over AG-UI.
    public var agentRuns = AgentRuns()
    /// The pages for people.
    public var pages = Pages()
    /// What becomes of messages that no rule hears, and of requests that no route takes.
    public enum Unmatched: String, Sendable, CaseIterable {
        /// They are answered as ever, and neither logged nor remembered.
        case pass
        /// They are logged and remembered: `/_mock/unmatched`.
        case warn
        /// So they are, and `polymock` ends with exit code 1.
        case fail
    }

    /// Default ``Unmatched/warn``.
    public var unmatched = Unmatched.warn
    /// Looks whether clients keep the protocol's laws; breaches show in the log and in `/_mock/laws`. Default on.
    public var watchesLaws = true
    /// Real time, unless a test brings its own clock.
    package var clock: (any SteerableClock)?
    /// Told everything that happens, with the moment by the server's clock. Called on the server's loop: keep it
    /// short.
    package var observer: (@Sendable (ServerNews, Instant) -> Void)?

    /// Protocols besides those that the server brings along, for tests; each is given the key that signs what it hands
    /// out.
    package var furtherDialects: [@Sendable (SigningKey) -> any Dialect] = []
    /// Further readers of all that happens, for tests.
    package var readers: [any ServerEventReader & Sendable] = []
    /// The text of the fixture, in place of a file's; ``fixture`` is then only its name.
    public var fixtureText: String?

    /// The defaults of the documented service.
    public init() {}

    /// A customer's connector, as the real service registers it.
    public struct Connector: Sendable, Equatable {
        /// What clients send as `X-Token`.
        public var token: String
        /// What the access token tells as `connector_id`.
        public var id: String
        /// Hosts or app namespaces that may use it; sub-domains match. Empty answers
        /// "Connector missing host domain".
        public var hosts: [String]
        /// Sends a fresh `context_id` in SESSION_START (protocol.md#context-id). Default off.
        public var sendsContextID: Bool

        /// - Parameters:
        ///   - token: what clients send as `X-Token`.
        ///   - id: what the access token tells as `connector_id`; the token itself is never told.
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
        /// What a session is bound to.
        public enum Binding: String, Sendable, CaseIterable {
            /// The very token that created it.
            case exactToken
            /// The user inside the token.
            case subject
            /// Nothing: any valid token will do.
            case off
        }

        /// How long a token is valid: `expires_in`. With 300 seconds or less the published SDKs renew it before every
        /// connect, which breaks the binding: they are refused and give up. The log says so at the start. Default 24
        /// hours.
        public var life = Interval.seconds(86_400)
        /// Default ``Binding/exactToken``.
        public var binding = Binding.exactToken
        /// Takes connector tokens that choose a scenario, such as `mock:booking@seed=7`, beside the listed connectors
        /// too: they have no host to check. Default true; false answers them as unknown connectors.
        public var acceptsScenarios = true

        /// The documented defaults.
        public init() {}
    }

    /// What SESSION_START tells, and when sessions end (protocol.md#event-session-start,
    /// protocol.md#session-idle).
    public struct Sessions: Sendable, Equatable {
        /// `max_reconnect_attempts`; 0 means unlimited. Default 5.
        public var maxReconnectAttempts = 5
        /// `heartbeat_interval_seconds`; zero switches heartbeats off. Default 30 seconds.
        public var heartbeatInterval = Interval.seconds(30)
        /// Silence on all connections after which a session counts as abandoned. Default 10 minutes.
        public var idle = Interval.seconds(600)
        /// From the end of a session to the closing of its connections. Default 2 seconds.
        public var endGrace = Interval.seconds(2)
        /// How long the journal of an ended session can still be read. Default 10 minutes.
        public var endedRetention = Interval.seconds(600)
        /// Event kinds whose journaling differs from the default, by their engine name
        /// (protocol.md#what-is-transient).
        public var journaling: [String: Bool] = [:]

        /// The documented defaults.
        public init() {}
    }

    /// WebSocket connections (protocol.md#history-first).
    public struct Connections: Sendable, Equatable {
        /// Open connections of one session. Default 10.
        public var perSession = 10
        /// Silence on one connection after which it is closed while its session lives. Default 10 minutes.
        public var idle = Interval.seconds(600)
        /// Age at which a connection is closed with 1001; nil never. Default nil.
        public var maxAge: Interval?
        /// Waiting time before the 101 response. Default 25 ms: a client may miss an answer that is too fast.
        public var handshakeDelay = Interval.milliseconds(25)
        /// Waiting time between the 101 response and the first batch. Default 25 ms.
        public var firstFrameDelay = Interval.milliseconds(25)
        /// Waiting time between a history of several events and the first live event behind it; later ones keep
        /// their order and are not delayed by it. A client may take the two on different ways, and show a live event
        /// first that comes some milliseconds behind the history. Default 25 ms.
        public var firstLiveEventDelay = Interval.milliseconds(25)
        /// False leaves SESSION_START out of a replay whose cursor is past it. Default true.
        public var alwaysReplaysSessionStart = true
        /// Sends batch elements in the alternative form, the payload under the type's own name. Default off.
        public var usesNamedPayloadsInBatches = false

        /// The documented defaults.
        public init() {}
    }

    /// How the service answers what clients say (protocol.md#echoes).
    public struct Replies: Sendable, Equatable {
        /// A second join in a running talk is echoed and greeted again; false only echoes. Default true.
        public var greetsAgain = true
        /// Says the `greeting_message` of a join in place of the fixture's greeting. Default off.
        public var honorsGreetingMessage = false
        /// Answers a repeated `local_id` with the first echo only. Default off, as in production.
        public var dropsRepeatedLocalIDs = false
        /// Accepts EVENT_TYPE_LINK_TO_WEBRTC_CONVERSATION without a word. Default off: it is refused.
        public var acceptsVoiceLink = false
        /// Waiting time before a user message is echoed. Default zero.
        public var echoDelay = Interval.zero
        /// User messages, counted from 1 in a session, whose echo is journaled but not sent. Default none.
        public var droppedEchoes: Set<Int> = []
        /// After a failed or timed-out handoff the agent answers again. Default true.
        public var agentReturnsAfterFailedHandoff = true
        /// The index of a reply's first chunk. Default 1.
        public var firstChunkIndex = 1
        /// Ends every streamed reply with an extra chunk without text. Default off.
        public var endsWithEmptyChunk = false
        /// How much of a streamed reply comes at a time. A client may ask for another way with its connector token:
        /// `mock:webchat@chunks=sentences`.
        public enum Chunks: String, Sendable, CaseIterable {
            /// Whole replies for the published SDKs, which put a blank between chunks
            /// (protocol.md#chunks-for-blank-joiners); as the fixture says for all others.
            case auto
            /// As the fixture says: its paces, and its steps with `chunks`.
            case pace
            /// One word.
            case words
            /// One character, as a reader sees it.
            case characters
            /// Up to four characters of a word.
            case tokens
            /// One sentence, with the blanks behind it.
            case sentences
            /// One line, with the line breaks in front of it.
            case lines
            /// The reply as one chunk.
            case whole
        }

        /// Default ``Chunks/auto``.
        public var chunks = Chunks.auto
        /// Sends chunks without the blanks at their end, for clients that put one between chunks. Others show words
        /// that stick together. Default off.
        public var trimsChunks = false
        /// Agent errors on purpose.
        public var agentErrors: [AgentError] = []

        /// The documented defaults.
        public init() {}
    }

    /// An agent error that strikes every session at one moment (protocol.md#error-high-load and on).
    public struct AgentError: Sendable, Equatable {
        /// When it strikes; numbers count from 1 within the session, the greeting is reply 1.
        public enum Moment: Sendable, Equatable {
            /// Before the reply is told; for reply 1, before the agent joins.
            case reply(Int)
            /// Before that chunk of a streamed reply; the stream is abandoned.
            case chunk(reply: Int, chunk: Int)
            /// In place of an answer to that user message.
            case userMessage(Int)
        }

        /// When it strikes.
        public var moment: Moment
        /// The problem's short name, such as `high load`; `polymock check --catalogue` lists them.
        public var problem: String
        /// How often it strikes in one session. Default 1.
        public var times: Int

        /// - Parameters:
        ///   - moment: when it strikes.
        ///   - problem: the problem's short name, such as `high load`.
        ///   - times: how often it strikes in one session.
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
        }

        /// REST calls per connector; answered with 429 and Retry-After.
        public var rest: Bucket?
        /// WebSocket messages per session; an excess message is dropped without a word.
        public var webSocket: Bucket?

        /// No limits.
        public init() {}
    }

    /// The control API: sessions, troubles, clock, fixtures and the wire timeline under `/_mock/`.
    /// `GET /_mock/openapi.json` describes it.
    ///
    /// It answers to loopback addresses and ``Configuration/host`` alone, and to no script of a foreign page.
    public struct Control: Sendable, Equatable {
        /// False serves nothing of it but `/_mock/health`. Default true.
        public var isOn = true
        /// What every request must carry as `X-Mock-Token`, or the feed as `?token=`; nil wants nothing. It is
        /// neither logged nor recorded. Default nil.
        public var token: String?

        /// On, without a token.
        public init() {}
    }

    /// The pages for people: `/chat`, `/inspect` and their files below `/pages/`.
    public struct Pages: Sendable, Equatable {
        /// Where their files are read from at each request, for those who edit them; nil takes those of the program.
        /// Default nil.
        public var folder: String?
        /// Members of `/pages/config.json`, which the chat page reads; `Server/Pages/web/README.md` lists them.
        package var members: [String: JSONValue] = ["token": .string("chat")]

        /// Those of the program.
        public init() {}

        package var content: JSONValue {
            .object(
                JSONObject(members.sorted { $0.key < $1.key }.map { JSONObject.Member($0.key, $0.value) }))
        }

        subscript(text name: String) -> String? {
            get { if case .string(let text)? = members[name] { text } else { nil } }
            set { members[name] = newValue.map { .string($0) } }
        }

        subscript(number name: String) -> Int? {
            get { if case .integer(let number)? = members[name] { Int(number) } else { nil } }
            set { members[name] = newValue.map { .integer(Int64($0)) } }
        }

        subscript(flag name: String) -> Bool? {
            get { if case .bool(let flag)? = members[name] { flag } else { nil } }
            set { members[name] = newValue.map { .bool($0) } }
        }

        subscript(value name: String) -> JSONValue? {
            get { members[name] }
            set { members[name] = newValue }
        }
    }

    /// Bounds on what peers may cost.
    public struct Limits: Sendable, Equatable {
        /// Bytes of one client message; more closes with 1009. Default 131072.
        public var messageBytes = 131_072
        /// Bytes of a request body; more is answered with 413. Default 1 MiB.
        public var bodyBytes = 1_048_576
        /// Bytes of the bodies of all requests under way together; one more is answered with 503 and Retry-After
        /// before it comes. Default nil: 192 MiB, or an eighth of the memory that the process may use.
        public var bodiesTotalBytes: Int?
        /// Bytes that may wait for a peer before what can wait does: histories, feeds, what the peer asks. Default
        /// 4 MiB; 256 KiB are used.
        public var writeBufferBytes = 4_194_304
        /// Bytes waiting for all peers together; beyond it the connection is cut for which most waits. Default nil:
        /// 256 MiB, or an eighth of the memory.
        public var outputTotalBytes: Int?
        /// Sessions held at once, ended ones included. A new one takes the place of the one that ended first; when
        /// none has ended, it is refused. Default 100,000.
        public var sessions = 100_000
        /// Entries in one journal; the session ends when it is full. Default 100,000.
        public var journalEntries = 100_000
        /// Bytes of one session: its journal as it is sent, the input of requests for runs, the state of a
        /// contact; the session ends when it is full. Default 64 MiB.
        public var journalBytes = 67_108_864
        /// Bytes of all sessions together. Beyond that the session that ended first is forgotten; when none
        /// has ended, new sessions and runs are refused. Default nil: 1 GiB, or a quarter of the memory.
        public var journalTotalBytes: Int?
        /// Bytes of the files of all sessions together; one more is refused. Default nil: 256 MiB, or an eighth of the
        /// memory.
        public var filesTotalBytes: Int?
        /// Bytes of zlib's windows and tables for all connections together: an inflater for each that agreed on compression, and
        /// compressors. Beyond it a handshake is answered without compression, and messages leave as they are. Default nil:
        /// 128 MiB, or a sixteenth of the memory.
        public var compressionTotalBytes: Int?
        /// Rows of the timeline that are remembered, the newest ones; 0 keeps none. Default 10,000.
        public var rows = 10_000
        /// Open sockets, all kinds together; one more is answered with 503 and Retry-After. Default 20,000.
        public var sockets = 20_000
        /// Open sockets of one address; one more is answered with 503 and Retry-After. Default nil: 1,000, and no
        /// bound for loopback, where all programs of this machine share an address.
        public var socketsPerAddress: Int?
        /// From the opening of a connection to the end of its first request's head, which may ask for a WebSocket.
        /// Who says nothing is closed without a word, who says too little is answered with 408. Default 10 seconds.
        public var handshakeTime = Interval.seconds(10)
        /// From the first byte of a request's head to its last; more is answered with 408. Default 10 seconds.
        public var headerTime = Interval.seconds(10)
        /// From the first byte of a request to its last; more is answered with 408. Default 20 seconds.
        public var requestTime = Interval.seconds(20)
        /// Silence between two requests of one connection. Default 75 seconds.
        public var keepAliveTime = Interval.seconds(75)
        /// For a peer to read something while more waits for it than it is read from with; then the connection is
        /// cut. Default 60 seconds.
        public var stallTime = Interval.seconds(60)
        /// For the peer to answer a close, or to read the last bytes. Default 2 seconds.
        public var closeTime = Interval.seconds(2)

        /// The defaults above.
        public init() {}
    }
}

/// The same type by a name of its own, for files that import another module with a `Configuration`.
public typealias ServerConfiguration = Configuration
