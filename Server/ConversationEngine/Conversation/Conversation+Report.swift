import Clocks
package import Matching

extension Conversation {
    /// Creates the report about an unmatched message, from the current slot values.
    package func report(on unmatched: UnmatchedMessage) -> UnmatchedReport {
        let handoff = unmatched.handoff.map { script.handoffs[$0] }
        let beginning = String(unmatched.text.prefix(MatchingLimits.reportCharacters))
        let misses: [NearMiss]
        if let file = unmatched.file {
            let rules = places(unmatched.handoff, unmatched.stage) { self.miss(of: file, $0, $1, $2) }
            misses = NearMiss.nearest(rules)
        } else {
            let candidates =
                unmatched.handoff.map { rules(ofHandoff: $0) } ?? rules(around: unmatched.stage)
            misses = NearMiss.nearest(to: PreparedMessage(beginning), among: candidates, memory: memory)
        }
        var report = UnmatchedReport(
            message: beginning, stage: unmatched.stage, handoff: handoff?.name,
            session: String(id.prefix(8)),
            number: unmatched.number, file: script.file, misses: misses,
            memory: script.memory.map { .init(slot: $0.name, value: memory[$0.name]) })
        if let substitute = unmatched.substitute {
            report.said = substitute.text.map {
                fill($0, message: unmatched.text, at: lastInput, limit: EngineLimits.filledBytes)
            }
            report.saidBy = origin(of: substitute)
        }
        return report
    }

    /// Returns why the rule with the name or line number `rule` does not match `text`; nil for an unknown rule.
    package func miss(of rule: String, hearing text: String) -> NearMiss? {
        let asked = listening.first { $0.name == rule } ?? listening.first { "\($0.place.line)" == rule }
        let beginning = String(text.prefix(MatchingLimits.reportCharacters))
        return asked.flatMap {
            NearMiss.nearest(to: PreparedMessage(beginning), among: [$0], memory: memory).first
        }
    }

    /// Names of the rules that may match now, followed by the names of the rules of other stages.
    package var listeningNames: [String] { listening.map(\.name) }

    private var listening: [NearMiss.Candidate] {
        if case .liveAgent(let present) = responder { return rules(ofHandoff: present.handoff) }
        return rules(around: stageName)
    }

    /// Formats a fallback rule, such as `otherwise 1, used 1 of 2, booking.json5:96`.
    private func origin(of substitute: UnmatchedMessage.Substitute) -> String {
        var words = substitute.name
        if let limit = substitute.limit { words += ", used \(substitute.uses) of \(limit)" }
        if substitute.place.line > 0 { words += ", \(script.file):\(substitute.place.line)" }
        return words
    }

    private func rules(around name: String) -> [NearMiss.Candidate] {
        places(nil, name) { candidate($0, $1, $2) }
    }

    private func rules(ofHandoff index: Int) -> [NearMiss.Candidate] {
        places(index, "") { candidate($0, $1, $2) }
    }

    /// Converts the rules of a handoff, or those of all stages and `anywhere`. The last argument of `made` is the name
    /// of the rule's stage; nil for rules of the stage `name` and for rules without a stage.
    private func places<Made>(
        _ handoff: Int?, _ name: String, _ made: (Rule, Origin, String?) -> Made?
    ) -> [Made] {
        var here: [Made] = []
        var elsewhere: [Made] = []
        if let handoff {
            here = script.handoffs[handoff].rules.enumerated().compactMap {
                made($1, .handoffRule(handoff, $0), nil)
            }
        } else {
            for (number, stage) in script.stages.enumerated() {
                let isHere = stage.name == name
                for (index, rule) in stage.rules.enumerated() {
                    guard let one = made(rule, .stage(number, index), isHere ? nil : stage.name) else {
                        continue
                    }
                    if isHere { here.append(one) } else { elsewhere.append(one) }
                }
            }
            here += script.anywhere.enumerated().compactMap { made($1, .anywhere($0), nil) }
        }
        return Array((here + elsewhere).prefix(MatchingLimits.nearMissRules))
    }

    /// Returns why a rule for files did not answer; nil for other rules.
    private func miss(
        of file: UserFile, _ rule: Rule, _ origin: Origin, _ otherStage: String?
    ) -> NearMiss? {
        guard case .file(let type)? = rule.answers else { return nil }
        return NearMiss(
            name: rule.name ?? name(of: origin), place: rule.place, hearsPlace: rule.hearsPlace,
            section: script.section(of: origin), obstacle: obstacle(rule, origin, otherStage),
            fileType: type, given: file.type, matches: file.matches(type))
    }

    private func candidate(_ rule: Rule, _ origin: Origin, _ otherStage: String?) -> NearMiss.Candidate? {
        guard let hears = rule.hears else { return nil }
        return NearMiss.Candidate(
            name: rule.name ?? name(of: origin), place: rule.place, hears: hears, hearsPlace: rule.hearsPlace,
            obstacle: obstacle(rule, origin, otherStage), conditions: rule.conditions,
            section: script.section(of: origin))
    }

    private func obstacle(_ rule: Rule, _ origin: Origin, _ otherStage: String?) -> NearMiss.Obstacle {
        var obstacle = NearMiss.Obstacle.none
        if let otherStage {
            obstacle = .stage(otherStage)
        } else if let limit = rule.limit, uses.rule(origin) >= limit {
            obstacle = .limit(limit)
        }
        for case .isWithin(let hours) in rule.conditions.map(\.test) where obstacle == .none {
            let time = localTime(at: lastInput)
            if !hours.contains(time) {
                obstacle = .condition("{now} is \(time.text), not \(hours.description)")
            }
        }
        return obstacle
    }
}
