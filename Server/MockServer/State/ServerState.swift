import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import Timeline

/// What the running server knows: its sessions, who is connected to them, what went wrong on purpose, and what is
/// remembered. It has neither sockets nor timers; those are ``ServerLoop``'s, which does the effects that come up here.
final class ServerState {
    let configuration: Configuration
    let clock: any SteerableClock
    /// Real time, whatever the server's clock shows.
    let wallClock: any EventClock
    let seed: UInt64
    let instance: String
    let startedAt: Instant
    let dialects: [any Dialect]
    let routes: RouteTable
    /// The target that was looked up last: that of a request is looked up before its body comes, and behind it.
    private var lastTarget: (text: String, destination: RouteTable.Destination)?
    /// Where the paths lead that have neither a named segment nor a query: most requests ask for one of them.
    private var destinations: [String: RouteTable.Destination] = [:]
    let pages: WebPages
    var chronicle: Chronicle
    var fixtures: FixtureShelf
    var engine: ConversationEngine
    var outboxes: [SessionOutbox?] = []
    /// Bytes held for clients, and the limits on these bytes.
    var ledger: MemoryLedger
    /// Default memory limits.
    let shares: MemoryShares
    /// By the slots of their sockets.
    var connections: [Connection?] = []
    var openWebSockets = 0
    /// The session that was opened last.
    private(set) var newestSession: SessionHandle?
    private var newestUserAgent = ""
    var buckets = TokenBuckets<BucketName>()
    let proxies: ProxyTrust<SocketAddress>
    /// What the log has said of fields of proxies that count for nothing.
    var toldOfFields: Set<String> = []
    var identities: SeededGenerator
    var bearers = KeptBearers()
    /// Files of sessions.
    var shelf: Shelf
    var desk: TroubleDesk
    /// What the engine wants done.
    var effects: [Effect] = []
    /// Does them. They are not kept for later: what comes of a request is told before the request is answered.
    var performEffects: () -> Void = {}
    /// Lends a session's encoder, and does what comes of it.
    var withEncoder: (SessionOutbox, (any SessionEncoder, inout EncoderOutput) -> Void) -> Void = { _, _ in }
    /// Where the server listens; 0 until it does.
    var port: UInt16 = 0
    /// Told what a look at the fixture files found.
    var onFixtureNews: ([FixtureShelf.News]) -> Void = { _ in }
    /// The clock is being moved, so no client can be expected to have been in time.
    var isSteered = false
    /// The server's clock is real time.
    var isOnWallTime: Bool

    init(_ parts: ServerParts) {
        configuration = parts.configuration
        clock = parts.clock
        wallClock = parts.wallClock
        seed = parts.seed
        instance = parts.instance
        startedAt = parts.clock.now
        proxies = ProxyTrust(
            parts.configuration.trustedProxies.compactMap { SocketAddress(host: $0, port: 0) })
        dialects = parts.dialects
        routes = RouteTable(parts)
        pages = WebPages(parts.configuration)
        chronicle = Chronicle(parts)
        fixtures = parts.fixtures
        engine = ConversationEngine(options: parts.engineOptions, seed: parts.seed)
        identities = SeededGenerator(seed: parts.seed).stream("server")
        desk = TroubleDesk(seed: parts.seed)
        shelf = Shelf(
            key: parts.key.derived(for: "links to files"),
            limits: parts.configuration.shelfLimits(parts.shares))
        ledger = parts.configuration.ledger(parts.shares)
        shares = parts.shares
        isOnWallTime = parts.clock.mode == .real
    }

    /// The program that a request comes from, as it names itself. Most clients are alike, so that many sessions and
    /// connections share one text.
    func userAgent(of head: RequestHead?) -> String? {
        guard let name = head?.headers["User-Agent"], !name.isEmpty else { return nil }
        if name != newestUserAgent { newestUserAgent = Logger.clip(name) }
        return newestUserAgent
    }

    /// Where a request for `target` leads, as it stands in the request line.
    func destination(of target: String) -> RouteTable.Destination {
        if let last = lastTarget, last.text == target { return last.destination }
        let known = destinations[target]
        let destination = known ?? routes.destination(of: target)
        lastTarget = (target, destination)
        if known == nil, destination.isPlainPath {
            if destinations.count >= ServerLimits.keptDestinations { destinations = [:] }
            destinations[target] = destination
        }
        return destination
    }

    // MARK: - Sessions

    /// Changes the engine and has done what comes of it.
    func withEngine<Result>(
        _ body: (inout ConversationEngine, inout [Effect]) -> Result
    ) -> Result {
        let result = body(&engine, &effects)
        performEffects()
        return result
    }

    /// The same.
    ///
    /// - Returns: the entries that were told thereby.
    func entries(_ body: (inout ConversationEngine, inout [Effect]) -> Void) -> [JournalEntry] {
        let start = effects.count
        body(&engine, &effects)
        let told = effects[start...].compactMap { effect -> JournalEntry? in
            if case .tell(_, let entry, _) = effect { entry } else { nil }
        }
        performEffects()
        return told
    }

    /// Opens a session whose clients hear `dialect`, which remembers `bytes` of it from its beginning on.
    func openSession(
        _ opening: ConversationEngine.Opening, dialect: Int, userAgent: String?, bytes: Int = 0
    ) -> OpenedSession {
        let limits = configuration.limits
        guard makeRoom(for: CoreLimits.beginningBytes + bytes) else {
            return .refused(
                reason:
                    "the journals have \(ledger.sessionBytes) of \(ledger.limits.sessions) bytes, and no session "
                    + "has ended (limits.journalTotalBytes)")
        }
        guard let session = engine.open(opening, at: clock.now, into: &effects) else {
            return .refused(
                reason: "none of the \(limits.sessions) sessions held has ended (limits.sessions)")
        }
        let slot = Int(session.handle.slot)
        while outboxes.count <= slot { outboxes.append(nil) }
        outboxes[slot] = SessionOutbox(
            handle: session.handle, id: session.id, dialect: dialect,
            encoder: dialects[dialect].encoder(of: session.id), file: opening.script.file,
            userAgent: userAgent)
        tell(.opened(session: session.id, opening.script))
        newestSession = session.handle
        for item in desk.armed { arm(item, in: session.handle) }
        performEffects()
        return .opened(id: session.id)
    }

    /// A session is gone.
    func forget(_ outbox: SessionOutbox) {
        tell(.forgotten(session: outbox.id, dialect: outbox.dialect))
        outbox.release(from: &ledger)
        shelf.drop(session: outbox.id)
        outboxes[Int(outbox.handle.slot)] = nil
    }

    /// The engine remarks something about a session.
    func tell(_ note: Note, of outbox: SessionOutbox) {
        var reasons: UnheardReasons?
        if case .unheard(let unheard) = note {
            reasons = UnheardReasons { [self] in engine.with(outbox.handle) { $0.report(on: unheard) } }
        }
        if case .heard(_, let rule, let place, _, let cause) = note {
            outbox.spoken = PartWords(cause.part, rule: rule, place: place)
        }
        tell(.noted(note, of: outbox, reasons))
    }

    /// What a dialect may know of a session.
    func view(of handle: SessionHandle) -> SessionView? {
        engine.lend(handle) {
            SessionView(
                handle: handle, id: $0.id, owner: $0.owner, hasEnded: $0.hasEnded,
                connectionCount: $0.links.count, connectionLimit: $0.connectionLimit)
        }
    }

    /// What is kept for a session; nil when it is forgotten.
    func outbox(of handle: SessionHandle) -> SessionOutbox? {
        let slot = Int(handle.slot)
        guard slot < outboxes.count, let outbox = outboxes[slot], outbox.handle == handle else { return nil }
        return outbox
    }

    /// The same of the session that the connection belongs to.
    func outbox(of connection: Connection) -> SessionOutbox? {
        connection.session.flatMap { outbox(of: $0) }
    }

    func sessionID(of connection: Connection) -> String {
        connection.session.map { sessionID(of: $0) } ?? ""
    }

    func sessionID(of handle: SessionHandle) -> String { outbox(of: handle)?.id ?? "" }

    /// The entries of a session behind `sequence` that its clients were told, and the dialect that tells them.
    func told(
        in handle: SessionHandle, after sequence: Int = 0
    ) -> (entries: [JournalEntry], bytes: Int, dialect: any Dialect)? {
        guard let outbox = outbox(of: handle) else { return nil }
        return (outbox.entries(after: sequence), outbox.journalBytes, dialects[outbox.dialect])
    }

    /// An entry was told, in `size` bytes. Journals have a size as well as a length
    /// (``Configuration/Limits/journalBytes``), and so have all of them together.
    func keep(_ entry: JournalEntry, size: Int, in outbox: SessionOutbox) {
        ledger.charge(outbox.append(entry, size: size), as: .journals)
        endIfFull(outbox)
    }

    /// Asks the parts of a session what they hold now.
    func settle(_ outbox: SessionOutbox) {
        guard self.outbox(of: outbox.handle) === outbox else { return }
        let runs = engine.with(outbox.handle) { $0.runBytes } ?? 0
        if outbox.settle(runs: runs, contact: outbox.encoder.memory?.heldBytes ?? 0, in: &ledger) {
            endIfFull(outbox)
        }
    }

    /// Gives up sessions that have ended, the oldest first, until all sessions have room for `bytes` more.
    ///
    /// - Returns: false when there is none left to give up.
    @discardableResult
    func makeRoom(for bytes: Int = 0) -> Bool {
        while !ledger.hasRoomInSessions(for: bytes) {
            guard let handle = engine.forgetOldestEnded(into: &effects) else { return false }
            guard let outbox = outbox(of: handle) else { continue }
            outbox.release(from: &ledger)
            remark(
                "journals full", "forgotten for the journals of others (limits.journalTotalBytes)",
                session: outbox.id)
        }
        return true
    }

    /// Ends a session that holds more than it may, or for which there is no room. One that has ended already is not given
    /// up for its own last entries: it stays until another session needs the room.
    private func endIfFull(_ outbox: SessionOutbox) {
        let isFull = outbox.heldBytes > configuration.limits.journalBytes
        // Asked for each entry, so the two comparisons come first.
        guard isFull || !ledger.hasRoomInSessions(for: 0), engine.hasEnded(outbox.handle) == false,
            isFull || !makeRoom()
        else { return }
        let limit = isFull ? "limits.journalBytes" : "limits.journalTotalBytes"
        remark(
            "journal full", "the session holds \(outbox.heldBytes) bytes: it ends (\(limit))",
            session: outbox.id)
        engine.end(outbox.handle, reason: .natural, isFull: true, at: clock.now, into: &effects)
    }

    /// A message of a client counts. Else there are too many, which is told to all who read what happens.
    func admits(
        _ bytes: [UInt8], of outbox: SessionOutbox, on connection: Connection, at now: Instant
    ) -> Bool {
        guard let limit = configuration.rates.webSocket, take(outbox.handle, limit) != nil else {
            return true
        }
        // Not heard, but a sign of life (protocol.md#message-rate).
        remark("dropped event", "too many messages", connection)
        let link = Link(
            session: outbox.id, number: connection.number, id: connection.id, dialect: outbox.dialect)
        tell(.flooded(link, bytes, of: outbox), at: now)
        engine.touch(connection.id, of: outbox.handle, at: now)
        return false
    }

    /// A message that a client of a session sent, as its encoder reads it; told to all who read what happens.
    ///
    /// - Returns: its meaning, with the row.
    func hear(
        _ decoded: Decoded, _ bytes: [UInt8], of outbox: SessionOutbox, on connection: Connection,
        at now: Instant
    ) -> ClientInput {
        if let note = decoded.note { remark("note", note, connection) }
        if case .refused(let problem, let detail) = decoded.input.word {
            remark("refused event", problem.rawValue + (detail.map { ": \($0)" } ?? ""), connection)
        }
        if case .say = decoded.input.word {
            outbox.heard = decoded.input.metadata.map { ($0, decoded.input.localID) }
        }
        let link = Link(
            session: outbox.id, number: connection.number, id: connection.id, dialect: outbox.dialect)
        tell(.heard(link, bytes, decoded, of: outbox), at: now)
        var input = decoded.input
        input.mark = chronicle.recorder.heardRow
        return input
    }

    private func take(_ handle: SessionHandle, _ limit: Configuration.Rates.Bucket) -> Interval? {
        buckets.take(
            from: .messages(handle),
            limit: RateLimit(burst: limit.burst, perSecond: limit.perSecond), at: clock.now)
    }

    /// The published SDKs renew a token that has 300 seconds left or less before they connect, and a session is bound
    /// to its token.
    func noteShortTokens() {
        let life = configuration.tokens.life
        guard life <= .seconds(ServerLimits.renewalSeconds), configuration.tokens.binding != .off else {
            return
        }
        remark(
            "note",
            "access tokens live for \(life) (tokens.life, --expires-in): the published SDKs renew them before they "
                + "connect, are refused with 401 and give up; use more than \(ServerLimits.renewalSeconds) seconds, "
                + "or tokens.binding \"off\"")
    }

    /// Connections are accepted from now on; `address` is what `host` stands for.
    func listens(on host: String, _ address: SocketAddress) {
        if !address.isLoopback, configuration.control.isOn, configuration.control.token == nil {
            remark(
                "warning",
                "anyone who reaches \(host) may steer this server under /_mock/; set a control token "
                    + "(--control-token), or switch the control API off (--no-control)")
        }
        port = address.port
    }

    // MARK: - Connections

    /// The connection that rows and the log call `number`.
    func connection(number: UInt32) -> Connection? {
        connections.first { $0?.number == number } ?? nil
    }

    func connection(of id: ConnectionID) -> Connection? {
        let slot = Int(id.rawValue >> 32)
        guard slot < connections.count, let connection = connections[slot], connection.id == id else {
            return nil
        }
        return connection
    }

    func connection(of socket: SocketID) -> Connection? {
        let slot = Int(socket.slot)
        guard slot < connections.count, let connection = connections[slot], connection.socket == socket else {
            return nil
        }
        return connection
    }

    /// The waiting times that make a fast server look like the service; none while somebody holds the clock, or
    /// no client could connect.
    func entryDelay(_ delay: Interval) -> Interval {
        clock.isStopped ? .zero : delay
    }

    /// How long a new connection waits for its history. Where an encoder remembers the session, nothing does: of what a
    /// client asks at once, some is answered by way of the engine, which waits, and some is not.
    func historyDelay(of handle: SessionHandle) -> Interval {
        outbox(of: handle)?.encoder.memory != nil
            ? .zero : entryDelay(configuration.connections.firstFrameDelay)
    }

    // MARK: - Troubles

    /// Puts a trouble in force at once: in the sessions there are, and in those to come. nil when too many are.
    func arm(_ trouble: Trouble, scope: TroubleScope, by author: String) -> TroubleDesk.Armed? {
        guard let item = desk.arm(trouble, scope: scope, by: author) else { return nil }
        for handle in engine.sessionHandles { arm(item, in: handle) }
        remark("trouble", "\(trouble.name) armed by \(author)")
        return item
    }

    private func arm(_ item: TroubleDesk.Armed, in handle: SessionHandle) {
        guard let trouble = desk.left(of: item) else { return }
        // Not the session itself: it would be copied.
        // Those of requests count for all sessions together, at the desk.
        if trouble.moment.kind == .request, item.scope == .all { return }
        guard let session = engine.with(handle, { (id: $0.id, scenario: $0.scenario) }) else { return }
        switch item.scope {
        case .all: break
        case .tag(let tag): guard tag == TroubleDesk.tag(of: session.scenario) else { return }
        case .session(let id): guard id == session.id else { return }
        case .connection(let number):
            guard let connection = connection(number: number), connection.session == handle else { return }
            return engine.arm(trouble, id: item.id, in: handle, connection: connection.id)
        }
        engine.arm(trouble, id: item.id, in: handle)
    }

    /// Takes a trouble out of force; what it holds back is still held.
    ///
    /// - Returns: false when there was none with this id.
    func disarm(_ id: UInt64) -> Bool {
        guard desk.disarm(id) else { return false }
        engine.disarm(id)
        return true
    }

    /// The session's token is refused from now on.
    func expireToken(of handle: SessionHandle) {
        if let owner = engine.with(handle, { $0.owner }), let dialect = outbox(of: handle)?.dialect {
            desk.expire(owner, dialect: dialect, at: clock.now)
        }
    }

    /// Counts a strike in a session.
    func noteStrike(_ strike: Strike, in handle: SessionHandle) {
        desk.noteStrike(
            strike, line: strike.span == .token ? engine.with(handle) { $0.scenario } ?? nil : nil,
            in: sessionID(of: handle), at: clock.now)
        // One that counts over all sessions is over in all of them.
        if strike.span == .token, let id = strike.id, desk.isUsedUp(id) { engine.disarm(id) }
    }

    /// Has troubles that just struck act on what these connections are told next.
    func mark(_ audience: Audience, in handle: SessionHandle, with strikes: [Strike]) {
        for strike in strikes {
            noteStrike(strike, in: handle)
            for id in audience.connections where strike.connection == nil || strike.connection == id {
                guard let connection = connection(of: id) else { continue }
                connection.withChannel { $0.strike(strike) }
                connection.endWithStream()
            }
        }
    }
}

extension Event {
    /// What its texts take.
    var textBytes: Int {
        switch self {
        case .userMessage(_, let text): text.utf8.count
        case .agentMessage(let message), .personMessage(let message, _): message.text.utf8.count
        case .agentChunk(let chunk): chunk.text.utf8.count
        case .raw(_, let payload): payload.utf8.count
        default: 0
        }
    }
}
