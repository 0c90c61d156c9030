/// The error of a failed expectation. Test libraries show it at ``site``.
public struct ExpectationFailure: Error, Sendable, CustomStringConvertible {
    /// The expectation, the observed events, and a command that reproduces the failure.
    public let text: String
    /// The place of the expectation in the test.
    public let site: CallSite
    /// The line of the fixture that probably caused the failure; nil if unknown. ``text`` contains it too.
    public let place: CallSite?

    /// The same as ``text``.
    public var description: String { text }
}

/// An error of the test kit, such as an invalid name or a chat that cannot connect.
public struct MockError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problem and its remedy.
    public let description: String

    init(_ description: String) { self.description = description }
}
