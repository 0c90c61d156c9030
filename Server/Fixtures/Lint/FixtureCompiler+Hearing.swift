import ConversationEngine
import Matching
import Patterns

/// Reports rules that earlier rules cover, and suggestion buttons whose text no rule matches.
extension FixtureCompiler {
    // MARK: shadowed

    mutating func findShadowed() {
        var budget = LintBudget()
        for rules in script.stages.map(\.rules) + [script.anywhere] + script.handoffs.map(\.rules) {
            findShadowed(rules, &budget)
        }
    }

    private mutating func findShadowed(_ rules: [Rule], _ budget: inout LintBudget) {
        var earlier: [(place: SourcePlace, hears: Hears)] = []
        for rule in rules {
            guard let hears = rule.hears else { continue }
            if let cover = cover(hears, earlier, &budget) {
                let words = MessageFormat.shortened(Coverage.words(Coverage.alternatives(hears)[0]))
                warn(
                    .shadowed, at: rule.place,
                    "\"\(words)\" is never heard here: line \(cover.place.line) already answers "
                        + "\(reach(cover.hears)).")
            }
            if answersAlways(rule) {
                earlier += Coverage.alternatives(hears).map { (rule.place, $0) }
            }
        }
    }

    /// If each alternative of `hears` is covered by an earlier matcher, returns the one that covers the first
    /// alternative. Otherwise, or if the budget runs out, nil.
    private func cover(
        _ hears: Hears, _ earlier: [(place: SourcePlace, hears: Hears)], _ budget: inout LintBudget
    ) -> (place: SourcePlace, hears: Hears)? {
        guard !earlier.isEmpty else { return nil }
        var first: (place: SourcePlace, hears: Hears)?
        for alternative in Coverage.alternatives(hears) {
            let samples = Coverage.samples(alternative, cost: &budget.cost)
            var found: (place: SourcePlace, hears: Hears)?
            for candidate in earlier {
                guard budget.spend() else { return nil }
                if Coverage.covers(candidate.hears, alternative, samples: samples, cost: &budget.cost) {
                    found = candidate
                    break
                }
            }
            guard let found else { return nil }
            first = first ?? found
        }
        return first
    }

    private func reach(_ hears: Hears) -> String {
        let words = MessageFormat.shortened(Coverage.words(hears))
        switch hears {
        case .anything: return "anything"
        case .exactly: return "\"\(words)\""
        default: return "anything with \"\(words)\""
        }
    }

    // MARK: unmatched-suggestion

    mutating func findUnmatchedSuggestions() {
        guard !map.suggestions.isEmpty else { return }
        var budget = LintBudget()
        let everywhere = script.stages.flatMap(\.rules) + script.anywhere
        let begin = script.stages.isEmpty ? script.anywhere : rules(of: script.begin)
        findUnmatched(script.greeting, among: begin, &budget)
        for (number, stage) in script.stages.enumerated() {
            for rule in stage.rules {
                findUnmatched(rule.steps, among: rules(of: rule.then ?? number), &budget)
            }
        }
        for rule in script.anywhere + script.otherwise {
            if let then = rule.then {
                findUnmatched(rule.steps, among: rules(of: then), &budget)
            } else {
                findUnmatched(rule.steps, among: everywhere, isOrdered: false, &budget)
            }
        }
        for handoff in script.handoffs {
            for steps in [handoff.opens] + (handoff.rules + handoff.otherwise).map(\.steps) {
                findUnmatched(steps, among: handoff.rules, &budget)
            }
        }
    }

    private func rules(of stage: Int) -> [Rule] { script.stages[stage].rules + script.anywhere }

    /// Reports suggestions that reach no rule or the wrong rule. `isOrdered`: the order of `rules` matters.
    private mutating func findUnmatched(
        _ steps: [Step], among rules: [Rule], isOrdered: Bool = true, _ budget: inout LintBudget
    ) {
        var later: [Rule] = []
        for step in steps {
            // After a handoff step, the rules of the handoff may answer the suggestion.
            if case .handoff(let number) = step.verb { later += script.handoffs[number].rules }
        }
        for step in steps {
            guard case .say(let speech) = step.verb, let places = map.suggestions[step.place] else {
                continue
            }
            for (suggestion, place) in zip(speech.parts.suggestions, places) {
                guard suggestion.text.slots.allSatisfy({ names.values[$0.name] != nil }) else { continue }
                let text = suggestion.text.filled { names.values[$0] }
                let heard = PreparedMessage(text)
                guard var hearing = hearing(heard, among: rules, &budget) else { return }
                if case .byNobody = hearing {
                    guard let last = self.hearing(heard, among: later, &budget) else { return }
                    hearing = last
                }
                switch hearing {
                case .byNobody:
                    warn(
                        .unmatchedSuggestion, at: place,
                        "No rule hears \"\(MessageFormat.shortened(text))\", the text of this button.")
                case .byTheWrongRule(let greedy, let meant) where isOrdered:
                    warn(
                        .unmatchedSuggestion, at: place,
                        "\"\(MessageFormat.shortened(text))\", the text of this button, never comes to "
                            + "\(shown(meant)): \(shown(greedy)) hears anything, and comes first.")
                case .byTheWrongRule, .asMeant: break
                }
            }
        }
    }

    private enum Hearing {
        case asMeant
        case byNobody
        case byTheWrongRule(Rule, meant: Rule)
    }

    /// Returns how a suggestion is answered. Nil if the search exceeds its budget.
    private func hearing(_ heard: PreparedMessage, among rules: [Rule], _ budget: inout LintBudget)
        -> Hearing?
    {
        var greedy: Rule?
        for rule in rules {
            guard budget.spend() else { return nil }
            guard let hears = rule.hears, hears.match(heard, cost: &budget.cost) != nil else { continue }
            let isGreedy = answersAlways(rule) && Coverage.hearsAnything(hears, cost: &budget.cost)
            if let greedy {
                if !isGreedy { return .byTheWrongRule(greedy, meant: rule) }
            } else if isGreedy {
                greedy = rule
            } else {
                return .asMeant
            }
        }
        return greedy == nil ? .byNobody : .asMeant
    }

    private func shown(_ rule: Rule) -> String {
        let line = "line \(rule.place.line)"
        return rule.name.map { "\"\(MessageFormat.shortened($0))\" (\(line))" } ?? "the rule in \(line)"
    }
}

/// Budget of one check of the linter.
struct LintBudget {
    private var comparisons = 0
    var cost = MatchCost(budget: FixtureLimits.matchSteps)

    mutating func spend() -> Bool {
        comparisons += 1
        return comparisons <= FixtureLimits.comparisons && !cost.isExhausted
    }
}
