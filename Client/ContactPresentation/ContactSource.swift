public import ChatPresentation
public import ConnectCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Conversation of an Amazon Connect chat contact. Any number of screens can follow it at the same time.
///
/// ```swift
/// let source = ContactSource(session)              // a ChatSession of ConnectChat
/// ```
///
/// Only the app's backend can start a contact. So for ``ChatCommand/startNew``, the source calls the closure `startNew`
/// of the app.
public struct ContactSource: ChatSource {
    private let session: ChatSession
    private let startNew: @Sendable () async throws -> Void

    /// Makes the conversation of a session. `startNew` must start another contact and connect the session with it.
    public init(_ session: ChatSession, startNew: @escaping @Sendable () async throws -> Void = {}) {
        (self.session, self.startNew) = (session, startNew)
    }

    /// Always true: the SDK sends files with `sendAttachment(file:)`.
    public var takesFiles: Bool { true }

    /// Subscribes a screen to the conversation. The subscription delivers the existing rows, then each later change.
    public func follow() -> ScreenFollowing {
        ScreenFollowing { wake in
            // A row that is added after the subscription and before the snapshot arrives twice. The reader delivers it
            // only once.
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
                        // Another contact begins, so a new reader is needed.
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

    /// Executes a command of the user by calling the SDK. Errors of the SDK are thrown.
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
