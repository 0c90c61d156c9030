/// A talk as its reader sees it, without a view: what happened goes in, rows and announcements come out.
///
/// It reads no clock: each action brings its time, and ``nextDeadline`` says when ``ChatAction/tick`` is wanted.
///
/// ```swift
/// var chat = ChatModel()
/// for event in history {                     // [MessagingEvent] of the SDK
///     if let action = ChatAction(event) { _ = chat.apply(action, at: now) }
/// }
/// for row in chat.rows { draw(row) }
/// ```
///
/// An action changes rows where it must and leaves the others alone: among 10,000 rows it costs what it costs among
/// 100.
public struct ChatModel: Sendable {
    /// The party that decides about the delivery of a message of the user.
    public enum Delivery: Equatable, Sendable {
        /// The SDK: ``ChatAction/confirmed(id:messageID:)`` and ``ChatAction/failed(id:)`` say it.
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
        /// Replies show while they grow; else typing shows until they are complete.
        public var isProgressive = true
        /// The party that decides about the delivery of a message of the user.
        public var delivery = Delivery.told
        /// Duration of the talk after an idle warning, in seconds.
        public var idleGraceSeconds = 30
        /// Seconds that the reader's time is ahead of UTC at a moment. UTC unless it is said.
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
    /// The name of who is typing.
    public var typing: String? { dots?.name }
    /// By whom the talk was ended.
    public internal(set) var ending: Ending?
    /// Nothing more can come: also a person's leaving was confirmed by the server.
    public internal(set) var isOver = false
    /// The responder to the user.
    public internal(set) var presence: Presence?
    /// The name of the person who is in the talk.
    public var person: String? { live?.name }
    /// Messages that came out of sight.
    public internal(set) var unread = 0
    /// Messages that came while the reader had scrolled up.
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
    /// Drafts that were neither confirmed nor given up, oldest first.
    var waiting: [Int] = []
    /// Replies that are not complete.
    var growing: Set<Int> = []
    /// Those of them that miss a piece.
    var gaps: Set<Int> = []
    /// Slots of messages that have a row, in its order.
    var spoken: [Int] = []
    var placeCount = 0
    /// Slots whose rows have to be made anew.
    var stale: [Int] = []
    var effects: [ChatEffect] = []

    var sequence = 0
    /// The server's clock less that of the caller.
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

    /// Applies one action, by a clock of the caller that never goes back, and returns what is to be done, in order.
    public mutating func apply(_ action: ChatAction, at now: Milliseconds) -> [ChatEffect] {
        let now = Times.bounded(now)
        effects = []
        execute(action, at: now)
        passTime(now)
        refreshStale()
        return effects
    }

    /// The replies to choose from now: those of the last row, when it is a complete message of the other side.
    public var suggestions: [RowSuggestion] {
        guard ending == nil, let row = rows.last(where: { $0.notice?.event != "idleWarning" }) else {
            return []
        }
        let item = items[row.slot]
        return item.speaker != .user && item.isDone ? item.suggestions : []
    }

    /// The reader's clock as the server would read it: the input of ``DayAge``.
    public func serverTime(at now: Milliseconds) -> Milliseconds { Times.bounded(now) + offset }
}

/// State of a message or a notice besides its row.
struct ChatItem: Sendable {
    let id: String
    /// Its sequence, one half more for rows after it, endless for drafts.
    var order: Double
    var at: Milliseconds
    var content: ChatRow.Content
    var isPlaced = false
    /// Among rows of one order: who came first stands first.
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
    /// Gaps are not waited for any more.
    var isLoose = false
    var gapUntil: Milliseconds?
    /// The connection broke while it grew.
    var isCut = false

    // Of a draft.
    var payload: String?
    var since: Milliseconds = 0
    var failsAt: Milliseconds?
    var copiesAt: [Milliseconds] = []
    /// The draft by which the user sent this one again.
    var retrySlot: Int?

    var speaker: Speaker? { message?.speaker }

    var message: RowMessage? {
        get { if case .message(let message) = content { message } else { nil } }
        set { if let newValue { content = .message(newValue) } }
    }
}
