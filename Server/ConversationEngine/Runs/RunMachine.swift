import Clocks
import Matching

/// State of the current run: open items, and values for its end event.
struct RunMachine: Sendable {
    /// Whether the run failed during its turn.
    var isGivenUp = false
    var openCalls: [RunLog.OpenCall] = []
    /// The id of the message to which the current calls belong.
    var owner: String?
    var openText: String?
    /// The id of an open text message that an operator or a test pushed.
    var besideText: String?
    var openSteps: [String] = []
    var openReasoning: (span: String, text: String?)?
    var openArguments: [String] = []
    var openSubagents: [(id: String, name: String)] = []
    /// Values that the run's last event contains.
    var result: String?
    var usage: String?
    var asks: [RunAsk] = []
    /// Whether the script has written the run's end.
    var hasSentEnd = false
    var order: (any RunOrder)?
    /// The source position of the current step, for reports of order violations.
    var place = SourcePlace()

    // For clients of protocols without runs:

    /// True while journaled events are not recorded as run events.
    var isMuted = false
    /// In a recorded run, the current message's text so far and its number of chunks.
    var recorded = ""
    var pieces = 0
    /// Time of the last thinking event, if no message followed.
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

/// Checker of the order of one run's events by a protocol's rules.
package protocol RunOrder: Sendable {
    /// Returns how `event` violates the order after the earlier events; nil if it does not.
    mutating func check(_ event: AgentEvent) -> String?
}

/// Factory of a ``RunOrder`` for each run. All factories are equal, so that scripts can be compared.
package struct RunOrderFactory: Equatable, Sendable {
    package let begin: @Sendable () -> any RunOrder

    package init(_ begin: @escaping @Sendable () -> any RunOrder) { self.begin = begin }

    package static func == (left: RunOrderFactory, right: RunOrderFactory) -> Bool { true }
}
