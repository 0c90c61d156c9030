public import Clocks
package import DialectKit

/// Agent runs over AG-UI on the same port: what the protocol leaves open, or a test wants otherwise. The keys of the
/// `agentRuns` block of the configuration.
public struct AGUIOptions: Sendable, Equatable {
    /// Answer to a request for a run while another run of the thread goes on.
    public enum SecondRun: String, Sendable, CaseIterable {
        /// It begins when the first one is over.
        case wait
        /// 409 `thread_busy`.
        case refuse
    }

    /// The answer to a run that brings words while a question waits for its decision.
    public enum Words: String, Sendable, CaseIterable {
        /// The words abandon the question, and are answered.
        case accept
        /// The run fails with `interrupt_not_covered`, and the question waits on.
        case refuse
    }

    /// Which shapes of events clients get.
    public enum Profile: String, Sendable, CaseIterable {
        /// Version 1 for requests that name it, version 0 for all others.
        case auto
        case v0
        case v1
        /// Version 0 as its oldest clients read it: reasoning under its retired names, no activities, one open text
        /// or call at a time.
        case legacy
    }

    /// Default true; false leaves its paths unknown.
    public var isOn = true
    /// Bytes of the body of a request for a run; more get 413. Default 16 MiB.
    public var bodyBytes = 16 << 20
    /// A comment is sent when a stream was silent for so long; zero: never. Default 15 seconds.
    public var keepAlive = Interval.seconds(15)
    /// Default ``SecondRun/wait``.
    public var secondRun = SecondRun.wait
    /// Default ``Words/accept``.
    public var words = Words.accept
    /// Default ``Profile/auto``.
    public var profile = Profile.auto

    /// The defaults above.
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
    /// Runs of one thread that are streaming or queued. 100: a client that asks for more is in a loop.
    static let runsOfThread = 100
    /// Bytes of the name of a thread or a run. 4 KiB: ids that programs make have tens.
    static let nameBytes = 4 << 10
    /// Bytes of a request that is read again for the messages of its thread. More than any setting lets through.
    static let inputBytes = 1 << 30
    /// Bytes kept of each request of a thread, apart from its messages (the last request repeats them all). 16 KiB:
    /// fifty requests stay below a megabyte.
    static let saidBytes = 16 << 10
    /// Bytes of a request, or of what a thread keeps of requests, that are dealt with at once: a millisecond. Longer
    /// ones are read, and sent again, away from the loop.
    static let shortBytes = 16 << 10
    /// Bytes that one event counts for in the size of a thread: its parts cost about as much as so many bytes
    /// of JSON.
    static let entryBytes = 32
    /// Letters, without blanks, in which a message of the agent is compared with what it said. 100,000: a millisecond.
    static let comparedScalars = 100_000
    /// JSON values in one request: numbers, texts, lists and objects. 2 million: a thread of 400,000 messages; while
    /// they are read they take some thirty bytes each, whatever they say.
    static let values = 2_000_000
    /// Answers of tools in one request that are looked at one by one. 100: more than an agent calls in one turn.
    static let answers = 100
    /// Of each end of an attachment, by which one message is known again. 4 KiB: formats have sizes and dates there.
    static let digestBytes = 4 << 10
    /// Bytes added to an event by the damage `oversized`: more than the line buffer of an event-stream client.
    static let paddingBytes = 1 << 20
    /// Values that a request gives for gaps and conditions, and how deep they stand. 500: states of applications are
    /// large, and what a fixture asks of them is not.
    static let givenValues = 500
    static let givenDepth = 8
    /// Bytes of all of them together, with their names, and of one of them. 256 KiB and 64 KiB: a value is put into a
    /// sentence or compared with one, and each thread keeps those of its last request.
    static let givenBytes = 256 << 10
    static let givenValueBytes = 64 << 10
}

/// The version of AG-UI in which a client wants its events.
package enum RunProfile: Int, Sendable {
    case v0
    case v1
    /// Version 0 as its oldest clients read it.
    case legacy

    static let version = "1.0"

    /// As fixtures and settings call it; nil for `auto`.
    init?(named name: String) {
        switch name {
        case "v0": self = .v0
        case "v1": self = .v1
        case "legacy": self = .legacy
        default: return nil
        }
    }
}
