package import Clocks
package import Texts

/// What the specification of Amazon Connect chat leaves open, or a test wants otherwise: the keys of the `connect` block
/// of the configuration.
package struct ConnectOptions: Equatable, Sendable {
    /// Whom the customer sees where the script's agent speaks.
    package enum BotRole: String, CaseIterable, Sendable {
        /// The flow itself, which never joins.
        case system = "SYSTEM"
        /// A participant that joins and leaves. Clients do not put its streamed replies together.
        case customBot = "CUSTOM_BOT"
    }

    /// How the suggestions of a reply are told to a client that takes interactive messages.
    package enum Suggestions: String, CaseIterable, Sendable {
        /// One interactive message, whose title is the reply.
        case inline
        /// The reply, and an interactive message behind it.
        case separate
        /// The reply, with a list at its end.
        case text
    }

    /// Which contacts are told replies in pieces.
    package enum Incremental: String, CaseIterable, Sendable {
        /// Those that asked for it.
        case auto
        case always
        case never
    }

    /// The host of addresses that clients are told. The browser library dials 127.0.0.1 alone without TLS.
    package var host = "127.0.0.1"
    package var botRole = BotRole.system
    package var suggestions = Suggestions.inline
    package var incremental = Incremental.auto
    /// Refuses messages of a type that the contact did not list.
    package var strictContentTypes = true
    /// How long a transcript can be read when the contact has ended.
    package var transcriptGrace = Interval.zero
    /// What the timers of participants count in.
    package var minute = Interval.seconds(60)
    /// From the end of an upload to the verdict of the scanner.
    package var scanDelay = Interval.zero
    /// Tells an attachment before its verdict, too.
    package var announcesScans = false
    /// Tells that an agent was invited when a handoff is accepted.
    package var announcesAgent = true
    /// From an agent's joining to their reading of what the customer writes; it is delivered at once.
    package var readDelay = Interval.seconds(1)
    /// Where a start is taken as the public widget asks for it; empty: nowhere.
    package var startChatProxy = "/connect/start-chat"
    /// Keeps to the documented rates of calls.
    package var enforcesRates = false
    /// What DescribeView knows, by tokens: objects with `Id`, `Name` and `Content`.
    package var views = JSONValue.object([:])

    /// The defaults above, with what `change` wants otherwise.
    package init(_ change: (inout ConnectOptions) -> Void = { _ in }) {
        change(&self)
    }
}
