@_exported public import AGUIDialect
@_exported public import Clocks
@_exported public import ConnectDialect
package import DialectKit
@_exported public import PolyDialect
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
///
/// The blocks of the Messaging API (``PolyOptions``) are blocks of the configuration itself.
@dynamicMemberLookup
public struct Configuration: Sendable {
    /// The address to listen on. `localhost` means 127.0.0.1 and ::1. Default `127.0.0.1`.
    public var host = "127.0.0.1"
    /// The TCP port; 0 picks a free one. Default 0; the command line uses 8787.
    public var port: UInt16 = 0
    /// The agent's behaviour: a fixture's name, or the path of a file ending in `.json5`. Default `webchat`.
    public var fixture = "webchat"
    /// The folder that names are looked up in; nil uses only the fixtures inside the binary.
    public var fixturesFolder: String?
    /// Whether saved changes to fixture files take effect for new sessions. A file with a mistake leaves the
    /// old version active. Default true.
    public var watchesFixtures = true
    /// The seed of every id and every random choice; nil draws a seed, which ``MockServer/seed`` has.
    public var seed: UInt64?
    /// The shard of a server that shares the work with others: it assigns session ids of that shard only.
    /// Default nil: the only server.
    public var shard: Shard?
    /// The path of a file whose bytes sign tokens and links: 32 or more, readable by its owner alone. Servers with the
    /// same file take each other's. Default nil: each server draws its own key.
    public var signingKey: String?
    /// The log's format and destination. Default: no log.
    public var log = Log.quiet
    /// Also serves a plain WebSocket echo at `/_mock/echo`, for conformance tools. Default off.
    public var servesEcho = false
    /// Compresses WebSocket messages of clients that offer permessage-deflate (RFC 7692). The package must have been
    /// built where zlib is; ``MockServer/start(_:)`` says so otherwise. Default off.
    public var deflate = false
    /// Numeric IP addresses of reverse proxies. Requests from these addresses have their client's address, which log
    /// and control API then show, in `X-Forwarded-For`; from any other address the field is ignored.
    /// ``Limits/socketsPerAddress`` does not count the proxies' connections. Default none.
    public var trustedProxies: [String] = []
    /// Bounds of memory, connections and time that peers can use.
    public var limits = Limits()
    /// Access to the control API, `/_mock/…`.
    public var control = Control()
    /// Amazon Connect chat.
    public var connect = ConnectOptions()
    /// Agent runs over AG-UI.
    public var agentRuns = AgentRuns()
    /// The Messaging API.
    package var poly = PolyOptions()
    /// Settings of protocols besides those above.
    package var furtherDialects = Self.furtherDialects
    /// The pages for people.
    public var pages = Pages()
    /// The treatment of messages that match no rule, and of requests that match no route.
    public enum Unmatched: String, Sendable, CaseIterable {
        /// Handled as usual; neither logged nor recorded.
        case pass
        /// Logged and recorded: `/_mock/unmatched`.
        case warn
        /// As ``warn``, and `polymock` ends with exit code 1.
        case fail
    }

    /// Treatment of unmatched traffic. Default ``Unmatched/warn``.
    public var unmatched = Unmatched.warn
    /// Checks that clients follow the protocol's rules; violations appear in the log and in
    /// `/_mock/violations`. Default on.
    public var checksProtocol = true
    /// Former name of ``checksProtocol``.
    @available(*, deprecated, renamed: "checksProtocol")
    public var watchesLaws: Bool {
        get { checksProtocol }
        set { checksProtocol = newValue }
    }
    /// Real time, unless a test brings its own clock.
    package var clock: (any SteerableClock)?
    /// Called with every event and its time by the server's clock, on the server's loop: keep it short.
    package var observer: (@Sendable (ServerNews, Instant) -> Void)?

    /// Additional readers of all events, for tests.
    package var readers: [any ServerEventReader & Sendable] = []
    /// The text of the fixture, in place of a file's; ``fixture`` is then only its name.
    public var fixtureText: String?

    /// The documented service with default settings.
    public init() {}

    /// A block of the Messaging API: `configuration.tokens`.
    public subscript<Block>(dynamicMember block: WritableKeyPath<PolyOptions, Block>) -> Block {
        get { poly[keyPath: block] }
        set { poly[keyPath: block] = newValue }
    }

    /// A customer's connector.
    public typealias Connector = PolyOptions.Connector
    /// Access tokens.
    public typealias Tokens = PolyOptions.Tokens
    /// Values of SESSION_START, and ends of sessions.
    public typealias Sessions = PolyOptions.Sessions
    /// WebSocket connections.
    public typealias Connections = PolyOptions.Connections
    /// How clients are answered.
    public typealias Replies = PolyOptions.Replies
    /// An agent error on purpose.
    public typealias AgentError = PolyOptions.AgentError
    /// Rate limits.
    public typealias Rates = PolyOptions.Rates
    /// Agent runs over AG-UI.
    public typealias AgentRuns = AGUIOptions

    /// The control API: sessions, faults, clock, fixtures and the wire timeline under `/_mock/`.
    /// `GET /_mock/openapi.json` describes it.
    ///
    /// It answers to loopback addresses and ``Configuration/host`` alone, and to no script of a foreign page.
    public struct Control: Sendable, Equatable {
        /// Whether the control API is served; `/_mock/health` always is. Default true.
        public var isOn = true
        /// The token that every request must have as `X-Mock-Token`, or the feed as `?token=`; nil requires none. The
        /// token is neither logged nor recorded. Default nil.
        public var token: String?

        /// The control API enabled, without a token.
        public init() {}
    }

    /// The pages for people: `/chat`, `/inspect` and their files below `/pages/`.
    public struct Pages: Sendable, Equatable {
        /// The folder from which the pages' files are read at each request, while you edit them; nil serves the files
        /// in the binary. Default nil.
        public var folder: String?
        /// Members of `/pages/config.json`, which the chat page reads; `Server/Pages/web/README.md` lists them.
        package var members: [String: JSONValue] = ["token": .string("chat")]

        /// The pages in the binary, with default members.
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

    /// Limits on the resources that peers can use.
    public struct Limits: Sendable, Equatable {
        /// Bytes of one client message; more closes with 1009. Default 131072.
        public var messageBytes = 131_072
        /// Bytes of a request body; more is answered with 413. Default 1 MiB.
        public var bodyBytes = 1_048_576
        /// Bytes of the bodies of all requests under way together; one more is answered with 503 and Retry-After
        /// before it comes. Default nil: 192 MiB, or an eighth of the memory that the process may use.
        public var bodiesTotalBytes: Int?
        /// Unsent bytes of one peer above which its histories, feeds and requests wait: half of this, and 256 KiB at
        /// most, so that more than 512 KiB changes nothing. Default 4 MiB.
        public var writeBufferBytes = 4_194_304
        /// Bytes waiting for all peers together; beyond it, the connection with the most waiting bytes is
        /// cut. Default nil: 256 MiB, or an eighth of the memory.
        public var outputTotalBytes: Int?
        /// Sessions held at once, ended ones included. A new session replaces the one that ended first; if
        /// none has ended, the new one is refused. Default 100,000.
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
        /// Bytes of zlib's windows and tables for all connections together: an inflater for each that agreed on
        /// compression, and compressors. Beyond this bound, handshakes are answered without compression and messages
        /// are sent uncompressed. Default nil: 128 MiB, or a sixteenth of the memory.
        public var compressionTotalBytes: Int?
        /// Rows of the timeline that are remembered, the newest ones; 0 keeps none. Default 10,000.
        public var rows = 10_000
        /// Open sockets, all kinds together; one more is answered with 503 and Retry-After. Default 20,000.
        public var sockets = 20_000
        /// Open sockets of one address; one more is answered with 503 and Retry-After. Default nil: 1,000, and no
        /// bound for loopback, where all programs of this machine share an address.
        public var socketsPerAddress: Int?
        /// Time from the opening of a connection to the end of its first request's head, which may ask for a
        /// WebSocket. A silent connection is closed without an answer; an incomplete request is answered with
        /// 408. Default 10 seconds.
        public var handshakeTime = Interval.seconds(10)
        /// Time from the first byte of a request's head to its last; a later head is answered with 408.
        /// Default 10 seconds.
        public var headerTime = Interval.seconds(10)
        /// Time from the first byte of a request to its last; a later one is answered with 408. Default 20
        /// seconds.
        public var requestTime = Interval.seconds(20)
        /// Idle time allowed between two requests of one connection. Default 75 seconds.
        public var keepAliveTime = Interval.seconds(75)
        /// Time within which a peer with more unsent bytes than the bound of ``writeBufferBytes`` must read
        /// some; otherwise the connection is cut. Default 60 seconds.
        public var stallTime = Interval.seconds(60)
        /// Time for the peer to answer a close, or to read the last bytes. Default 2 seconds.
        public var closeTime = Interval.seconds(2)

        /// The defaults above.
        public init() {}
    }
}

/// An alias of ``Configuration`` for files that import another module with a type of that name.
public typealias ServerConfiguration = Configuration
