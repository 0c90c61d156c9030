/// Words and gaps to listen for, folded once when the fixture is loaded.
package struct Phrase: Equatable, Sendable {
    package let source: String

    package init(_ source: String) {
        self.source = source
    }
}
