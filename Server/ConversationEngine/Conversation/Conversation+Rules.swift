import Clocks

/// Which rule answers. Order on the page is the only priority (fixtures 3, "A rule").
extension Conversation {
    /// A rule that heard the message, with what it caught.
    struct Hearing {
        var rule: Rule
        var origin: Origin
        var caught: Captures
    }

    mutating func answer(
        _ text: String, metadata: String?, at now: Instant, _ outbox: inout [Effect]
    ) {
        let heard = Heard(text)
        var steps = 0
        let hearing = hearing(of: heard, &steps)
        matchSteps += steps
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
                        text: text, rule: Improvisation.unheard, place: SourcePlace(), stage: stageName)))
            return perform(improvised, at: now, &outbox)
        }
        let rule = hearing.rule
        outbox.append(
            .note(
                handle,
                .heard(
                    text: text, rule: rule.name ?? name(of: hearing.origin), place: rule.place,
                    stage: stageName)))
        uses.useRule(hearing.origin)
        for entry in hearing.caught.entries { memory[entry.name] = entry.value }
        if let then = rule.then { stage = then }
        let turn =
            improvised
            ?? Turn(steps: rule.steps, origin: hearing.origin, message: text, metadata: metadata)
        perform(turn, at: now, &outbox)
    }

    private func unheard(_ text: String, answeredBy hearing: Hearing?) -> Unheard {
        var result = Unheard(text: text, number: userMessageCount, stage: stageName)
        if case .person(let index) = floor { result.handoff = index }
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

    /// The name of the current stage; empty when the script has none.
    package var stageName: String {
        script.stages.indices.contains(stage) ? script.stages[stage].name : ""
    }

    /// `steps` counts what matching cost.
    private func hearing(of heard: Heard, _ steps: inout Int) -> Hearing? {
        if case .person(let index) = floor {
            let handoff = script.handoffs[index]
            return first(of: handoff.rules, heard, &steps) { .handoffRule(index, $0) }
                ?? first(of: handoff.otherwise, heard, &steps) { .handoffOtherwise(index, $0) }
        }
        let staged = script.stages.indices.contains(stage) ? script.stages[stage].rules : []
        return first(of: staged, heard, &steps) { .stage(stage, $0) }
            ?? first(of: script.anywhere, heard, &steps) { .anywhere($0) }
            ?? first(of: script.otherwise, heard, &steps) { .otherwise($0) }
    }

    private func first(
        of rules: [Rule], _ heard: Heard, _ steps: inout Int, origin: (Int) -> Origin
    ) -> Hearing? {
        for (index, rule) in rules.enumerated() {
            let origin = origin(index)
            if let limit = rule.limit, uses.rule(origin) >= limit { continue }
            var caught = Captures()
            if let hears = rule.hears {
                guard steps < MatchingLimits.messageSteps else { continue }
                var cost = MatchCost()
                let captures = hears.match(heard, cost: &cost)
                steps += cost.steps
                guard let captures else { continue }
                caught = captures
            }
            guard rule.conditions.allSatisfy({ holds($0, caught) }) else { continue }
            return Hearing(rule: rule, origin: origin, caught: caught)
        }
        return nil
    }

    private func holds(_ condition: Condition, _ caught: Captures) -> Bool {
        let value = caught[condition.slot] ?? memory[condition.slot]
        switch condition.test {
        case .equals(let wanted): return value.map { Folding.fold($0) == Folding.fold(wanted) } ?? false
        case .differs(let unwanted): return value.map { Folding.fold($0) != Folding.fold(unwanted) } ?? true
        case .atLeast(let bound): return value.flatMap { Double($0) }.map { $0 >= bound } ?? false
        case .atMost(let bound): return value.flatMap { Double($0) }.map { $0 <= bound } ?? false
        case .isKnown(let wanted): return (value != nil) == wanted
        }
    }

    /// A name for a rule that has none.
    func name(of origin: Origin) -> String { script.name(of: origin) }
}
