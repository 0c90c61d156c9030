public import Clocks
package import Texts

/// Amazon Connect chat on the same port: what its documentation leaves open, or a test wants otherwise. The keys of the
/// `connect` block of the configuration.
public struct ConnectOptions: Equatable, Sendable {
    /// Whom customers see where the script's agent speaks.
    public enum BotRole: String, CaseIterable, Sendable {
        /// The flow itself, which never joins.
        case system = "SYSTEM"
        /// A participant that joins and leaves. Clients do not put its streamed replies together.
        case customBot = "CUSTOM_BOT"
    }

    /// How the suggestions of a reply are told to clients that take interactive messages.
    public enum Suggestions: String, CaseIterable, Sendable {
        /// One interactive message, whose title is the reply.
        case inline
        /// The reply, and an interactive message behind it.
        case separate
        /// The reply, with a list at its end.
        case text
    }

    /// Which contacts are told replies in pieces.
    public enum Incremental: String, CaseIterable, Sendable {
        /// Those that asked for it.
        case auto
        case always
        case never
    }

    /// Default true; false leaves its paths unknown.
    public var isOn = true
    /// The host of addresses that clients are told; behind a proxy its own, with scheme: `https://chat.example`. Browser
    /// clients dial nothing but 127.0.0.1 without TLS. Default `127.0.0.1`.
    public var host = "127.0.0.1"
    /// Default ``BotRole/system``.
    public var botRole = BotRole.system
    /// Default ``Suggestions/inline``.
    public var suggestions = Suggestions.inline
    /// Default ``Incremental/auto``.
    public var incremental = Incremental.auto
    /// Refuses messages of a type that the contact did not list. Default true.
    public var strictContentTypes = true
    /// How long a transcript can be read when its contact has ended. Default zero.
    public var transcriptGrace = Interval.zero
    /// What the timers of participants count in. Default 60 seconds.
    public var minute = Interval.seconds(60)
    /// From the end of an upload to the verdict of the scanner. Default zero.
    public var scanDelay = Interval.zero
    /// Tells an attachment before its verdict, too. Default off.
    public var announcesScans = false
    /// Tells that an agent was invited when a handoff is accepted. Default on.
    public var announcesAgent = true
    /// From a customer's message to its reading by the agent who is there. Default 1 second.
    public var readDelay = Interval.seconds(1)
    /// Where a start is taken as the public widget's backend takes it; empty: nowhere. Default
    /// `/connect/start-chat`.
    public var startChatProxy = "/connect/start-chat"
    /// Keeps to the documented rates of calls. Default off.
    public var enforcesRates = false
    /// What DescribeView knows, by tokens: objects with `Id`, `Name` and `Content`. Default none.
    package var views = JSONValue.object([:])
    /// Tokens and links begin with the last two digits of their contact's id where there are shards.
    package var shard: Shard?

    /// The defaults above.
    public init() {}
}
