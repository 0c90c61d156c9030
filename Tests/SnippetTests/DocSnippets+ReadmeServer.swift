import MockServer
import Testing

/// The server in the README, word for word, executed.
@Suite("The server of the README")
struct ReadmeServerSnippet {
    // swift-format-ignore
    @Test("It starts and stops")
    func server() async throws {
        let server = try await MockServer.start()          // then server.url + "/api/v1" and server.webSocketURL
        #expect(server.url.hasPrefix("http://127.0.0.1:"))
        await server.stop()
    }
}
