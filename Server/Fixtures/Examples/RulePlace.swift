import ConversationEngine

/// Where a rule stands in a script.
enum RulePlace: Equatable {
    case stage(Int, Int)
    case anywhere(Int)
    case otherwise(Int)
    case handoffRule(Int, Int)
    case handoffOtherwise(Int, Int)

    static func all(of script: Script) -> [RulePlace] {
        var places: [RulePlace] = []
        for (number, stage) in script.stages.enumerated() {
            places += stage.rules.indices.map { .stage(number, $0) }
        }
        places += script.anywhere.indices.map { .anywhere($0) }
        places += script.otherwise.indices.map { .otherwise($0) }
        for (number, handoff) in script.handoffs.enumerated() {
            places += handoff.rules.indices.map { .handoffRule(number, $0) }
            places += handoff.otherwise.indices.map { .handoffOtherwise(number, $0) }
        }
        return places
    }

    /// What a rule without a name is called.
    func name(in script: Script) -> String {
        switch self {
        case .stage(let stage, let rule): "\(script.stages[stage].name) \(rule + 1)"
        case .anywhere(let rule): "anywhere \(rule + 1)"
        case .otherwise(let rule): "otherwise \(rule + 1)"
        case .handoffRule(let handoff, let rule): "\(script.handoffs[handoff].name) \(rule + 1)"
        case .handoffOtherwise(let handoff, let rule):
            "\(script.handoffs[handoff].name) otherwise \(rule + 1)"
        }
    }
}

extension Script {
    subscript(place: RulePlace) -> Rule {
        switch place {
        case .stage(let stage, let rule): stages[stage].rules[rule]
        case .anywhere(let rule): anywhere[rule]
        case .otherwise(let rule): otherwise[rule]
        case .handoffRule(let handoff, let rule): handoffs[handoff].rules[rule]
        case .handoffOtherwise(let handoff, let rule): handoffs[handoff].otherwise[rule]
        }
    }

    func without(_ place: RulePlace) -> Script {
        var script = self
        switch place {
        case .stage(let stage, let rule): script.stages[stage].rules.remove(at: rule)
        case .anywhere(let rule): script.anywhere.remove(at: rule)
        case .otherwise(let rule): script.otherwise.remove(at: rule)
        case .handoffRule(let handoff, let rule): script.handoffs[handoff].rules.remove(at: rule)
        case .handoffOtherwise(let handoff, let rule): script.handoffs[handoff].otherwise.remove(at: rule)
        }
        return script
    }
}
