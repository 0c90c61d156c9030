import ConversationEngine
package import Matching

/// Coverage of a fixture's rules by its examples. A rule is proven if an example fails without it.
package struct RuleCoverage: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        /// Name of the rule, or its list and number: `start 2`.
        package var name: String
        package var place: SourcePlace
        /// Whether the rule is in a list `otherwise`.
        package var isSubstitute: Bool
        package var isExercised: Bool
        /// Whether a passing example fails without the rule; nil if not tested.
        package var isProven: Bool?
    }

    package var entries: [Entry]
    /// Whether mutation testing stopped at its limit, so that some rules were not tested.
    package var isIncomplete = false

    /// Number of rules with `hears` that an example uses, and number of all rules with `hears`.
    package var exercised: (rules: Int, of: Int) {
        let rules = entries.filter { !$0.isSubstitute }
        return (rules.count { $0.isExercised }, rules.count)
    }

    package var unexercised: [Entry] { entries.filter { !$0.isSubstitute && !$0.isExercised } }

    /// Returns notes about rules that no example uses, or whose removal no example notices.
    package func notes(file: String, asksForProof: Bool, asksForExercise: Bool) -> [Finding] {
        var notes: [Finding] = []
        for entry in entries {
            let what = entry.isSubstitute ? "\"\(entry.name)\" (an \"otherwise\")" : "\"\(entry.name)\""
            if asksForExercise, !entry.isExercised {
                notes.append(note(file, entry, .unexercised, "No example makes \(what) answer."))
            } else if asksForProof, entry.isProven == false {
                notes.append(note(file, entry, .unproven, "Every example passes without \(what)."))
            }
        }
        return notes
    }

    private func note(_ file: String, _ entry: Entry, _ code: FindingCode, _ message: String) -> Finding {
        Finding(file: file, place: entry.place, severity: .note, code: code, message: message)
    }
}

extension CompiledFixture {
    /// Returns a copy with an additional finding for each failed example.
    package func rehearsed() -> CompiledFixture {
        guard let script, !examples.isEmpty else { return self }
        var result = self
        var runner = ExampleRunner(script, fileName: fileName)
        for example in examples {
            if let finding = runner.run(example) { result.findings.append(finding) }
            guard runner.budget.isLeft, result.findings.count < 2 * FixtureLimits.findings else { break }
        }
        result.findings.sort { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
        return result
    }

    /// Measures the coverage. With `mutates`, also tests whether each rule is proven.
    package func coverage(mutates: Bool = false) -> RuleCoverage? {
        guard let script else { return nil }
        var runner = ExampleRunner(script, fileName: fileName)
        let passes = examples.map { runner.run($0) == nil }
        let answered = runner.answered.reduce(into: Set<SourcePlace>()) { $0.formUnion($1) }
        var coverage = RuleCoverage(entries: [])
        var budget = RehearsalBudget()
        budget.moments = FixtureLimits.mutationMoments
        for origin in script.origins {
            guard let rule = script[origin] else { continue }
            var entry = RuleCoverage.Entry(
                name: rule.name ?? script.name(of: origin), place: rule.place,
                isSubstitute: rule.hears == nil, isExercised: answered.contains(rule.place))
            if mutates, budget.isLeft {
                // Removing a rule can only change examples in which the rule answers.
                let affected = examples.indices.filter {
                    passes[$0] && runner.answered[$0].contains(rule.place)
                }
                entry.isProven = fails(affected, without: origin, of: script, &budget)
            } else if mutates {
                coverage.isIncomplete = true
            }
            coverage.entries.append(entry)
        }
        coverage.entries.sort { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
        return coverage
    }

    private func fails(
        _ affected: [Int], without origin: Origin, of script: Script, _ budget: inout RehearsalBudget
    ) -> Bool {
        guard !affected.isEmpty else { return false }
        var runner = ExampleRunner(script.without(origin), fileName: fileName)
        runner.budget = budget
        defer { budget = runner.budget }
        return affected.contains { runner.run(examples[$0]) != nil }
    }
}
