import ConversationEngine
import Matching

/// Findings about the talk as a whole (fixtures/README.md#what-is-checked). All are warnings.
///
/// Most need the whole script: with an error somewhere, a part of it is missing, and they would blame the
/// wrong
/// line. Those that look at one place only are made anyway.
extension FixtureCompiler {
    mutating func lint(_ root: JSON5Value) {
        let isWhole = !findings.contains { $0.severity == .error }
        findSecrets(root)
        findUnreachable()
        findShadowed()
        findDoubleNames()
        if isWhole {
            findSwallowed()
            findNeverFilled()
            findMisspeltGiven()
            findUnusedStages()
            findDeadEnds()
            findUnusedHandoffs()
            findUnusedKinds()
            findUnheardSuggestions()
            findImpossibleMoments()
            findIdleExamples()
        }
        if case .object = root.content, !map.triesExamples {
            warn(
                .exampleMissing, at: place(of: root),
                "This fixture has no examples, so nothing proves that it works.",
                fix: "add examples: [ { name: \"…\", talk: [\"user: …\", \"agent: …\"] } ]")
        }
    }

    /// Every list of rules, with the stage it belongs to where there is one.
    var ruleLists: [[Rule]] {
        script.stages.map(\.rules) + [script.anywhere, script.otherwise]
            + script.handoffs.flatMap { [$0.rules, $0.otherwise] }
    }

    // MARK: Memory

    private mutating func findNeverFilled() {
        for slot in script.memory where slot.initial == nil && !map.filled.contains(slot.name) {
            warn(
                .neverFilled, at: map.memory[slot.name] ?? SourcePlace(),
                "Nothing ever fills \"\(Words.shortened(slot.name))\": no rule hears it, no step "
                    + "remembers it."
            )
        }
    }

    // MARK: Stages

    private mutating func findUnusedStages() {
        guard !script.stages.isEmpty else { return }
        var reached: Set<Int> = [script.begin]
        var open = [script.begin]
        for rule in ruleLists.dropFirst(script.stages.count).joined() {
            if let then = rule.then, reached.insert(then).inserted { open.append(then) }
        }
        while let stage = open.popLast() {
            for rule in script.stages[stage].rules {
                if let then = rule.then, reached.insert(then).inserted { open.append(then) }
            }
        }
        for (number, stage) in script.stages.enumerated() where !reached.contains(number) {
            warn(
                .unusedStage, at: map.stages[number],
                "The talk never comes to the stage \"\(Words.shortened(stage.name))\": no \"then\" "
                    + "leads there."
            )
        }
    }

    /// A stage that cannot be left. A fixture of one stage is a talk without end by intention.
    private mutating func findDeadEnds() {
        guard script.stages.count > 1,
            !(script.anywhere + script.otherwise).contains(where: { leads($0, from: nil) })
        else { return }
        for (number, stage) in script.stages.enumerated()
        where !stage.rules.contains(where: { leads($0, from: number) }) {
            warn(
                .deadEndStage, at: map.stages[number],
                "Nothing leads out of the stage \"\(Words.shortened(stage.name))\": no rule there goes on, "
                    + "hands over or ends the talk.")
        }
    }

    private func leads(_ rule: Rule, from stage: Int?) -> Bool {
        if let then = rule.then, then != stage { return true }
        return rule.steps.contains { step in
            switch step.verb {
            case .handoff, .end, .leave: true
            default: false
            }
        }
    }

    // MARK: Examples

    /// Examples without a line that could fail. Where nothing is ever said there is nothing to check.
    private mutating func findIdleExamples() {
        let steps = [script.greeting] + ruleLists.joined().map(\.steps)
        guard steps.contains(where: { !$0.isEmpty }) else { return }
        for example in examples where example.lines.allSatisfy({ isByUser($0.line) }) {
            warn(
                .exampleMissing, at: example.place,
                "This example checks nothing: no line of its talk says what is answered.",
                fix: "add a line such as \"agent: …\"")
        }
    }

    private func isByUser(_ line: Example.Line) -> Bool {
        switch line {
        case .says(.user, _, _), .answers: true
        default: false
        }
    }

    // MARK: Handoffs

    private mutating func findUnusedHandoffs() {
        for (number, handoff) in script.handoffs.enumerated() where !map.usedHandoffs.contains(number) {
            warn(
                .unusedHandoff, at: handoff.place,
                "No step asks for the handoff \"\(Words.shortened(handoff.name))\".")
        }
    }
}
