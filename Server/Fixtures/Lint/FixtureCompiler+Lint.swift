import ConversationEngine
import Matching
import Texts

/// Linter of whole conversations (fixtures/README.md#what-is-checked).
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
            findNeverEqual()
            findUntyped()
            findMisspeltGiven()
            findUnusedStages()
            findDeadEnds()
            findUnusedHandoffs()
            findUnusedKinds()
            findUnmatchedSuggestions()
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

    /// All lists of rules: one per stage, `anywhere`, `otherwise`, and the lists of handoffs.
    var ruleLists: [[Rule]] {
        script.stages.map(\.rules) + [script.anywhere, script.otherwise]
            + script.handoffs.flatMap { [$0.rules, $0.otherwise] }
    }

    // MARK: Memory

    private mutating func findNeverFilled() {
        for slot in script.memory where slot.initial == nil && !map.filled.contains(slot.name) {
            warn(
                .neverFilled, at: map.memory[slot.name] ?? SourcePlace(),
                "Nothing ever fills \"\(MessageFormat.shortened(slot.name))\": no rule hears it, no step "
                    + "remembers it.",
                fix: "write hears: \"… {\(slot.name)} …\" in a rule, or remember: "
                    + "{ \(slot.name): \"…\" } in a step"
            )
        }
    }

    /// Reports comparisons of a slot with a value that none of its entity types contains.
    private mutating func findNeverEqual() {
        for (slot, text, value) in map.compared {
            guard let fillers = map.fillers[slot], !fillers.contains("") else { continue }
            let initial = script.memory.first { $0.name == slot }?.initial
            let words = kinds.filter { fillers.contains($0.name) }.flatMap { $0.values.map(\.name) }
            guard text != initial, !words.contains(text) else { continue }
            if fillers.contains(SourceMap.numbers) {
                guard fillers.count == 1, Double(text) == nil else { continue }
                warn(
                    .unreachable, at: place(of: value),
                    "\"\(slot)\" is never \"\(MessageFormat.shortened(text))\": it is a number.",
                    fix: "write \(Self.comparison(meantBy: text))")
                continue
            }
            let meant = NearestName.suggestion(for: text, among: words)
            let help = meant.map { " Did you mean \"\($0)\"?" } ?? ""
            warn(
                .unreachable, at: place(of: value),
                "\"\(slot)\" is never \"\(MessageFormat.shortened(text))\": it is one of "
                    + MessageFormat.alternatives(
                        words.prefix(12).map { "\"\(MessageFormat.shortened($0))\"" }) + "." + help,
                replacement: replacement(of: text, at: value.start, by: meant))
        }
    }

    /// Returns the condition on a number that `text` means, such as `{ atLeast: 6 }` for `more than 5`.
    private static func comparison(meantBy text: String) -> String {
        let parts = text.lowercased().split { !$0.isLetter && !$0.isNumber && !"<>=+".contains($0) }
        let digits = text.split { !$0.isASCII || !$0.isNumber }
        guard digits.count == 1, let number = Int(digits[0]), number < Int(Int32.max) else {
            return "a number, { atLeast: 6 } or { atMost: 5 }"
        }
        let line = parts.joined(separator: " ")
        func says(_ words: String...) -> Bool { words.contains { line.holds($0) } }
        if says("at least", ">=", "or more", "+", "minimum") { return "{ atLeast: \(number) }" }
        if says("at most", "no more", "<=", "or less", "or fewer", "up to", "maximum") {
            return "{ atMost: \(number) }"
        }
        if says("more", "over", "above", ">", "greater") { return "{ atLeast: \(number + 1) }" }
        if says("less", "fewer", "under", "below", "<") { return "{ atMost: \(number - 1) }" }
        return "\(number), { atLeast: \(number) } or { atMost: \(number) }"
    }

    private mutating func findUntyped() {
        for (name, offset) in map.untyped {
            warn(
                .missingKind, at: document.place(at: offset),
                "{\(name)} takes any words as they stand; {\(name):\(name)} takes those of the kind \"\(name)\".",
                replacement: replacement(of: name, at: offset, by: "\(name):\(name)"))
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
                "The talk never comes to the stage \"\(MessageFormat.shortened(stage.name))\": no \"then\" "
                    + "leads there."
            )
        }
    }

    /// Reports stages that no rule leaves.
    private mutating func findDeadEnds() {
        guard script.stages.count > 1,
            !(script.anywhere + script.otherwise).contains(where: { leads($0, from: nil) })
        else { return }
        for (number, stage) in script.stages.enumerated()
        where !stage.rules.contains(where: { leads($0, from: number) }) {
            warn(
                .deadEndStage, at: map.stages[number],
                "Nothing leads out of the stage \"\(MessageFormat.shortened(stage.name))\": no rule there goes on, "
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

    /// Reports examples with user lines only, because they cannot fail.
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
                "No step asks for the handoff \"\(MessageFormat.shortened(handoff.name))\".")
        }
    }

    /// Reports rules for answers to questions that no step asks.
    mutating func checkHeardQuestions() {
        let isWhole = !findings.contains { $0.severity == .error }
        for (name, offset) in map.heardQuestions where !map.questions.contains(name) {
            guard tellsErrors else { return }
            let help = didYouMean(name, among: map.questions.sorted())
            guard isWhole || help != nil else { continue }
            report(
                .unknownAsk, at: offset,
                "Nobody asks \"\(MessageFormat.shortened(name))\"." + (help.map { " " + $0 } ?? ""))
        }
    }

    /// Reports misspelt names such as `args.…` and `answer.…`.
    mutating func findMisspeltGiven() {
        let owners = Set(names.tools.keys).union(map.questions)
        map.answers.formUnion(["text", "status", "approved"])
        // Each look-up compares many names, so the results are cached.
        var near: [String: String?] = [:]
        for (name, offset) in map.given {
            if near[name] == nil, near.count < FixtureLimits.findings {
                near[name] = .some(meant(by: name, owners))
            }
            guard let help = near[name] ?? nil else { continue }
            warn(
                .unknownSlot, at: document.place(at: offset),
                "Nothing here is called \"\(MessageFormat.shortened(name))\". \(help)")
        }
    }

    /// Returns the correction for a misspelt name; nil if there is none.
    private func meant(by name: String, _ owners: Set<String>) -> String? {
        guard let dot = name.firstIndex(of: ".") else { return nil }
        let (family, rest) = (String(name[...dot]), String(name[name.index(after: dot)...]))
        let known: Set<String>
        switch family {
        case "args.": known = map.arguments
        case "message.": known = Set(DeclaredNames.ofMessages)
        case "tools.": known = Set(names.tools.keys)
        case "answer.": known = map.answers.union(answers(of: owners, for: rest))
        default: return nil
        }
        return known.contains(rest) ? nil : didYouMean(name, among: known.sorted().map { family + $0 })
    }

    /// Returns candidates for `rest`, the part of a name after `answer.`, such as `pick.text`.
    private func answers(of owners: Set<String>, for rest: String) -> Set<String> {
        guard let dot = rest.firstIndex(of: ".") else { return [] }
        let whose = owners.filter { rest.hasPrefix($0 + ".") }
        if whose.isEmpty { return Set(owners.map { $0 + rest[dot...] }) }
        return Set(whose.flatMap { owner in map.answers.map { owner + "." + $0 } })
    }

    mutating func silence() {
        guard !document.lintComments.isEmpty else { return }
        var allowed: [Int: Set<FindingCode>] = [:]
        /// Codes from lint comments on their own line. They apply to the next line of the fixture.
        var pending: (line: Int, codes: Set<FindingCode>)?
        for comment in document.lintComments {
            let place = document.place(at: comment.start)
            let codes = codes(comment, at: place)
            if !comment.isAlone {
                allowed[place.line, default: []].formUnion(codes)
                continue
            }
            let inherited = pending?.line == place.line ? pending?.codes ?? [] : []
            pending = (place.line + 1, codes.union(inherited))
            allowed[place.line + 1, default: []].formUnion(codes.union(inherited))
        }
        findings.removeAll { finding in
            finding.severity == .warning && allowed[finding.place.line]?.contains(finding.code) == true
        }
    }

    private mutating func codes(_ comment: JSON5LintComment, at place: SourcePlace) -> Set<FindingCode> {
        let instruction = comment.text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)[
            0]
        let words = instruction.split(separator: " ")
        guard words.first == "allow", words.count > 1 else {
            warn(
                .unknownName, at: place,
                "A comment for the linter looks like \"// lint: allow shadowed, the reason\".")
            return []
        }
        var codes: Set<FindingCode> = []
        for word in words.dropFirst() {
            if let code = FindingCode(rawValue: String(word)) {
                codes.insert(code)
                continue
            }
            if let now = FormerNames.findings[String(word)] {
                warn(
                    .unknownName, at: place, FormerNames.sentence(String(word), now),
                    fix: Self.formerFix(String(word), now),
                    replacement: replacement(ofFormer: String(word), now, in: comment))
                continue
            }
            let help =
                didYouMean(String(word), among: FindingCode.allCases.map(\.rawValue)).map { " " + $0 } ?? ""
            warn(
                .unknownName, at: place,
                "No check is called \"\(MessageFormat.shortened(String(word)))\".\(help)")
        }
        return codes
    }
}
