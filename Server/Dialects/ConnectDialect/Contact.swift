import Clocks
import ConversationEngine
import DialectKit

/// One contact: what its participants were told, who they are, and what is to come. It is the dialect's memory of a
/// session; entries of the journal, frames and requests go in, items come out.
final class Contact: SessionEncoder {
    /// What a start asked for.
    struct Start: Sendable {
        var customer = ""
        var contentTypes: Set<ContentType> = [.plain]
        var isIncremental = false
        var initialMessage: (type: ContentType, text: String)?
        var attributes: [String: String] = [:]
        var duration = Interval.hours(25)
        /// The agent leaves when the customer does.
        var endsWithAgent = false
        /// The contact it goes on from, with all that its transcript reaches.
        var continued: Continued?
        var related: String?
        var segments: [String: String] = [:]

        /// Bytes of the contact's texts, and of the items of the contact that it continues: these items count
        /// here, even where other contacts hold the same items.
        var heldBytes: Int {
            let texts = [attributes, segments].joined().reduce(initialMessage?.text.utf8.count ?? 0) {
                $0 + $1.key.utf8.count + $1.value.utf8.count
            }
            return texts + (continued?.items.reduce(0) { $0 + Item.bytes + $1.textBytes } ?? 0)
        }

        /// Its participants may write so: answers go with interactive messages.
        func lists(_ type: ContentType) -> Bool {
            contentTypes.contains(type) || type == .response && contentTypes.contains(.interactive)
        }
    }

    struct Continued: Sendable {
        var contact: String
        /// The one that all began with; several where an association added others.
        var firsts: [String]
        var items: [Item]

        /// Contacts that a transcript reaches back.
        static let contacts = 100

        /// The items of the latest of them.
        static func latest(_ items: [Item]) -> [Item] {
            var known: Set<String> = []
            let last = items.lastIndex { known.insert($0.contact).inserted && known.count > contacts }
            return last.map { Array(items[($0 + 1)...]) } ?? items
        }

        /// Goes on from another one as well: what is known stays, and all of it stands in the order of time.
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

    /// A message of a participant whose echo is to come.
    struct Reservation: Sendable {
        let number: Int
        let sender: Participant
        let type: ContentType
        /// As the client wrote it, and as the engine hears it.
        let content: String
        let heard: String
        /// What its sender was told of an echo that is late.
        var told: (id: UniqueID, time: Instant)?
    }

    /// How it came to an end.
    enum Ending: Sendable {
        case customerLeft
        case stopped
    }

    let settings: ConnectOptions
    /// The contact as it began.
    let initial: String
    var start = Start() { didSet { startBytes = start.heldBytes } }
    private var startBytes = 0
    var openedAt = Instant.distantFuture
    /// The contact now: another one after each transfer; and those that it was, oldest first.
    var current: String
    var formerly: [String] = []
    /// When each of those that it was ended, and the next one began.
    var transfers: [Instant] = []
    var participants: [Participant] = []
    /// Places of those who have left.
    var left: Set<Int> = []
    var isConnected = false
    /// Places of bots that have connected, and of those that did so before the customer.
    var connectedBots: Set<Int> = []
    var earlyBots: Set<Int> = []
    var ending: Ending?
    var endedAt: Instant?
    var items = ItemLog()
    /// Ids of things that no transcript has, the latest ones.
    var passing: [UniqueID] = []
    var receipts: [UniqueID: [ReceiptMark]] = [:]
    var sockets: [Socket] = []
    var reservations: [Reservation] = []
    var reservationCount = 0
    /// The item that the latest of them became.
    var echo: (number: Int, id: UniqueID, time: Instant)?
    /// Typing of the customer that was told already.
    var toldTyping = 0
    /// Who plays the agent now, and whether another one is asked for.
    var agent: Participant?
    /// Who was told invited, and has not joined.
    var invited: Participant?
    var isTransferring = false
    /// The bot is about to speak: told again at this moment.
    var thinkingAgain: Instant?
    /// The item of a streamed message, the pieces told, and its text so far.
    var stream: (message: String, item: Int, pieces: Int, text: String)?
    /// Words of the times that were told last, by the times.
    var slots: [String: String] = [:]
    /// The script tells who got and read what.
    var hasScriptedReceipts = false
    /// What the agent is going to read.
    var unread: [(message: UniqueID, due: Instant)] = []
    var timers = ParticipantTimers()
    var uploads: [String: Upload] = [:]
    /// The answer to its start, and those to requests that may come again.
    var opening: IdempotencyCache.Answer?
    var replays = IdempotencyCache()
    var authentication: (session: String, until: Instant)?
    /// Repetitions of entries that some connection had waited for.
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
        let participant = Participant(
            id: id ?? token(), role: role, name: name, place: participants.count)
        participants.append(participant)
        return participant
    }

    /// The participant that says what no person says, made when it is first needed.
    func voice(_ name: String, _ role: Participant.Role = .system) -> Participant {
        if let known = participants.first(where: { $0.role == role && $0.name == name }) { return known }
        return add(role, name)
    }

    /// Speaks the words of the script.
    var bot: Participant { settings.botRole == .system ? voice("BOT") : voice("BOT", .customBot) }

    static let flowName = "SYSTEM_MESSAGE"

    /// Speaks for the flow.
    var flow: Participant { voice(Self.flowName) }

    /// Whether an agent, or a bot of the other side, is there: timers run then.
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

    /// A moment of its own, a millisecond or more behind the last one.
    func moment(at now: Instant) -> Instant {
        lastTime = max(now.millisecondsSince1970, lastTime + 1)
        return Instant(nanosecondsSince1970: lastTime * 1_000_000)
    }

    func uniqueID(at time: Instant) -> UniqueID { UniqueID.version7(at: time, from: &generator) }
    func token() -> String { UniqueID.version4(from: &generator).text }

    /// A new item, not yet told.
    func item(
        _ content: Item.Content, from sender: Participant?, source: String? = nil, at now: Instant
    ) -> Item {
        let time = moment(at: now)
        return Item(
            id: uniqueID(at: time), time: time, content: content, sender: sender, contact: current,
            source: source)
    }

    /// Tells a new item to all, and keeps it if it is one to keep.
    @discardableResult
    func tell(
        _ content: Item.Content, from sender: Participant?, source: String? = nil, at now: Instant,
        into steps: inout [EncoderOutput.Step]
    ) -> Item {
        let item = item(content, from: sender, source: source, at: now)
        tell(item, into: &steps)
        return item
    }

    func tell(_ item: Item, into steps: inout [EncoderOutput.Step]) {
        if case .event(let event, _) = item.content, !event.isKept {
            pass(item.id)
        } else {
            items.keep(item)
        }
        send(item, nil, into: &steps)
    }

    /// Sends an item to every socket that subscribed.
    func send(_ item: Item, _ piece: Item.Piece?, into steps: inout [EncoderOutput.Step]) {
        guard sockets.contains(where: \.isSubscribed) else { return }
        var content: [UInt8] = []
        content.reserveCapacity(ItemWriter.usualBytes)
        ItemWriter.write(item, for: .socket(initial: initial, piece), into: &content)
        send(content, type: item.type, into: &steps)
    }

    func send(_ content: [UInt8], type: String, into steps: inout [EncoderOutput.Step]) {
        let frame = ItemWriter.frame(content)
        for socket in sockets where socket.isSubscribed {
            steps.append(.send(text: frame, type: type, to: socket.connection))
        }
    }

    /// Ids of things that no transcript has, as many as are known.
    static let passingIDs = 1_000

    /// Remembers the id of something that no transcript has: clients may go on from it all the same.
    func pass(_ id: UniqueID) {
        if passing.count == Self.passingIDs { passing.removeFirst() }
        passing.append(id)
    }

    // MARK: - Connecting

    /// The customer is there: their joining, their first message, and the talk begins.
    func connectCustomer(at now: Instant, into steps: inout [EncoderOutput.Step]) {
        // Without its start it has no customer.
        guard !isConnected, endedAt == nil, openedAt != .distantFuture else { return }
        isConnected = true
        tell(.event(.joined), from: customer, at: now, into: &steps)
        if let first = start.initialMessage {
            tell(.message(first.type, first.text), from: customer, at: now, into: &steps)
        }
        if start.continued != nil { tell(.event(.rehydrated), from: nil, at: now, into: &steps) }
        steps.append(.hear(ClientInput(.join(greeting: nil)), from: .none))
        for party in earlyBots.sorted() where !left.contains(party) {
            connect(party, at: now, into: &steps)
        }
        earlyBots = []
        restartTimers(at: now)
    }

    /// A participant does something that transcripts have: the customer is there by then, and so is whoever does it.
    func appear(_ party: Int, at now: Instant, into steps: inout [EncoderOutput.Step]) {
        connectCustomer(at: now, into: &steps)
        connect(party, at: now, into: &steps)
    }

    /// A participant that connects without a socket, or with its first one. What there is to tell of a bot waits for the
    /// customer: they begin the transcript.
    func connect(_ party: Int, at now: Instant, into steps: inout [EncoderOutput.Step]) {
        guard party > 0 else { return connectCustomer(at: now, into: &steps) }
        guard isConnected else {
            earlyBots.insert(party)
            return
        }
        let participant = participants[party]
        guard participant.role == .customBot, connectedBots.insert(party).inserted else { return }
        tell(.event(.joined), from: participant, at: now, into: &steps)
        steps.append(.push(.personJoined(participant.profile), by: participant.name))
        restartTimers(at: now)
    }
}

extension Participant {
    /// As the engine is told of a bot of the other side.
    var profile: SpeakerProfile { SpeakerProfile(id: id, name: name) }
}
