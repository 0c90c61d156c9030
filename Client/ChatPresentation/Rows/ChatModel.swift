/// View model of a conversation without a view: events and user actions go in, rows and announcements come
/// out.
///
/// It reads no clock: each action brings its time, and ``nextDeadline`` says when ``ChatAction/tick`` is
/// wanted.
///
/// ```swift
/// var chat = ChatModel()
/// for event in history {                     // [MessagingEvent] of the SDK
///     if let action = ChatAction(event) { _ = chat.apply(action, at: now) }
/// }
/// for row in chat.rows { draw(row) }
/// ```
///
/// An action updates only the rows it affects, so its cost does not depend on the number of rows.
public struct ChatModel: Sendable {
    /// The party that determines whether a user's message was delivered.
    public enum Delivery: Equatable, Sendable {
        /// The SDK reports it: ``ChatAction/confirmed(id:messageID:)`` and ``ChatAction/failed(id:)``.
        case told
        /// The model: it asks for each draft to be sent, and once more after a lost connection. Without an echo a
        /// draft fails after 12 s, or after 15 s without a connection. `waitsForever` leaves out the latter;
        /// `repeats` sends copies after 3, 6 and 9 s.
        case timed(waitsForever: Bool = false, repeats: Bool = false)
    }

    /// Options of a chat model.
    public struct Options: Sendable {
        /// The name of an agent that has none.
        public var agentName = "Agent"
        /// Whether replies are shown while they are streamed; otherwise typing is shown until they are
        /// complete.
        public var isProgressive = true
        /// The party that determines whether a user's message was delivered.
        public var delivery = Delivery.told
        /// Duration of the talk after an idle warning, in seconds.
        public var idleGraceSeconds = 30
        /// Offset of the reader's time zone from UTC in seconds, at a given time. Default UTC.
        public var secondsFromUTC: @Sendable (Milliseconds) -> Int = { _ in 0 }

        /// The defaults.
        public init() {}
    }

    /// Responder to the user.
    public enum Presence: String, Equatable, Sendable {
        /// The automatic agent.
        case agent
        /// A person is looked for.
        case transferring
        /// The user waits in a queue.
        case queue
        /// A person.
        case person
    }

    /// The rows, oldest first.
    public internal(set) var rows: [ChatRow] = []
    /// The name of the participant who is typing.
    public var typing: String? { dots?.name }
    /// The party or cause that ended the conversation.
    public internal(set) var ending: Ending?
    /// Whether nothing more can arrive. If a person left, only once the server has confirmed the end.
    public internal(set) var isOver = false
    /// The responder to the user.
    public internal(set) var presence: Presence?
    /// The name of the person who is in the talk.
    public var person: String? { live?.name }
    /// Number of messages that arrived while the app was hidden.
    public internal(set) var unread = 0
    /// Number of messages that arrived while the reader had scrolled up.
    public internal(set) var below = 0
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
    /// All items that ever had a row, by slot.
    var items: [ChatItem] = []
    var messages: [String: Int] = [:]
    var drafts: [String: Int] = [:]
    var seen: Set<String> = []
    /// Drafts that are neither confirmed nor failed, oldest first.
    var waiting: [Int] = []
    /// Replies that are not complete.
    var growing: Set<Int> = []
    /// Incomplete replies that lack a chunk.
    var gaps: Set<Int> = []
    /// Slots of messages that have a row, in row order.
    var spoken: [Int] = []
    var placeCount = 0
    /// Slots whose rows have to be made anew.
    var stale: [Int] = []
    var effects: [ChatEffect] = []

    var sequence = 0
    /// The server's time minus the caller's.
    var offset: Milliseconds = 0
    var agent: Agent?
    var live: Agent?
    var dots: Dots?
    /// True once a history was received: later rows are new.
    var isLoaded = false
    var isOpen = false
    var isVisible = true
    var isAtEnd = true
    /// The user ended the talk here.
    var isOwnEnd = false
    var queueSlot: Int?
    var idleSlot: Int?
    var idleUntil: Milliseconds?
    /// The message below the divider "New messages".
    var mark: Int?
    var markUntil: Milliseconds?
    var noticeCount = 0

    /// A talk in which nothing has happened.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Applies one action and returns the resulting effects, in order. `now` comes from a clock that never
    /// goes back.
    public mutating func apply(_ action: ChatAction, at now: Milliseconds) -> [ChatEffect] {
        let now = Times.bounded(now)
        effects = []
        execute(action, at: now)
        passTime(now)
        refreshStale()
        return effects
    }

    /// The suggested replies at present: those of the last row, if it is a complete message of the other
    /// side.
    public var suggestions: [RowSuggestion] {
        guard ending == nil, let row = rows.last(where: { $0.notice?.event != "idleWarning" }) else {
            return []
        }
        let item = items[row.slot]
        return item.speaker != .user && item.isDone ? item.suggestions : []
    }

    /// The server's time at the caller's `now`: the input of ``DayAge``.
    public func serverTime(at now: Milliseconds) -> Milliseconds { Times.bounded(now) + offset }
}

/// State of a message or a notice besides its row.
struct ChatItem: Sendable {
    let id: String
    /// Sort key: the sequence, plus one half for rows after it, infinite for drafts.
    var order: Double
    var at: Milliseconds
    var content: ChatRow.Content
    var isPlaced = false
    /// Order of arrival among rows with the same sort key.
    var placed = 0
    /// Shown when the message is complete.
    var attachments: [RowAttachment] = []
    var suggestions: [RowSuggestion] = []
    var calls: [RowCall] = []
    var isDone = false
    var isAnnounced = false

    // Of a reply that grows.
    var chunks: [Int: String] = [:]
    /// The text that a history had of it; the pieces follow.
    var head: String?
    /// The index of the first piece after the head; nil until it comes.
    var firstIndex: Int?
    /// The index after those that the text has.
    var nextIndex = 1
    var lastIndex: Int?
    /// Whether gaps are no longer waited for.
    var isLoose = false
    var gapUntil: Milliseconds?
    /// Whether the connection was lost while the message was streamed.
    var isCut = false

    // Of a draft.
    var payload: String?
    var since: Milliseconds = 0
    var failsAt: Milliseconds?
    var copiesAt: [Milliseconds] = []
    /// The draft with which the user sent this message again.
    var retrySlot: Int?

    var speaker: Speaker? { message?.speaker }

    var message: RowMessage? {
        get { if case .message(let message) = content { message } else { nil } }
        set { if let newValue { content = .message(newValue) } }
    }
}
