package import Patterns

/// Matcher of a rule: its `hears` block (fixtures/README.md#what-is-heard).
package indirect enum Hears: Equatable, Sendable {
    case anything
    /// The message contains this phrase: whole words, folded; `{slot:kind}` fills memory.
    case phrase(Phrase)
    /// The whole message is this phrase.
    case exactly(Phrase)
    case any([Hears])
    case all([Hears])
    /// None of them matches.
    case none([Hears])
    case pattern(RegularExpression)

    /// Heard whatever is said, without looking at it.
    package var isAnything: Bool {
        switch self {
        case .anything: true
        case .phrase(let phrase): phrase.compiled.isAnything
        default: false
        }
    }

    /// The phrases with what holds them together: `"book" or "table"`.
    package var words: String { words(isInside: false) }

    private func words(isInside: Bool) -> String {
        func joined(_ parts: [Hears], _ word: String) -> String {
            guard parts.count > 1 else { return parts.first?.words(isInside: isInside) ?? "nothing" }
            let text = parts.map { $0.words(isInside: true) }.joined(separator: " \(word) ")
            return isInside ? "(\(text))" : text
        }
        return switch self {
        case .anything: "anything"
        case .phrase(let phrase): "\"\(phrase.source)\""
        case .exactly(let phrase): "exactly \"\(phrase.source)\""
        case .pattern(let pattern): "/\(pattern.source)/"
        case .any(let choices): joined(choices, "or")
        case .all(let parts): joined(parts, "and")
        case .none(let unwanted): "not \(Hears.any(unwanted).words(isInside: true))"
        }
    }

    /// The captures; nil when the rule does not match the message.
    package func match(_ heard: PreparedMessage) -> Captures? {
        var cost = MatchCost()
        return match(heard, cost: &cost)
    }

    /// The same, telling what it cost. When `cost` runs out the message counts as not heard; ask
    /// ``MatchCost/isExhausted`` and report it.
    package func match(_ heard: PreparedMessage, cost: inout MatchCost) -> Captures? {
        guard let captures = search(heard, cost: &cost), !cost.isExhausted else { return nil }
        return captures
    }

    private func search(_ heard: PreparedMessage, cost: inout MatchCost) -> Captures? {
        switch self {
        case .anything: return Captures()
        case .phrase(let phrase): return phrase.match(heard, isWhole: false, cost: &cost)
        case .exactly(let phrase): return phrase.match(heard, isWhole: true, cost: &cost)
        case .pattern(let pattern): return pattern.match(heard, cost: &cost)
        case .any(let choices):
            for choice in choices {
                if let captures = choice.search(heard, cost: &cost) { return captures }
            }
            return nil
        case .all(let parts):
            var captures = Captures()
            for part in parts {
                guard let found = part.search(heard, cost: &cost) else { return nil }
                captures.merge(found)
            }
            return captures
        case .none(let unwanted):
            for hears in unwanted where hears.search(heard, cost: &cost) != nil { return nil }
            return Captures()
        }
    }
}
