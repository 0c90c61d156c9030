import Foundation
import MockServer
import PolyMessaging
import Testing

/// Swift of the page on testing that runs as it stands there.
@MainActor
@Suite("The page on testing", .timeLimit(.minutes(5)))
struct ServerDocSnippets {
    @Test("The test of the page passes")
    func inOneProcess() async throws {
        var dependencies = Dependencies.standard(logger: Quiet())
        dependencies.store = MemorySessionStore()
        try await PolyMessaging.$taskDependencies.withValue(dependencies) { try await Self.page() }
    }

    private static func page() async throws {
        let server = try await MockServer.start()
        let rest = try #require(URL(string: server.url + "/api/v1"))
        let socket = try #require(URL(string: server.webSocketURL))
        let chat = PolyMessaging.start(
            .init(
                connectorToken: "mock:webchat@seed=7@pace=instant",
                environment: .custom(restBaseURL: rest, wsBaseURL: socket), hostIdentifier: "com.example.app")
        )

        try await chat.send("count to 3")
        for await _ in chat.changes where chat.lastAgentMessage?.text == "one two three" { break }
        #expect(chat.userMessages.map(\.delivery) == [.sent])

        await chat.client.shutdown()
        await server.stop()
    }

    private struct Quiet: PolyLogger {
        func debug(_ message: String, metadata: [String: any Sendable]?) {}
        func info(_ message: String, metadata: [String: any Sendable]?) {}
        func warn(_ message: String, metadata: [String: any Sendable]?) {}
        func error(_ message: String, metadata: [String: any Sendable]?) {}
    }
}
