import Patterns

/// Scorer that compares a message with rules that did not answer it.
struct NearMissScorer {
    private let heard: PreparedMessage
    private let words: [String]
    private let memory: [String: String]

    private let budget = Budget()

    /// Step budget for all rules.
    private final class Budget {
        var steps = MatchingLimits.nearMissSteps
    }

    private struct Finding {
        var score: Double
        var reason: NearMiss.Reason
    }

    init(_ heard: PreparedMessage, memory: [String: String]) {
        self.heard = heard
        self.memory = memory
        words = heard.atoms.indices.prefix(MatchingLimits.nearMissTokens).map(heard.word)
    }

    func miss(_ candidate: NearMiss.Candidate) -> NearMiss {
        var obstacle = candidate.obstacle
        var finding: Finding
        if let captures = match(candidate.hears) {
            if let failed = failedCondition(candidate.conditions, captures) { obstacle = .condition(failed) }
            // A rule of another stage is more likely the expected one than a rule with a failed condition.
            finding = Finding(score: 0.75, reason: .blocked(captures, obstacle))
            if case .condition = obstacle { finding.score = 0.55 }
            if case .anything = candidate.hears { finding.score = 0.1 }
        } else {
            finding = inspect(candidate.hears)
            if case .stage = candidate.obstacle { finding.score *= 0.85 }
        }
        return NearMiss(
            name: candidate.name, place: candidate.place, hearsPlace: candidate.hearsPlace,
            section: candidate.section, obstacle: candidate.obstacle, reason: finding.reason,
            score: Int(finding.score * 1000))
    }

    private func match(_ hears: Hears) -> Captures? {
        guard budget.steps > 0 else { return nil }
        var cost = MatchCost(budget: min(budget.steps, MatchingLimits.matchSteps))
        defer { budget.steps -= cost.steps }
        return hears.match(heard, cost: &cost)
    }

    private func inspect(_ hears: Hears) -> Finding {
        let nothing = Finding(score: 0, reason: .nothingInCommon)
        switch hears {
        case .anything: return nothing
        case .phrase(let phrase): return inspect(phrase, isWhole: false)
        case .exactly(let phrase): return inspect(phrase, isWhole: true)
        case .pattern(let pattern): return inspect(pattern)
        case .none: return Finding(score: 0.2, reason: .unwanted)
        case .any(let choices): return choices.map(inspect).max { $0.score < $1.score } ?? nothing
        case .all(let parts): return inspect(all: parts)
        }
    }

    private func inspect(all parts: [Hears]) -> Finding {
        var present: [String] = []
        var missing: [String] = []
        var sum = 0.0
        var best: Finding?
        for part in parts {
            if match(part) != nil {
                sum += 1
                present.append(label(part))
                continue
            }
            let finding = inspect(part)
            sum += finding.score
            missing.append(label(part))
            if finding.score > best?.score ?? 0.4 { best = finding }
        }
        let score = parts.isEmpty ? 0 : sum / Double(parts.count)
        if let best { return Finding(score: score, reason: best.reason) }
        if present.isEmpty { return Finding(score: 0, reason: .nothingInCommon) }
        return Finding(score: score, reason: .part(present: present, missing: missing))
    }

    private func label(_ hears: Hears) -> String {
        switch hears {
        case .anything: "anything"
        case .phrase(let phrase), .exactly(let phrase): "\"\(phrase.source)\""
        case .pattern(let pattern): "/\(pattern.source)/"
        case .any(let choices): choices.first.map(label) ?? "nothing"
        case .all(let parts): parts.map(label).joined(separator: " and ")
        case .none(let parts): "none of " + parts.map(label).joined(separator: ", ")
        }
    }

    // MARK: Phrases

    private func inspect(_ phrase: Phrase, isWhole: Bool) -> Finding {
        var present: [String] = []
        var missing: [String] = []
        var total = 0.0
        var reached = 0.0
        var hasRealWord = false
        var closest: (likeness: WordLikeness, word: String, heard: String)?
        for word in phrase.literalWords {
            let text = Folding.text(of: word.letters)
            let weight = CommonWords.contains(text) ? 1.0 : 4.0
            total += weight
            let (likeness, index) = closestWord(to: text)
            reached += weight * likeness.degree
            if likeness == .same {
                present.append("\"\(text)\"")
                hasRealWord = hasRealWord || weight > 1
            } else {
                missing.append("\"\(text)\"")
                if likeness.degree > closest?.likeness.degree ?? 0 {
                    closest = (likeness, text, words[index])
                }
            }
        }
        for slot in phrase.slots where slot.own != nil || slot.kind != .words && slot.kind != .word {
            total += 3
            if let value = value(of: slot, for: phrase) {
                reached += 3
                present.append("{\(slot.name)} = \(value)")
                hasRealWord = true
            } else {
                missing.append("{\(slot.name):\(slot.own?.name ?? slot.kind.rawValue)}")
            }
        }
        let score = total == 0 ? 0 : reached / total
        if let closest, closest.likeness != .none {
            return Finding(
                score: score, reason: closest.likeness.reason(word: closest.word, heard: closest.heard))
        }
        if present.isEmpty { return Finding(score: 0, reason: .nothingInCommon) }
        if !missing.isEmpty {
            let part = NearMiss.Reason.part(present: present, missing: missing)
            return Finding(score: hasRealWord ? score * 0.9 : score * 0.3, reason: part)
        }
        if isWhole, match(.phrase(phrase)) != nil {
            // Fewer other words give a higher score.
            let share = Double(phrase.elements.count) / Double(max(heard.atoms.count, 1))
            return Finding(score: 0.65 + 0.2 * min(share, 1), reason: .notAlone(phrase.source))
        }
        return Finding(score: 0.85, reason: .scattered(present))
    }

    private func inspect(_ pattern: RegularExpression) -> Finding {
        var best = Finding(score: 0, reason: .nothingInCommon)
        for text in WordLikeness.words(ofPattern: pattern.source) {
            let (likeness, index) = closestWord(to: text)
            guard likeness.degree * 0.9 > best.score else { continue }
            // If the message has this word of the pattern, another part of the pattern does not match.
            let reason =
                likeness == .same
                ? NearMiss.Reason.part(present: ["\"\(text)\""], missing: ["/\(pattern.source)/"])
                : likeness.reason(word: text, heard: words[index])
            best = Finding(score: likeness.degree * 0.9, reason: reason)
        }
        return best
    }

    private func closestWord(to text: String) -> (WordLikeness, Int) {
        var best = (WordLikeness.none, 0)
        for (index, word) in words.enumerated() {
            let likeness = WordLikeness(text, word)
            if likeness.degree > best.0.degree { best = (likeness, index) }
            if likeness == .same { break }
        }
        return best
    }

    private func value(of slot: Phrase.Slot, for phrase: Phrase) -> String? {
        for index in words.indices where heard.startsWord(index) {
            let readings =
                slot.own?.readings(at: index, in: heard)
                ?? phrase.compiled.words.readings(slot.kind, at: index, in: heard, bareTime: true)
            if let reading = readings.first { return reading.value }
        }
        return nil
    }

    // MARK: Conditions

    /// Returns the first failed condition as text; nil if there is none. Conditions on the time of day are not tested.
    private func failedCondition(_ conditions: [Condition], _ captures: Captures) -> String? {
        for condition in conditions {
            if case .isWithin = condition.test { continue }
            guard let value = captures[condition.slot] ?? memory[condition.slot] else {
                switch condition.test {
                case .differs, .isKnown(false): continue
                default: return "{\(condition.slot)} is not known"
                }
            }
            switch condition.test {
            case .equals(let wanted):
                if Folding.fold(wanted) != Folding.fold(value) {
                    return "{\(condition.slot)} is not \"\(wanted)\""
                }
            case .differs(let other):
                if Folding.fold(other) == Folding.fold(value) { return "{\(condition.slot)} is \"\(other)\"" }
            case .atLeast(let bound):
                if (Double(value) ?? -.infinity) < bound {
                    return "{\(condition.slot)} is below \(plain(bound))"
                }
            case .atMost(let bound):
                if (Double(value) ?? .infinity) > bound {
                    return "{\(condition.slot)} is above \(plain(bound))"
                }
            case .isWithin: continue
            case .isKnown(let wanted): if !wanted { return "{\(condition.slot)} is known" }
            }
        }
        return nil
    }

    private func plain(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? String(number) }
}

/// Common words, which count less than others.
private enum CommonWords {
    private static let words = Set(
        """
        a an the to of for i my me we us is are it in on at and or do you can please what with be this that \
        der die das ein eine ich wir ist und zu mit fur le la les un une de du je et est a pour il lo i \
        gli di e \
        per con el los una y que en por da o bir ve
        """.split(separator: " ").map(String.init))

    static func contains(_ word: String) -> Bool { words.contains(word) }
}
