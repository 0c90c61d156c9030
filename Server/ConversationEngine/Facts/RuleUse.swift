package import Matching

package struct RuleUse: Hashable, Sendable {
    package var file: String
    package var place: SourcePlace
    /// Name of the rule, or a generated name such as `start 2`.
    package var name: String
    package var count: Int

    package init(file: String, place: SourcePlace, name: String, count: Int = 0) {
        self.file = file
        self.place = place
        self.name = name
        self.count = count
    }

    func used(_ count: Int) -> RuleUse { RuleUse(file: file, place: place, name: name, count: count) }
}

extension Script {
    /// Rule with its name and section: `stage start`, `anywhere`, `otherwise` or `handoff desk`.
    package typealias ListedRule = (rule: Rule, name: String, section: String)

    package var rules: [RuleUse] {
        listedRules.map { RuleUse(file: fileOrName, place: $0.rule.place, name: $0.name) }
    }

    /// All rules: of stages, `anywhere`, `otherwise` and handoffs, in this order.
    package var listedRules: [ListedRule] {
        origins.compactMap { origin in
            self[origin].map { ($0, $0.name ?? name(of: origin), section(of: origin)) }
        }
    }

    /// The positions of all rules, in the order of ``listedRules``.
    package var origins: [Origin] {
        var origins: [Origin] = []
        for (number, stage) in stages.enumerated() {
            origins += stage.rules.indices.map { .stage(number, $0) }
        }
        origins += anywhere.indices.map { .anywhere($0) }
        origins += otherwise.indices.map { .otherwise($0) }
        for (number, handoff) in handoffs.enumerated() {
            origins += handoff.rules.indices.map { .handoffRule(number, $0) }
            origins += handoff.otherwise.indices.map { .handoffOtherwise(number, $0) }
        }
        return origins
    }

    package var allRules: [Rule] { origins.compactMap { self[$0] } }

    package func without(_ origin: Origin) -> Script {
        var script = self
        switch origin {
        case .stage(let stage, let rule): script.stages[stage].rules.remove(at: rule)
        case .anywhere(let rule): script.anywhere.remove(at: rule)
        case .otherwise(let rule): script.otherwise.remove(at: rule)
        case .handoffRule(let handoff, let rule): script.handoffs[handoff].rules.remove(at: rule)
        case .handoffOtherwise(let handoff, let rule): script.handoffs[handoff].otherwise.remove(at: rule)
        case .greeting, .opening, .overridden: break
        }
        return script
    }

    package func name(of origin: Origin) -> String {
        switch origin {
        case .greeting: "greeting"
        case .stage(let stage, let rule): "\(stages[stage].name) \(rule + 1)"
        case .anywhere(let rule): "anywhere \(rule + 1)"
        case .otherwise(let rule): "otherwise \(rule + 1)"
        case .opening(let handoff): "\(handoffs[handoff].name) opening"
        case .handoffRule(let handoff, let rule): "\(handoffs[handoff].name) \(rule + 1)"
        case .handoffOtherwise(let handoff, let rule): "\(handoffs[handoff].name) otherwise \(rule + 1)"
        case .overridden: "override"
        }
    }

    func section(of origin: Origin) -> String {
        switch origin {
        case .stage(let stage, _): "stage \(stages[stage].name)"
        case .anywhere: "anywhere"
        case .otherwise: "otherwise"
        case .handoffRule(let handoff, _), .handoffOtherwise(let handoff, _), .opening(let handoff):
            "handoff \(handoffs[handoff].name)"
        case .greeting, .overridden: ""
        }
    }

    private var fileOrName: String { file.isEmpty ? name : file }

    package subscript(origin: Origin) -> Rule? {
        switch origin {
        case .stage(let stage, let rule): stages[stage].rules[rule]
        case .anywhere(let rule): anywhere[rule]
        case .otherwise(let rule): otherwise[rule]
        case .handoffRule(let handoff, let rule): handoffs[handoff].rules[rule]
        case .handoffOtherwise(let handoff, let rule): handoffs[handoff].otherwise[rule]
        case .greeting, .opening, .overridden: nil
        }
    }

    private func use(of rule: Rule, _ origin: Origin) -> RuleUse {
        RuleUse(file: fileOrName, place: rule.place, name: rule.name ?? name(of: origin))
    }

    func use(at origin: Origin) -> RuleUse? { self[origin].map { use(of: $0, origin) } }
}

extension Conversation {
    package var ruleUses: [RuleUse] {
        var counts: [RuleUse: Int] = [:]
        countUses(into: &counts)
        return script.rules.compactMap { rule in counts[rule].map { rule.used($0) } }
    }

    /// Adds the session's rule uses to `counts`. The count inside each key stays 0.
    func countUses(into counts: inout [RuleUse: Int]) {
        for (origin, count) in uses.ofRules {
            guard let rule = script.use(at: origin) else { continue }
            if counts[rule] != nil || counts.count < EngineLimits.countedRules {
                counts[rule, default: 0] += count
            }
        }
    }
}
