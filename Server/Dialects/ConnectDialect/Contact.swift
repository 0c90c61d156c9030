import Clocks
import ConversationEngine
import DialectKit

/// A contact: the dialect's state of a session, with participants, items and deadlines; journal entries, frames and
/// requests go in, items come out.
final class Contact: SessionEncoder {
    /// Parameters of a start.
    struct Start: Sendable {
        var customer = ""
        var contentTypes: Set<ContentType> = [.plain]
        var isIncremental = false
        var initialMessage: (type: ContentType, text: String)?
        var attributes: [String: String] = [:]
        var duration = Interval.hours(25)
        /// The agent leaves when the customer does.
        var endsWithAgent = false
        /// The continued contact with its transcript.
        var continued: Continued?
        var related: String?
        var segments: [String: String] = [:]

        /// Bytes of texts and of continued items; these count here even if other contacts share them.
        var heldBytes: Int {
            let texts = [attributes, segments].joined().reduce(initialMessage?.text.utf8.count ?? 0) {
                $0 + $1.key.utf8.count + $1.value.utf8.count
            }
            return texts + (continued?.items.reduce(0) { $0 + Item.bytes + $1.textBytes } ?? 0)
        }

        /// True if participants accept a content type; replies may be interactive then.
        func lists(_ type: ContentType) -> Bool {
            contentTypes.contains(type) || type == .response && contentTypes.contains(.interactive)
        }
    }

    struct Continued: Sendable {
        var contact: String
        /// First contact; several after associations.
        var firsts: [String]
        var items: [Item]

        /// Maximum number of continued contacts in a transcript.
        static let contacts = 100

        /// Items of the latest contacts.
        static func latest(_ items: [Item]) -> [Item] {
            var known: Set<String> = []
            let last = items.lastIndex { known.insert($0.contact).inserted && known.count > contacts }
            return last.map { Array(items[($0 + 1)...]) } ?? items
        }

        /// Merges another past, in order of time.
        func adding(_ other: Continued) -> Continued {
            let known = Set(items.map(\.id))
            let all = items + other.items.filter { !known.contains($0.id) }
            return Continued(
                contact: other.contact, firsts: firsts + other.firsts.filter { !firsts.contains($0) },
                items: Self.latest(all.sorted { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }))
        }
    }

    struct Socket: Sendable {
        let connection: ConnectionID
        let party: Int
        var isSubscribed = false
    }

    /// A participant's message before its echo.
    struct Reservation: Sendable {
        let number: Int
        let sender: Participant
        let type: ContentType
        /// Content of the client, and its text for the engine.
        let content: String
        let heard: String
        /// Id and time in the answer to a message with a late echo.
        var told: (id: UniqueID, time: Instant)?
    }

    enum Ending: Sendable {
        case customerLeft
        case stopped
    }

    let settings: ConnectOptions
    let initial: String
    var start = Start() { didSet { startBytes = start.heldBytes } }
    private var startBytes = 0
    var openedAt = Instant.distantFuture
    /// Current id, which transfers change; and the former ones, oldest first.
    var current: String
    var formerly: [String] = []
    /// Times of transfers.
    var transfers: [Instant] = []
    var participants: [Participant] = []
    /// Indices of participants who left.
    var left: Set<Int> = []
    var isConnected = false
    /// Indices of connected bots, and of those connected before the customer.
    var connectedBots: Set<Int> = []
    var earlyBots: Set<Int> = []
    var ending: Ending?
    var endedAt: Instant?
    var items = ItemLog()
    /// Latest ids of items outside the transcript.
    var passing: [UniqueID] = []
    var receipts: [UniqueID: [ReceiptMark]] = [:]
    var sockets: [Socket] = []
    var reservations: [Reservation] = []
    var reservationCount = 0
    /// Item of the latest reservation.
    var echo: (number: Int, id: UniqueID, time: Instant)?
    /// Typing events of the customer already sent.
    var toldTyping = 0
    var agent: Participant?
    /// A participant who was invited and has not joined.
    var invited: Participant?
    var isTransferring = false
    /// Time of the next typing event of the bot.
    var thinkingAgain: Instant?
    /// Streamed message: its item, pieces sent, and text so far.
    var stream: (message: String, item: Int, pieces: Int, text: String)?
    /// Labels of the times offered last.
    var slots: [String: String] = [:]
    /// The script has receipts.
    var hasScriptedReceipts = false
    /// Messages that the agent will read.
    var unread: [(message: UniqueID, due: Instant)] = []
    var timers = ParticipantTimers()
    var uploads: [String: Upload] = [:]
    /// Answers to the start and to idempotent requests.
    var opening: IdempotencyCache.Answer?
    var replays = IdempotencyCache()
    var authentication: (session: String, until: Instant)?
    /// Recent entries that connections waited for.
    var recentEntries: [UniqueID] = []
    private var generator: SeededGenerator
    private var lastTime: Int64 = 0

    init(of session: String, settings: ConnectOptions) {
        self.settings = settings
        initial = session
        current = session
        generator = SeededGenerator(seed: 0).stream(session)
    }

    // MARK: - Participants

    var customer: Participant { participants[0] }

    func add(_ role: Participant.Role, _ name: String, id: String? = nil) -> Participant {
        let participant = Participant(id: id ?? token(), role: role, name: name, place: participants.count)
        participants.append(participant)
        return participant
    }

    /// A participant for the system's texts, made on demand.
    func voice(_ name: String, _ role: Participant.Role = .system) -> Participant {
        if let known = participants.first(where: { $0.role == role && $0.name == name }) { return known }
        return add(role, name)
    }

    /// Author of the script's messages.
    var bot: Participant { settings.botRole == .system ? voice("BOT") : voice("BOT", .customBot) }

    static let flowName = "SYSTEM_MESSAGE"

    /// Author of the flow's messages.
    var flow: Participant { voice(Self.flowName) }

    /// True with an agent or a bot of the other side: timers run.
    var hasCompany: Bool { isConnected && (agent != nil || !connectedBots.isEmpty) }

    func takes(_ type: ContentType) -> Bool { start.contentTypes.contains(type) }

    var streams: Bool {
        switch settings.incremental {
        case .auto: start.isIncremental
        case .always: true
        case .never: false
        }
    }

    // MARK: - Memory

    var memory: EncoderMemory? { EncoderMemory(nextDeadline: nextDeadline, heldBytes: heldBytes) }

    private var heldBytes: Int {
        startBytes + items.heldBytes + participants.count * Participant.bytes
            + replays.heldBytes + passing.count * MemoryLayout<UniqueID>.stride
            + receipts.count * ReceiptMark.bytes
    }

    // MARK: - Items

    /// A unique time, at least a millisecond after the last.
    func moment(at now: Instant) -> Instant {
        lastTime = max(now.millisecondsSince1970, lastTime + 1)
        return Instant(nanosecondsSince1970: lastTime * 1_000_000)
    }

    func uniqueID(at time: Instant) -> UniqueID { UniqueID.version7(at: time, from: &generator) }
    func token() -> String { UniqueID.version4(from: &generator).text }

    /// Makes an item.
    func item(
        _ content: Item.Content, from sender: Participant?, source: String? = nil, at now: Instant
    ) -> Item {
        let time = moment(at: now)
        return Item(
            id: uniqueID(at: time), time: time, content: content, sender: sender, contact: current,
            source: source)
    }

    /// Sends an item to all and keeps it if its kind is kept.
    @discardableResult
    func deliver(
        _ content: Item.Content, from sender: Participant?, source: String? = nil, at now: Instant,
        into steps: inout Steps
    ) -> Item {
        let item = item(content, from: sender, source: source, at: now)
        deliver(item, into: &steps)
        return item
    }

    func deliver(_ item: Item, into steps: inout Steps) {
        if case .event(let event, _) = item.content, !event.isKept {
            pass(item.id)
        } else {
            items.keep(item)
        }
        send(item, nil, into: &steps)
    }

    /// Sends an item to every socket that subscribed.
    func send(_ item: Item, _ piece: Item.Piece?, into steps: inout Steps) {
        guard sockets.contains(where: \.isSubscribed) else { return }
        var content: [UInt8] = []
        content.reserveCapacity(ItemWriter.usualBytes)
        ItemWriter.write(item, for: .socket(initial: initial, piece), into: &content)
        send(content, type: item.type, into: &steps)
    }

    func send(_ content: [UInt8], type: String, into steps: inout Steps) {
        let frame = ItemWriter.frame(content)
        for socket in sockets where socket.isSubscribed {
            steps.append(.send(text: frame, type: type, to: socket.connection))
        }
    }

    /// Bound of ``passing``.
    static let passingIDs = 1_000

    /// Keeps the id of an item outside the transcript: clients may continue from it.
    func pass(_ id: UniqueID) {
        if passing.count == Self.passingIDs { passing.removeFirst() }
        passing.append(id)
    }

    // MARK: - Connecting

    /// The customer connects: joining, first message, start of the conversation.
    func connectCustomer(at now: Instant, into steps: inout Steps) {
        guard !isConnected, endedAt == nil, openedAt != .distantFuture else { return }
        isConnected = true
        deliver(.event(.joined), from: customer, at: now, into: &steps)
        if let first = start.initialMessage {
            deliver(.message(first.type, first.text), from: customer, at: now, into: &steps)
        }
        if start.continued != nil { deliver(.event(.rehydrated), from: nil, at: now, into: &steps) }
        steps.append(.receive(ClientInput(.join(greeting: nil)), from: .none))
        for party in earlyBots.sorted() where !left.contains(party) { connect(party, at: now, into: &steps) }
        earlyBots = []
        restartTimers(at: now)
    }

    /// Makes sure that the customer and this participant have joined.
    func appear(_ party: Int, at now: Instant, into steps: inout Steps) {
        connectCustomer(at: now, into: &steps)
        connect(party, at: now, into: &steps)
    }

    /// A participant connects, with or without a socket. A bot's joining waits for the customer's, which begins the
    /// transcript.
    func connect(_ party: Int, at now: Instant, into steps: inout Steps) {
        guard party > 0 else { return connectCustomer(at: now, into: &steps) }
        guard isConnected else {
            earlyBots.insert(party)
            return
        }
        let participant = participants[party]
        guard participant.role == .customBot, connectedBots.insert(party).inserted else { return }
        deliver(.event(.joined), from: participant, at: now, into: &steps)
        steps.append(.push(.liveAgentJoined(participant.profile), by: participant.name))
        restartTimers(at: now)
    }
}

extension Participant {
    /// A bot of the other side as the engine's speaker.
    var profile: SpeakerProfile { SpeakerProfile(id: id, name: name) }
}
