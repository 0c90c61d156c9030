import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore

extension Server {
    /// Records an event. `now` avoids reading the clock again.
    func record(_ event: ServerEvent, at now: Instant? = nil) {
        let now = now ?? clock.now
        events.notify(event, at: EventTime(now: now, wall: wallNow(now)), in: self)
    }

    func connectionID(number: UInt64) -> ConnectionID? {
        connection(number: UInt32(truncatingIfNeeded: number))?.id
    }

    /// Charges the connection for `bytes` that are held back, in place of the last charge.
    func hold(_ bytes: Int, for connection: Connection) {
        guard bytes != connection.costs.held else { return }
        ledger.charge(bytes - connection.costs.held, as: .held)
        connection.costs.held = bytes
    }

    /// Writes a line to the log.
    func remark(_ topic: String, _ detail: String, _ connection: Connection? = nil) {
        guard !events.log.isQuiet else { return }
        record(.remarked(topic, detail, peer: connection.map { "\($0.peer)" }, session: nil))
    }

    func remark(_ topic: String, _ detail: String, session: String) {
        guard !events.log.isQuiet else { return }
        record(.remarked(topic, detail, peer: nil, session: session))
    }

    func link(of connection: Connection) -> ConnectionReference {
        link(of: connection, in: outbox(of: connection))
    }

    func link(of connection: Connection, in outbox: DeliveryLog?) -> ConnectionReference {
        ConnectionReference(
            session: outbox?.id ?? "", number: connection.number, id: connection.id,
            dialect: outbox?.dialect ?? 0, isStream: connection.stream != nil)
    }

    func recordRequest(_ head: RequestHead, _ body: [UInt8] = [], on connection: Connection) {
        let dialect = destination(of: head.target).clients
        record(.requested(head, body: body, dialect: dialect, connection: connection.number))
    }

    func recordResponse(
        _ bytes: [UInt8], to head: RequestHead, status: Int, fault: String = "", on connection: Connection,
        at now: Instant
    ) {
        let dialect = destination(of: head.target).clients
        record(
            .responded(
                head, bytes, dialect: dialect, status: status, fault: fault, connection: connection.number),
            at: now)
    }

    func recordDrop(_ connection: Connection, _ cause: DropCause) {
        if connection.session != nil { record(.dropped(link(of: connection), cause)) }
    }

    func recordFrame(_ frame: ControlFrame, isInbound: Bool, code: Int? = nil, on connection: Connection) {
        guard connection.session != nil else { return }
        record(.framed(link(of: connection), frame, isInbound: isInbound, code: code))
    }

    func recordSent(
        _ bytes: [UInt8], _ context: OutboundContext, on connection: Connection,
        of outbox: DeliveryLog? = nil,
        at now: Instant? = nil
    ) {
        let now = now ?? clock.now
        // Not bound, since that would retain it.
        guard outbox == nil else { return recordSent(bytes, context, on: connection, outbox, at: now) }
        recordSent(bytes, context, on: connection, self.outbox(of: connection), at: now)
    }

    private func recordSent(
        _ bytes: [UInt8], _ context: OutboundContext, on connection: Connection, _ outbox: DeliveryLog?,
        at now: Instant
    ) {
        // Rows and protocol rules take the session from the context.
        let link = ConnectionReference(
            session: events.isOnlyRecorded ? "" : context.owner, number: connection.number, id: connection.id,
            dialect: outbox?.dialect ?? 0, isStream: connection.stream != nil)
        events.sent(
            link, bytes, context, of: outbox, at: EventTime(now: now, wall: wallNow(now)), in: self)
    }

    func context(of entry: JournalEntry, _ type: String, in outbox: DeliveryLog) -> OutboundContext {
        let localID =
            configuration.checksProtocol && entry.isUserMessage
            ? outbox.localID(of: entry, dialects) : nil
        let words = words(for: entry.cause.part, in: outbox)
        if isKnownUniquelyReferenced(&lastContext), let context = lastContext {
            context.become(
                entry, type: type, session: outbox.id, localID: consume localID, words: words)
            return context
        }
        let context = OutboundContext(
            of: entry, type: type, session: outbox.id, localID: localID, words: words)
        lastContext = context
        return context
    }

    /// Nil for output that no part of a script caused, such as an echo.
    private func words(for part: ScriptPart, in outbox: DeliveryLog) -> ScriptLocation? {
        guard part != .none else { return nil }
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

    // MARK: - Time of protocol rules

    /// Time of the next check of the protocol rules: ``ServerLimits/protocolRuleCheckMilliseconds`` after their next
    /// deadline.
    var nextProtocolRuleCheck: Instant? {
        guard configuration.checksProtocol, !isSteered else { return nil }
        return events.violations.nextCheck.map {
            $0 + .milliseconds(ServerLimits.protocolRuleCheckMilliseconds)
        }
    }

    func checkProtocolRules(at now: Instant) {
        guard let due = nextProtocolRuleCheck, due <= now else { return }
        events.violations.check(at: now)
        for violation in events.violations.takeViolations() {
            record(.broke(violation, violation.connection.flatMap { connectionID(number: $0) }))
        }
    }

    func wallNow(_ now: Instant) -> Instant { isOnWallTime ? now : wallClock.now }
}

/// The readers of the server's events.
struct EventFanOut {
    var counts = ServerCounts()
    var recorder: WireRecorder
    var unmatched: UnmatchedList
    var tally = SessionTally()
    var violations: ViolationRecorder
    let log: Logger
    private let observer: (@Sendable (ServerNews, Instant) -> Void)?
    private let reportsUnmatched: Bool
    var further: [any ServerEventReader] = []

    init(_ parts: ServerDependencies) {
        let configuration = parts.configuration
        recorder = WireRecorder(rows: configuration.limits.rows, readings: parts.dialects.map(\.reading))
        unmatched = UnmatchedList(isOn: configuration.unmatched != .pass)
        violations = ViolationRecorder(
            protocolRules: configuration.checksProtocol ? parts.dialects.map(\.protocolRules) : [])
        log = Logger(configuration.log)
        observer = configuration.observer
        reportsUnmatched = configuration.unmatched != .pass
        further = configuration.readers
    }

    /// Whether only counts, rows and protocol rules read the events of messages. These get the values alone, since a
    /// ``ServerEvent`` would retain each of them.
    var isOnlyRecorded: Bool { further.isEmpty && observer == nil }

    /// Passes an event, and the violations that it reveals, to all readers. Gets the server as an argument, since a
    /// closure would retain it.
    mutating func notify(_ event: ServerEvent, at moment: EventTime, in server: Server) {
        counts.read(event, at: moment)
        recorder.read(event, at: moment)
        unmatched.row = recorder.requestRow
        unmatched.read(event, at: moment)
        tally.read(event, at: moment)
        if !log.isQuiet { log.log(event, reportsUnmatched: reportsUnmatched) }
        if let observer, let news = ServerNews(event) { observer(news, moment.now) }
        if !further.isEmpty {
            for index in further.indices { further[index].read(event, at: moment) }
        }
        violations.row = recorder.causeRow
        violations.read(event, at: moment)
        if violations.hasFound { notify(violations.takeViolations(), at: moment, in: server) }
    }

    /// Whether there are readers of ``ServerEvent/answered``.
    var readsAnswers: Bool { !log.isQuiet || !further.isEmpty }

    /// Forgets the row of the event before, as ``notify(_:at:in:)`` does with an event that has no row. Saves 600
    /// instructions per request.
    mutating func forgetCause() {
        recorder.forgetCause()
        violations.row = recorder.causeRow
    }

    /// Like ``notify(_:at:in:)`` with ``ServerEvent/heard(_:_:_:of:)``.
    mutating func heard(
        _ link: ConnectionReference, _ bytes: [UInt8], _ decoded: Decoded, of outbox: DeliveryLog,
        at moment: EventTime, in server: Server
    ) {
        guard isOnlyRecorded else {
            return notify(.heard(link, bytes, decoded, of: outbox), at: moment, in: server)
        }
        counts.countHeard()
        recorder.heard(link, bytes, decoded, of: outbox, at: moment)
        violations.row = recorder.causeRow
        violations.heard(decoded, bytes, on: link, of: outbox, at: moment.now)
        if violations.hasFound { notify(violations.takeViolations(), at: moment, in: server) }
    }

    /// Like ``notify(_:at:in:)`` with ``ServerEvent/sent(_:_:_:of:)``.
    mutating func sent(
        _ link: ConnectionReference, _ bytes: [UInt8], _ context: OutboundContext, of outbox: DeliveryLog?,
        at moment: EventTime, in server: Server
    ) {
        guard isOnlyRecorded else {
            return notify(.sent(link, bytes, context, of: outbox), at: moment, in: server)
        }
        recorder.sent(link, bytes, context, of: outbox, at: moment)
        violations.row = recorder.causeRow
        violations.sent(context, on: link, of: outbox, at: moment.now)
        if violations.hasFound { notify(violations.takeViolations(), at: moment, in: server) }
    }

    /// Like ``notify(_:at:in:)`` with ``ServerEvent/delivered(session:_:connections:)``.
    mutating func delivered(
        _ entry: JournalEntry, of outbox: DeliveryLog, to connections: Int, at now: Instant, in server: Server
    ) {
        guard isOnlyRecorded, log.isQuiet else {
            let event = ServerEvent.delivered(session: outbox.id, entry, connections: connections)
            return notify(event, at: EventTime(now: now, wall: server.wallNow(now)), in: server)
        }
        counts.countDelivered(entry, to: connections)
        recorder.delivered(entry)
    }

    /// Like ``notify(_:at:in:)`` with ``ServerEvent/noted(_:of:_:)``.
    mutating func noted(
        _ note: Note, of outbox: DeliveryLog, _ reasons: UnmatchedReasons?, at moment: EventTime,
        in server: Server
    ) {
        guard case .heard = note, isOnlyRecorded, log.isQuiet else {
            return notify(.noted(note, of: outbox, reasons), at: moment, in: server)
        }
        recorder.noted(note, of: outbox, at: moment)
    }

    private mutating func notify(_ violations: [Violation], at moment: EventTime, in server: Server) {
        for violation in violations {
            let connection = violation.connection.flatMap { server.connectionID(number: $0) }
            notify(.broke(violation, connection), at: moment, in: server)
        }
    }
}

extension ServerNews {
    /// Creates the event for observers, or nil.
    init?(_ event: ServerEvent) {
        switch event {
        case .opened(let session, let script): self = .opened(session: session, script: script.value)
        case .connected(let link, let cursor):
            self = .connected(session: link.session, connection: link.id, cursor: cursor)
        case .disconnected(let link): self = .disconnected(session: link.session, connection: link.id)
        case .heard(let link, _, let decoded, _):
            self = .said(session: link.session, connection: link.id, decoded.input)
        case .delivered(let session, let entry, _): self = .delivered(session: session, entry)
        case .noted(let note, let outbox, let reasons):
            self = .noted(session: outbox.id, note, report: reasons?.report)
        case .broke(let violation, let connection):
            self = .broken(
                session: violation.session, connection: connection,
                protocolRule: violation.protocolRule.title,
                source: violation.protocolRule.source)
        case .unmatchedRequest(let method, let path, _, _, _): self = .unmatchedRequest("\(method) \(path)")
        case .accepted, .requested, .responded, .judged, .answered, .handshakeRefused, .controlled, .dropped,
            .stalled, .framed, .flooded, .sent, .sentToMany, .sentAll, .fired, .forgotten, .remarked:
            return nil
        }
    }
}
