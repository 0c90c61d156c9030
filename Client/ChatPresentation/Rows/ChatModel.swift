/// View model of a conversation. Applies events and user actions, and returns rows and announcements.
///
/// The model has no clock: the caller passes the time with each action, and applies ``ChatAction/tick`` at the time
/// that ``nextDeadline(after:)`` returns. An action updates only the rows that it affects.
///
/// ```swift
/// var chat = ChatModel()
/// for event in history {                     // [MessagingEvent] of the SDK
///     if let action = ChatAction(event) { _ = chat.apply(action, at: now) }
/// }
/// for row in chat.rows { draw(row) }
/// ```
public struct ChatModel: Sendable {
    /// The source of the delivery state of a user's message.
    public enum Delivery: Equatable, Sendable {
        /// The SDK sends the messages. The app passes its reports to the model as
        /// ``ChatAction/confirmed(id:messageID:)`` or ``ChatAction/failed(id:)``.
        case reported
        /// The model decides when a draft is sent, also after a reconnect, by ``ChatEffect/send(id:text:payload:)``. A
        /// draft fails after 12 s without an echo, or after 15 s without a connection unless `waitsForever` is true. If
        /// `repeats` is true, a draft without an echo is sent again after 3, 6 and 9 s.
        case timed(waitsForever: Bool = false, repeats: Bool = false)
    }

    /// Options of a chat model.
    public struct Options: Sendable {
        /// The name shown for an agent that has no name.
        public var agentName = "Agent"
        /// Whether replies are shown while they are streamed, not only when complete.
        public var isProgressive = true
        /// The source of the delivery state of a user's message.
        public var delivery = Delivery.reported
        /// Time from an idle warning to the end of the conversation, in seconds.
        public var idleGraceSeconds = 30
        /// Offset of the user's time zone from UTC in seconds, at a given time. Default: UTC.
        public var secondsFromUTC: @Sendable (Milliseconds) -> Int = { _ in 0 }

        /// Makes the default options.
        public init() {}
    }

    /// The party that answers the user (`person` is a live agent), or the stage of a handoff to a live agent.
    public enum Presence: String, Equatable, Sendable {
        case agent
        case transferring
        case queue
        case person
    }

    /// The rows, oldest first.
    public internal(set) var rows: [ChatRow] = []
    /// The name of the participant who is typing.
    public var typing: String? { dots?.name }
    /// The party or cause that ended the conversation.
    public internal(set) var ending: Ending?
    /// Whether no further message can arrive. After a live agent has left, true only once the server confirms the end.
    public internal(set) var isOver = false
    /// The party that answers the user, or the stage of a handoff; nil if there is neither.
    public internal(set) var presence: Presence?
    /// The name of the live agent in the conversation.
    public var person: String? { live?.name }
    /// Number of messages that arrived while the app was hidden.
    public internal(set) var unread = 0
    /// Number of messages that were added below while the user was scrolled up.
    public internal(set) var below = 0
    /// Whether the source has older messages. See ``EarlierPages``.
    public internal(set) var hasEarlier = false
    /// The last language received.
    public internal(set) var language: String?

    // MARK: Parts of rows

    struct Agent: Sendable {
        var name: String
        var avatar: String?
    }

    struct Dots: Sendable {
        var name: String
        var until: Milliseconds
    }

    /// The options of the model.
    public let options: Options
    /// All messages and notices, with or without a row. An item's index is its slot.
    var items: [ChatItem] = []
    var messages: [String: Int] = [:]
    var drafts: [String: Int] = [:]
    var early: [(id: String, change: MessageChange)] = []
    /// Slots of the quoting messages, by the id of the quoted message.
    var quoting: [String: [Int]] = [:]
    var seen: Set<String> = []
    var waiting: [Int] = []
    var growing: Set<Int> = []
    var gaps: Set<Int> = []
    var spoken: [Int] = []
    var placeCount = 0
    var stale: [Int] = []
    var effects: [ChatEffect] = []

    var sequence = 0
    /// The server's time minus the local time.
    var offset: Milliseconds = 0
    var agent: Agent?
    var live: Agent?
    var dots: Dots?
    var isLoaded = false
    var isOpen = false
    var isVisible = true
    var isAtEnd = true
    var isOwnEnd = false
    var queueSlot: Int?
    var idleSlot: Int?
    var idleUntil: Milliseconds?
    /// Slot of the message below the divider "New messages".
    var mark: Int?
    var markUntil: Milliseconds?
    var noticeCount = 0

    /// Makes the model of a conversation without messages.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Applies one action and returns its effects, in order. `now` must never decrease.
    public mutating func apply(_ action: ChatAction, at now: Milliseconds) -> [ChatEffect] {
        let now = Times.bounded(now)
        effects = []
        execute(action, at: now)
        passTime(now)
        refreshStale()
        return effects
    }

    /// The suggested replies of the last row, not counting an idle warning, if that row is a complete message from the
    /// other side. Empty after the end of the conversation.
    public var suggestions: [RowSuggestion] {
        guard ending == nil, let row = rows.last(where: { $0.notice?.event != "idleWarning" }) else {
            return []
        }
        let item = items[row.slot]
        return item.speaker != .user && item.isDone ? item.suggestions : []
    }

    /// The server's time at the local time `now`, as input of ``DayAge``.
    public func serverTime(at now: Milliseconds) -> Milliseconds { Times.bounded(now) + offset }
}

/// Model state of a message or a notice, from which its row is built.
struct ChatItem: Sendable {
    let id: String
    /// Sort key: twice an event's sequence number. Without a number: twice the highest so far, plus 1. A draft has the
    /// highest key.
    var order: Int
    var at: Milliseconds
    var content: ChatRow.Content
    var isPlaced = false
    var placed = 0
    /// Attachments, shown when the message is complete.
    var attachments: [RowAttachment] = []
    var suggestions: [RowSuggestion] = []
    var calls: [RowCall] = []
    var isDone = false
    var isAnnounced = false

    var chunks: [Int: String] = [:]
    /// The part of the text that came from a history.
    var head: String?
    /// The index of the first chunk after ``head``; nil until that chunk arrives.
    var firstIndex: Int?
    var nextIndex = 1
    var lastIndex: Int?
    var isLoose = false
    var gapUntil: Milliseconds?
    var isCut = false

    var payload: String?
    var since: Milliseconds = 0
    var failsAt: Milliseconds?
    var copiesAt: [Milliseconds] = []
    /// Slot of the new draft, after the user has sent the message again.
    var retrySlot: Int?

    var speaker: Speaker? { message?.speaker }

    var message: RowMessage? {
        get { if case .message(let message) = content { message } else { nil } }
        set { if let newValue { content = .message(newValue) } }
    }
}
