package import Matching

/// Use count of a rule.
package struct RuleUse: Hashable, Sendable {
    /// The file of the fixture, or its name when it has none.
    package var file: String
    package var place: SourcePlace
    /// The rule's own name, or the one it goes by in notes, such as `start 2`.
    package var name: String
    package var count: Int

    package init(file: String, place: SourcePlace, name: String, count: Int = 0) {
        self.file = file
        self.place = place
        self.name = name
        self.count = count
    }

    /// A copy with another count.
    func used(_ count: Int) -> RuleUse {
        RuleUse(file: file, place: place, name: name, count: count)
    }
}

extension Script {
    /// A rule, the name it goes by, and where it listens: `stage start`, `anywhere`, `otherwise`, `handoff desk`.
    package typealias ListedRule = (rule: Rule, name: String, section: String)

    /// Every rule, with a count of 0, in the order of ``listedRules``.
    package var rules: [RuleUse] {
        listedRules.map { RuleUse(file: fileOrName, place: $0.rule.place, name: $0.name) }
    }

    /// Every rule: stages, anywhere, otherwise, handoffs.
    package var listedRules: [ListedRule] {
        var all: [ListedRule] = []
        func add(_ rules: [Rule], _ origin: (Int) -> Origin) {
            for (index, rule) in rules.enumerated() {
                let origin = origin(index)
                all.append((rule, rule.name ?? name(of: origin), section(of: origin)))
            }
        }
        for (number, stage) in stages.enumerated() { add(stage.rules) { .stage(number, $0) } }
        add(anywhere) { .anywhere($0) }
        add(otherwise) { .otherwise($0) }
        for (number, handoff) in handoffs.enumerated() {
            add(handoff.rules) { .handoffRule(number, $0) }
            add(handoff.otherwise) { .handoffOtherwise(number, $0) }
        }
        return all
    }

    /// A name for a rule that has none.
    func name(of origin: Origin) -> String {
        switch origin {
        case .greeting: "greeting"
        case .stage(let stage, let rule): "\(stages[stage].name) \(rule + 1)"
        case .anywhere(let rule): "anywhere \(rule + 1)"
        case .otherwise(let rule): "otherwise \(rule + 1)"
        case .opening(let handoff): "\(handoffs[handoff].name) opening"
        case .handoffRule(let handoff, let rule): "\(handoffs[handoff].name) \(rule + 1)"
        case .handoffOtherwise(let handoff, let rule): "\(handoffs[handoff].name) otherwise \(rule + 1)"
        case .improvised: "improvisation"
        }
    }

    /// Scope of a rule.
    func section(of origin: Origin) -> String {
        switch origin {
        case .stage(let stage, _): "stage \(stages[stage].name)"
        case .anywhere: "anywhere"
        case .otherwise: "otherwise"
        case .handoffRule(let handoff, _), .handoffOtherwise(let handoff, _), .opening(let handoff):
            "handoff \(handoffs[handoff].name)"
        case .greeting, .improvised: ""
        }
    }

    /// A script without a file is listed by its name.
    private var fileOrName: String { file.isEmpty ? name : file }

    /// The rule at `origin`; nil for what is no rule.
    func rule(at origin: Origin) -> Rule? {
        switch origin {
        case .stage(let stage, let rule): stages[stage].rules[rule]
        case .anywhere(let rule): anywhere[rule]
        case .otherwise(let rule): otherwise[rule]
        case .handoffRule(let handoff, let rule): handoffs[handoff].rules[rule]
        case .handoffOtherwise(let handoff, let rule): handoffs[handoff].otherwise[rule]
        case .greeting, .opening, .improvised: nil
        }
    }

    private func use(of rule: Rule, _ origin: Origin) -> RuleUse {
        RuleUse(file: fileOrName, place: rule.place, name: rule.name ?? name(of: origin))
    }

    /// The rule at `origin` with a count of 0; nil for what is no rule.
    func use(at origin: Origin) -> RuleUse? {
        rule(at: origin).map { use(of: $0, origin) }
    }
}

extension Conversation {
    /// The rules that have answered in this session.
    package var ruleUses: [RuleUse] {
        var counts: [RuleUse: Int] = [:]
        countUses(into: &counts)
        return script.rules.compactMap { rule in counts[rule].map { rule.used($0) } }
    }

    /// Adds this session's uses; the keys have a count of 0.
    func countUses(into counts: inout [RuleUse: Int]) {
        for (origin, count) in uses.ofRules {
            guard let rule = script.use(at: origin) else { continue }
            if counts[rule] != nil || counts.count < EngineLimits.countedRules {
                counts[rule, default: 0] += count
            }
        }
    }
}
