import SocketTransport

/// The destination of the server's log lines. Lines never contain a token.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.log = .text { line in print(line) }
/// ```
public enum Log: Sendable {
    /// No log.
    case quiet
    /// Plain lines for people. Called on the server's loop: keep it short.
    case text(@Sendable (String) -> Void)
    /// One JSON object per line. Called on the server's loop: keep it short.
    case json(@Sendable (String) -> Void)

    /// Plain lines to standard error. A reader that stalls loses lines but does not block the server.
    public static var standardError: Log {
        let writer = LineWriter(.standardError)
        return .text { writer.write($0) }
    }

    /// JSON lines to standard output. A reader that stalls loses lines but does not block the server.
    public static var standardOutput: Log {
        let writer = LineWriter(.standardOutput)
        return .json { writer.write($0) }
    }
}
