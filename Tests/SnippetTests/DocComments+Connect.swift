import ConnectChat
import Foundation

/// The examples in the doc comments of `ConnectChat`, word for word; `DocPagesTests` compares. Nothing here runs.
@MainActor
enum ConnectDocComments {
    static func session(_ token: String) async throws {
        let session = ChatSession(config: GlobalConfig(endpoint: URL(string: "http://127.0.0.1:8787")))
        try await session.connect(chatDetails: ChatDetails(participantToken: token))
        for await snapshot in session.transcripts { print(snapshot.rows.map(\.text)) }
    }

    static func config() -> GlobalConfig {
        let config = GlobalConfig(endpoint: URL(string: "http://127.0.0.1:8787"))
        return config
    }

    class Counting: AWSClient, @unchecked Sendable {
        override func sendMessage(
            connectionToken: String, contentType: ContentType, message: String,
            completion: @escaping (Result<AWSConnectParticipantSendMessageResponse, any Error>) -> Void
        ) {
            print("A message leaves")
            super.sendMessage(
                connectionToken: connectionToken, contentType: contentType, message: message,
                completion: completion)
        }
    }

    static func shared(_ token: String) {
        ChatSession.shared.onTranscriptUpdated = { data in print(data.transcriptList.count) }
        ChatSession.shared.connect(chatDetails: ChatDetails(participantToken: token)) { result in
            print(result)
        }
    }

    static func calls(_ chat: any ChatSessionProtocol, _ token: String) async throws {
        try await chat.connect(chatDetails: ChatDetails(participantToken: token))
        try await chat.sendEvent(event: .typing, content: "")
        try await chat.sendMessage(contentType: .plainText, message: "a table, please")
        try await chat.disconnect()
    }

    static func messages() {
        ChatSession.shared.onTranscriptUpdated = { data in
            for case let message as Message in data.transcriptList {
                print(message.participant, message.text)
            }
        }
    }

    static func events(_ session: ChatSession) async {
        for await event in session.events {
            switch event {
            case .messageReceived(let row): print(row.text)
            case .chatEnded: return
            default: break
            }
        }
    }

    static func error(_ session: ChatSession, _ draft: String) async throws {
        do {
            try await session.sendMessage(contentType: .plainText, message: draft)
        } catch ConnectChatError.chatEnded {
            print("The chat is over")
        }
    }

    static func logger() {
        final class AppLogger: SDKLoggerProtocol {
            func logVerbose(_ message: @autoclosure () -> String) {}
            func logInfo(_ message: @autoclosure () -> String) {}
            func logDebug(_ message: @autoclosure () -> String) {}
            func logFault(_ message: @autoclosure () -> String) { print("fault:", message()) }
            func logError(_ message: @autoclosure () -> String) { print("error:", message()) }
        }
        SDKLogger.configureLogger(AppLogger())
    }

    static func details() {
        let provider = ChatSession.shared.getConnectionDetailsProvider()
        print(provider.getChatDetails()?.participantToken ?? "no chat")
    }
}
