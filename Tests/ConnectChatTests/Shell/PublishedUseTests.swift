import Clocks
import ConnectChat
import Expectations
import Foundation
import HTTPClient
import SocketTransport
import TestSupport
import Testing

#if canImport(Combine)
    import Combine
#endif

/// What code written for the published SDK does with it; nothing here needs more than the public names.
@MainActor
@Suite("ConnectChat: published uses", .timeLimit(.minutes(5)))
struct PublishedUseTests {
    /// CC-2: as the published example app has it.
    private final class ChatManager: ObservableObject {
        @Published var messages: [TranscriptItem] = []
        var chatSession: any ChatSessionProtocol = ChatSession.shared

        func prepare() {
            chatSession.onTranscriptUpdated = { [weak self] data in self?.messages = data.transcriptList }
            chatSession.onTyping = { [weak self] event in
                event.text = "…"
                event.participant = event.participant ?? "AGENT"
                event.eventDirection = .Incoming
                self?.messages.append(event)
            }
            _ = chatSession as? ChatSession
            _ = {
                self.chatSession.getTranscript(
                    scanDirection: .backward, sortOrder: .ascending, maxResults: 15, nextToken: nil,
                    startPosition: nil
                ) { (result: Result<TranscriptResponse, any Error>) in _ = result }
                self.chatSession.getTranscript { _ in }
                ChatSession.shared.sendMessageReceipt(messageId: "m") { _ in }
            }
        }
    }

    @Test("CC-2 The example app's uses compile, and its items can be changed")
    func exampleApp() {
        let manager = ChatManager()
        manager.prepare()
        manager.chatSession.onTyping?(
            Event(
                timeStamp: "t", contentType: ContentType.typing.rawValue, messageId: "e",
                serializedContent: [:]))
        expectEqual((manager.messages.first as? Event)?.text, "…")
        (manager.chatSession.onTyping, manager.chatSession.onTranscriptUpdated) = (nil, nil)
    }

    /// CC-4: the members of the published protocol, with event handlers that take no optional.
    private final class Mock: ChatSessionProtocol {
        var onConnectionEstablished: (() -> Void)?
        var onConnectionReEstablished: (() -> Void)?
        var onConnectionBroken: (() -> Void)?
        var onDeepHeartbeatFailure: (() -> Void)?
        var onMessageReceived: ((TranscriptItem) -> Void)?
        var onTranscriptUpdated: ((TranscriptData) -> Void)?
        var onChatEnded: (() -> Void)?
        var onTyping: ((Event) -> Void)?
        var onReadReceipt: ((Event) -> Void)?
        var onDeliveredReceipt: ((Event) -> Void)?
        var onParticipantIdle: ((Event) -> Void)?
        var onParticipantReturned: ((Event) -> Void)?
        var onAutoDisconnection: ((Event) -> Void)?
        var onParticipantInvited: ((Event) -> Void)?
        var onChatRehydrated: ((Event) -> Void)?
        var onTransferSucceeded: ((Event) -> Void)?
        var onTransferFailed: ((Event) -> Void)?

        func configure(config: GlobalConfig) {}
        func getConnectionDetailsProvider() -> any ConnectionDetailsProviderProtocol {
            ChatSession.shared.getConnectionDetailsProvider()
        }
        func connect(chatDetails: ChatDetails, completion: @escaping (Result<Void, any Error>) -> Void) {
            completion(.success(()))
        }
        func disconnect(completion: @escaping (Result<Void, any Error>) -> Void) { completion(.success(())) }
        func suspendWebSocketConnection() {}
        func resumeWebSocketConnection() {}
        func reset() {}
        func sendMessage(
            contentType: ContentType, message: String, completion: @escaping (Result<Void, any Error>) -> Void
        ) {}
        func resendFailedMessage(messageId: String, completion: @escaping (Result<Void, any Error>) -> Void) {
        }
        func sendEvent(
            event: ContentType, content: String, completion: @escaping (Result<Void, any Error>) -> Void
        ) {}
        func sendMessageReceipt(for transcriptItem: TranscriptItem, eventType: MessageReceiptType) {}
        func getTranscript(
            scanDirection: AWSConnectParticipantScanDirection?, sortOrder: AWSConnectParticipantSortKey?,
            maxResults: NSNumber?, nextToken: String?, startPosition: String?,
            completion: @escaping (Result<TranscriptResponse, any Error>) -> Void
        ) {}
        func sendAttachment(file: URL, completion: @escaping (Result<Void, any Error>) -> Void) {}
        func downloadAttachment(
            attachmentId: String, filename: String, completion: @escaping (Result<URL, any Error>) -> Void
        ) {}
        func getAttachmentDownloadUrl(
            attachmentId: String, completion: @escaping (Result<URL, any Error>) -> Void
        ) {}
        func isChatSessionActive() -> Bool { false }
    }

    @Test("CC-4 A mock with the published protocol's members conforms; what it lacks fails")
    func mock() async throws {
        let mock: any ChatSessionProtocol = Mock()
        try await mock.connect(chatDetails: ChatDetails(participantToken: "p"))
        await #expect(throws: ConnectChatError.self) {
            try await mock.sendMessageReceipt(messageId: "m")
        }
        await #expect(throws: ConnectChatError.self) { _ = try await mock.describeView(viewToken: "v") }
    }

    @Test("The stand-ins of the AWS SDK can be made in both ways that code for it uses")
    func standIns() {
        let unwrapped = AWSConnectParticipantStartPosition()!
        unwrapped.identifier = "a"
        let optional = AWSConnectParticipantSendMessageResponse()
        optional?.identifier = "b"
        #expect(unwrapped.identifier == "a" && optional?.identifier == "b")
    }

    @Test("CC-92 CC-126 CC-129 Calls from 64 threads end once each; no line has a secret, a text or a name")
    func manyThreads() async throws {
        LogGuard.install()
        let double = try await ConnectDouble()
        let http = HTTPClient(label: "test.threads", clock: SystemClock(), seed: 1, unsentBytes: 1 << 20)
        let chat = ChatSession(
            GlobalConfig(endpoint: URL(string: double.url)),
            Dependencies(clock: SystemClock(), http: http, seed: 7))
        try await chat.connect(chatDetails: ChatDetails(participantToken: "secret-p"))
        let ended = Gathering<Int>()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<64 {
                group.addTask {
                    chat.sendMessage(contentType: .plainText, message: "private words") { _ in
                        ended.append(index)
                    }
                    chat.sendEvent(event: .typing, content: "") { _ in ended.append(100 + index) }
                    _ = chat.isChatSessionActive()
                    chat.onChatEnded = {}
                }
            }
        }
        _ = try await ended.wait(count: 128)
        expectEqual(Set(ended.all).count, 128)
        double.answer { $0.target.hasSuffix("connection") ? .json(400, #"{"message":"secret-m"}"#) : nil }
        chat.suspendWebSocketConnection()
        chat.resumeWebSocketConnection()
        // What the guard lets through has no secret, text or name.
        _ = try await LogGuard.lines.wait {
            $0.contains { $0.contains("CreateParticipantConnection") } ? true : nil
        }
        await http.close()
        await double.stop()
    }
}
