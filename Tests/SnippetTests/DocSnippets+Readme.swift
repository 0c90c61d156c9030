import Foundation
import PolyMessaging
import Testing

/// The client example of the README, word for word.
extension DocSnippets {
    // swift-format-ignore
    static func readme() async throws {
        let base = "127.0.0.1:8787"
        let chat = PolyMessaging.chat(Configuration(
            connectorToken: "demo",
            environment: .custom(
                restBaseURL: URL(string: "http://\(base)/api/v1")!, wsBaseURL: URL(string: "ws://\(base)/ws")!),
            hostIdentifier: "com.example.app"))          // else the bundle identifier, or the program's name
        try await chat.send("Hello")
        for await _ in chat.changes where chat.agentMessages.count > 1 { break }    // a greeting, then the answer
        print(chat.agentMessages.map(\.text))
    }
}
