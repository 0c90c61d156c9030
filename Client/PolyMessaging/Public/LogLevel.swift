/// Verbosity of the SDK's logger. A level includes the ones before it.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Nothing.
    case none = 0
    /// Permanent failures.
    case error
    /// Recovered failures, and likely mistakes.
    case warn
    /// The course of a session: connections, sessions, frame types.
    case info
    /// Every decision of the SDK.
    case debug

    /// Orders levels by verbosity.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
