/// Verbosity of the SDK's logger. A level includes the ones before it.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Nothing at all.
    case none = 0
    /// Permanent failures.
    case error
    /// Repaired failures, and likely mistakes.
    case warn
    /// The course of a session: connections, sessions, frame types.
    case info
    /// Every decision of the SDK.
    case debug

    /// Orders levels by how much they let through.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
