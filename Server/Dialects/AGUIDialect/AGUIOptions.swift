public import Clocks
package import DialectKit

/// Settings of agent runs over AG-UI: points that the protocol leaves open or that a test may want to change. The keys
/// are in the `agentRuns` block of the configuration.
public struct AGUIOptions: Sendable, Equatable {
    /// The answer to a request for a run while another run of the thread is active.
    public enum SecondRun: String, Sendable, CaseIterable {
        /// The second run begins after the first run has ended.
        case wait
        /// The request is refused with 409 `thread_busy`.
        case refuse
    }

    /// The answer to a user message while an interrupt waits for a decision.
    public enum Words: String, Sendable, CaseIterable {
        /// The interrupt is cancelled and the message is answered.
        case accept
        /// The run fails with `interrupt_not_covered`; the interrupt stays pending.
        case refuse
    }

    /// The version of AG-UI that clients receive.
    public enum Profile: String, Sendable, CaseIterable {
        /// Version 1 for a request whose `protocolVersion` is 1 or higher; version 0 for all other requests.
        case auto
        case v0
        case v1
        /// Version 0 for its oldest clients: reasoning has its former event names, activities are left out, and only
        /// one text or tool call is open at a time.
        case legacy
    }

    /// Whether the server offers the protocol. Default true. If false, requests for the protocol's paths are answered
    /// with 404.
    public var isOn = true
    /// Maximum size of a run request's body in bytes; a larger request is answered with 413. Default 16 MiB.
    public var bodyBytes = 16 << 20
    /// Time without an event after which a stream sends a comment to stay open; zero means never. Default 15 seconds.
    public var keepAlive = Interval.seconds(15)
    /// The answer to a second run of a thread. Default ``SecondRun/wait``.
    public var secondRun = SecondRun.wait
    /// The answer to a user message while an interrupt is pending. Default ``Words/accept``.
    public var words = Words.accept
    /// The version that clients receive. Default ``Profile/auto``.
    public var profile = Profile.auto

    /// Creates the default settings.
    public init() {}
}

extension AGUIOptions: DialectOptions {
    package static var block: String? { "agentRuns" }

    package mutating func visit(_ visitor: inout some SettingVisitor) {
        visitor.visit("isOn", &isOn)
        visitor.visit("bodyBytes", &bodyBytes, 1...1 << 30)
        visitor.visit("keepAlive", &keepAlive) {
            guard $0 != .zero, $0 < .seconds(1) else { return nil }
            return (" is below a second", "use a second or more, or zero for no comments")
        }
        visitor.visit("secondRun", &secondRun)
        visitor.visit("words", &words)
        visitor.visit("profile", &profile)
    }

    package func dialect(_ site: DialectSite) -> (any Dialect)? { isOn ? AGUIDialect(options: self) : nil }
}

/// Fixed limits of this module.
enum AGUILimits {
    /// Maximum number of active and queued runs of one thread. 100: a client with more runs is probably in a loop.
    static let runsOfThread = 100
    /// Maximum size of a thread id or run id in bytes. 4 KiB: generated ids have fewer than 100 bytes.
    static let nameBytes = 4 << 10
    /// Maximum size in bytes of a stored request that can be parsed again. 1 GiB: the highest `bodyBytes` that a
    /// configuration file may set.
    static let inputBytes = 1 << 30
    /// Maximum number of bytes stored of each request of a thread, not counting the messages. 16 KiB: fifty requests
    /// stay below 1 MiB.
    static let saidBytes = 16 << 10
    /// Maximum size in bytes of a request or thread that is processed in the server's loop. 16 KiB: about a millisecond
    /// of work. Longer requests and threads are processed outside the loop.
    static let shortBytes = 16 << 10
    /// Bytes that each event adds to the computed size of a thread. 32: processing an event costs roughly as much as 32
    /// bytes of JSON.
    static let entryBytes = 32
    /// Maximum number of characters of an agent message that are compared with the original. 100,000: a comparison
    /// takes about a millisecond.
    static let comparedScalars = 100_000
    /// Maximum number of JSON values in one request. 2 million: a thread of 400,000 messages with five values each.
    static let values = 2_000_000
    /// Maximum number of tool results of a request that are checked one by one. 100: more than the calls of an agent in
    /// one turn.
    static let answers = 100
    /// Bytes at the beginning and at the end of an attachment that are hashed into the message's digest. 4 KiB: file
    /// formats store sizes and dates there.
    static let digestBytes = 4 << 10
    /// Number of bytes that the fault `oversized` adds to an event. 1 MiB: larger than the line buffer of event-stream
    /// clients.
    static let paddingBytes = 1 << 20
    /// Maximum number and maximum nesting depth of a request's values that placeholders and conditions can use.
    /// Fixtures use few values.
    static let givenValues = 500
    static let givenDepth = 8
    /// Maximum size in bytes of all values for placeholders and conditions with their names, and of a single value.
    /// Each thread stores the values of its last request.
    static let givenBytes = 256 << 10
    static let givenValueBytes = 64 << 10
}

/// The version of AG-UI that a client uses.
package enum RunProfile: Int, Sendable {
    case v0
    case v1
    /// Version 0 for its oldest clients.
    case legacy

    static let version = "1.0"

    /// Parses the version's name in fixtures and settings. Nil for `auto` and for other texts.
    init?(named name: String) {
        switch name {
        case "v0": self = .v0
        case "v1": self = .v1
        case "legacy": self = .legacy
        default: return nil
        }
    }
}
