/// Receiver of the SDK's log, called from any thread. The log has no tokens, message texts or full session ids, unless
/// ``Configuration/logsSecrets`` is set.
///
/// ```swift
/// struct AppLogger: PolyLogger {
///     func debug(_ message: String, metadata: [String: any Sendable]?) {}
///     func info(_ message: String, metadata: [String: any Sendable]?) {}
///     func warn(_ message: String, metadata: [String: any Sendable]?) { print("warning:", message) }
///     func error(_ message: String, metadata: [String: any Sendable]?) { print("error:", message) }
/// }
/// PolyMessaging.initialize(config, logger: AppLogger())
/// ```
public protocol PolyLogger: Sendable {
    /// Logs a message of level ``LogLevel/debug``.
    func debug(_ message: String, metadata: [String: any Sendable]?)
    /// Logs a message of level ``LogLevel/info``.
    func info(_ message: String, metadata: [String: any Sendable]?)
    /// Logs a message of level ``LogLevel/warn``.
    func warn(_ message: String, metadata: [String: any Sendable]?)
    /// Logs a message of level ``LogLevel/error``.
    func error(_ message: String, metadata: [String: any Sendable]?)
}

extension PolyLogger {
    /// Logs a message of level ``LogLevel/debug`` without metadata.
    public func debug(_ message: String) { debug(message, metadata: nil) }
    /// Logs a message of level ``LogLevel/info`` without metadata.
    public func info(_ message: String) { info(message, metadata: nil) }
    /// Logs a message of level ``LogLevel/warn`` without metadata.
    public func warn(_ message: String) { warn(message, metadata: nil) }
    /// Logs a message of level ``LogLevel/error`` without metadata.
    public func error(_ message: String) { error(message, metadata: nil) }

    package func log(_ level: LogLevel, _ message: String, metadata: [String: any Sendable]? = nil) {
        switch level {
        case .none: break
        case .error: error(message, metadata: metadata)
        case .warn: warn(message, metadata: metadata)
        case .info: info(message, metadata: metadata)
        case .debug: debug(message, metadata: metadata)
        }
    }
}
