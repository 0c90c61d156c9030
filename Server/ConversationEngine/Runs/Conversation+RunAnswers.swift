import Clocks
import Matching
import Patterns

/// Answers of clients: results of their tools, and decisions of users on interrupts.
extension Conversation {
    mutating func resume(
        _ answers: [RunAnswer], _ suspension: RunLog.Suspension?, metadata: String?, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        guard var suspension, !suspension.calls.isEmpty else {
            return outbox.append(.note(handle, .ignored(reason: "nobody waits for an answer of a tool")))
        }
        var origin: (rule: Rule, origin: Origin)?
        for answer in answers {
            guard let index = suspension.calls.firstIndex(where: { $0.id == answer.call }) else { continue }
            let call = suspension.calls.remove(at: index)
            suspension.open.removeAll { $0.id == call.id }
            suspension.answered.append(call.id)
            record(answer, of: call.tool)
            guard let tool = script.tools.firstIndex(where: { $0.name == call.tool }) else { continue }
            origin = rule(hearing: { $0 == .tool(tool) }, at: now) ?? origin
        }
        log.suspension = suspension
        machine.openCalls = suspension.open
        guard suspension.calls.isEmpty else {
            let left = suspension.calls.map(\.tool).joined(separator: ", ")
            return outbox.append(.note(handle, .ignored(reason: "answers are missing still: \(left)")))
        }
        log.suspension = nil
        goOn(with: origin, suspension.rest, metadata: metadata, at: now, &outbox)
    }

    private mutating func record(_ answer: RunAnswer, of tool: String) {
        let status = answer.error == nil ? "answered" : "failed"
        for prefix in ["answer", "answer.\(tool)"] {
            for (name, value) in answer.parts { log.given["\(prefix).\(name)"] = value }
            let text = answer.error ?? answer.content
            log.given["\(prefix).text"] = text.utf8.count <= ConversationLimits.answerBytes ? text : nil
            log.given["\(prefix).status"] = status
        }
    }

    mutating func resume(
        _ decisions: [RunDecision], _ suspension: RunLog.Suspension?, isTolerant: Bool, metadata: String?,
        at now: Instant, _ outbox: inout [Effect]
    ) {
        let asked = suspension?.asks ?? []
        let known = log.decidedBefore
        if let strange = decisions.first(where: { decision in
            !asked.contains { $0.id == decision.ask } && !known.contains(decision)
        }) {
            let words = "Nobody asked \"\(strange.ask)\"."
            guard isTolerant else {
                return failRun(RunFailure(words, code: "unknown_interrupt"), at: now, &outbox)
            }
            outbox.append(.note(handle, .ignored(reason: words)))
        }
        guard let suspension, !asked.isEmpty else { return }
        if let failure = log.uncovered(by: .decisions(decisions)) ?? Self.doubled(decisions) {
            return failRun(failure, at: now, &outbox)
        }
        let heardAt = log.heardAt ?? now
        let late = asked.first { ask in
            guard let end = ask.expires, end <= heardAt else { return false }
            return decisions.contains { $0.ask == ask.id && $0.isResolved }
        }
        if let late {
            return failRun(
                RunFailure("\"\(late.id)\" has expired.", code: "interrupt_expired"), at: now, &outbox)
        }
        log.suspension = nil
        machine.openCalls = suspension.open
        var origin: (rule: Rule, origin: Origin)?
        for decision in decisions {
            guard let ask = asked.first(where: { $0.id == decision.ask }) else { continue }
            let status = decision.isResolved ? "resolved" : "cancelled"
            for prefix in ["answer", "answer.\(ask.name)"] {
                for (name, value) in decision.parts { log.given["\(prefix).\(name)"] = value }
                log.given["\(prefix).status"] = status
            }
            origin = rule(hearing: { $0 == .ask(ask.name) }, at: now) ?? origin
        }
        goOn(with: origin, suspension.rest, metadata: metadata, at: now, &outbox)
    }

    /// Returns the failure if a request decides twice on one interrupt; otherwise nil.
    private static func doubled(_ decisions: [RunDecision]) -> RunFailure? {
        var seen: Set<String> = []
        guard let twice = decisions.first(where: { !seen.insert($0.ask).inserted }) else { return nil }
        return RunFailure("Two decisions on \"\(twice.ask)\".", code: "interrupt_decided_twice")
    }

    /// Returns the decisions of the choice whose text equals `text`; nil if no choice does.
    func decisions(in text: String) -> [RunDecision]? {
        guard hasRunLog, let asks = log.suspension?.asks, !asks.isEmpty else { return nil }
        let said = Folding.fold(text)
        for ask in asks {
            guard let choice = ask.choices.first(where: { Folding.fold($0.text) == said }) else { continue }
            return asks.map { other in
                RunDecision(
                    ask: other.id, isResolved: !choice.cancels, parts: other.id == ask.id ? choice.parts : [:]
                )
            }
        }
        return nil
    }

    /// Continues with the rule for the answer. Without a rule, continues the suspended turn.
    private mutating func goOn(
        with found: (rule: Rule, origin: Origin)?, _ rest: Turn, metadata: String?, at now: Instant,
        _ outbox: inout [Effect]
    ) {
        guard let found else { return enqueue(rest, at: now, &outbox) }
        uses.useRule(found.origin)
        let cause = Cause(mark: cause.mark, part: ScriptPart(found.origin))
        outbox.append(
            .note(
                handle,
                .heard(
                    text: "", rule: found.rule.name ?? name(of: found.origin), place: found.rule.place,
                    stage: stageName, cause: cause)))
        if let then = found.rule.then { stage = then }
        enqueue(
            Turn(
                steps: found.rule.steps, origin: found.origin, message: rest.message, metadata: metadata,
                mark: cause.mark), at: now, &outbox)
    }

    /// Returns the first rule whose ``Rule/answers`` fit, whose limit is not reached, and whose conditions hold.
    func rule(hearing fits: (AnswerKind?) -> Bool, at now: Instant) -> (rule: Rule, origin: Origin)? {
        func first(_ rules: [Rule], _ origin: (Int) -> Origin) -> (rule: Rule, origin: Origin)? {
            for (index, rule) in rules.enumerated() where fits(rule.answers) {
                if let limit = rule.limit, uses.rule(origin(index)) >= limit { continue }
                guard rule.conditions.allSatisfy({ holds($0, Captures(), at: now) }) else { continue }
                return (rule, origin(index))
            }
            return nil
        }
        if case .liveAgent(let present) = responder {
            let index = present.handoff
            return first(script.handoffs[index].rules) { .handoffRule(index, $0) }
        }
        let staged = script.stages.indices.contains(stage) ? script.stages[stage].rules : []
        return first(staged) { .stage(stage, $0) } ?? first(script.anywhere) { .anywhere($0) }
    }
}
