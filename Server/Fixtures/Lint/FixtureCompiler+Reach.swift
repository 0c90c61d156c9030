import ConversationEngine
import Matching

extension FixtureCompiler {
    mutating func findUnreachable() {
        let opens = [script.greeting] + script.handoffs.map(\.opens)
        for steps in opens + ruleLists.joined().map(\.steps) { findStepsAfterTheEnd(steps) }
        findStepsOfNobody()
        for rule in ruleLists.joined() where isContradiction(rule.conditions) {
            warn(.unreachable, at: rule.place, "This rule never answers: its \"if\" contradicts itself.")
        }
        findListsBehindAnything()
        for rules in [script.otherwise] + script.handoffs.map(\.otherwise) {
            guard let last = rules.firstIndex(where: { answersAlways($0) }) else { continue }
            reportBehind(rules[last], rules[(last + 1)...])
        }
    }

    /// Reports lists of rules that are never reached, because an earlier rule matches any message.
    private mutating func findListsBehindAnything() {
        let stages = script.stages.map { $0.rules.first(where: hearsAnything) }
        if let first = stages.first, first != nil, stages.allSatisfy({ $0 != nil }) {
            for rule in script.anywhere + script.otherwise {
                warn(
                    .unreachable, at: rule.place,
                    "This rule is never reached: in every stage a rule answers before it, whatever was said.")
            }
        } else if let first = script.anywhere.first(where: hearsAnything) {
            reportBehind(first, script.otherwise)
        }
        for handoff in script.handoffs {
            guard let first = handoff.rules.first(where: hearsAnything) else { continue }
            reportBehind(first, handoff.otherwise)
        }
    }

    private mutating func reportBehind(_ first: Rule, _ rules: some Sequence<Rule>) {
        for rule in rules {
            warn(
                .unreachable, at: rule.place,
                "This rule is never reached: line \(first.place.line) answers before it, "
                    + "whatever was said.")
        }
    }

    private func hearsAnything(_ rule: Rule) -> Bool {
        guard let hears = rule.hears, answersAlways(rule) else { return false }
        return Coverage.alternatives(hears).contains(.anything)
    }

    /// Whether the bounds of a slot exclude each other, or a slot must be both known and not known.
    private func isContradiction(_ conditions: [Condition]) -> Bool {
        for slot in Set(conditions.map(\.slot)) {
            var least = -Double.infinity
            var most = Double.infinity
            var isFilled = false
            var isEmpty = false
            for condition in conditions where condition.slot == slot {
                switch condition.test {
                case .atLeast(let number): (least, isFilled) = (max(least, number), true)
                case .atMost(let number): (most, isFilled) = (min(most, number), true)
                case .isKnown(true): isFilled = true
                case .isKnown(false): isEmpty = true
                case .equals, .differs, .isWithin: continue
                }
            }
            if least > most || isFilled && isEmpty { return true }
        }
        return false
    }

    /// Reports steps that need a live agent, but run while the automatic agent answers.
    private mutating func findStepsOfNobody() {
        let rules = script.stages.flatMap(\.rules) + script.anywhere + script.otherwise
        for step in ([script.greeting] + rules.map(\.steps)).joined() {
            guard case .ofLiveAgents(let action)? = map.notes[step.place] else { continue }
            warn(
                .unreachable, at: step.place,
                "This step does nothing: the agent speaks here, so nobody can \(action).",
                fix: "write it into the \"rules\" of a handoff, for its live agent")
        }
    }

    private mutating func findStepsAfterTheEnd(_ steps: [Step]) {
        for (number, step) in steps.enumerated().dropLast() {
            guard case .ends(let whole)? = map.notes[step.place] else { continue }
            return warn(
                .unreachable, at: steps[number + 1].place,
                "This step is never reached: line \(step.place.line) ends \(whole).")
        }
    }

    func answersAlways(_ rule: Rule) -> Bool { !map.guarded.contains(rule.place) }
}
