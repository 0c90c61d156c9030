import Clocks
import Matching
import Patterns

/// Selection of the rule that answers: first match in the order of the file (fixtures/README.md#what-is-heard).
extension Conversation {
    /// A matching rule with its captures.
    struct Hearing {
        var rule: Rule
        var origin: Origin
        var caught: Captures
    }

    /// A message being matched.
    private struct Listening {
        let text: String
        /// Cost of matching.
        var steps = 0
        /// Tokenized on first use.
        lazy var heard = PreparedMessage(text)
    }

    mutating func answer(
        _ text: String, metadata: String?, at now: Instant, _ outbox: inout [Effect]
    ) {
        if let decisions = decisions(in: text) {
            return resume(
                decisions, log.suspension, isTolerant: true, metadata: metadata, at: now, &outbox)
        }
        if hasRunLog { log.suspension = nil }
        var listening = Listening(text: text)
        let hearing = hearing(&listening, at: now)
        matchSteps += listening.steps
        let improvised =
            improvisations.isEmpty ? nil : improvise(on: text, hearing, metadata: metadata, &outbox)
        if hearing?.rule.hears == nil, improvised == nil {
            outbox.append(.note(handle, .unheard(unheard(text, answeredBy: hearing))))
        }
        guard let hearing else {
            guard let improvised else { return }
            outbox.append(
                .note(
                    handle,
                    .heard(
                        text: text, rule: ReplyOverride.unheard, place: SourcePlace(), stage: stageName,
                        cause: improvised.cause)))
            return enqueue(improvised, at: now, &outbox)
        }
        let rule = hearing.rule
        let cause = Cause(mark: cause.mark, part: ScriptPart(hearing.origin))
        outbox.append(
            .note(
                handle,
                .heard(
                    text: text, rule: rule.name ?? name(of: hearing.origin), place: rule.place,
                    stage: stageName, cause: cause)))
        uses.useRule(hearing.origin)
        for entry in hearing.caught.entries { memory[entry.name] = entry.value }
        if let then = rule.then { stage = then }
        var turn =
            improvised
            ?? Turn(
                steps: rule.steps, origin: hearing.origin, message: text, metadata: metadata,
                mark: cause.mark)
        turn.cause = cause
        enqueue(turn, at: now, &outbox)
    }

    private func unheard(_ text: String, answeredBy hearing: Hearing?) -> Unheard {
        var result = Unheard(text: text, number: userMessageCount, stage: stageName, mark: cause.mark)
        if case .person(let present) = responder { result.handoff = present.handoff }
        guard let hearing else { return result }
        let (rule, origin) = (hearing.rule, hearing.origin)
        var said: Template?
        for (index, step) in rule.steps.enumerated() {
            guard case .say(let speech) = step.verb, !speech.texts.isEmpty else { continue }
            said = speech.texts[uses.speech(of: origin, step: index) % speech.texts.count]
            break
        }
        result.substitute = Unheard.Substitute(
            name: rule.name ?? name(of: origin), place: rule.place, uses: uses.rule(origin) + 1,
            limit: rule.limit, text: said)
        return result
    }

    /// Wall-clock time of the conversation.
    func localTime(at now: Instant) -> LocalTime { LocalTime(now, shift: Int(clockShift)) }

    /// The name of the current stage; empty when the script has none.
    package var stageName: String {
        script.stages.indices.contains(stage) ? script.stages[stage].name : ""
    }

    private func hearing(_ listening: inout Listening, at now: Instant) -> Hearing? {
        if case .person(let present) = responder {
            let index = present.handoff
            let handoff = script.handoffs[index]
            return first(of: handoff.rules, &listening, at: now) { .handoffRule(index, $0) }
                ?? first(of: handoff.otherwise, &listening, at: now) { .handoffOtherwise(index, $0) }
        }
        let staged = script.stages.indices.contains(stage) ? script.stages[stage].rules : []
        return first(of: staged, &listening, at: now) { .stage(stage, $0) }
            ?? first(of: script.anywhere, &listening, at: now) { .anywhere($0) }
            ?? first(of: script.otherwise, &listening, at: now) { .otherwise($0) }
    }

    private func first(
        of rules: [Rule], _ listening: inout Listening, at now: Instant, origin: (Int) -> Origin
    ) -> Hearing? {
        for (index, rule) in rules.enumerated() {
            if rule.answers != nil { continue }
            let origin = origin(index)
            if let limit = rule.limit, uses.rule(origin) >= limit { continue }
            var caught = Captures()
            if let hears = rule.hears, !hears.isAnything {
                guard listening.steps < MatchingLimits.messageSteps else { continue }
                var cost = MatchCost()
                let captures = hears.match(listening.heard, cost: &cost)
                listening.steps += cost.steps
                guard let captures else { continue }
                caught = captures
            }
            guard rule.conditions.allSatisfy({ holds($0, caught, at: now) }) else { continue }
            return Hearing(rule: rule, origin: origin, caught: caught)
        }
        return nil
    }

    func holds(_ condition: Condition, _ caught: Captures, at now: Instant) -> Bool {
        if case .isWithin(let hours) = condition.test { return hours.contains(localTime(at: now)) }
        let value =
            caught[condition.slot] ?? memory[condition.slot]
            ?? (hasRunLog ? log.given[condition.slot] : nil)
        switch condition.test {
        case .equals(let wanted): return value.map { Folding.fold($0) == Folding.fold(wanted) } ?? false
        case .differs(let unwanted): return value.map { Folding.fold($0) != Folding.fold(unwanted) } ?? true
        case .atLeast(let bound): return value.flatMap { Double($0) }.map { $0 >= bound } ?? false
        case .atMost(let bound): return value.flatMap { Double($0) }.map { $0 <= bound } ?? false
        case .isKnown(let wanted): return (value != nil) == wanted
        case .isWithin: return false
        }
    }

    /// A name for a rule that has none.
    func name(of origin: Origin) -> String { script.name(of: origin) }
}
