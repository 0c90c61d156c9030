import Texts

/// No fixture has that name.
package struct UnknownFixture: Error, Equatable, Sendable, CustomStringConvertible {
    package var name: String
    package var suggestion: String?
    package var known: [String]

    package init(name: String, among known: [String]) {
        self.name = name
        self.known = known
        suggestion = NearestName.suggestion(for: name, among: known)
    }

    package var description: String {
        let name = Words.shortened(name)
        if let suggestion { return "unknown fixture \"\(name)\": did you mean \"\(suggestion)\"?" }
        if known.isEmpty { return "unknown fixture \"\(name)\": there are no fixtures here" }
        var names = known.prefix(Self.mostNames).map { "\"\($0)\"" }
        if known.count > names.count { names.append("\(known.count - names.count) more") }
        return "unknown fixture \"\(name)\": there are \(Words.conjunction(names))"
    }

    /// As many as a reader looks through.
    private static let mostNames = 30
}
