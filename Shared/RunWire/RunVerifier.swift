/// Verifier of the order of one stream's events by the rules of AG-UI.
///
/// | state | event | next state |
/// | --- | --- | --- |
/// | idle | RUN_STARTED | running |
/// | idle, running, finished | RUN_ERROR | failed |
/// | running | RUN_FINISHED, when every item is closed | finished |
/// | finished, failed | RUN_STARTED | running |
///
/// For version 0, the order of reasoning events and the ids in RUN_STARTED and RUN_FINISHED are not checked.
package struct RunVerifier: Sendable {
    private enum Phase: Sendable {
        case idle
        case running
        case finished
        case failed
    }

    private let isStrict: Bool
    private var threadID: String?
    /// The run id that the next RUN_STARTED must have; nil for any id.
    private var expectedRunID: String?
    private var runID = ""
    private var phase = Phase.idle
    private var expander: RunExpander
    private var texts: Set<String> = []
    private var calls: Set<String> = []
    private var steps: Set<String> = []
    private var spans: Set<String> = []
    private var reasoningTexts: Set<String> = []
    private var subagents: Set<String> = []
    package private(set) var lastType: String?

    /// - Parameters:
    ///   - profile: the protocol version. `v1` has the stricter rules.
    ///   - threadID: the requested thread; nil accepts any thread.
    ///   - runID: the requested run; nil accepts any run.
    package init(profile: RunProfile, threadID: String? = nil, runID: String? = nil) {
        isStrict = profile == .v1
        self.threadID = threadID
        expectedRunID = runID
        expander = RunExpander(profile: profile)
    }

    /// Checks `event` and returns it in long form (``RunExpander``).
    package mutating func consume(_ event: RunEvent) throws(SequenceViolation) -> [RunEvent] {
        let events = try expander.expand(event)
        for event in events { try check(event) }
        lastType = event.type
        return events
    }

    /// Kind of an item to which a delta is appended.
    package enum Item: Sendable {
        case text
        case call
        case reasoning
    }

    /// Checks a delta without a ``RunEvent``: the item with this id must be open.
    package func goOn(with item: Item, _ id: String) throws(SequenceViolation) {
        guard phase == .running else { throw .firstEventNotRunStarted }
        switch item {
        case .text: try need(id, in: texts, or: .textNotOpen)
        case .call: try need(id, in: calls, or: .toolCallNotOpen)
        case .reasoning: try need(id, in: reasoningTexts, or: .reasoningNotOpen)
        }
    }

    /// True when the last run has ended.
    package var isComplete: Bool { phase == .finished || phase == .failed }

    private mutating func check(_ event: RunEvent) throws(SequenceViolation) {
        if case .unknown = event.kind { return }
        try checkPhase(event.kind)
        if let id = event.subagentRunID, !subagents.contains(id) { throw .subagentNotOpen }
        switch event.kind {
        case .textStart(let id, _, _): try open(id, in: &texts, or: .textAlreadyOpen)
        case .textContent(let id, _): try need(id, in: texts, or: .textNotOpen)
        case .textEnd(let id): try close(id, in: &texts, or: .textNotOpen)
        case .toolStart(let id, _, _): try open(id, in: &calls, or: .toolCallAlreadyOpen)
        case .toolArguments(let id, _): try need(id, in: calls, or: .toolCallNotOpen)
        case .toolEnd(let id): try close(id, in: &calls, or: .toolCallNotOpen)
        case .stepStarted(let name): try open(name, in: &steps, or: .stepAlreadyOpen)
        case .stepFinished(let name): try close(name, in: &steps, or: .stepNotOpen)
        case .reasoningStart(let id): spans.insert(id)
        case .reasoningMessageStart(let id, _): reasoningTexts.insert(id)
        case .reasoningContent(let id, _):
            if isStrict { try need(id, in: reasoningTexts, or: .reasoningNotOpen) }
        case .reasoningMessageEnd(let id):
            if reasoningTexts.remove(id) == nil, isStrict { throw .reasoningNotOpen }
        case .reasoningEnd(let id): if spans.remove(id) == nil, isStrict { throw .reasoningNotOpen }
        case .subagentStarted(let start): subagents.insert(start.id)
        case .subagentFinished(let id, _, _), .subagentError(let id, _, _):
            try close(id, in: &subagents, or: .subagentNotOpen)
        case .runStarted(let start): try begin(start)
        case .runFinished(let finish): try end(finish)
        case .runError: phase = .failed
        default: break
        }
    }

    private func checkPhase(_ kind: RunEvent.Kind) throws(SequenceViolation) {
        let (isStart, isError) =
            switch kind {
            case .runStarted: (true, false)
            case .runError: (false, true)
            default: (false, false)
            }
        switch phase {
        case .running: if isStart { throw .runAlreadyActive }
        case .idle: if !isStart, !isError { throw .firstEventNotRunStarted }
        case .finished: if !isStart, !isError { throw .eventAfterFinish }
        case .failed: if !isStart { throw .eventAfterError }
        }
    }

    private mutating func begin(_ start: RunStart) throws(SequenceViolation) {
        if isStrict {
            if let threadID, start.threadID != threadID { throw .threadMismatch }
            if let expectedRunID, start.runID != expectedRunID { throw .runMismatch }
        }
        (phase, threadID, runID, expectedRunID) = (.running, start.threadID, start.runID, nil)
        // Items that a failed run has left open count as closed.
        (texts, calls, steps, spans, reasoningTexts, subagents) = ([], [], [], [], [], [])
    }

    private mutating func end(_ finish: RunFinish) throws(SequenceViolation) {
        if !texts.isEmpty { throw .textOpenAtFinish }
        if !calls.isEmpty { throw .toolCallOpenAtFinish }
        if !steps.isEmpty { throw .stepOpenAtFinish }
        if !subagents.isEmpty { throw .subagentOpenAtFinish }
        if isStrict {
            if !spans.isEmpty || !reasoningTexts.isEmpty { throw .reasoningOpenAtFinish }
            if finish.threadID != threadID { throw .threadMismatch }
            if finish.runID != runID { throw .runMismatch }
        }
        phase = .finished
    }

    private func open(
        _ id: String, in set: inout Set<String>, or violation: SequenceViolation
    ) throws(SequenceViolation) {
        if !set.insert(id).inserted { throw violation }
    }

    private func need(_ id: String, in set: Set<String>, or violation: SequenceViolation)
        throws(SequenceViolation)
    {
        if !set.contains(id) { throw violation }
    }

    private func close(
        _ id: String, in set: inout Set<String>, or violation: SequenceViolation
    ) throws(SequenceViolation) {
        if set.remove(id) == nil { throw violation }
    }
}
