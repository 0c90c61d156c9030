public import Clocks
package import DialectKit

/// Agent runs over AG-UI on the same port: settings for points that the protocol leaves open or that a test
/// wants to change. These are the keys of the `agentRuns` block of the configuration.
public struct AGUIOptions: Sendable, Equatable {
    /// Answer to a request for a run while another run of the thread goes on.
    public enum SecondRun: String, Sendable, CaseIterable {
        /// The second run begins when the first one is over.
        case wait
        /// The request is refused with 409 `thread_busy`.
        case refuse
    }

    /// Answer to a run that brings words while a question waits for its decision.
    public enum Words: String, Sendable, CaseIterable {
        /// The question is abandoned, and the words are answered.
        case accept
        /// The run fails with `interrupt_not_covered`, and the question stays pending.
        case refuse
    }

    /// The event shapes that clients get.
    public enum Profile: String, Sendable, CaseIterable {
        /// Version 1 for requests that name it, version 0 for all others.
        case auto
        case v0
        case v1
        /// Version 0 as its oldest clients read it: reasoning under its retired names, no activities, one open text
        /// or call at a time.
        case legacy
    }

    /// Whether the protocol is served. Default true; false makes its paths unknown.
    public var isOn = true
    /// Maximum body of a run request, in bytes; a larger one gets 413. Default 16 MiB.
    public var bodyBytes = 16 << 20
    /// Silence on a stream after which a comment is sent; zero sends none. Default 15 seconds.
    public var keepAlive = Interval.seconds(15)
    /// Answer to a second run of a thread. Default ``SecondRun/wait``.
    public var secondRun = SecondRun.wait
    /// Answer to words while a question is pending. Default ``Words/accept``.
    public var words = Words.accept
    /// Event shapes for clients. Default ``Profile/auto``.
    public var profile = Profile.auto

    /// Options with the defaults above.
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

/// Bounds that no setting changes.
enum AGUILimits {
    /// Runs of one thread that are streaming or queued. 100: a client that asks for more is probably in a
    /// loop.
    static let runsOfThread = 100
    /// Bytes of the name of a thread or a run. 4 KiB: ids that programs make have tens.
    static let nameBytes = 4 << 10
    /// Bytes of a request that is parsed again for the messages of its thread. 1 GiB: above any configurable
    /// limit.
    static let inputBytes = 1 << 30
    /// Bytes kept of each request of a thread, apart from its messages (the last request repeats them all). 16 KiB:
    /// fifty requests stay below a megabyte.
    static let saidBytes = 16 << 10
    /// Requests and kept threads up to this many bytes are processed at once, in about a millisecond. Longer
    /// ones are read and encoded away from the loop.
    static let shortBytes = 16 << 10
    /// Bytes that one event counts in the size of a thread, about the cost of that much JSON.
    static let entryBytes = 32
    /// Letters, without blanks, compared between an agent's message in a request and the text that was sent.
    /// 100,000: a millisecond.
    static let comparedScalars = 100_000
    /// JSON values in one request: numbers, texts, lists and objects. 2 million: a thread of 400,000
    /// messages; each takes some thirty bytes while the request is parsed.
    static let values = 2_000_000
    /// Tool results examined one by one in a request. 100: more than an agent calls in one turn.
    static let answers = 100
    /// Bytes at each end of an attachment that go into a message's digest. 4 KiB: file formats store sizes
    /// and dates there.
    static let digestBytes = 4 << 10
    /// Bytes added to an event by the damage `oversized`: more than the line buffer of an event-stream client.
    static let paddingBytes = 1 << 20
    /// Number and depth of values that a request provides for placeholders and conditions. 500: application
    /// states are large, but fixtures use few of their values.
    static let givenValues = 500
    static let givenDepth = 8
    /// Bytes of all these values with their names, and of a single one. 256 KiB and 64 KiB: each thread keeps
    /// the values of its last request.
    static let givenBytes = 256 << 10
    static let givenValueBytes = 64 << 10
}

/// The version of AG-UI that a client uses.
package enum RunProfile: Int, Sendable {
    case v0
    case v1
    /// Version 0 as its oldest clients read it.
    case legacy

    static let version = "1.0"

    /// Parses the name used by fixtures and settings; nil for `auto`.
    init?(named name: String) {
        switch name {
        case "v0": self = .v0
        case "v1": self = .v1
        case "legacy": self = .legacy
        default: return nil
        }
    }
}
