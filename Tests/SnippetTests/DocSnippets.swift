import Foundation
import PolyMessaging
import Testing

#if canImport(SwiftUI)
    import SwiftUI
#endif

/// The Swift of the SDK's pages, word for word; `DocPagesTests` compares. Nothing here runs but what is a test.
@MainActor
enum DocSnippets {
    // swift-format-ignore
    static func fiveLines() async throws {
        let chat = PolyMessaging.chat(Configuration(connectorToken: "your connector token", environment: .production))
        try await chat.send("Hello")
        for await _ in chat.changes where chat.agentMessages.count > 1 { break }    // a greeting, then the answer
        for message in chat.agentMessages { print(message.text) }
        await chat.client.shutdown()
    }

    static func initialize() {
        PolyMessaging.initialize(
            Configuration(connectorToken: "your connector token", environment: .production))
    }

    static func errors(_ session: ChatSession, _ draft: String) async throws -> String {
        var notice = ""
        do {
            try await session.send(draft)
        } catch let error as PolyError {
            switch error {
            case .session(.sessionEnded), .session(.sessionExpired):
                try await session.client.startNewSession()
            case .message(.payloadTooLarge(let maxBytes)):
                notice = "Please say it in fewer than \(maxBytes) bytes."
            default: notice = error.localizedDescription
            }
        }
        return notice
    }

    // swift-format-ignore
    static func resuming() async throws {
        var notice = ""
        if PolyMessaging.hasResumableSession() { notice = "Welcome back" }
        let session = PolyMessaging.chat()      // resumes, or begins
        let fresh = PolyMessaging.start()       // always begins
        try await session.client.resume()       // connects again after a failure, with the same session and rows
        print(notice, fresh.messages)
    }

    static func withoutCombine(_ session: ChatSession, redraw: ([ChatMessage]) -> Void) async {
        for await _ in session.changes { redraw(session.messages) }
    }

    static func belowTheRows(_ config: Configuration) async throws {
        let client = try PolyMessaging.configure(config)
        for await event in client.events {
            switch event {
            case .agentMessage(_, let reply): print(reply.text)
            case .disconnected(let error?): print(error)
            default: break
            }
        }
    }

    // swift-format-ignore: NeverForceUnwrap
    static func mockEnvironment() -> Configuration {
        let environment = Environment.custom(
            restBaseURL: URL(string: "http://127.0.0.1:8787/api/v1")!,
            wsBaseURL: URL(string: "ws://127.0.0.1:8787/ws")!)
        let config = Configuration(
            connectorToken: "anything", environment: environment, hostIdentifier: "com.example.app")
        return config
    }

    static func launchArguments(_ config: inout Configuration) {
        let defaults = UserDefaults.standard
        if let address = defaults.string(forKey: "mockServer"),
            let rest = URL(string: "http://\(address)/api/v1"), let socket = URL(string: "ws://\(address)/ws")
        {
            config.environment = .custom(restBaseURL: rest, wsBaseURL: socket)
            config.connectorToken = defaults.string(forKey: "mockToken") ?? "mock:webchat"
        }
    }

    #if os(macOS) || os(Linux)
        static func launchServer() throws {
            let server = Process()
            server.executableURL = URL(fileURLWithPath: "/usr/local/bin/polymock")
            server.arguments = ["--port", "8787", "--log", "quiet"]
            try server.run()
            defer { server.terminate() }
            print(server.isRunning)
        }
    #endif
}

#if canImport(SwiftUI)
    /// Not compiled on Linux; untested there.
    struct DocViews {
        struct ChatView: View {
            @StateObject private var session = PolyMessaging.chat()

            var body: some View {
                List(session.messages) { message in
                    switch message {
                    case .user(let mine): Text(mine.text).opacity(mine.delivery == .pending ? 0.5 : 1)
                    case .agent(let theirs): Text(theirs.text)
                    case .system(let note): Text(String(describing: note.event)).font(.caption)
                    }
                }
                if session.isAgentTyping { Text("…") }
                if let problem = session.failureReason { Text(problem.localizedDescription) }
            }
        }
    }
#endif

#if canImport(XCUIAutomation) && os(iOS)
    import XCTest

    /// Not compiled on Linux; untested there.
    @MainActor
    func interfaceTest() {
        let app = XCUIApplication()
        app.launchArguments += ["-mockServer", "127.0.0.1:8787", "-mockToken", "mock:booking@seed=7"]
        app.launch()
        XCTAssert(app.buttons["Book a table"].waitForExistence(timeout: 5))
    }
#endif
