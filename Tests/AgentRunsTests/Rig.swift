import AgentRuns
import Clocks
import Foundation
import HTTPClient
import TestSupport
import Testing

/// An agent whose server says what a test tells it to, on a clock that the test turns.
struct Rig {
    let clock = VirtualClock()
    let server: CannedServer
    let agent: AGUIAgent
    let center: AgentRunCenter

    /// `answers`: to one request after the other; the last one again and again.
    init(
        _ answers: CannedServer.Reply..., profile: AGUIConfiguration.Profile = .v0, retainedRuns: Int = 50,
        change: (inout AGUIConfiguration) -> Void = { _ in }
    ) async throws {
        let left = Locked(answers)
        server = try await CannedServer { _ in
            left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .silence }
        }
        let url = try #require(URL(string: server.url + "/ag-ui/desk?x=1"))
        var configuration = AGUIConfiguration(url: url)
        configuration.profile = profile
        configuration.headers["Authorization"] = "Bearer t"
        change(&configuration)
        let client = HTTPClient(
            label: "test.agent", clock: clock, seed: 1, unsentBytes: AgentNetwork.unsentBytes)
        center = AgentRunCenter(retainedRuns: retainedRuns)
        agent = AGUIAgent(
            configuration: configuration, center: center,
            network: AgentNetwork(clock: clock, web: client, seed: 1))
    }

    func stop() async { await server.stop() }

    var input: RunAgentInput {
        RunAgentInput(
            threadID: "t", runID: "r", messages: [.text(id: "u", role: .user, content: "Hi", name: nil)])
    }

    /// The bodies of all requests so far.
    func bodies() throws -> [RunAgentInput] {
        try server.requests.all.map { try RunAgentInput(decoding: Data($0.body)) }
    }
}

extension CannedServer.Reply {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

    /// A stream of these lines, one event each.
    static func stream(_ events: [String], ends: Bool = true) -> Self {
        .pieces(([head] + events.map { "data: \($0)\n\n" }).map { Array($0.utf8) }, ends: ends)
    }

    /// A stream of this text.
    static func text(_ text: String, head: String = head, ends: Bool = true) -> Self {
        .pieces([Array((head + text).utf8)], ends: ends)
    }

    /// The stream of an example.
    static func example(_ name: String) throws -> Self {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Data/ag-ui")
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).first {
                $0.hasPrefix(name) && $0.hasSuffix(".jsonl")
            })
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        return .stream(text.split(separator: "\n").map(String.init))
    }
}
