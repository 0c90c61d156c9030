import Clocks
import Matching

/// The run under way: what it has open, which ends with it at the latest, and what its end brings along. Made anew for each
/// run.
struct RunMachine: Sendable {
    /// The run has failed while its turn told it: what is left of that is dropped.
    var isGivenUp = false
    var openCalls: [RunLog.OpenCall] = []
    /// The message that holds the calls of this turn of the model.
    var owner: String?
    /// The text message that is being told.
    var openText: String?
    /// One from outside that is told beside it.
    var besideText: String?
    var openSteps: [String] = []
    var openReasoning: (span: String, text: String?)?
    /// Calls whose arguments are being told.
    var openArguments: [String] = []
    var openSubagents: [(id: String, name: String)] = []
    /// What the end of the run brings along.
    var result: String?
    var usage: String?
    var asks: [RunAsk] = []
    /// The script has written out how the run ends; what it tells behind that is a fault on purpose.
    var hasToldEnd = false
    /// Watches the events.
    var order: (any RunOrder)?
    /// The step that the run tells, for who is told that it must not.
    var place = SourcePlace()

    // For clients without runs.

    /// What the journal is told has no words in the run.
    var isMuted = false
    /// The text of a recorded run so far, and its pieces.
    var recorded = ""
    var pieces = 0
    /// When the last sign was told that the agent thinks, also in an earlier run; nil once it spoke.
    var thinkingSince: Instant?

    /// What stays open behind the event, and has to be closed when the run ends there.
    mutating func follow(_ event: RunOccurrence) {
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
