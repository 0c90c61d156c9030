import Clocks
import SocketTransport

/// Receiver of the SDK's log lines. No line contains a token, a message text, a name or a URL query.
///
/// ```swift
/// final class AppLogger: SDKLoggerProtocol {
///     func logVerbose(_ message: @autoclosure () -> String) {}
///     func logInfo(_ message: @autoclosure () -> String) {}
///     func logDebug(_ message: @autoclosure () -> String) {}
///     func logFault(_ message: @autoclosure () -> String) { print("fault:", message()) }
///     func logError(_ message: @autoclosure () -> String) { print("error:", message()) }
/// }
/// SDKLogger.configureLogger(AppLogger())
/// ```
public protocol SDKLoggerProtocol {
    /// Logs a detail of the lowest level.
    func logVerbose(_ message: @autoclosure () -> String)
    /// Logs an event.
    func logInfo(_ message: @autoclosure () -> String)
    /// Logs a step for debugging.
    func logDebug(_ message: @autoclosure () -> String)
    /// Logs a fault: a state that must not occur.
    func logFault(_ message: @autoclosure () -> String)
    /// Logs a failure.
    func logError(_ message: @autoclosure () -> String)
}

/// The logger of the process. The built-in logger writes to standard error while ``isLoggingEnabled`` is true. An app's
/// logger receives every line, in order.
public class SDKLogger: SDKLoggerProtocol {
    private struct State {
        var isEnabled = false
        var logger: (any SDKLoggerProtocol)?
    }

    private static let state = Locked(State())

    /// Makes a logger that writes to standard error, like the built-in logger.
    public init() {}

    /// Switches the built-in logger on or off. Default: false.
    public static var isLoggingEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { state.withLock { $0.isEnabled = newValue } }
    }

    /// Replaces the built-in logger with `logger`, which must not be used elsewhere and must not call the SDK.
    public static func configureLogger(_ logger: sending any SDKLoggerProtocol) {
        let boxed = UncheckedBox(logger)
        state.withLock { $0.logger = boxed.value }
    }

    /// Logs a detail of the lowest level.
    public func logVerbose(_ message: @autoclosure () -> String) { Self.write("verbose", message()) }
    /// Logs an event.
    public func logInfo(_ message: @autoclosure () -> String) { Self.write("info", message()) }
    /// Logs a step for debugging.
    public func logDebug(_ message: @autoclosure () -> String) { Self.write("debug", message()) }
    /// Logs a fault: a state that must not occur.
    public func logFault(_ message: @autoclosure () -> String) { Self.write("fault", message()) }
    /// Logs a failure.
    public func logError(_ message: @autoclosure () -> String) { Self.write("error", message()) }

    static func log(_ level: ChatCore.LogLevel, _ text: String) {
        state.withLock { state in
            guard let logger = state.logger else {
                if state.isEnabled { write("\(level)", text) }
                return
            }
            switch level {
            case .debug: logger.logDebug(text)
            case .info: logger.logInfo(text)
            case .error: logger.logError(text)
            }
        }
    }

    private static func write(_ level: String, _ text: String) {
        _ = Files.write(Array("ConnectChat \(level): \(text)\n".utf8), to: .standardError)
    }
}
