import Clocks
import ConnectChat
import TestSupport
import Testing

/// The logger of the process while tests run: each line of any session has to be one of those that are known, with nothing
/// in it that could be a secret, a text or a name.
final class LogGuard: SDKLoggerProtocol, Sendable {
    /// The lines so far.
    static let lines = Gathering<String>()
    private static let installed: Void = SDKLogger.configureLogger(LogGuard())

    static func install() { installed }

    /// A line begins so; what follows is a number, or why a request failed.
    private static let beginnings = [
        "CreateParticipantConnection failed: ", "The connection could not be made: ",
        "The address of the WebSocket cannot be used: ",
        "A frame of ",
        "The service takes no receipts while more than two participants are in the chat.",
        "The first page of the transcript failed.", "The transcript could not be read on.",
        "More was missed than is read at once; the next catch-up goes on.",
        "An interactive message has an unknown form.", "Guarded line ",
        "Connecting.", "Attempt ", "Connected.", "Connected again.", "The connection was lost",
        "The service missed a heartbeat.", "The chat has ended.", "A message was sent.",
        "A message was not sent: ", "An upload of ", "An upload is complete.", "An upload failed: ",
    ]
    /// In tokens, queries, texts, names of files and of people of these tests, and in JSON.
    private static let signs = [
        "secret", "?", "=", "{", "\"", "AuthToken", "Somebody", "private", "Hello", ".txt", "Grace",
    ]

    /// What must not be in a line; nil when it is fine.
    static func problem(of line: String) -> String? {
        guard let beginning = beginnings.first(where: { line.hasPrefix($0) }) else {
            return "an unknown line: \(line)"
        }
        let rest = line.dropFirst(beginning.count)
        return signs.first { rest.contains($0) }.map { "\($0) in: \(line)" }
    }

    /// A line within a line would show here.
    private let isInside = Locked(false)

    private func take(_ line: String) {
        let isFirst = isInside.withLock { isInside in
            defer { isInside = true }
            return !isInside
        }
        if !isFirst { Issue.record("two lines at a time") }
        if let problem = Self.problem(of: line) { Issue.record("\(problem)") }
        Self.lines.append(line)
        isInside.withLock { $0 = false }
    }

    func logVerbose(_ message: @autoclosure () -> String) { take(message()) }
    func logInfo(_ message: @autoclosure () -> String) { take(message()) }
    func logDebug(_ message: @autoclosure () -> String) { take(message()) }
    func logFault(_ message: @autoclosure () -> String) { take(message()) }
    func logError(_ message: @autoclosure () -> String) { take(message()) }
}
