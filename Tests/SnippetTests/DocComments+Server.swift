import MockServer
import Testing

/// The examples in the doc comments of the server, word for word, executed.
@Suite("The examples of the server's doc comments", .timeLimit(.minutes(5)))
struct ServerDocComments {
    // swift-format-ignore
    @Test("A server starts and stops")
    func start() async throws {
        let server = try await MockServer.start()      // port 0: any free one
        // point the SDK at server.url + "/api/v1" and server.webSocketURL
        await server.stop()
        #expect(server.port != 0)
    }

    @Test("A configuration is changed and given to a server")
    func configuration() async throws {
        var configuration = Configuration()
        configuration.fixture = "booking"
        configuration.tokens.life = .hours(1)
        configuration.limits.sessions = 100
        let server = try await MockServer.start(configuration)
        #expect(server.configuration.fixture == "booking")
        await server.stop()
    }

    @Test("A log goes where the program wants it")
    func log() {
        var configuration = Configuration()
        configuration.log = .text { line in print(line) }
        if case .text = configuration.log {} else { Issue.record("\(configuration.log)") }
    }

    // swift-format-ignore
    @Test("A file of settings that cannot be read is told")
    func error() {
        var configuration = Configuration()
        do {
            try configuration.apply(file: "settings.json5")
        } catch {
            print(error)     // settings.json5:2:3: error: There is no setting "prot" here. Did you mean "port"?
        }
        #expect(configuration.port == 0)
    }
}
