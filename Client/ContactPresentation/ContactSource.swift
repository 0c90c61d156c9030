public import ChatPresentation
public import ConnectCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Conversation of an Amazon Connect chat contact, for any number of screens that open and close while it runs.
///
/// ```swift
/// let source = ContactSource(session)              // a ChatSession of ConnectChat
/// ```
///
/// A new contact needs chat details from the app's backend, so the app implements ``ChatCommand/startNew``.
public struct ContactSource: ChatSource {
    private let session: ChatSession
    private let startNew: @Sendable () async throws -> Void

    /// The conversation of a session. `startNew` connects it with another contact.
    public init(_ session: ChatSession, startNew: @escaping @Sendable () async throws -> Void = {}) {
        (self.session, self.startNew) = (session, startNew)
    }

    /// True: files leave by `sendAttachment(file:)`.
    public var takesFiles: Bool { true }

    /// Begins to follow the conversation: delivers the existing rows, then every later change once.
    public func follow() -> ScreenFollowing {
        ScreenFollowing { wake in
            // A row added between the subscription and the snapshot is in both. The reader passes each row on once.
            let listener = session.listen(wake: wake)
            var reader = ContactReader()
            var status = SourceStatus(session.isChatSessionActive() ? .open : .connecting)
            var snapshot: TranscriptSnapshot? = session.latestTranscript
            let look = {
                var news = ScreenFollowing.News()
                if let first = snapshot {
                    news.actions = [.fill(reader.history(first, isOpen: status.connection == .open))]
                    snapshot = nil
                }
                for event in listener.takeAll() {
                    if reader.hasEnded, event == .connecting {
                        // Another contact begins: its rows and its end are new.
                        reader = ContactReader()
                        news.actions.append(.anew)
                    }
                    news.actions += reader.read(event)
                    status = status.after(event)
                }
                news.status = status
                return news
            }
            return (status, look, { listener.stop() })
        }
    }

    /// Carries out what the user did, with the calls of the SDK, and throws their errors.
    public func execute(_ command: ChatCommand) async throws {
        switch command {
        case .send(let text, _, _): try await session.sendMessage(contentType: .plainText, message: text)
        case .sendFile(let path): try await session.sendAttachment(file: URL(fileURLWithPath: path))
        case .retry(let id):
            try await session.resendFailedMessage(messageId: ContactReader.persistentID(ofDraft: id))
        case .typing: try await session.sendEvent(event: .typing, content: "")
        case .resume: session.resumeWebSocketConnection()
        case .startNew: try await startNew()
        case .end: try await session.disconnect()
        case .remove, .change: break  // no wire has them
        }
    }
}

extension SourceStatus {
    /// The status after an event of the contact.
    fileprivate func after(_ event: ChatSessionEvent) -> SourceStatus {
        switch event {
        case .connectionEstablished, .connectionReEstablished: SourceStatus(.open)
        case .connecting where failure != nil || connection == .closed: SourceStatus(.connecting)
        case .connectionBroken: SourceStatus(.reconnecting(attempt: 1))
        case .waiting(_, let attempt):
            connection == .connecting ? self : SourceStatus(.reconnecting(attempt: attempt))
        case .connectionFailed(let error) where connection == .connecting:
            SourceStatus(.connecting, failure: Failure(text: error.text, canResume: true))
        case .chatEnded: SourceStatus(.closed)
        default: self
        }
    }
}
