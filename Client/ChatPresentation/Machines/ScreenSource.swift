public import PolyMessaging

/// Source of a running conversation, for any number of screens that open and close meanwhile.
///
/// ```swift
/// let following = ScreenSource(session.client).follow()     // on each appearance
/// for await _ in following.news {
///     for action in following.take() { _ = chat.apply(action, at: now) }
/// }
/// ```
public struct ScreenSource: Sendable {
    private let feed: EventBroadcast

    /// Makes the source of a client's conversation. The source does not keep the client alive.
    public init(_ client: PolyMessagingClient) {
        self.init(client.driver.streams.feed)
    }

    package init(_ feed: EventBroadcast) {
        self.feed = feed
    }

    /// Subscribes to the conversation: the existing rows first, then each later change once.
    public func follow() -> ScreenFollowing { ScreenFollowing(feed) }
}

/// Subscription of one screen to its ``ScreenSource``. Use it on one actor.
public final class ScreenFollowing {
    /// An element when there are actions to take; several changes may share one element.
    public let news: AsyncStream<Void>
    /// Whether no more actions will come.
    public private(set) var isOver = false

    private let listener: EventSubscription
    private let wake: AsyncStream<Void>.Continuation
    /// The existing rows, until the first ``take()``.
    private var history: ChatHistory?
    /// Number of the last update that ``history`` contains.
    private let number: Int
    /// Whether there is a session. A session that follows replaces its rows.
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

    /// Takes the actions for the model since the last call, in order. The first action fills the model.
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

    /// Ends the subscription and ``news``.
    public func stop() {
        listener.leave()
        wake.finish()
    }
}
