public import PolyMessaging

/// Conversation of a `PolyMessaging` session. Any number of screens can follow it at the same time.
///
/// ```swift
/// let source = MessagingSource(session.client)
/// ```
public struct MessagingSource: ChatSource {
    private let feed: EventBroadcast
    private let client: PolyMessagingClient?

    /// Makes the conversation of a client.
    public init(_ client: PolyMessagingClient) {
        feed = client.driver.streams.feed
        self.client = client
    }

    package init(_ feed: EventBroadcast) {
        self.feed = feed
        client = nil
    }

    /// Subscribes a screen to the conversation. The subscription delivers the existing rows, then each later change.
    public func follow() -> ScreenFollowing {
        ScreenFollowing { wake in
            let (transcript, first, listener) = feed.subscribe(progressively: true, wake: wake)
            var history: ChatHistory? = ChatHistory(transcript)
            // If there is a session, the next `sessionChanged` begins another one.
            var hasSession = transcript.hasSession
            let status = SourceStatus(messaging: transcript.connection, failure: transcript.failureReason)
            let look = {
                let (items, isLast) = listener.takeAll()
                var news = ScreenFollowing.News(isLast: isLast)
                if let history { news.actions.append(.fill(history)) }
                history = nil
                for case .update(let update, _, let number) in items where number > first {
                    switch update {
                    case .event(let event):
                        if let action = ChatAction(event) { news.actions.append(action) }
                    case .reply(let id, let text, let replyTo):
                        news.actions.append(.draft(id: id, text: text, replyTo: replyTo, files: []))
                    case .sessionChanged:
                        if hasSession { news.actions.append(.anew) }
                        hasSession = true
                    case .status(let status): news.status = SourceStatus(messaging: status)
                    case .sessionState: break
                    }
                }
                return news
            }
            return (status, look, { listener.leave() })
        }
    }

    /// Executes a command of the user, and throws errors of the SDK. Commands that are not offered do nothing.
    public func execute(_ command: ChatCommand) async throws {
        switch command {
        case .send(let text, let payload, let replyTo):
            var metadata: [String: String] = [:]
            metadata["suggestion_payload"] = payload
            metadata["reply_to"] = replyTo
            try await client?.send(text, metadata: metadata)
        case .retry(let id):
            try await client?.retry(draftId: id)
            feed.removeMessage(draftID: id)
        case .remove(let id):
            client?.driver.submit(.removeDraft(id))
            feed.removeMessage(draftID: id)
        case .typing: try await client?.sendTyping()
        case .resume: try await client?.resume()
        case .startNew: try await client?.startNewSession()
        case .end: try await client?.end()
        case .sendFile, .cancelFile, .loadEarlier, .change: break  // not offered
        }
    }

    /// Offers replies. A reply's metadata contains the id of the answered message.
    public var offers: Set<MessageAction> { [.reply] }
}

extension SourceStatus {
    /// Makes the status of a session of the SDK. `failure` is used if `status` has no error of its own.
    public init(messaging status: ConnectionStatus, failure: PolyError? = nil) {
        var reason = failure
        switch status {
        case .idle, .connecting: self.init(.connecting)
        case .open: self.init(.open)
        case .reconnecting(let attempt): self.init(.reconnecting(attempt: attempt))
        case .closing, .closed: self.init(.closed)
        case .failed(let error):
            self.init(.closed)
            reason = error ?? failure
        }
        self.failure = reason.map { Failure(text: $0.description, canResume: $0.isRetryable) }
    }
}
