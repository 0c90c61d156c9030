import Clocks
import Matching

/// The state of the current run: its open items, which are closed at the end of the run, and the values for the end
/// event.
struct RunMachine: Sendable {
    /// True if the run failed during its turn; the rest of the turn is dropped.
    var isGivenUp = false
    var openCalls: [RunLog.OpenCall] = []
    /// The id of the message to which the current calls belong.
    var owner: String?
    var openText: String?
    /// The id of an open text message that an operator or a test pushed.
    var besideText: String?
    var openSteps: [String] = []
    var openReasoning: (span: String, text: String?)?
    /// Calls whose arguments are still being streamed.
    var openArguments: [String] = []
    var openSubagents: [(id: String, name: String)] = []
    /// Values that the run's last event contains.
    var result: String?
    var usage: String?
    var asks: [RunAsk] = []
    /// True if the script has written the end of the run. Events that the script writes after the end are deliberate
    /// faults.
    var hasSentEnd = false
    var order: (any RunOrder)?
    /// The source position of the current step, for reports of order violations.
    var place = SourcePlace()

    // For clients of protocols without runs:

    /// True while journaled events are not recorded as run events.
    var isMuted = false
    /// The text of a recorded run so far, and the number of chunks of this text.
    var recorded = ""
    var pieces = 0
    /// The time of the last thinking event; nil after the agent has sent a message.
    var thinkingSince: Instant?

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

/// Checks the order of a run's events by the rules of a protocol. Each run has a checker of its own.
package protocol RunOrder: Sendable {
    /// Returns how `event`, after the earlier events, violates the order; nil if the order is correct.
    mutating func check(_ event: AgentEvent) -> String?
}

/// Creates a ``RunOrder`` for each run. All factories compare as equal, so that a factory does not make two scripts
/// unequal.
package struct RunOrderFactory: Equatable, Sendable {
    package let begin: @Sendable () -> any RunOrder

    package init(_ begin: @escaping @Sendable () -> any RunOrder) { self.begin = begin }

    package static func == (left: RunOrderFactory, right: RunOrderFactory) -> Bool { true }
}
