import ClientSupport
import Clocks
import Texts

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A chat session. Most apps use `shared`; further sessions can be created.
///
/// ```swift
/// let session = ChatSession(config: GlobalConfig(endpoint: URL(string: "http://127.0.0.1:8787")))
/// try await session.connect(chatDetails: ChatDetails(participantToken: token))
/// for await snapshot in session.transcripts { print(snapshot.rows.map(\.text)) }
/// ```
public final class ChatSession: ChatSessionCalls, Sendable {
    let handlers: Locked<Handlers>
    let driver: ChatDriver

    /// Makes an independent session. A session closes its connection when it is released.
    public convenience init(config: GlobalConfig = GlobalConfig()) {
        self.init(config, .standard)
    }

    package init(_ config: GlobalConfig, _ dependencies: Dependencies) {
        let handlers = Locked(Handlers())
        self.handlers = handlers
        driver = ChatDriver(config, dependencies, handlers: handlers)
    }

    package func shutDown() { driver.shutDown() }

    /// Handles all submitted inputs on the calling thread, and returns their number so far. For tests.
    package func settleHere() -> Int { driver.settleHere() }

    package var owesMain: Bool { driver.owesMain }

    package var latestTranscript: TranscriptSnapshot {
        driver.streams.latest
    }

    /// Current state of the connection.
    package var linkStatus: LinkStatus { driver.streams.status }

    package var isCalmHere: Bool { driver.isCalmHere }

    /// The configuration of the chat.
    public var globalConfig: GlobalConfig? { driver.facts.withLock { $0.config } }

    /// Stream of all later events; each access subscribes anew. Keeps the newest 1,000 unread events. Unread changes of
    /// a streamed row are merged into one event, and so are unread changes of the transcript.
    public var events: AsyncStream<ChatSessionEvent> {
        let listener = driver.streams.listen()
        return AsyncStream { await listener.next() }
    }

    /// Makes a lossless listener with backpressure: the socket is read only as fast as the caller reads events. `wake`
    /// is called on any thread for new events, and again only after the caller has read them.
    package func listen(wake: @escaping @Sendable () -> Void) -> ChatListener {
        driver.streams.listen(holdsBack: true, wake: wake)
    }

    /// Stream of the transcript's current state, then of each change. Only the newest unread state is kept.
    public var transcripts: AsyncStream<TranscriptSnapshot> {
        driver.streams.transcripts.subscribe(keeping: .bufferingNewest(1))
    }

    // MARK: - Calls

    /// Sets the configuration. Endpoint and region take effect at the next `connect`.
    public func configure(config: GlobalConfig) { driver.configure(config) }

    /// The provider of the connection details.
    public func getConnectionDetailsProvider() -> any ConnectionDetailsProviderProtocol {
        SessionDetailsProvider(driver: driver)
    }

    /// Connects to the chat. Succeeds when the chat is subscribed.
    public func connect(chatDetails: ChatDetails, completion: @escaping (Result<Void, any Error>) -> Void) {
        driver.call({ .connect(chatDetails, $0) }, Self.plain(completion))
    }

    /// Leaves the chat.
    public func disconnect(completion: @escaping (Result<Void, any Error>) -> Void) {
        driver.call({ .disconnect($0) }, Self.plain(completion))
    }

    /// Closes the connection until `resumeWebSocketConnection`. The chat itself continues on the server.
    public func suspendWebSocketConnection() { driver.submit(.suspend) }

    /// Connects again at once.
    public func resumeWebSocketConnection() { driver.submit(.resume) }

    /// Drops the chat without a request to the service. A later `connect` with the same token is possible.
    public func reset() { driver.reset() }

    /// Sends a message.
    public func sendMessage(
        contentType: ContentType, message: String, completion: @escaping (Result<Void, any Error>) -> Void
    ) {
        driver.call(
            { .send(contentType: contentType.rawValue, text: message, $0) }, Self.plain(completion))
    }

    /// Sends a failed message again.
    public func resendFailedMessage(
        messageId: String, completion: @escaping (Result<Void, any Error>) -> Void
    ) {
        driver.call({ .resend(id: messageId, $0) }, Self.plain(completion))
    }

    /// Sends an event. Of typing events within ten seconds, only the first is sent, unless a message was sent between.
    public func sendEvent(
        event: ContentType, content: String, completion: @escaping (Result<Void, any Error>) -> Void
    ) {
        driver.call({ .event(contentType: event.rawValue, content: content, $0) }, Self.plain(completion))
    }

    /// Sends a receipt for an item.
    public func sendMessageReceipt(for transcriptItem: TranscriptItem, eventType: MessageReceiptType) {
        driver.submit(.receipt(eventType, messageID: transcriptItem.id, nil))
    }

    /// Sends a receipt. Within ``MessageReceipts/throttleTime``, at most one receipt of each kind is sent.
    public func sendMessageReceipt(
        event: MessageReceiptType, messageId: String, completion: @escaping (Result<Void, any Error>) -> Void
    ) {
        driver.call({ .receipt(event, messageID: messageId, $0) }, Self.plain(completion))
    }

    package func read(
        _ page: PageRequest, completion: @escaping (Result<TranscriptResponse, any Error>) -> Void
    ) {
        let boxed = UncheckedBox(completion)
        guard 1...100 ~= page.maxResults else {
            return driver.inbox.post { _ in
                boxed.value(
                    .failure(ConnectChatError.invalidArgument("maxResults has to be from 1 to 100.")))
            }
        }
        driver.call({ .page(page, $0) }) { answer, store in
            switch answer {
            case .page(let contact, let ids, let token):
                let items = ids.compactMap { store.item($0) }
                boxed.value(
                    .success(
                        TranscriptResponse(initialContactId: contact, nextToken: token, transcript: items)))
            default: boxed.value(.failure(answer.error))
            }
        }
    }

    /// Sends a file.
    public func sendAttachment(file: URL, completion: @escaping (Result<Void, any Error>) -> Void) {
        driver.attach(file, Self.plain(completion))
    }

    /// Sends a file. `progress` gets the percentage, 0 to 100, each time it rises. Both closures run on the main actor,
    /// `completion` last.
    @discardableResult
    public func sendAttachment(
        file: URL, progress: @escaping (Int) -> Void,
        completion: @escaping (Result<Void, any Error>) -> Void
    ) -> AttachmentUpload {
        let upload = AttachmentUpload()
        let boxed = UncheckedBox(progress)
        driver.attach(file, in: upload.scope, progress: { boxed.value($0) }, Self.plain(completion))
        return upload
    }

    /// Cancels the upload whose row has this `id` or `persistentId`, unless the service has the whole file. The row
    /// fails, and can be sent again.
    public func cancelUpload(messageId: String) { driver.submit(.cancelFile(messageId)) }

    package var uploadPercents: [String: Int] { driver.streams.uploads }

    /// Downloads a file into a temporary folder.
    public func downloadAttachment(
        attachmentId: String, filename: String, completion: @escaping (Result<URL, any Error>) -> Void
    ) {
        driver.download(attachmentId, name: filename, Self.address(completion))
    }

    /// Requests the download address of a file.
    public func getAttachmentDownloadUrl(
        attachmentId: String, completion: @escaping (Result<URL, any Error>) -> Void
    ) {
        driver.call({ .address(attachmentID: attachmentId, $0) }, Self.address(completion))
    }

    /// Requests the layout of a view.
    public func describeView(
        viewToken: String, completion: @escaping (Result<ViewResource, any Error>) -> Void
    ) {
        let boxed = UncheckedBox(completion)
        driver.call({ .view(token: viewToken, $0) }) { answer, _ in
            guard case .view(let value) = answer else { return boxed.value(.failure(answer.error)) }
            boxed.value(
                .success(
                    ViewResource(
                        id: value["Id"]?.string, name: value["Name"]?.string, arn: value["Arn"]?.string,
                        version: value["Version"]?.integer.map { Int($0) },
                        content: value["Content"]?.dictionary)))
        }
    }

    /// True from the first connection to the end of the chat, also while the connection is lost.
    public func isChatSessionActive() -> Bool { driver.facts.withLock { $0.isActive } }

    // MARK: - Completions

    private static func plain(_ completion: @escaping (Result<Void, any Error>) -> Void)
        -> ChatDriver.Completion
    {
        let boxed = UncheckedBox(completion)
        return { answer, _ in
            boxed.value(answer == .success ? .success(()) : .failure(answer.error))
        }
    }

    private static func address(_ completion: @escaping (Result<URL, any Error>) -> Void)
        -> ChatDriver.Completion
    {
        let boxed = UncheckedBox(completion)
        return { answer, _ in
            guard case .address(let text) = answer, let url = URL(string: text) else {
                return boxed.value(.failure(answer.error))
            }
            boxed.value(.success(url))
        }
    }
}

/// Upload begun by ``ChatSession/sendAttachment(file:progress:completion:)``.
public final class AttachmentUpload: Sendable {
    let scope = TransferScope()

    /// Cancels the upload, unless the service has the whole file. `completion` gets an error, and the row fails.
    public func cancel() { scope.stop() }
}

extension ChatCore.Answer {
    /// Error of the answer. For an answer of an unexpected kind: `unexpectedAnswer`.
    var error: ConnectChatError {
        if case .failure(let error) = self { return error }
        return .unexpectedAnswer("The service's answer is another one.")
    }
}

struct SessionDetailsProvider: ConnectionDetailsProviderProtocol, Sendable {
    let driver: ChatDriver

    func updateChatDetails(newDetails: ChatDetails) {
        driver.facts.withLock { $0.details = newDetails }
        driver.submit(.details(newDetails))
    }

    func getConnectionDetails() -> ConnectionDetails? { driver.facts.withLock { $0.connection } }

    func updateConnectionDetails(newDetails: ConnectionDetails) {
        driver.facts.withLock { $0.connection = newDetails }
        if let credentials = newDetails.credentials { driver.submit(.credentials(credentials)) }
    }

    func getChatDetails() -> ChatDetails? { driver.facts.withLock { $0.details } }
    func isChatSessionActive() -> Bool { driver.facts.withLock { $0.isActive } }

    func setChatSessionState(isActive: Bool) {
        if !isActive { driver.submit(.stopReconnecting) }
    }

    func reset() { driver.reset() }
}

// `async` forms of the calls. Cancelling the task stops uploads and downloads; a request already sent takes effect.
extension ChatSessionCalls {
    /// Connects, and returns once the chat is subscribed. With the current token, keeps the connection; another token
    /// replaces the chat.
    /// - Throws: a ``ConnectChatError``; `CancellationError` when the waiting task is cancelled.
    @MainActor
    public func connect(chatDetails: ChatDetails) async throws {
        try await OneAnswer.wait { done in
            self.connect(chatDetails: chatDetails, completion: done)
        }
    }

    /// Leaves the chat. Also succeeds if there is no chat.
    /// - Throws: a ``ConnectChatError``; `CancellationError` when the waiting task is cancelled.
    @MainActor
    public func disconnect() async throws {
        try await OneAnswer.wait { done in
            self.disconnect(completion: done)
        }
    }

    /// Sends a non-empty message. The message's row appears at once.
    /// - Throws: a ``ConnectChatError``; `CancellationError` when the waiting task is cancelled.
    @MainActor
    public func sendMessage(contentType: ContentType, message: String) async throws {
        try await OneAnswer.wait { done in
            self.sendMessage(contentType: contentType, message: message, completion: done)
        }
    }

    /// Sends a failed message again. `messageId` is the message's `id` or `persistentId`.
    /// - Throws: a ``ConnectChatError``; `CancellationError` when the waiting task is cancelled.
    @MainActor
    public func resendFailedMessage(messageId: String) async throws {
        try await OneAnswer.wait { done in
            self.resendFailedMessage(messageId: messageId, completion: done)
        }
    }

    /// Sends an event. Of typing events within ten seconds, only the first is sent, unless a message was sent between.
    /// - Throws: a ``ConnectChatError``; `CancellationError` when the waiting task is cancelled.
    @MainActor
    public func sendEvent(event: ContentType, content: String) async throws {
        try await OneAnswer.wait { done in
            self.sendEvent(event: event, content: content, completion: done)
        }
    }

    /// Sends a receipt. Within ``MessageReceipts/throttleTime``, at most one receipt of each kind is sent.
    /// - Throws: a ``ConnectChatError``; `CancellationError` when the waiting task is cancelled.
    @MainActor
    public func sendMessageReceipt(
        event: MessageReceiptType = .messageRead, messageId: String
    ) async throws {
        try await OneAnswer.wait { done in
            self.sendMessageReceipt(event: event, messageId: messageId, completion: done)
        }
    }

    /// Sends a file. The file's row appears at once.
    /// - Throws: a ``ConnectChatError``; `CancellationError` when the waiting task is cancelled.
    @MainActor
    public func sendAttachment(file: URL) async throws {
        try await OneAnswer.transfer { done in
            self.sendAttachment(file: file, completion: done)
        }
    }

    /// Downloads a file into a temporary folder. Only the last path component of `filename` is used.
    /// - Throws: a ``ConnectChatError``; `CancellationError` when the waiting task is cancelled.
    @MainActor
    public func downloadAttachment(attachmentId: String, filename: String) async throws -> URL {
        try await OneAnswer.transfer { done in
            self.downloadAttachment(attachmentId: attachmentId, filename: filename, completion: done)
        }
    }

    /// Requests the download address of a file.
    /// - Throws: a ``ConnectChatError``; `CancellationError` when the waiting task is cancelled.
    @MainActor
    public func getAttachmentDownloadUrl(attachmentId: String) async throws -> URL {
        try await OneAnswer.wait { done in
            self.getAttachmentDownloadUrl(attachmentId: attachmentId, completion: done)
        }
    }

    /// Requests the layout of a view. `viewToken` is the token in the message's content.
    /// - Throws: a ``ConnectChatError``; `CancellationError` when the waiting task is cancelled.
    @MainActor
    public func describeView(viewToken: String) async throws -> ViewResource {
        try await OneAnswer.wait { done in
            self.describeView(viewToken: viewToken, completion: done)
        }
    }
}

/// Bridge from functions with completions to `async`. Cancelling the task throws `CancellationError`.
@MainActor
package enum OneAnswer {
    /// Waits like ``wait(_:)``. Cancelling the task also cancels the file transfer of `call`.
    package static func transfer<Answer>(
        _ call: @MainActor (_ completion: @escaping (Result<Answer, any Error>) -> Void) -> Void
    ) async throws -> Answer {
        let scope = TransferScope()
        defer { scope.end() }
        return try await withTaskCancellationHandler {
            try await wait { done in
                TransferScope.$current.withValue(scope) { call(done) }
            }
        } onCancel: {
            scope.stop()
        }
    }

    package static func wait<Answer>(
        _ call: @MainActor (_ completion: @escaping (Result<Answer, any Error>) -> Void) -> Void
    ) async throws -> Answer {
        let waiting = Locked<CheckedContinuation<UncheckedBox<Answer>, any Error>?>(nil)
        let taken: @Sendable () -> CheckedContinuation<UncheckedBox<Answer>, any Error>? = {
            waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
        }
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.withLock { $0 = continuation }
                if Task.isCancelled { taken()?.resume(throwing: CancellationError()) }
                call { result in taken()?.resume(with: result.map { UncheckedBox($0) }) }
            }
        } onCancel: {
            taken()?.resume(throwing: CancellationError())
        }.value
    }
}
