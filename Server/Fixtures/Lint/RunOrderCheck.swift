import ConversationEngine
import RunWire
import Texts

/// Check of a run's events by version 1 of AG-UI.
struct RunOrderCheck: RunOrder {
    private var verifier = RunVerifier(profile: .v1)
    /// Whether subagents are sent as step events, as in version 0 of AG-UI.
    private let asSteps: Bool
    private var names: [String: String] = [:]
    /// Ids of the calls that the run has made.
    private var calls: Set<String> = []
    private var subagents: Set<String> = []
    /// Whether a written-out event was checked.
    private var hasWritten = false
    private var isOff = false
    /// Thread and run ids that written-out events must have; nil accepts any.
    private let ids: (thread: String, run: String)?

    init(asSteps: Bool = false, ids: (thread: String, run: String)? = nil) {
        self.asSteps = asSteps
        self.ids = ids
    }

    mutating func check(_ event: AgentEvent) -> String? {
        guard !isOff else { return nil }
        do throws(SequenceViolation) {
            switch event {
            case .textDelta(let id, _): try verifier.goOn(with: .text, id)
            case .callDelta(let id, _): try verifier.goOn(with: .call, id)
            case .reasoningDelta(let id, _): try verifier.goOn(with: .reasoning, id)
            case .callStarted(let call):
                guard calls.insert(call.id).inserted else {
                    return "Two calls of the run have the id \"\(call.id)\"."
                }
                try consume(.toolStart(id: call.id, name: call.tool, parentMessageID: nil))
            case .subagentStarted(let subagent):
                guard subagents.insert(subagent.id).inserted else {
                    return "Two subagents of the run have the id \"\(subagent.id)\"."
                }
                try begin(subagent)
            case .written(let value, let isUnchecked):
                isOff = isUnchecked
                guard !isUnchecked else { return nil }
                hasWritten = true
                return try written(value)
            default: if let kind = kind(of: event) { try consume(kind) }
            }
            return nil
        } catch {
            return error.sentence
        }
    }

    private var start: RunStart { RunStart(threadID: ids?.thread ?? "", runID: ids?.run ?? "") }
    private var finish: RunFinish { RunFinish(threadID: ids?.thread ?? "", runID: ids?.run ?? "") }

    private mutating func consume(_ kind: RunEvent.Kind) throws(SequenceViolation) {
        _ = try verifier.consume(RunEvent(kind))
    }

    private mutating func begin(_ subagent: RunSubagent) throws(SequenceViolation) {
        guard asSteps else {
            return try consume(.subagentStarted(SubagentStart(id: subagent.id, name: subagent.name)))
        }
        names[subagent.id] = subagent.name
        try consume(.stepStarted(name: subagent.name))
    }

    private func kind(of event: AgentEvent) -> RunEvent.Kind? {
        switch event {
        case .started: .runStarted(start)
        case .stepStarted(let name): .stepStarted(name: name)
        case .stepFinished(let name): .stepFinished(name: name)
        case .textStarted(let id, _, _): .textStart(id: id, role: nil, name: nil)
        case .textEnded(let id): .textEnd(id: id)
        case .callEnded(let id): .toolEnd(id: id)
        case .reasoningStarted(let id): .reasoningStart(id: id)
        case .reasoningTextStarted(let id): .reasoningMessageStart(id: id)
        case .reasoningTextEnded(let id): .reasoningMessageEnd(id: id)
        case .reasoningEnded(let id): .reasoningEnd(id: id)
        case .subagentEnded(let id, _, _, _):
            asSteps
                ? .stepFinished(name: names[id] ?? id)
                : .subagentFinished(id: id, result: nil, outcome: nil)
        case .finished(let end): end.outcome == .cut ? nil : .runFinished(finish)
        case .failed: .runError(RunError(message: ""))
        case .raw, .activity, .activityChanged, .sealed: nil
        // Any other event ends a message that written-out chunk events have opened. The verifier receives a custom
        // event instead, which ends that message too.
        default: hasWritten ? .custom(name: "", value: .null) : nil
        }
    }

    private mutating func written(_ value: String) throws(SequenceViolation) -> String? {
        var event: RunEvent
        do throws(RunFormatError) {
            event = try RunEventReader.read(Array(value.utf8))
        } catch {
            return "This is no event of AG-UI: \(error)."
        }
        switch event.kind {
        case .runStarted where ids == nil: event.kind = .runStarted(start)
        case .runFinished where ids == nil: event.kind = .runFinished(finish)
        default: break
        }
        _ = try verifier.consume(event)
        return nil
    }
}
