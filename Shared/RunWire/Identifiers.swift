/// Names a thread: one talk with an agent, over any number of runs. Opaque; not empty.
public struct ThreadID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The text as it stands on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the text as it stands on the wire.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// - Parameter value: the text as it stands on the wire.
    public init(stringLiteral value: String) {
        rawValue = value
    }
}

/// Names a run: what happens between a user's message and the moment the agent is done with it. Opaque; not empty.
public struct RunID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The text as it stands on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the text as it stands on the wire.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// - Parameter value: the text as it stands on the wire.
    public init(stringLiteral value: String) {
        rawValue = value
    }
}

/// Names a message of a thread. Opaque; not empty.
public struct MessageID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The text as it stands on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the text as it stands on the wire.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// - Parameter value: the text as it stands on the wire.
    public init(stringLiteral value: String) {
        rawValue = value
    }
}

/// Names a call of a tool. Opaque; not empty.
public struct ToolCallID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The text as it stands on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the text as it stands on the wire.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// - Parameter value: the text as it stands on the wire.
    public init(stringLiteral value: String) {
        rawValue = value
    }
}

/// Names a question that a person has to answer before a thread goes on. Opaque; not empty.
public struct InterruptID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The text as it stands on the wire.
    public let rawValue: String

    /// - Parameter rawValue: the text as it stands on the wire.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// - Parameter value: the text as it stands on the wire.
    public init(stringLiteral value: String) {
        rawValue = value
    }
}
