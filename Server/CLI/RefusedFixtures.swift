import ControlClient
import Texts

/// Refused versions of fixtures on a running server, for their author in `polymock chat`.
enum RefusedFixtures {
    /// Returns a line for each refused version. Asks only a server on this machine, because another may not be a mock.
    static func lines(url: String, token: String?) -> AsyncStream<String> {
        let (stream, sink) = AsyncStream.makeStream(of: String.self)
        let task = Task {
            defer { sink.finish() }
            guard isLocal(url), let client = try? ControlClient(url: url, token: token) else { return }
            for await item in client.feed(after: nil, filter: nil, topic: "fixtures") {
                guard case .message(let message) = item, let line = line(message["fixture"]) else { continue }
                sink.yield(line)
            }
        }
        sink.onTermination = { _ in task.cancel() }
        return stream
    }

    static func isLocal(_ url: String) -> Bool {
        let rest = url.split(separator: "/").first { !$0.hasSuffix(":") } ?? ""
        return ["127.", "localhost", "[::1]"].contains { rest.hasPrefix($0) }
    }

    private static func line(_ news: JSONValue?) -> String? {
        guard let news, news["what"]?.string == "refused", let name = news["name"]?.string else { return nil }
        let version =
            news["hasGoodVersion"]?.bool == true
            ? "the previous version stays in force" : "it cannot be played"
        let finding = news["findings"]?.array?.first?.string.map { ": " + $0 } ?? ""
        return "fixture \"\(name)\" was saved with errors, so \(version)\(finding)"
    }
}
