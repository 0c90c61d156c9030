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
        return "unknown fixture \"\(name)\": there are \(Words.conjunction(known.map { "\"\($0)\"" }))"
    }
}
