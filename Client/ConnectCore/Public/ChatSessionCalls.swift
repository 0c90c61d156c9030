#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Calls and event handlers of a chat. `ChatSessionProtocol` adds the pages of its transcript.
///
/// Calls and properties are thread-safe. Each completion is called once. Completions and handlers run in order on the
/// main actor; code on another actor uses the `async` forms.
///
/// ```swift
/// try await chat.connect(chatDetails: ChatDetails(participantToken: token))
/// try await chat.sendEvent(event: .typing, content: "")
/// try await chat.sendMessage(contentType: .plainText, message: "a table, please")
/// try await chat.disconnect()
/// ```
public protocol ChatSessionCalls: AnyObject {
    /// Sets the configuration. Endpoint and region take effect at the next `connect`.
    func configure(config: GlobalConfig)
    /// The provider of the connection details.
    func getConnectionDetailsProvider() -> any ConnectionDetailsProviderProtocol
    /// Connects, and succeeds once the chat is subscribed. With the current token, keeps the connection; another token
    /// replaces the chat.
    func connect(chatDetails: ChatDetails, completion: @escaping (Result<Void, any Error>) -> Void)
    /// Leaves the chat. Also succeeds if there is no chat.
    func disconnect(completion: @escaping (Result<Void, any Error>) -> Void)
    /// Sends a non-empty message. The message's row appears at once.
    func sendMessage(
        contentType: ContentType, message: String, completion: @escaping (Result<Void, any Error>) -> Void
    )
    /// Sends a failed message again. `messageId` is the message's `id` or `persistentId`.
    func resendFailedMessage(messageId: String, completion: @escaping (Result<Void, any Error>) -> Void)
    /// Sends an event. Of typing events within ten seconds, only the first is sent, unless a message was sent between.
    func sendEvent(
        event: ContentType, content: String, completion: @escaping (Result<Void, any Error>) -> Void
    )
    /// Sends a receipt. Within ``MessageReceipts/throttleTime``, at most one receipt of each kind is sent.
    func sendMessageReceipt(
        event: MessageReceiptType, messageId: String,
        completion: @escaping (Result<Void, any Error>) -> Void
    )
    /// Sends a file. The file's row appears at once.
    func sendAttachment(file: URL, completion: @escaping (Result<Void, any Error>) -> Void)
    /// Downloads a file into a temporary folder. Only the last path component of `filename` is used.
    func downloadAttachment(
        attachmentId: String, filename: String, completion: @escaping (Result<URL, any Error>) -> Void
    )
    /// Requests the download address of a file.
    func getAttachmentDownloadUrl(
        attachmentId: String, completion: @escaping (Result<URL, any Error>) -> Void
    )
    /// Requests the layout of a view. `viewToken` is the token in the message's content.
    func describeView(viewToken: String, completion: @escaping (Result<ViewResource, any Error>) -> Void)
    /// Sends a receipt for another participant's message. The result is not reported.
    func sendMessageReceipt(for transcriptItem: TranscriptItem, eventType: MessageReceiptType)
    /// Closes the connection until `resumeWebSocketConnection`. The chat itself continues on the server.
    func suspendWebSocketConnection()
    /// Connects again at once.
    func resumeWebSocketConnection()
    /// Drops the chat without a request to the service. A later `connect` with the same token is possible.
    func reset()
    /// True from the first connection to the end of the chat, also while the connection is lost.
    func isChatSessionActive() -> Bool
    /// Called once when the chat is first connected, after the completion of `connect`.
    var onConnectionEstablished: (() -> Void)? { get set }
    /// Called when the chat is subscribed again, once per outage or suspension.
    var onConnectionReEstablished: (() -> Void)? { get set }
    /// Called once per outage, when the connection is lost unexpectedly.
    var onConnectionBroken: (() -> Void)? { get set }
    /// Called when a ping gets no answer in time or a wrong answer.
    var onDeepHeartbeatFailure: (() -> Void)? { get set }
    /// Called with each new item, and again after each change of the item.
    var onMessageReceived: ((TranscriptItem) -> Void)? { get set }
    /// Called with the whole list of items after it has changed. Changes in quick succession may share one call.
    var onTranscriptUpdated: ((TranscriptData) -> Void)? { get set }
    /// Called once per chat, at its end.
    var onChatEnded: (() -> Void)? { get set }
    var onTyping: ((Event) -> Void)? { get set }
    /// Called when a message was read; `participant` is the reader's id.
    var onReadReceipt: ((Event) -> Void)? { get set }
    /// Called when a message was delivered; `participant` is the recipient's id.
    var onDeliveredReceipt: ((Event) -> Void)? { get set }
    var onParticipantIdle: ((Event) -> Void)? { get set }
    /// Called when an idle participant is active again.
    var onParticipantReturned: ((Event) -> Void)? { get set }
    /// Called when a participant was disconnected for being idle too long.
    var onAutoDisconnection: ((Event) -> Void)? { get set }
    var onParticipantInvited: ((Event) -> Void)? { get set }
    /// Called when a past chat is continued.
    var onChatRehydrated: ((Event) -> Void)? { get set }
    var onTransferSucceeded: ((Event) -> Void)? { get set }
    var onTransferFailed: ((Event) -> Void)? { get set }
}

extension ChatSessionCalls {
    /// Sends a read receipt.
    public func sendMessageReceipt(
        messageId: String, completion: @escaping (Result<Void, any Error>) -> Void
    ) {
        sendMessageReceipt(event: .messageRead, messageId: messageId, completion: completion)
    }

    /// Fails: the default for types that do not implement this call.
    public func sendMessageReceipt(
        event: MessageReceiptType, messageId: String, completion: @escaping (Result<Void, any Error>) -> Void
    ) {
        completion(.failure(ConnectChatError.invalidArgument("This session sends no receipts.")))
    }

    /// Fails: the default for types that do not implement this call.
    public func describeView(
        viewToken: String, completion: @escaping (Result<ViewResource, any Error>) -> Void
    ) {
        completion(.failure(ConnectChatError.invalidArgument("This session describes no views.")))
    }
}
