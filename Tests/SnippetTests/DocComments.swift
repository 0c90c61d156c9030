import Foundation
import PolyMessaging

/// The examples in the doc comments of the SDK, word for word; `DocPagesTests` compares. Nothing here runs.
@MainActor
enum DocComments {
    // swift-format-ignore
    static func entry() async throws {
        let config = Configuration(connectorToken: "your connector token", environment: .production)
        PolyMessaging.initialize(config)
        if PolyMessaging.hasResumableSession() { print("Welcome back") }
        let chat = PolyMessaging.chat()      // resumes the stored session, or begins one
        try await chat.send("Hello")
    }

    static func session() async throws {
        let session = PolyMessaging.chat()
        try await session.send("A table for two")
        for await _ in session.changes {
            print(session.messages.compactMap(\.text))
            if session.hasEnded { break }
        }
    }

    // swift-format-ignore
    static func client() async throws {
        let client = try PolyMessaging.configure(Configuration(apiKey: "your connector token"))
        let events = client.events           // before the first call: nothing is replayed
        try await client.send("Hello")
        for await case .agentMessage(_, let reply) in events { print(reply.text) }
    }

    static func extensions() async throws {
        var config = Configuration(apiKey: "your connector token")
        config.extensions = [.changes, .files]
        let client = try PolyMessaging.configure(config)
        for await case .agentMessage(_, let reply) in client.events {
            try await client.react("👍", to: reply.messageId)
        }
    }

    // swift-format-ignore
    static func configuration() {
        var config = Configuration(connectorToken: "your connector token", environment: .uk)
        config.streamingEnabled = false      // whole replies
        config.logLevel = .debug
        let chat = PolyMessaging.start(config)
        print(chat.messages)
    }

    // swift-format-ignore
    static func environment() {
        let mock = Environment.custom(
            restBaseURL: URL(string: "http://127.0.0.1:8787/api/v1")!,
            wsBaseURL: URL(string: "ws://127.0.0.1:8787/ws")!)
        let config = Configuration(connectorToken: "mock:webchat", environment: mock)
        print(config)
    }

    static func connection(_ client: PolyMessagingClient) async {
        let connection = client.getConnection()
        await connection.send(.userTyping(.started))
        for await frame in connection.rawFrames { print(String(decoding: frame, as: UTF8.self)) }
    }

    static func logger(_ config: Configuration) {
        struct AppLogger: PolyLogger {
            func debug(_ message: String, metadata: [String: any Sendable]?) {}
            func info(_ message: String, metadata: [String: any Sendable]?) {}
            func warn(_ message: String, metadata: [String: any Sendable]?) { print("warning:", message) }
            func error(_ message: String, metadata: [String: any Sendable]?) { print("error:", message) }
        }
        PolyMessaging.initialize(config, logger: AppLogger())
    }

    static func error(_ session: ChatSession, _ draft: String) async throws {
        do {
            try await session.send(draft)
        } catch let error as PolyError where error.isSessionExpired {
            try await session.client.startNewSession()
        } catch let error as PolyError where error.isRetryable {
            print("try again: \(error)")
        }
    }

    static func events(_ client: PolyMessagingClient) async {
        for await event in client.events {
            switch event {
            case .agentMessage(_, let reply): print(reply.text)
            case .sessionEnd: return
            default: break
            }
        }
    }

    static func row(_ message: ChatMessage) {
        switch message {
        case .user(let mine): print("me:", mine.text)
        case .agent(let theirs): print(theirs.agentName ?? "agent", theirs.text)
        case .system(let note): print(note.event)
        }
    }

    // swift-format-ignore
    static func settings() {
        let settings = DevSettings()         // what is stored wins over the configuration
        settings.environmentKind = .uk
        let chat = PolyMessaging.start(settings.buildConfiguration())
        settings.recordSessionApplied()
        print(chat.messages)
    }

    static func configured() async throws {
        let client = try PolyMessaging.configure(Configuration(apiKey: "your connector token"))
        for await event in client.events { print(event.debugSummary) }
    }

    static func custom(_ connection: any Connection) async throws {
        try await connection.sendRaw(Data(#"{"type":"EVENT_TYPE_CUSTOM"}"#.utf8))
    }

    // swift-format-ignore
    static func shown(_ config: Configuration) throws {
        let session = ChatSession(client: try PolyMessaging.configure(config))   // rows grow unless config says no
        print(session.messages)
    }
}
