package import Patterns

extension RegularExpression {
    /// For `hears` of a fixture. It reads the message with case and accents folded and punctuation kept, so
    /// `clos(e|ing)` is found in "Closing!". Named groups give the original spelling.
    package init(hears source: String) throws(PatternError) {
        guard !source.isEmpty else {
            throw PatternError("is empty", at: 0, fix: "write the text \"*\" in its place to hear anything")
        }
        try self.init(source, .hears)
    }

    /// Captures of the named groups; nil when the pattern is not in the message.
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
    /// For one rule and one message.
    package init() { self.init(budget: MatchingLimits.matchSteps) }
}
