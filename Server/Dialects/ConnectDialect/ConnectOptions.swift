public import Clocks
package import DialectKit
package import Texts

/// Settings of Amazon Connect chat, in the configuration's `connect` block.
public struct ConnectOptions: Equatable, Sendable {
    /// The participant role of the agent's messages.
    public enum BotRole: String, CaseIterable, Sendable {
        /// The contact flow.
        case system = "SYSTEM"
        /// A participant that joins and leaves.
        case customBot = "CUSTOM_BOT"
    }

    /// The form of a reply's suggestions for clients that accept interactive messages.
    public enum Suggestions: String, CaseIterable, Sendable {
        /// As one interactive message whose title is the reply.
        case inline
        /// As an interactive message after the reply.
        case separate
        /// As a list at the end of the reply.
        case text
    }

    /// The contacts that receive replies in chunks.
    public enum Incremental: String, CaseIterable, Sendable {
        /// Contacts that requested chunks.
        case auto
        case always
        case never
    }

    /// Whether the server offers the protocol. If false, its paths are answered with 404. Default true.
    public var isOn = true
    /// The host in URLs sent to clients, or a proxy's URL such as `https://chat.example`. Default `127.0.0.1`.
    public var host = "127.0.0.1"
    /// The participant role of the agent. Default ``BotRole/system``.
    public var botRole = BotRole.system
    /// The form of suggestions. Default ``Suggestions/inline``.
    public var suggestions = Suggestions.inline
    /// The contacts that receive replies in chunks. Default ``Incremental/auto``.
    public var incremental = Incremental.auto
    /// Refuses content types that the contact did not list at its start. Default true.
    public var strictContentTypes = true
    /// Time for which the transcript of an ended contact stays readable. Default zero.
    public var transcriptGrace = Interval.zero
    /// Length of a minute in the participants' timers, which tests can shorten. Default 60 seconds.
    public var minute = Interval.seconds(60)
    /// Time between the end of an upload and the scan result. Default zero.
    public var scanDelay = Interval.zero
    /// Whether an item announces an attachment before its scan result. Needs a ``scanDelay``. Default off.
    public var announcesScans = false
    /// Whether accepting a handoff announces the agent's invitation. Default on.
    public var announcesAgent = true
    /// Delay before an agent in the contact reads a customer's message. Default 1 second.
    public var readDelay = Interval.seconds(1)
    /// Path that starts chats in the format of the public widget's back end. Empty: no such path. Default
    /// `/connect/start-chat`.
    public var startChatProxy = "/connect/start-chat"
    /// Whether the documented request rates are enforced. Default off.
    public var enforcesRates = false
    /// Responses of DescribeView by view token: objects with `Id`, `Name` and `Content`. Default none.
    package var views = JSONValue.object([:])
    /// The server's shard; nil without shards.
    package var shard: Shard?

    /// Creates the default settings.
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
