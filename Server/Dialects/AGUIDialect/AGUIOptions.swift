public import Clocks
package import DialectKit

/// Settings of agent runs over AG-UI, in the configuration's `agentRuns` block.
public struct AGUIOptions: Sendable, Equatable {
    /// The answer to a second run while a run of the thread is active.
    public enum SecondRun: String, Sendable, CaseIterable {
        /// The second run begins after the first run has ended.
        case wait
        /// The request is refused with 409 `thread_busy`.
        case refuse
    }

    /// The answer to a user message while an interrupt is pending.
    public enum Words: String, Sendable, CaseIterable {
        /// The interrupt is cancelled and the message is answered.
        case accept
        /// The run fails with `interrupt_not_covered`; the interrupt stays pending.
        case refuse
    }

    /// The AG-UI version that clients receive.
    public enum Profile: String, Sendable, CaseIterable {
        /// Version 1 for a request whose `protocolVersion` is 1 or higher, otherwise version 0.
        case auto
        case v0
        case v1
        /// Version 0 without activities, for its oldest clients. Reasoning is sent as thinking events, and only one
        /// text or tool call is open at a time.
        case legacy
    }

    /// Whether the server offers the protocol. If false, its paths are answered with 404. Default true.
    public var isOn = true
    /// Maximum bytes of a run request's body; more is answered with 413. Default 16 MiB.
    public var bodyBytes = 16 << 20
    /// Silence after which a stream sends a comment to stay open; zero means never. Default 15 seconds.
    public var keepAlive = Interval.seconds(15)
    /// The answer to a second run of a thread. Default ``SecondRun/wait``.
    public var secondRun = SecondRun.wait
    /// The answer to a user message while an interrupt is pending. Default ``Words/accept``.
    public var words = Words.accept
    /// The version that clients receive, unless the fixture sets one. Default ``Profile/auto``.
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

enum AGUILimits {
    /// Maximum active and queued runs of one thread.
    static let runsOfThread = 100
    /// Maximum bytes of a thread id or run id.
    static let nameBytes = 4 << 10
    /// Maximum bytes of a stored request that can be parsed again. 1 GiB: the highest configurable `bodyBytes`.
    static let inputBytes = 1 << 30
    /// Maximum bytes of a request's new messages and state that are stored with its run.
    static let saidBytes = 16 << 10
    /// Maximum bytes of requests and threads that are processed on the server's loop.
    static let shortBytes = 16 << 10
    /// Bytes that each event adds to a thread's computed size.
    static let entryBytes = 32
    /// Maximum characters of an agent message in a request that are compared with the sent text.
    static let comparedScalars = 100_000
    /// Maximum JSON values in one request.
    static let values = 2_000_000
    /// Maximum tool results or decisions of a request that are checked one by one.
    static let answers = 100
    /// Bytes at each end of an attachment that the digest covers.
    static let digestBytes = 4 << 10
    /// Minimum bytes that the fault `oversized` adds to an event.
    static let paddingBytes = 1 << 20
    /// Maximum number of a request's values for placeholders and conditions, and their maximum nesting depth.
    static let givenValues = 500
    static let givenDepth = 8
    /// Maximum bytes of all values for placeholders and conditions, with their names, and of one value.
    static let givenBytes = 256 << 10
    static let givenValueBytes = 64 << 10
}

/// The AG-UI version of a client.
package enum RunProfile: Int, Sendable {
    case v0
    case v1
    /// Version 0 for its oldest clients.
    case legacy

    static let version = "1.0"

    /// Nil for `auto` and unknown texts.
    init?(named name: String) {
        switch name {
        case "v0": self = .v0
        case "v1": self = .v1
        case "legacy": self = .legacy
        default: return nil
        }
    }
}
