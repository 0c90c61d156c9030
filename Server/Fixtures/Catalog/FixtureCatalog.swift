import Texts

/// The fixtures a server can choose from, by name.
package struct FixtureCatalog: Sendable {
    /// In the order they were added; the shell adds the files of a folder and the embedded ones.
    package private(set) var fixtures: [CompiledFixture] = []
    private var numbers: [String: Int] = [:]

    package init(_ fixtures: [CompiledFixture] = []) {
        for fixture in fixtures { _ = add(fixture) }
    }

    package var names: [String] { fixtures.map(\.name) }

    /// Takes a fixture in, in place of one of the same name.
    ///
    /// A fixture with errors never replaces a good one (TS-11); it is kept when there is none, so that a
    /// look-up
    /// can say what is wrong with it.
    /// - Returns: false when the good one stayed.
    package mutating func add(_ fixture: CompiledFixture) -> Bool {
        guard let number = numbers[fixture.name] else {
            numbers[fixture.name] = fixtures.count
            fixtures.append(fixture)
            return true
        }
        guard fixture.script != nil || fixtures[number].script == nil else { return false }
        fixtures[number] = fixture
        return true
    }

    package func find(_ name: String) throws(UnknownFixture) -> CompiledFixture {
        guard let number = numbers[name] else {
            throw UnknownFixture(name: name, among: names)
        }
        return fixtures[number]
    }
}

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
