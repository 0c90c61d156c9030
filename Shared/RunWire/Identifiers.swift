/// A name of something in a thread. Opaque; not empty.
public protocol RunIdentifier: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral
where RawValue == String, StringLiteralType == String {
    /// - Parameter rawValue: the text as it stands on the wire.
    init(rawValue: String)
}

extension RunIdentifier {
    /// - Parameter value: the text as it stands on the wire.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

/// Names a thread: one talk with an agent, over any number of runs.
public struct ThreadID: RunIdentifier {
    /// The text as it stands on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the text as it stands on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names a run: the agent's work from a user's message to its completion.
public struct RunID: RunIdentifier {
    /// The text as it stands on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the text as it stands on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names a message of a thread.
public struct MessageID: RunIdentifier {
    /// The text as it stands on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the text as it stands on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names a call of a tool.
public struct ToolCallID: RunIdentifier {
    /// The text as it stands on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the text as it stands on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names a question that a person has to answer before a thread goes on.
public struct InterruptID: RunIdentifier {
    /// The text as it stands on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the text as it stands on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
}
