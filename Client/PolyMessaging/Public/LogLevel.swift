/// Verbosity of the SDK's log. Each level includes the messages of all levels before it.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Logs nothing.
    case none = 0
    /// Permanent failures.
    case error
    /// Recovered failures, and likely mistakes.
    case warn
    /// The main steps of a session: connections, sessions and types of frames.
    case info
    /// Every decision of the SDK.
    case debug

    /// Orders levels by verbosity.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
