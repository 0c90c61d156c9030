import Clocks

/// The talk as it stood before the last request of a thread. A client whose answer was lost asks the same again, and
/// the talk goes on from here a second time (AG-UI, "Interrupts": a resume must be safe to replay). One for each
/// thread; its texts are those that the thread holds anyway.
struct RunCheckpoint: Sendable {
    /// The number of the run that the request began; of the latest one where it came again.
    var run: Int
    /// The request began the talk.
    let isFirst: Bool
    let time: Instant
    let stage: Int
    let memory: [String: String]
    let uses: UseCounts
    /// Arguments and answers of the calls that waited.
    let given: [String: String]
    let suspension: RunLog.Suspension?
    var isRepeated = false
}

extension Conversation {
    /// The request as it is answered: where it repeats the last one, the talk stands again where that found it.
    mutating func checkpoint(
        _ request: RunRequest, at now: Instant
    ) -> (request: RunRequest, isFirst: Bool) {
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
    /// Whether the value `name` stays known while answers of the client are missing.
    static func outlivesRun(_ name: String) -> Bool { name.hasPrefix("args.") || name.hasPrefix("answer.") }

    /// The run under way repeats the first one.
    var isFirstAgain: Bool { current.map { $0.isRepeated && $0.isFirst } ?? false }

    /// Time at which the text of the run under way was first received.
    var heardAt: Instant? { current?.time }

    private var current: RunCheckpoint? { checkpoint.flatMap { $0.run == count ? $0 : nil } }

    /// Decisions of the run before the one under way.
    var decidedBefore: [RunDecision] {
        guard case .decisions(let decisions)? = runs.dropLast().last?.facts.words else { return [] }
        return decisions
    }

    /// The thread's pending calls or questions, as the outcome of a run.
    package var leftOpen: RunEnd.Outcome {
        guard let suspension else { return .done(pending: []) }
        return suspension.asks.isEmpty ? .done(pending: suspension.calls.map(\.id)) : .asks(suspension.asks)
    }

    /// The last request with what is new in this one, where this one repeats it or a part of it; else nil. Words are the
    /// same by the id of their message or of their run. A call's answer may be another one, a decision may not: people
    /// decide once.
    package func repetition(of request: RunRequest, isTolerant: Bool) -> RunRequest? {
        guard let current, let last = runs.last?.facts else { return nil }
        var again = request
        switch (request.words, last.words) {
        case (.nothing, .nothing):
            return request.run == last.id ? again : nil
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
