import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import Timeline

/// What happens, told once to all who read it.
extension Server {
    /// `now` spares asking the clock again.
    func tell(_ happening: ServerEvent, at now: Instant? = nil) {
        let now = now ?? clock.now
        chronicle.tell(happening, at: EventTime(now: now, wall: wallNow(now))) { [self] number in
            connection(number: UInt32(truncatingIfNeeded: number))?.id
        }
    }

    /// Troubles hold back so many bytes of a connection now.
    func hold(_ bytes: Int, for connection: Connection) {
        guard bytes != connection.heldCharge else { return }
        ledger.charge(bytes - connection.heldCharge, as: .held)
        connection.heldCharge = bytes
    }

    /// A line for the log alone.
    func remark(_ topic: String, _ detail: String, _ connection: Connection? = nil) {
        guard !chronicle.log.isQuiet else { return }
        tell(.remarked(topic, detail, peer: connection.map { "\($0.peer)" }, session: nil))
    }

    /// The same about a session.
    func remark(_ topic: String, _ detail: String, session: String) {
        guard !chronicle.log.isQuiet else { return }
        tell(.remarked(topic, detail, peer: nil, session: session))
    }

    func link(of connection: Connection) -> ConnectionReference {
        let outbox = outbox(of: connection)
        return ConnectionReference(
            session: outbox?.id ?? "", number: connection.number, id: connection.id,
            dialect: outbox?.dialect ?? 0, isStream: connection.stream != nil)
    }

    func tellRequested(_ head: RequestHead, _ body: [UInt8] = [], on connection: Connection) {
        let dialect = destination(of: head.target).clients
        tell(.requested(head, body: body, dialect: dialect, connection: connection.number))
    }

    func tellResponded(
        _ bytes: [UInt8], to head: RequestHead, status: Int, fault: String = "", on connection: Connection
    ) {
        let dialect = destination(of: head.target).clients
        tell(
            .responded(
                head, bytes, dialect: dialect, status: status, fault: fault, connection: connection.number))
    }

    func tellDropped(_ connection: Connection, _ cause: DropCause) {
        if connection.session != nil { tell(.dropped(link(of: connection), cause)) }
    }

    func tellFrame(
        _ frame: ControlFrame, isInbound: Bool, code: Int? = nil, on connection: Connection
    ) {
        guard connection.session != nil else { return }
        tell(.framed(link(of: connection), frame, isInbound: isInbound, code: code))
    }

    /// A message has left for a client.
    func tellSent(
        _ bytes: [UInt8], _ context: OutboundContext, on connection: Connection, at now: Instant? = nil
    ) {
        let outbox = outbox(of: connection)
        let link = ConnectionReference(
            session: context.session, number: connection.number, id: connection.id,
            dialect: outbox?.dialect ?? 0, isStream: connection.stream != nil)
        tell(.sent(link, bytes, context, of: outbox), at: now)
    }

    /// What `entry` is about.
    func context(of entry: JournalEntry, _ type: String, in outbox: DeliveryLog) -> OutboundContext {
        // The event is only lent: a copy counts everything it holds.
        let cause = entry.cause
        return OutboundContext(
            session: outbox.id, time: entry.time, type: type, sequence: entry.sequence,
            entry: configuration.watchesLaws ? entry : nil,
            localID: configuration.watchesLaws && entry.kind == .userMessage
                ? outbox.localID(of: entry, dialects[outbox.dialect]) : nil,
            isEcho: entry.kind == .userMessage, words: words(for: cause.part, in: outbox), cause: cause.mark,
            author: entry.pushedBy)
    }

    private func words(for part: ScriptPart, in outbox: DeliveryLog) -> ScriptLocation {
        guard part != .none else { return ScriptLocation() }
        if part != outbox.spoken.part {
            outbox.spoken =
                engine.with(outbox.handle) { session in
                    let script = session.script
                    return ScriptLocation(
                        part, rule: script.ruleName(of: part), place: script.place(of: part),
                        timer: script.timerName(of: part))
                } ?? ScriptLocation()
        }
        return outbox.spoken
    }

    // MARK: - Time of laws

    /// A little after the moment itself, so that what a client sent in time has been read.
    var nextLawCheck: Instant? {
        guard configuration.watchesLaws, !isSteered else { return nil }
        return chronicle.breaches.nextCheck.map { $0 + .milliseconds(ServerLimits.lawCheckMilliseconds) }
    }

    func checkLaws(at now: Instant) {
        guard let due = nextLawCheck, due <= now else { return }
        chronicle.breaches.check(at: now)
        for breach in chronicle.breaches.takeBreaches() {
            let connection = breach.connection.flatMap {
                self.connection(number: UInt32(truncatingIfNeeded: $0))?.id
            }
            tell(.broke(breach, connection))
        }
    }

    /// The wall's time at the server's `now`.
    func wallNow(_ now: Instant) -> Instant {
        isOnWallTime ? now : wallClock.now
    }
}

extension DeliveryLog {
    /// What the client calls the message that `entry` echoes. It was read when it was heard; only what is told again
    /// later, or by somebody else, is read again.
    fileprivate func localID(of entry: JournalEntry, _ dialect: any Dialect) -> String? {
        guard let metadata = entry.metadata else { return nil }
        if let heard, heard.metadata == metadata { return heard.localID }
        return dialect.localID(in: metadata)
    }
}

/// Those who read what happens in the server, each for its own purpose.
struct EventFanOut {
    var counts = ServerCounts()
    var recorder: WireRecorder
    var unmatched: UnmatchedList
    var tally = SessionTally()
    var breaches: BreachRecorder
    let log: Logger
    private let observer: (@Sendable (ServerNews, Instant) -> Void)?
    private let tellsUnheard: Bool
    /// Readers that tests bring along.
    var further: [any ServerEventReader] = []

    init(_ parts: ServerDependencies) {
        let configuration = parts.configuration
        recorder = WireRecorder(rows: configuration.limits.rows, readings: parts.dialects.map(\.reading))
        unmatched = UnmatchedList(isOn: configuration.unmatched != .pass)
        breaches = BreachRecorder(laws: configuration.watchesLaws ? parts.dialects.map(\.laws) : [])
        log = Logger(configuration.log)
        observer = configuration.observer
        tellsUnheard = configuration.unmatched != .pass
        further = configuration.readers
    }

    /// Tells all of them. A breach of a law that shows in it is told to all of them, too.
    mutating func tell(
        _ happening: ServerEvent, at moment: EventTime, connection: (UInt64) -> ConnectionID?
    ) {
        counts.read(happening, at: moment)
        recorder.read(happening, at: moment)
        unmatched.row = recorder.requestRow
        unmatched.read(happening, at: moment)
        tally.read(happening, at: moment)
        if !log.isQuiet { log.tell(happening, tellsUnheard: tellsUnheard) }
        if let observer, let news = ServerNews(happening) { observer(news, moment.now) }
        if !further.isEmpty {
            for index in further.indices { further[index].read(happening, at: moment) }
        }
        breaches.row = recorder.deedRow
        breaches.read(happening, at: moment)
        if breaches.hasFound { tell(breaches.takeBreaches(), at: moment, connection: connection) }
    }

    mutating func tell(
        _ breaches: [Breach], at moment: EventTime, connection: (UInt64) -> ConnectionID?
    ) {
        for breach in breaches {
            let happening = ServerEvent.broke(breach, breach.connection.flatMap(connection))
            tell(happening, at: moment, connection: connection)
        }
    }
}

extension ServerNews {
    /// What those who watch from the same process hear of it; nil for what does not concern them.
    init?(_ happening: ServerEvent) {
        switch happening {
        case .opened(let session, let script): self = .opened(session: session, script: script)
        case .connected(let link, let cursor):
            self = .connected(session: link.session, connection: link.id, cursor: cursor)
        case .disconnected(let link): self = .disconnected(session: link.session, connection: link.id)
        case .heard(let link, _, let decoded, _):
            self = .said(session: link.session, connection: link.id, decoded.input)
        case .told(let session, let entry, _): self = .told(session: session, entry)
        case .noted(let note, let outbox, let reasons):
            self = .noted(session: outbox.id, note, report: reasons?.report)
        case .broke(let breach, let connection):
            self = .broken(
                session: breach.session, connection: connection, law: breach.law.title,
                source: breach.law.source)
        case .stray(let method, let path, _, _, _): self = .stray("\(method) \(path)")
        case .accepted, .requested, .responded, .judged, .answered, .handshakeRefused, .controlled, .dropped,
            .stalled, .framed, .flooded, .sent, .sentAll, .struck, .forgotten, .remarked:
            return nil
        }
    }
}
