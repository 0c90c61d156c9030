/// An identifier in the AG-UI protocol: opaque text.
public protocol RunIdentifier: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral
where RawValue == String, StringLiteralType == String {
    /// - Parameter rawValue: the identifier's text in the protocol.
    init(rawValue: String)
}

extension RunIdentifier {
    /// - Parameter value: the identifier's text in the protocol.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

/// Identifier of a thread: one conversation with an agent, with any number of runs.
public struct ThreadID: RunIdentifier {
    /// The identifier's text in the protocol.
    public let rawValue: String

    /// - Parameter rawValue: the identifier's text in the protocol.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Identifier of a run: the agent's work on one request.
public struct RunID: RunIdentifier {
    /// The identifier's text in the protocol.
    public let rawValue: String

    /// - Parameter rawValue: the identifier's text in the protocol.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Identifier of a message of a thread.
public struct MessageID: RunIdentifier {
    /// The identifier's text in the protocol.
    public let rawValue: String

    /// - Parameter rawValue: the identifier's text in the protocol.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Identifier of a tool call.
public struct ToolCallID: RunIdentifier {
    /// The identifier's text in the protocol.
    public let rawValue: String

    /// - Parameter rawValue: the identifier's text in the protocol.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Identifier of an interrupt: a question that the user must answer before the thread continues.
public struct InterruptID: RunIdentifier {
    /// The identifier's text in the protocol.
    public let rawValue: String

    /// - Parameter rawValue: the identifier's text in the protocol.
    public init(rawValue: String) { self.rawValue = rawValue }
}
