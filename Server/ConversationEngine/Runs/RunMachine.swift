import Clocks
import Matching

/// State of the current run: open parts, which its end closes, and values of its end. Reset for each run.
struct RunMachine: Sendable {
    /// The run failed during its turn, whose rest is dropped.
    var isGivenUp = false
    var openCalls: [RunLog.OpenCall] = []
    /// Message of the current calls.
    var owner: String?
    /// Open text message.
    var openText: String?
    /// Open text message pushed from outside.
    var besideText: String?
    var openSteps: [String] = []
    var openReasoning: (span: String, text: String?)?
    /// Calls with open arguments.
    var openArguments: [String] = []
    var openSubagents: [(id: String, name: String)] = []
    /// Values of the end of the run.
    var result: String?
    var usage: String?
    var asks: [RunAsk] = []
    /// The script has written its end; further events are deliberate faults.
    var hasToldEnd = false
    var order: (any RunOrder)?
    /// Source position of the current step, for order violations.
    var place = SourcePlace()

    // Clients without runs

    /// Journal entries are not mirrored.
    var isMuted = false
    /// Text and pieces of a recorded run.
    var recorded = ""
    var pieces = 0
    /// Time of the last thinking sign; nil once the agent has sent a message.
    var thinkingSince: Instant?

    /// Updates the open parts after an event.
    mutating func follow(_ event: AgentEvent) {
        if event.isEnd { order = nil }
        switch event {
        case .callStarted(let call): openArguments.append(call.id)
        case .callEnded(let id): openArguments.removeAll { $0 == id }
        case .reasoningStarted(let span): openReasoning = (span, nil)
        case .reasoningTextStarted(let text): openReasoning?.text = text
        case .reasoningTextEnded: openReasoning?.text = nil
        case .reasoningEnded: openReasoning = nil
        default: break
        }
    }
}

/// Checker of the order of events by a protocol's rules; one value per run.
package protocol RunOrder: Sendable {
    /// The violation of an event after earlier ones.
    mutating func check(_ event: AgentEvent) -> String?
}

/// Makes checkers. Factories of a kind are equal.
package struct RunOrderFactory: Equatable, Sendable {
    package let begin: @Sendable () -> any RunOrder

    package init(_ begin: @escaping @Sendable () -> any RunOrder) { self.begin = begin }

    package static func == (left: RunOrderFactory, right: RunOrderFactory) -> Bool { true }
}
