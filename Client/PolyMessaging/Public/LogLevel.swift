/// Verbosity of the SDK's log. Each level includes the messages of all levels before it.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Logs nothing.
    case none = 0
    /// Permanent failures.
    case error
    /// Recovered failures, and likely mistakes.
    case warn
    /// The main steps of a session, such as the end of a connection.
    case info
    /// Details for debugging. This version logs none.
    case debug

    /// Orders levels by verbosity.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
