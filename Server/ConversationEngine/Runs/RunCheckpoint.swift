import Clocks

/// State before a thread's last request, which a client that missed the answer may repeat (AG-UI, section
/// "Interrupts").
struct RunCheckpoint: Sendable {
    /// Number of the run that the request, or its last repetition, started.
    var run: Int
    /// Whether this is the session's first request.
    let isFirst: Bool
    let time: Instant
    let stage: Int
    let memory: [String: String]
    let uses: UseCounts
    /// Arguments and answers of pending calls.
    let given: [String: String]
    let suspension: RunLog.Suspension?
    var isRepeated = false
}

extension Conversation {
    /// Saves the state before a new request, or restores it for a repeated one. Returns the request to answer.
    mutating func checkpoint(_ request: RunRequest, at now: Instant) -> (request: RunRequest, isFirst: Bool) {
        let isTolerant = toleratesStrangeDecisions(in: request)
        if var last = log.checkpoint, let again = log.repetition(of: request, isTolerant: isTolerant) {
            log.runs[log.runs.count - 1].isReplaced = true
            (stage, memory, uses) = (last.stage, last.memory, last.uses)
            (log.suspension, log.given) = (last.suspension, last.given)
            (last.run, last.isRepeated) = (log.count + 1, true)
            log.checkpoint = last
            return (again, last.isFirst)
        }
        let isFirst = responder == .nobody
        let suspension = log.suspension
        log.checkpoint = RunCheckpoint(
            run: log.count + 1, isFirst: isFirst, time: now, stage: stage, memory: memory, uses: uses,
            given: suspension == nil ? [:] : log.given.filter { RunLog.outlivesRun($0.key) },
            suspension: suspension)
        return (request, isFirst)
    }

    func toleratesStrangeDecisions(in request: RunRequest) -> Bool {
        script.runs.toleratesStrangeDecisions ?? request.toleratesStrangeDecisions
    }
}

extension RunLog {
    /// Returns whether the value `name` is kept after a run that waits for the client.
    static func outlivesRun(_ name: String) -> Bool { name.hasPrefix("args.") || name.hasPrefix("answer.") }

    /// Whether the current run repeats the session's first request.
    var isFirstAgain: Bool { current.map { $0.isRepeated && $0.isFirst } ?? false }

    /// Time of the first reception of the current run's request.
    var heardAt: Instant? { current?.time }

    private var current: RunCheckpoint? { checkpoint.flatMap { $0.run == count ? $0 : nil } }

    var decidedBefore: [RunDecision] {
        guard case .decisions(let decisions)? = runs.dropLast().last?.facts.words else { return [] }
        return decisions
    }

    /// Pending calls or interrupts, as an outcome.
    package var leftOpen: RunEnd.Outcome {
        guard let suspension else { return .done(pending: []) }
        return suspension.asks.isEmpty ? .done(pending: suspension.calls.map(\.id)) : .asks(suspension.asks)
    }

    /// Returns the request to answer if `request` repeats the last one or a part of it; otherwise nil
    /// (protocol-agui.md#repeats). Decisions may differ only if `isTolerant`.
    package func repetition(of request: RunRequest, isTolerant: Bool) -> RunRequest? {
        guard let current, let last = runs.last?.facts else { return nil }
        var again = request
        switch (request.words, last.words) {
        case (.nothing, .nothing): return request.run == last.id ? again : nil
        case (.text(let new), .text(let old)):
            let isNamed = request.message.map { !$0.isEmpty && $0 == last.message } ?? false
            guard new == old, request.digest == last.digest, isNamed || request.run == last.id else {
                return nil
            }
            return again
        case (.answers(let new), .answers(let old)):
            let (pending, answered) = (suspension?.calls ?? [], current.suspension?.answered ?? [])
            guard !new.contains(where: { answer in pending.contains { $0.id == answer.call } }),
                new.contains(where: { answer in
                    answered.contains(answer.call) || old.contains { $0.call == answer.call }
                })
            else { return nil }
            again.words = .answers(old.map { known in new.last { $0.call == known.call } ?? known })
            return again
        case (.decisions(let new), .decisions(let old)):
            guard !new.contains(where: { decision in pendingAsks.contains { $0.id == decision.ask } }),
                new.contains(where: { old.contains($0) }), isTolerant || new.allSatisfy({ old.contains($0) })
            else { return nil }
            again.words = .decisions(old)
            return again
        default: return nil
        }
    }
}
