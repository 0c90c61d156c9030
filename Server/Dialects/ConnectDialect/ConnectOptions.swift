public import Clocks
package import DialectKit
package import Texts

/// Amazon Connect chat on the same port: settings for points that its documentation leaves open or that a
/// test wants to change. These are the keys of the `connect` block of the configuration.
public struct ConnectOptions: Equatable, Sendable {
    /// The participant that customers see as the author of the agent's messages.
    public enum BotRole: String, CaseIterable, Sendable {
        /// The flow itself, which never joins as a participant.
        case system = "SYSTEM"
        /// A participant that joins and leaves. Clients do not put its streamed replies together.
        case customBot = "CUSTOM_BOT"
    }

    /// How the suggestions of a reply are sent to clients that accept interactive messages.
    public enum Suggestions: String, CaseIterable, Sendable {
        /// One interactive message, whose title is the reply.
        case inline
        /// The reply, followed by an interactive message.
        case separate
        /// The reply, with a list at its end.
        case text
    }

    /// Which contacts receive replies in chunks.
    public enum Incremental: String, CaseIterable, Sendable {
        /// Contacts that asked for chunks.
        case auto
        case always
        case never
    }

    /// Whether the protocol is served. Default true; false makes its paths unknown.
    public var isOn = true
    /// The host in URLs sent to clients; if the server runs under a proxy, the proxy's, with scheme:
    /// `https://chat.example`. Browsers connect without TLS to 127.0.0.1 only. Default `127.0.0.1`.
    public var host = "127.0.0.1"
    /// The agent's participant role. Default ``BotRole/system``.
    public var botRole = BotRole.system
    /// Form of suggestions. Default ``Suggestions/inline``.
    public var suggestions = Suggestions.inline
    /// Contacts that receive replies in chunks. Default ``Incremental/auto``.
    public var incremental = Incremental.auto
    /// Refuses messages of a type that the contact did not list. Default true.
    public var strictContentTypes = true
    /// How long a transcript stays readable after its contact has ended. Default zero.
    public var transcriptGrace = Interval.zero
    /// Length of a minute for the participants' timers; tests shorten it. Default 60 seconds.
    public var minute = Interval.seconds(60)
    /// Time from the end of an upload to the scan result. Default zero.
    public var scanDelay = Interval.zero
    /// Whether an attachment is announced before its scan result. Default off.
    public var announcesScans = false
    /// Whether the invitation of an agent is announced when a handoff is accepted. Default on.
    public var announcesAgent = true
    /// Time until a present agent reads a customer's message. Default 1 second.
    public var readDelay = Interval.seconds(1)
    /// The path that starts chats in the format of the public widget's backend; an empty path turns it off. Default
    /// `/connect/start-chat`.
    public var startChatProxy = "/connect/start-chat"
    /// Whether the documented call rates are enforced. Default off.
    public var enforcesRates = false
    /// Answers of DescribeView, by view token: objects with `Id`, `Name` and `Content`. Default none.
    package var views = JSONValue.object([:])
    /// The server's shard. With shards, tokens and links begin with the last two digits of their contact's
    /// id.
    package var shard: Shard?

    /// Options with the defaults above.
    public init() {}
}

extension ConnectOptions: DialectOptions {
    package static var block: String? { "connect" }

    package mutating func visit(_ visitor: inout some SettingVisitor) {
        visitor.visit("isOn", &isOn)
        visitor.visit("host", &host) { host in
            guard host.contains("/"), (try? ServerAddress(host))?.path.isEmpty != true else { return nil }
            return (
                " is \"\(ForeignText.clipped(host))\"",
                "use a host, or the address of a proxy such as https://chat.example"
            )
        }
        visitor.visit("botRole", &botRole)
        visitor.visit("suggestions", &suggestions)
        visitor.visit("incremental", &incremental)
        visitor.visit("strictContentTypes", &strictContentTypes)
        visitor.visit("transcriptGrace", &transcriptGrace)
        visitor.visit("minute", &minute)
        visitor.visit("scanDelay", &scanDelay)
        visitor.visit("announcesScans", &announcesScans)
        visitor.visit("announcesAgent", &announcesAgent)
        visitor.visit("readDelay", &readDelay)
        visitor.visit("startChatProxy", &startChatProxy) { path in
            guard !path.isEmpty, !path.hasPrefix("/connect/") else { return nil }
            return (" is \"\(path)\"", "use a path below /connect/, or an empty text")
        }
        visitor.visit("views", &views)
        visitor.visit("enforcesRates", &enforcesRates)
    }

    package func dialect(_ site: DialectSite) -> (any Dialect)? {
        guard isOn else { return nil }
        var options = self
        options.shard = site.shard
        return ConnectDialect(options: options, key: site.key.derived(for: "contacts"))
    }
}
