/// A conversation of any protocol: delivers actions for a screen's ``ChatModel``, and executes the user's commands.
///
/// Implementations: ``MessagingSource`` for `PolyMessaging`, `ContactSource` for `ConnectChat`, `RunSource` for
/// `AgentRuns`, and ``ValueSource`` for an app's own back end.
///
/// ```swift
/// let following = source.follow()                           // on each appearance
/// for await _ in following.news {
///     for action in following.take() { _ = chat.apply(action, at: now) }
/// }
/// ```
public protocol ChatSource: Sendable {
    /// Subscribes a screen to the conversation. The subscription delivers the existing rows, then each later change.
    func follow() -> ScreenFollowing
    /// Executes a command of the user.
    ///
    /// - Throws: the error of the SDK or of the app. The row of a message that was not sent is also marked as failed.
    func execute(_ command: ChatCommand) async throws
    /// The optional actions on messages that ``execute(_:)`` supports, such as a reply. Default: none.
    var offers: Set<MessageAction> { get }
    /// Whether ``execute(_:)`` supports ``ChatCommand/sendFile(path:)`` and ``ChatCommand/cancelFile(messageID:)``.
    var takesFiles: Bool { get }
}

extension ChatSource {
    /// Default: no actions.
    public var offers: Set<MessageAction> { [] }
    /// Default: no files.
    public var takesFiles: Bool { false }
}

/// A command of the user on a screen, executed by its ``ChatSource``.
public enum ChatCommand: Equatable, Sendable {
    /// `payload` comes from a suggestion; `replyTo` is the id of the message that the text answers.
    case send(text: String, payload: String? = nil, replyTo: String? = nil)
    case sendFile(path: String)
    /// Stop the upload of a file; `messageID` is the id of its message.
    case cancelFile(messageID: String)
    /// Send a failed message again. `id` is the id of its draft.
    case retry(id: String)
    case remove(id: String)
    case change(messageID: String, MessageChange)
    /// Load the page of messages before the first row. The messages arrive as actions.
    case loadEarlier
    case typing
    /// Continue a failed conversation with its existing rows.
    case resume
    case startNew
    case end
}

/// Status of a source: its connection, and the failure of the conversation, if any.
public struct SourceStatus: Equatable, Sendable {
    /// State of the connection.
    public enum Connection: Equatable, Sendable {
        case connecting
        case open
        /// The connection was lost and is being restored. `attempt` counts from 1.
        case reconnecting(attempt: Int)
        /// There is no connection, and none is being made.
        case closed
    }

    /// A failure of the conversation, after which no retry is scheduled.
    public struct Failure: Equatable, Sendable {
        /// The reason, in words for the user.
        public var text: String
        /// Whether ``ChatCommand/resume`` can continue the conversation with its existing rows.
        public var canResume: Bool

        /// Makes a failure.
        public init(text: String, canResume: Bool) {
            self.text = text
            self.canResume = canResume
        }
    }

    /// The state of the connection.
    public var connection: Connection
    /// The failure; nil while the conversation works.
    public var failure: Failure?

    /// Makes the status of a source.
    public init(_ connection: Connection, failure: Failure? = nil) {
        self.connection = connection
        self.failure = failure
    }
}

/// Subscription of one screen to its ``ChatSource``, while the screen is shown. Use it on one actor only.
public final class ScreenFollowing {
    /// The changes since the last call of ``take()``.
    public struct News {
        /// Actions for the model, in order.
        public var actions: [ChatAction]
        /// The new status; nil if the status has not changed.
        public var status: SourceStatus?
        /// Whether the source makes no further changes.
        public var isLast: Bool

        /// Makes a set of changes, by default empty.
        public init(_ actions: [ChatAction] = [], status: SourceStatus? = nil, isLast: Bool = false) {
            self.actions = actions
            self.status = status
            self.isLast = isLast
        }
    }

    /// Yields an element when ``take()`` has new actions or a new status. Several changes may cause one element.
    public let news: AsyncStream<Void>
    /// The status, as of the last ``take()``.
    public private(set) var status: SourceStatus
    /// Whether the source makes no further changes.
    public private(set) var isOver = false

    private let wake: AsyncStream<Void>.Continuation
    private let look: () -> News
    private let leave: () -> Void

    /// Makes a subscription. `begin` returns the status, a closure for the changes since its last call, and a closure
    /// that ends the subscription. The source calls `wake` after each change, on any thread.
    public init(
        _ begin: (_ wake: @escaping @Sendable () -> Void) -> (SourceStatus, () -> News, () -> Void)
    ) {
        let (news, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.news, self.wake) = (news, wake)
        (status, look, leave) = begin { wake.yield() }
        wake.yield()
    }

    deinit { stop() }

    /// Returns the actions since the last call, in order, and updates ``status``. The first action of the subscription
    /// is ``ChatAction/fill(_:)``.
    public func take() -> [ChatAction] {
        let new = look()
        status = new.status ?? status
        if new.isLast {
            isOver = true
            wake.finish()
        }
        return new.actions
    }

    /// Ends the subscription and the stream ``news``.
    public func stop() {
        leave()
        wake.finish()
    }
}
