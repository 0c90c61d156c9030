import MockServer
import Testing

/// Lengths of time in a file that imports the server alone.
@Suite("Lengths of time in the settings of a server")
struct ServerLengthTests {
    @Test("Settings are written in units, and compared")
    func settings() async throws {
        var configuration = Configuration()
        configuration.tokens.life = .hours(1)
        configuration.sessions.idle = .minutes(2)
        configuration.connections.handshakeDelay = .milliseconds(1)
        configuration.connections.maxAge = .seconds(90.5)
        configuration.replies.echoDelay = .zero
        #expect(configuration.sessions.idle * 30 == configuration.tokens.life)
        let server = try await MockServer.start(configuration)
        await server.stop()
    }
}
