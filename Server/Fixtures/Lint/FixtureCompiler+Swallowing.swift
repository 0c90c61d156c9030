import ConversationEngine
import Matching

/// Reports rules that match any message and so hide others, and rules of one list with the same name.
extension FixtureCompiler {
    mutating func findSwallowed() {
        guard !script.anywhere.isEmpty, !isEveryStageFull else { return }
        var budget = LintBudget()
        for stage in script.stages {
            guard let swallower = swallower(in: stage.rules, &budget) else { continue }
            let before = stage.rules.prefix { $0.place != swallower.place }
            guard let lost = lost(after: Array(before), swallower, &budget) else { continue }
            let example =
                lost.hears.map { MessageFormat.shortened(Coverage.words(Coverage.alternatives($0)[0])) } ?? ""
            warn(
                .swallows, at: swallower.place,
                "This rule hears anything, so in stage \"\(MessageFormat.shortened(stage.name))\" no rule of "
                    + "\"anywhere\" is heard, not even \"\(example)\" (line \(lost.place.line)).",
                fix: "let it hear less, or put rules for what must be heard here above it")
        }
    }

    /// Whether every stage has an unconditional `"*"` rule.
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

    /// If `swallower` matches whatever the rules of `anywhere` match, returns the first of these rules that `earlier`
    /// does not cover. Otherwise nil.
    private func lost(after earlier: [Rule], _ swallower: Rule, _ budget: inout LintBudget) -> Rule? {
        guard let swallowing = swallower.hears else { return nil }
        let above = earlier.filter(answersAlways).compactMap(\.hears)
        var lost: Rule?
        for rule in script.anywhere {
            guard let hears = rule.hears else { continue }
            for alternative in Coverage.alternatives(hears) {
                guard budget.spend() else { return nil }
                let samples = Coverage.samples(alternative, cost: &budget.cost)
                // A pattern has no samples. It counts as hidden, because the earlier rule matches any message.
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
