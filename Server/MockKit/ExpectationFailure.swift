/// A check that does not hold, described for people. Test libraries show it at ``site``.
public struct ExpectationFailure: Error, Sendable, CustomStringConvertible {
    /// The expectation, the observed events, and how to see the failure again.
    public let text: String
    /// The place of the check in the test.
    public let site: CallSite
    /// The line of the fixture that caused the failure, also named in ``text``; nil if unknown.
    public let place: CallSite?

    /// The text.
    public var description: String { text }
}

/// An error of a mock that cannot go on.
public struct MockError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problem, and what to do about it.
    public let description: String

    init(_ description: String) { self.description = description }
}
