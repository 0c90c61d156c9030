import SocketTransport

package struct ConsoleLogger: PolyLogger {
    package init() {}

    package func debug(_ message: String, metadata: [String: any Sendable]?) {
        write("debug", message, metadata)
    }

    package func info(_ message: String, metadata: [String: any Sendable]?) {
        write("info", message, metadata)
    }

    package func warn(_ message: String, metadata: [String: any Sendable]?) {
        write("warn", message, metadata)
    }

    package func error(_ message: String, metadata: [String: any Sendable]?) {
        write("error", message, metadata)
    }

    private func write(_ level: String, _ message: String, _ metadata: [String: any Sendable]?) {
        _ = Files.write(Array((Self.line(level, message, metadata) + "\n").utf8), to: .standardError)
    }

    /// Returns `PolyMessaging info: message (key: value)`, with metadata sorted by key.
    package static func line(
        _ level: String, _ message: String, _ metadata: [String: any Sendable]?
    ) -> String {
        let facts = (metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let tail = facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
        return "PolyMessaging \(level): \(message)\(tail)"
    }
}
