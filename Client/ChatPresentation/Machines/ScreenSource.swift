public import PolyMessaging

/// Conversation of a session, for any number of screens that open and close while it runs.
///
/// ```swift
/// let following = ScreenSource(session.client).follow()     // on each appearance
/// for await _ in following.news {
///     for action in following.take() { _ = chat.apply(action, at: now) }
/// }
/// ```
public struct ScreenSource: Sendable {
    private let feed: EventBroadcast

    /// The conversation of a client. It does not keep the client alive.
    public init(_ client: PolyMessagingClient) {
        self.init(client.driver.streams.feed)
    }

    package init(_ feed: EventBroadcast) {
        self.feed = feed
    }

    /// Begins to follow: the rows that are there, then every later change once.
    public func follow() -> ScreenFollowing { ScreenFollowing(feed) }
}

/// Subscription of one screen to its ``ScreenSource``, from appearance to disappearance. Belongs to one actor.
public final class ScreenFollowing {
    /// An element when there is something to take; several changes may share one.
    public let news: AsyncStream<Void>
    /// True when nothing more will come.
    public private(set) var isOver = false

    private let listener: EventSubscription
    private let wake: AsyncStream<Void>.Continuation
    /// Until the first ``take()``.
    private var history: ChatHistory?
    /// The number of the last update that is in the history.
    private let number: Int
    /// There is a session, so the next one is another.
    private var hasSession: Bool

    init(_ feed: EventBroadcast) {
        let (news, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.news, self.wake) = (news, wake)
        let (transcript, number, listener) = feed.subscribe(progressively: true) { wake.yield() }
        (self.number, self.listener) = (number, listener)
        history = ChatHistory(transcript)
        hasSession = transcript.hasSession
        wake.yield()
    }

    deinit { stop() }

    /// The actions for the model since the last call, in order; the first fills it.
    public func take() -> [ChatAction] {
        let (items, isLast) = listener.takeAll()
        var actions: [ChatAction] = []
        if let history { actions.append(.fill(history)) }
        history = nil
        for case .update(let update, _, let number) in items where number > self.number {
            switch update {
            case .event(let event): if let action = ChatAction(event) { actions.append(action) }
            case .sessionChanged:
                if hasSession { actions.append(.anew) }
                hasSession = true
            case .status, .sessionState: break
            }
        }
        if isLast {
            isOver = true
            wake.finish()
        }
        return actions
    }

    /// Follows no more, and ends ``news``.
    public func stop() {
        listener.leave()
        wake.finish()
    }
}
