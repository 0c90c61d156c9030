import ConversationEngine
import Matching

/// Reports rules that match any message and thereby hide other rules. For example, `{address:words}` also matches "can
/// I talk to a person?".
extension FixtureCompiler {
    /// Adds one warning for each stage that hides rules of `anywhere`.
    mutating func findSwallowed() {
        guard !script.anywhere.isEmpty, !isEveryStageFull else { return }
        var budget = LintBudget()
        for stage in script.stages {
            guard let swallower = swallower(in: stage.rules, &budget) else { continue }
            let before = stage.rules.prefix { $0.place != swallower.place }
            guard let lost = lost(behind: Array(before), swallower, &budget) else { continue }
            let example =
                lost.hears.map { MessageFormat.shortened(Coverage.words(Coverage.alternatives($0)[0])) } ?? ""
            warn(
                .swallows, at: swallower.place,
                "This rule hears anything, so in stage \"\(MessageFormat.shortened(stage.name))\" no rule of "
                    + "\"anywhere\" is heard, not even \"\(example)\" (line \(lost.place.line)).",
                fix: "let it hear less, or put rules for what must be heard here above it")
        }
    }

    /// Whether every stage has a rule with `"*"` that always answers. In that case, the rules of `anywhere` are
    /// unreachable, and another check reports them.
    private var isEveryStageFull: Bool {
        script.stages.allSatisfy { stage in
            stage.rules.contains { rule in
                rule.hears.map { Coverage.alternatives($0).contains(.anything) } == true
                    && answersAlways(rule)
            }
        }
    }

    func swallower(in rules: [Rule], _ budget: inout LintBudget) -> Rule? {
        for rule in rules where answersAlways(rule) {
            guard let hears = rule.hears else { continue }
            if Coverage.hearsAnything(hears, cost: &budget.cost) { return rule }
        }
        return nil
    }

    /// Returns the first rule of `anywhere` that `swallower` hides and no earlier rule hides. Nil if any rule of
    /// `anywhere` is still reachable.
    private func lost(behind earlier: [Rule], _ swallower: Rule, _ budget: inout LintBudget) -> Rule? {
        guard let swallowing = swallower.hears else { return nil }
        let above = earlier.filter(answersAlways).compactMap(\.hears)
        var lost: Rule?
        for rule in script.anywhere {
            guard let hears = rule.hears else { continue }
            for alternative in Coverage.alternatives(hears) {
                guard budget.spend() else { return nil }
                let samples = Coverage.samples(alternative, cost: &budget.cost)
                // A pattern has no samples. Every message of the pattern matches a rule that accepts any message, so
                // the pattern counts as hidden.
                let isTaken =
                    samples.map { all in
                        all.allSatisfy { swallowing.match($0, cost: &budget.cost) != nil }
                    } ?? true
                guard isTaken else { return nil }
                let isAnswered = above.contains {
                    Coverage.covers($0, alternative, samples: samples, cost: &budget.cost)
                }
                if !isAnswered, lost == nil { lost = rule }
            }
        }
        return lost
    }

    // MARK: duplicate-name

    /// Reports rules of one list that have the same name. Logs and tests cannot distinguish such rules.
    mutating func findDoubleNames() {
        for rules in ruleLists {
            var first: [String: SourcePlace] = [:]
            for rule in rules {
                guard let name = rule.name else { continue }
                guard let earlier = first[name] else {
                    first[name] = rule.place
                    continue
                }
                warn(
                    .duplicateName, at: rule.place,
                    "The rule in line \(earlier.line) is called \"\(MessageFormat.shortened(name))\" as well, so reports "
                        + "cannot tell the two apart.", fix: "give one of them another name")
            }
        }
    }
}
