import Clocks
import ConversationEngine
import DialectKit

/// A contact: a session's state in Amazon Connect chat. For `@exclusivity(unchecked)` see decision 0001: it saves 7,300
/// of the 161,600 instructions of a SendMessage.
final class Contact: SessionEncoder {
    struct Start: Sendable {
        var customer = ""
        var contentTypes: Set<ContentType> = [.plain]
        var isIncremental = false
        var initialMessage: (type: ContentType, text: String)?
        var attributes: [String: String] = [:]
        var duration = Interval.hours(25)
        /// Whether the customer's exit disconnects the agent (`DisconnectOnCustomerExit`).
        var endsWithAgent = false
        var continued: Continued?
        var related: String?
        var segments: [String: String] = [:]

        /// Bytes of the texts and of the continued items.
        var heldBytes: Int {
            let texts = [attributes, segments].joined().reduce(initialMessage?.text.utf8.count ?? 0) {
                $0 + $1.key.utf8.count + $1.value.utf8.count
            }
            return texts + (continued?.items.reduce(0) { $0 + Item.bytes + $1.textBytes } ?? 0)
        }

        /// Whether the contact accepts a content type.
        func lists(_ type: ContentType) -> Bool {
            contentTypes.contains(type) || type == .response && contentTypes.contains(.interactive)
        }
    }

    struct Continued: Sendable {
        var contact: String
        /// Ids of the first contacts of the persistent chats.
        var firsts: [String]
        var items: [Item]

        /// Maximum number of contacts whose items are continued.
        static let contacts = 100

        static func latest(_ items: [Item]) -> [Item] {
            var known: Set<String> = []
            let last = items.lastIndex { known.insert($0.contact).inserted && known.count > contacts }
            return last.map { Array(items[($0 + 1)...]) } ?? items
        }

        /// Merges the items of another continued contact by time.
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

    /// A participant's message that waits for its echo from the engine.
    struct Reservation: Sendable {
        let number: Int
        let sender: Participant
        let type: ContentType
        let content: String
        let heard: String
        /// Id and time in the response, if it was sent before the echo.
        var sent: (id: UniqueID, time: Instant)?
    }

    enum Ending: Sendable {
        case customerLeft
        case stopped
    }

    let settings: ConnectOptions
    let initial: String
    @exclusivity(unchecked) var start = Start() { didSet { startBytes = start.heldBytes } }
    @exclusivity(unchecked) private var startBytes = 0
    @exclusivity(unchecked) var openedAt = Instant.distantFuture
    /// The contact id, which a transfer changes, and the former ids, oldest first.
    var current: String
    var formerly: [String] = []
    var transfers: [Instant] = []
    @exclusivity(unchecked) var participants: [Participant] = []
    var left: Set<Int> = []
    @exclusivity(unchecked) var isConnected = false
    /// Indices of all connected bots, and of those that connected before the customer.
    var connectedBots: Set<Int> = []
    var earlyBots: Set<Int> = []
    @exclusivity(unchecked) var ending: Ending?
    @exclusivity(unchecked) var endedAt: Instant?
    @exclusivity(unchecked) var items = ItemLog()
    /// Ids of the latest items that were sent to clients but are not part of the transcript.
    @exclusivity(unchecked) var passing: [UniqueID] = []
    @exclusivity(unchecked) var receipts: [UniqueID: [ReceiptMark]] = [:]
    var sockets: [Socket] = []
    var reservations: [Reservation] = []
    var reservationCount = 0
    /// Reservation number, id and time of the message that the engine echoed last.
    var echo: (number: Int, id: UniqueID, time: Instant)?
    /// Number of typing events that were sent to clients before their echo from the engine.
    var announcedTyping = 0
    var agent: Participant?
    var invited: Participant?
    var isTransferring = false
    @exclusivity(unchecked) var thinkingAgain: Instant?
    /// The reply being streamed: message id in the engine, index of its item, number of chunks sent, text so far.
    var stream: (message: String, item: Int, pieces: Int, text: String)?
    /// Labels of the time slots offered last, by time.
    var slots: [String: String] = [:]
    var hasScriptedReceipts = false
    /// Messages that the agent will read, with the time of the receipt.
    @exclusivity(unchecked) var unread: [(message: UniqueID, due: Instant)] = []
    @exclusivity(unchecked) var timers = ParticipantTimers()
    @exclusivity(unchecked) var uploads: [String: Upload] = [:]
    /// Responses to StartChatContact and to idempotent requests.
    var opening: IdempotencyCache.Answer?
    @exclusivity(unchecked) var replays = IdempotencyCache()
    var authentication: (session: String, until: Instant)?
    /// Ids of the most recent transient entries, to recognise repeated ones.
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

    /// Returns the participant with this role and name, added if necessary.
    func voice(_ name: String, _ role: Participant.Role = .system) -> Participant {
        if let known = participants.first(where: { $0.role == role && $0.name == name }) { return known }
        return add(role, name)
    }

    /// The author of the script's messages.
    var bot: Participant { settings.botRole == .system ? voice("BOT") : voice("BOT", .customBot) }

    static let flowName = "SYSTEM_MESSAGE"

    /// The author of the contact flow's messages.
    var flow: Participant { voice(Self.flowName) }

    /// Whether the customer and an agent or bot are present.
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

    /// Returns a unique time in whole milliseconds: `now`, or later if necessary.
    func moment(at now: Instant) -> Instant {
        lastTime = max(now.millisecondsSince1970, lastTime + 1)
        return Instant(nanosecondsSince1970: lastTime * 1_000_000)
    }

    func uniqueID(at time: Instant) -> UniqueID { UniqueID.version7(at: time, from: &generator) }
    func token() -> String { UniqueID.version4(from: &generator).text }

    func item(
        _ content: Item.Content, from sender: Participant?, source: String? = nil, at now: Instant
    ) -> Item {
        let time = moment(at: now)
        return Item(
            id: uniqueID(at: time), time: time, content: content, sender: sender, contact: current,
            source: source)
    }

    /// Creates an item, and sends it to the subscribed sockets.
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

    static let passingIDs = 1_000

    /// Stores the id of an item outside the transcript (protocol-connect.md#passing-ids).
    func pass(_ id: UniqueID) {
        if passing.count == Self.passingIDs { passing.removeFirst() }
        passing.append(id)
    }

    // MARK: - Connecting

    /// Sends the customer's join and first message, and starts the conversation.
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

    func appear(_ party: Int, at now: Instant, into steps: inout Steps) {
        connectCustomer(at: now, into: &steps)
        connect(party, at: now, into: &steps)
    }

    /// Connects a participant.
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
    var profile: SpeakerProfile { SpeakerProfile(id: id, name: name) }
}
