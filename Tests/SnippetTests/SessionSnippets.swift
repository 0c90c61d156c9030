import Foundation
import PolyMessaging
import Testing

#if canImport(Combine)
    import Combine
#endif

/// Ways apps start chats and follow them. Nothing here runs: it would dial. It has to compile.
@MainActor
enum SessionSnippets {
    static func chats(_ config: Configuration) {
        PolyMessaging.initialize(config)
        _ = PolyMessaging.chat()
        _ = PolyMessaging.chat(progressiveStreaming: true)
        _ = PolyMessaging.chat(config)
        _ = PolyMessaging.chat(config, progressiveStreaming: true)
        _ = PolyMessaging.chat(streamingEnabled: nil)
        _ = PolyMessaging.chat(config, streamingEnabled: false)
        _ = PolyMessaging.start()
        _ = PolyMessaging.start(progressiveStreaming: true)
        _ = PolyMessaging.start(config)
        _ = PolyMessaging.start(config, progressiveStreaming: true)
        _ = PolyMessaging.start(streamingEnabled: true)
        _ = PolyMessaging.start(config, streamingEnabled: nil)
    }

    static func stored(_ config: Configuration) throws {
        let canResume =
            PolyMessaging.hasResumableSession()
            || PolyMessaging.hasResumableSession(connectorToken: "token")
            || PolyMessaging.hasResumableSession(apiKey: "token")
        if !canResume { PolyMessaging.clearResumableSession() }
        PolyMessaging.clearResumableSession(connectorToken: "token")
        PolyMessaging.clearResumableSession(apiKey: "token")
        let client = try PolyMessaging.configure(config)
        try PolyMessaging.configure(config)
        let make: (Configuration) throws -> PolyMessagingClient = PolyMessaging.configure
        _ = try make(config)
        _ = ChatSession(client: client)
        _ = ChatSession(client: client, typingTimeout: 5)
        _ = ChatSession(client: client, typingTimeout: 5, progressiveStreaming: true)
        _ = ChatSession(client: client, typingTimeout: 5, streamingEnabled: nil)
        print(PolyMessaging.version)
    }

    /// A chat as a stored property of an app's own model.
    @MainActor
    final class Model {
        let session = PolyMessaging.chat()
        private(set) var problem = ""

        func send(_ text: String) async {
            do {
                try await session.send(text)
            } catch let error as PolyError {
                problem = error.isRetryable ? "Try again" : String(describing: error)
            } catch {
                problem = error.localizedDescription
            }
        }

        func retry(_ message: UserMessage) async throws {
            session.removeMessage(draftId: message.draftId)
            try await session.send(message.text)
        }

        func choose(_ suggestion: ResponseSuggestion, of message: AgentMessage) async throws {
            session.clearSuggestions(for: message.id)
            try await session.send(suggestion.messageText)
        }

        var canType: Bool { session.isReady && session.hasStarted && !session.hasEnded }
        var banner: String? { session.failureReason.map { "\($0)" } }
        var picture: URL? { session.agentAvatarUrl }
        var isBusy: Bool { session.isAgentTyping || session.connection.isReconnecting }
        var lastWords: String? { session.lastAgentMessage?.text }
        var counts: [Int] {
            [session.userMessages.count, session.agentMessages.count, session.systemMessages.count]
        }
    }

    static func life(_ session: ChatSession) async throws {
        await session.sendTyping()
        try await session.client.sendTyping()
        try await session.client.send("Hello")
        try await session.client.resume()
        try await session.client.startNewSession()
        try await session.end()
        try await session.client.end()
        try await session.client.end(reason: nil)
        session.clearChat()
        await session.client.shutdown()
        _ = session.client.config.environment
    }

    static func streams(_ session: ChatSession) async {
        for await event in session.client.events {
            switch event {
            case .clientHandoffRequired(_, let p): print(p.route ?? "no route")
            case .sessionEnd: return
            default: break
            }
        }
        for await status in session.client.connectionStatus where status.isConnected { break }
        for await state in session.client.sessionState where state.canSendMessages { break }
    }

    static func raw(_ session: ChatSession) async throws {
        let raw = session.client.getConnection()
        await raw.send(.userMessage(text: "x"))
        try await raw.sendRaw(Data("{}".utf8))
        do {
            try await raw.sendRaw(Data("{}".utf8))
        } catch { print(error) }
        for await frame in raw.rawFrames { print(frame.count) }
    }

    #if canImport(Combine)
        static func publishers(_ session: ChatSession) -> [AnyCancellable] {
            [
                session.$messages.sink { _ in }, session.$isAgentTyping.sink { _ in },
                session.$connection.receive(on: RunLoop.main).sink { _ in },
                session.$hasEnded.sink { _ in }, session.$failureReason.sink { _ in },
                session.$isReady.sink { _ in },
            ]
        }
    #endif
}

#if canImport(SwiftUI)
    import SwiftUI

    /// Not compiled on Linux; untested there.
    struct ChatView: View {
        @StateObject var session = PolyMessaging.chat()
        @SwiftUI.Environment(\.dismiss) private var dismiss

        var body: some View {
            List {
                ForEach(session.messages) { message in
                    row(message)
                }
            }
            .toolbar { Button("Close") { dismiss() } }
        }

        @ViewBuilder private func row(_ message: ChatMessage) -> some View {
            switch message {
            case .user(let user): Text(user.text)
            case .agent(let agent):
                Text(agent.text)
                ForEach(agent.suggestions) { Text($0.messageText) }
                ForEach(agent.suggestions, id: \.messageText) { Text($0.messageText) }
                ForEach(agent.callActions) { Text($0.title) }
            case .system: EmptyView()
            }
        }
    }
#endif
