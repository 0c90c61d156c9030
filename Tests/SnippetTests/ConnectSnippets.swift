import ConnectChat
import Foundation
import MockServer
import Testing

/// The Swift of the page on Amazon Connect chat, word for word; `DocPagesTests` compares.
@MainActor
@Suite("The page on Amazon Connect chat", .timeLimit(.minutes(5)))
struct ConnectSnippets {
    private typealias MockClient = AWSClient

    /// For the published SDK, which is not here: ours has its names.
    // swift-format-ignore
    private static func published(_ token: String) {
        let config = GlobalConfig(
            region: .USEast1, disableCsm: true,             // no metrics to the real service
            customAWSClient: MockClient())                  // a subclass of AWSClient: POST http://127.0.0.1:8787/participant/…
        ChatSession.shared.configure(config: config)
        ChatSession.shared.connect(chatDetails: ChatDetails(participantToken: token)) { print($0) }
    }

    // swift-format-ignore
    private static func page(_ server: String, _ token: String) async throws {
        let chat = ChatSession.shared
        chat.configure(config: GlobalConfig(endpoint: URL(string: server)))         // "http://127.0.0.1:8787"
        chat.onMessageReceived = { print($0) }
        try await chat.connect(chatDetails: ChatDetails(participantToken: token))   // of StartChatContact
        try await chat.sendMessage(contentType: .plainText, message: "a table, please")
    }

    @Test("The lines of the page talk to a server")
    func page() async throws {
        let server = try await MockServer.start()
        let endpoint = try #require(URL(string: server.url))
        let start = ContactStart(endpoint: endpoint, flow: "mock:booking@pace=instant")
        let details = try await start(over: Dependencies.standard.http)
        try await Self.page(server.url, details.participantToken)
        #expect(ChatSession.shared.isChatSessionActive())
        let session = try #require(ChatSession.shared as? ChatSession)
        for await snapshot in session.transcripts
        where snapshot.rows.contains(where: { $0.text.contains("For how many") }) {
            #expect(snapshot.rows.contains { $0.text == "a table, please" && $0.direction == .Outgoing })
            break
        }
        ChatSession.shared.onMessageReceived = nil
        ChatSession.shared.reset()
        ChatSession.shared.configure(config: GlobalConfig())
        await server.stop()
    }
}
