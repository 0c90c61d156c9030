package import Patterns

/// Matcher of a rule, from its `hears` (fixtures/README.md#what-is-heard).
package indirect enum Hears: Equatable, Sendable {
    case anything
    /// The folded message contains the phrase as whole words.
    case phrase(Phrase)
    case exactly(Phrase)
    case any([Hears])
    case all([Hears])
    case none([Hears])
    case pattern(RegularExpression)

    /// Whether the matcher accepts any message.
    package var isAnything: Bool {
        switch self {
        case .anything: true
        case .phrase(let phrase): phrase.compiled.isAnything
        default: false
        }
    }

    package var phrases: [Phrase] {
        switch self {
        case .phrase(let phrase), .exactly(let phrase): [phrase]
        case .any(let parts), .all(let parts): parts.flatMap(\.phrases)
        case .anything, .none, .pattern: []
        }
    }

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

    /// Returns the values of placeholders or groups; nil if the message does not match.
    package func match(_ heard: PreparedMessage) -> Captures? {
        var cost = MatchCost()
        return match(heard, cost: &cost)
    }

    /// Matches with a budget. If it runs out, returns nil and sets ``MatchCost/isExhausted``.
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

extension RegularExpression {
    /// Compiles a pattern for the folded message, punctuation included.
    package init(hears source: String) throws(PatternError) {
        guard !source.isEmpty else {
            throw PatternError("is empty", at: 0, fix: "write the text \"*\" in its place to hear anything")
        }
        try self.init(source, .hears)
    }

    /// Returns the values of named groups; nil if the message does not match.
    func match(_ heard: PreparedMessage, cost: inout MatchCost) -> Captures? {
        let places = places(in: heard.scalars, cost: &cost) { heard.originalScalar(at: $0) }
        guard let places else { return nil }
        var captures = Captures()
        for (index, name) in groupNames.enumerated() {
            let (start, end) = (Int(places[index * 2]), Int(places[index * 2 + 1]))
            if start >= 0, end >= start { captures[name] = heard.original(start..<end) }
        }
        return captures
    }
}

extension MatchCost {
    package init() { self.init(budget: MatchingLimits.matchSteps) }
}

package struct Captures: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    package struct Entry: Equatable, Sendable {
        package var name: String
        package var value: String
    }

    package private(set) var entries: [Entry] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    package var isEmpty: Bool { entries.isEmpty }

    package subscript(name: String) -> String? {
        get { entries.first { $0.name == name }?.value }
        set {
            if let index = entries.firstIndex(where: { $0.name == name }) {
                if let newValue { entries[index].value = newValue } else { entries.remove(at: index) }
            } else if let newValue {
                entries.append(Entry(name: name, value: newValue))
            }
        }
    }

    mutating func merge(_ other: Captures) {
        for entry in other.entries { self[entry.name] = entry.value }
    }
}
