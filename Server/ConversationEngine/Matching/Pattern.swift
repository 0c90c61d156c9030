/// A regular expression whose matching time is bounded for every pattern and every message.
package struct Pattern: Equatable, Sendable {
    package let source: String

    package init(_ source: String) {
        self.source = source
    }
}
