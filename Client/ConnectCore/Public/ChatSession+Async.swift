import Clocks

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// The calls as `async` functions. Cancelling the task that waits throws `CancellationError`; a request that was made is not
// taken back, but uploads and downloads stop.
extension ChatSessionCalls {
    /// Connects; succeeds when the chat is subscribed. The same token joins what is there, another takes its place.
    ///
    /// - Parameter chatDetails: which chat.
    /// - Throws: ``ConnectChatError``, or `CancellationError`.
    @MainActor
    public func connect(chatDetails: ChatDetails) async throws {
        try await OneAnswer.wait { done in
            self.connect(chatDetails: chatDetails, completion: done)
        }
    }

    /// Leaves the chat. Succeeds when it is over, and where there is none.
    ///
    /// - Throws: ``ConnectChatError``, or `CancellationError`.
    @MainActor
    public func disconnect() async throws {
        try await OneAnswer.wait { done in
            self.disconnect(completion: done)
        }
    }

    /// Says something. Its row is there at once.
    ///
    /// - Parameters:
    ///   - contentType: what it is.
    ///   - message: what is said; not empty.
    /// - Throws: ``ConnectChatError``, or `CancellationError`.
    @MainActor
    public func sendMessage(contentType: ContentType, message: String) async throws {
        try await OneAnswer.wait { done in
            self.sendMessage(contentType: contentType, message: message, completion: done)
        }
    }

    /// Says once more what has failed.
    ///
    /// - Parameter messageId: the failed message's `id` or `persistentId`.
    /// - Throws: ``ConnectChatError``, or `CancellationError`.
    @MainActor
    public func resendFailedMessage(messageId: String) async throws {
        try await OneAnswer.wait { done in
            self.resendFailedMessage(messageId: messageId, completion: done)
        }
    }

    /// Tells an event. Typing goes out once in ten seconds.
    ///
    /// - Parameters:
    ///   - event: what happens.
    ///   - content: the event's text.
    /// - Throws: ``ConnectChatError``, or `CancellationError`.
    @MainActor
    public func sendEvent(event: ContentType, content: String) async throws {
        try await OneAnswer.wait { done in
            self.sendEvent(event: event, content: content, completion: done)
        }
    }

    /// Sends a receipt, at most one of each kind per window.
    ///
    /// - Parameters:
    ///   - event: which receipt.
    ///   - messageId: the message.
    /// - Throws: ``ConnectChatError``, or `CancellationError`.
    @MainActor
    public func sendMessageReceipt(
        event: MessageReceiptType = .messageRead, messageId: String
    ) async throws {
        try await OneAnswer.wait { done in
            self.sendMessageReceipt(event: event, messageId: messageId, completion: done)
        }
    }

    /// Sends a file. Its row is there at once.
    ///
    /// - Parameter file: the file.
    /// - Throws: ``ConnectChatError``, or `CancellationError`.
    @MainActor
    public func sendAttachment(file: URL) async throws {
        try await OneAnswer.transfer { done in
            self.sendAttachment(file: file, completion: done)
        }
    }

    /// Fetches a file into a temporary folder.
    ///
    /// - Parameters:
    ///   - attachmentId: the file.
    ///   - filename: its name here; only the last part counts.
    /// - Returns: what the completion would get.
    /// - Throws: ``ConnectChatError``, or `CancellationError`.
    @MainActor
    public func downloadAttachment(attachmentId: String, filename: String) async throws -> URL {
        try await OneAnswer.transfer { done in
            self.downloadAttachment(attachmentId: attachmentId, filename: filename, completion: done)
        }
    }

    /// Asks where a file is.
    ///
    /// - Parameter attachmentId: the file.
    /// - Returns: what the completion would get.
    /// - Throws: ``ConnectChatError``, or `CancellationError`.
    @MainActor
    public func getAttachmentDownloadUrl(attachmentId: String) async throws -> URL {
        try await OneAnswer.wait { done in
            self.getAttachmentDownloadUrl(attachmentId: attachmentId, completion: done)
        }
    }

    /// Asks how a view looks.
    ///
    /// - Parameter viewToken: the token of the message's content.
    /// - Returns: what the completion would get.
    /// - Throws: ``ConnectChatError``, or `CancellationError`.
    @MainActor
    public func describeView(viewToken: String) async throws -> ViewResource {
        try await OneAnswer.wait { done in
            self.describeView(viewToken: viewToken, completion: done)
        }
    }
}

/// One answer that is waited for: the completion's, or that of a cancelled task.
@MainActor
package enum OneAnswer {
    /// Waits like ``wait(_:)``; the transfer that `call` begins stops with the task.
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
