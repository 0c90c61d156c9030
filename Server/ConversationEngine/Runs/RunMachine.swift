import Clocks
import Matching

/// The state of the run under way: its open parts, which its end closes, and the values that its end carries. Made anew for
/// each run.
struct RunMachine: Sendable {
    /// The run has failed in the middle of its turn: the rest of the turn is dropped.
    var isGivenUp = false
    var openCalls: [RunLog.OpenCall] = []
    /// The message that holds the calls of this turn of the model.
    var owner: String?
    /// The text message that is being streamed.
    var openText: String?
    /// A text message pushed from outside, streamed at the same time.
    var besideText: String?
    var openSteps: [String] = []
    var openReasoning: (span: String, text: String?)?
    /// Calls whose arguments are being streamed.
    var openArguments: [String] = []
    var openSubagents: [(id: String, name: String)] = []
    /// The values of the event that ends the run.
    var result: String?
    var usage: String?
    var asks: [RunAsk] = []
    /// The script has written out the end of the run; further events of it are a fault on purpose.
    var hasToldEnd = false
    /// Watches the events.
    var order: (any RunOrder)?
    /// The place in the fixture of the current step, for findings about the order.
    var place = SourcePlace()

    // For clients without runs.

    /// Journal entries are no events of the run.
    var isMuted = false
    /// The text of a recorded run so far, and its pieces.
    var recorded = ""
    var pieces = 0
    /// The time of the last thinking sign, also of an earlier run; nil once the agent has spoken.
    var thinkingSince: Instant?

    /// Notes the parts that are open after the event: a run that ends there has to close them.
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
