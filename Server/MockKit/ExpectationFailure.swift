/// A check that does not hold, in words for a person. Test libraries show it at ``site``.
public struct ExpectationFailure: Error, Sendable, CustomStringConvertible {
    /// What was expected, what was seen, and how to see it again.
    public let text: String
    /// Where the test asks.
    public let site: CallSite
    /// The line of the fixture that is the cause, where one is known; ``text`` names it, too.
    public let place: CallSite?

    /// The text.
    public var description: String { text }
}

/// Why a mock cannot go on.
public struct MockError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened, and what to do about it.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
