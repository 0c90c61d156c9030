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
/// ``ChatCommand/startNew`` calls the app's `startNew`, because only the app's backend can start a contact.
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
            // A row that arrives between these calls is in the events and in the snapshot. The reader delivers it once.
            let listener = session.listen(wake: wake)
            var reader = ContactReader()
            var link = session.linkStatus
            var snapshot: TranscriptSnapshot? = session.latestTranscript
            let status = SourceStatus(link)
            let look = {
                var news = ScreenFollowing.News()
                if let first = snapshot {
                    news.actions = [
                        .fill(
                            reader.history(
                                first, isOpen: link.phase == .open, hasEnded: link.phase == .closed))
                    ]
                    for (id, percent) in session.uploadPercents {
                        let event = ChatSessionEvent.uploadProgress(messageId: id, percent: percent)
                        news.actions += reader.read(event)
                    }
                    snapshot = nil
                }
                for event in listener.takeAll() {
                    if reader.hasEnded, event == .connecting {
                        reader = ContactReader()
                        news.actions.append(.anew)
                    }
                    news.actions += reader.read(event)
                    link.apply(event)
                }
                news.status = SourceStatus(link)
                return news
            }
            return (status, look, { listener.stop() })
        }
    }

    /// Executes a command of the user. Throws errors of the SDK, and those of `startNew`.
    public func execute(_ command: ChatCommand) async throws {
        switch command {
        case .send(let text, _, _): try await session.sendMessage(contentType: .plainText, message: text)
        case .sendFile(let path): try await session.sendAttachment(file: URL(fileURLWithPath: path))
        case .cancelFile(let id): session.cancelUpload(messageId: ContactReader.persistentID(ofDraft: id))
        case .retry(let id):
            try await session.resendFailedMessage(messageId: ContactReader.persistentID(ofDraft: id))
        case .loadEarlier: try await loadEarlier()
        case .typing: try await session.sendEvent(event: .typing, content: "")
        case .resume: session.resumeWebSocketConnection()
        case .startNew: try await startNew()
        case .end: try await session.disconnect()
        case .remove, .change: break  // no wire has them
        }
    }
}

extension ContactSource {
    /// Requests the page before the first row.
    private func loadEarlier() async throws {
        guard let token = session.latestTranscript.previousTranscriptNextToken, !token.isEmpty else { return }
        var page = PageRequest()
        (page.isDescending, page.nextToken) = (false, token)
        let request = page
        try await OneAnswer.wait { (done: @escaping (Result<Void, any Error>) -> Void) in
            session.read(request) { done($0.map { _ in }) }
        }
    }
}

extension SourceStatus {
    fileprivate init(_ link: LinkStatus) {
        let connection: Connection =
            switch link.phase {
            case .connecting: .connecting
            case .open: .open
            case .reconnecting(let attempt): .reconnecting(attempt: attempt)
            case .closed: .closed
            }
        self.init(connection, failure: link.failure.map { Failure(text: $0.text, canResume: true) })
    }
}
