/// A check that does not hold, in words for a person.
public struct ExpectationFailure: Error, Sendable, CustomStringConvertible {
    /// What was expected, what was seen, and how to see it again.
    public let text: String
    /// Where the test asks.
    public let site: CallSite
    /// The line of the fixture that is the cause, where one is known.
    public let place: CallSite?

    /// The text, and where the test asks when the failure is shown somewhere else.
    public var description: String {
        place == nil ? text : text + "\nAsked at \(site.fileName):\(site.line)"
    }
}

/// Why a mock cannot go on.
public struct MockError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened, and what to do about it.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
