@_exported public import AGUIDialect
@_exported public import Clocks
@_exported public import ConnectDialect
@_exported public import PolyDialect
package import ServerCore
package import Texts

/// Settings of a ``MockServer``. The defaults behave like the documented service and listen on loopback.
///
/// A file for `polymock --config` uses these names as keys, except `fixtures` for ``fixturesFolder`` and `echo` for
/// ``servesEcho``. A file can set neither ``log`` nor ``fixtureText``.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.fixture = "booking"
/// configuration.tokens.life = .hours(1)
/// configuration.limits.sessions = 100
/// let server = try await MockServer.start(configuration)
/// ```
///
/// The settings of the Messaging API (``PolyOptions``) are properties too, such as `configuration.tokens`.
@dynamicMemberLookup
public struct Configuration: Sendable {
    /// The address to listen on. `localhost` means 127.0.0.1 and ::1. Default `127.0.0.1`.
    public var host = "127.0.0.1"
    /// The TCP port; 0 picks a free one. Default 0; the command line uses 8787.
    public var port: UInt16 = 0
    /// The fixture that defines the agent's behaviour: its name, or the path of a file ending in `.json5`. Default
    /// `webchat`.
    public var fixture = "webchat"
    /// The folder in which fixture names are looked up; nil uses only the fixtures inside the binary.
    public var fixturesFolder: String?
    /// Whether new sessions use saved changes of fixture files. A file with errors is only reported. Default true.
    public var watchesFixtures = true
    /// The seed of all ids and random choices. Nil means a random seed, which ``MockServer/seed`` returns.
    public var seed: UInt64?
    /// This server's shard, if several servers divide the session ids. Default nil: this server creates all ids.
    public var shard: Shard?
    /// The path of a file whose bytes sign tokens and links: at least 32 bytes, readable only by its owner. Servers
    /// with the same file accept each other's tokens and links. Default nil: each server draws its own key.
    public var signingKey: String?
    /// The log's format and destination. Default: no log.
    public var log = Log.quiet
    /// Also serves a plain WebSocket echo at `/_mock/echo`, for conformance tools. Default off.
    public var servesEcho = false
    /// Compresses WebSocket messages of clients that offer permessage-deflate (RFC 7692). Without zlib in the build,
    /// ``MockServer/start(_:)`` throws. Default off.
    public var deflate = false
    /// Numeric addresses of trusted reverse proxies. Their `X-Forwarded-For` gives the client address in the log and
    /// the control API. ``Limits/socketsPerAddress`` does not count their connections. Default none.
    public var trustedProxies: [String] = []
    /// Limits of memory, connections and time that peers can use.
    public var limits = Limits()
    /// Access to the control API, `/_mock/…`.
    public var control = Control()
    /// Amazon Connect chat.
    public var connect = ConnectOptions()
    /// Agent runs over AG-UI.
    public var agentRuns = AgentRuns()
    package var poly = PolyOptions()
    package var furtherDialects = Self.furtherDialects
    /// The web pages.
    public var pages = Pages()
    /// The treatment of messages without a matching rule, and of requests without a route.
    public enum Unmatched: String, Sendable, CaseIterable {
        /// Handled as usual, and not recorded. Messages without a matching rule are not logged either.
        case pass
        /// Logged and recorded: `/_mock/unmatched`.
        case warn
        /// Handled as with ``warn``; in addition, `polymock` ends with exit code 1.
        case fail
    }

    /// Treatment of unmatched traffic. Default ``Unmatched/warn``.
    public var unmatched = Unmatched.warn
    /// Logs clients' violations of the protocol's rules and lists them at `/_mock/violations`. Default on.
    public var checksProtocol = true
    /// Former name of ``checksProtocol``.
    @available(*, deprecated, renamed: "checksProtocol")
    public var watchesLaws: Bool {
        get { checksProtocol }
        set { checksProtocol = newValue }
    }
    package var clock: (any SteerableClock)?
    /// Called on the server's loop with each event and the server's time.
    package var observer: (@Sendable (ServerNews, Instant) -> Void)?

    package var readers: [any ServerEventReader & Sendable] = []
    /// The text of the fixture. If it is set, ``fixture`` is only the name of the fixture, and its file is not read.
    public var fixtureText: String?

    /// Creates the default settings.
    public init() {}

    /// A block of the Messaging API's settings, such as `configuration.tokens`.
    public subscript<Block>(dynamicMember block: WritableKeyPath<PolyOptions, Block>) -> Block {
        get { poly[keyPath: block] }
        set { poly[keyPath: block] = newValue }
    }

    /// A customer's connector.
    public typealias Connector = PolyOptions.Connector
    /// Access tokens.
    public typealias Tokens = PolyOptions.Tokens
    /// Settings of sessions.
    public typealias Sessions = PolyOptions.Sessions
    /// WebSocket connections.
    public typealias Connections = PolyOptions.Connections
    /// Settings of replies to clients.
    public typealias Replies = PolyOptions.Replies
    /// An agent error that the server sends on purpose.
    public typealias AgentError = PolyOptions.AgentError
    /// Rate limits.
    public typealias Rates = PolyOptions.Rates
    /// Agent runs over AG-UI.
    public typealias AgentRuns = AGUIOptions

    /// The control API below `/_mock/`, described by `GET /_mock/openapi.json`. It answers only requests whose Host is
    /// loopback or ``Configuration/host`` (any IP address if the server listens on `0.0.0.0` or `::`), and refuses
    /// pages of other origins.
    public struct Control: Sendable, Equatable {
        /// Whether the control API is served; `/_mock/health` always is. Default true.
        public var isOn = true
        /// The token that every request must send in the header field `X-Mock-Token`; a feed may send it as `?token=`
        /// instead. Nil means that no token is required. The token is neither logged nor recorded. Default nil.
        public var token: String?

        /// The control API enabled, without a token.
        public init() {}
    }

    /// The web pages `/chat`, `/inspect` and `/docs`, and their files below `/pages/`.
    public struct Pages: Sendable, Equatable {
        /// Folder from which the pages' files are read at each request, for editing. Default nil: files in the binary.
        public var folder: String?
        /// Members of `/pages/config.json` (`Server/Pages/web/README.md`).
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
}

/// Another name of ``Configuration``, for files that import a second module with a type of that name.
public typealias ServerConfiguration = Configuration
