import SocketTransport

/// The format and destination of the server's log. Secrets in lines are masked.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.log = .text { line in print(line) }
/// ```
public enum Log: Sendable {
    /// No log.
    case quiet
    /// Plain lines for people. The function must return quickly, because the server waits for it.
    case text(@Sendable (String) -> Void)
    /// One JSON object per line. The function must return quickly, because the server waits for it.
    case json(@Sendable (String) -> Void)

    /// Plain lines to standard error. Lines are lost while its reader stalls.
    public static var standardError: Log {
        let writer = LineWriter(.standardError)
        return .text { writer.write($0) }
    }

    /// JSON lines to standard output. Lines are lost while its reader stalls.
    public static var standardOutput: Log {
        let writer = LineWriter(.standardOutput)
        return .json { writer.write($0) }
    }
}
