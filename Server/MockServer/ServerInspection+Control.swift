import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import HTTPCore
import ServerCore
import SocketTransport
import Timeline
import WebSocketCore

/// What the control API asks of the server.
extension ServerInspection {
    var configuration: Configuration { loop.configuration }
    var controlState: Control.State { loop.controlState }
    var seed: UInt64 { loop.state.seed }
    var now: Instant { loop.clock.now }
    var uptime: Interval { loop.clock.now - loop.state.startedAt }
    /// Real time, whatever the server's clock shows.
    var wallClock: any EventClock { loop.state.wallClock }
    var wallNow: Instant { loop.state.wallClock.now }
    /// The wall's time at the server's present moment.
    var wallMoment: Instant { loop.state.wallNow(now) }

    /// The clock is being moved, all in one turn.
    var isSteered: Bool { loop.state.isSteered }

    /// Does `body`, then sends and arms whatever came of it.
    func perform(_ body: () -> Void) { loop.perform { _ in body() } }

    /// Does `work` away from the loop, and goes on with `then` where its connection is still there.
    func work<Item: Sendable>(
        on connection: Connection, for head: RequestHead, _ work: @escaping @Sendable () -> Item,
        then: @escaping @Sendable (ServerInspection, Connection, Item) -> Void
    ) {
        loop.work(on: connection, for: head, .medium, work) { loop, connection, item in
            then(ServerInspection(loop: loop), connection, item)
        }
    }

    /// Goes on with compressed messages that came before.
    func inflate() { loop.perform { $0.inflate() } }

    func tell(_ happening: Happening) { loop.state.tell(happening) }

    // MARK: - Sessions

    var snapshot: ConversationEngine.Snapshot { loop.state.engine.snapshot }
    var sessionCount: Int { loop.state.engine.sessionCount }
    var openSessions: Int { loop.state.engine.openCount }
    var journaledEntries: Int { loop.state.engine.journaledCount }
    var sessionHandles: [SessionHandle] { loop.state.engine.sessionHandles }
    var journalBytes: Int { loop.state.ledger.sessionBytes }
    var shard: Shard? { loop.state.configuration.shard }

    /// The session that was opened last.
    var newest: Conversation? {
        loop.state.newestSession.flatMap { loop.state.engine[$0] }
            ?? sessions.max { $0.openedAt < $1.openedAt }
    }

    func session(_ handle: SessionHandle) -> Conversation? { loop.state.engine[handle] }

    func withSession<Result>(
        _ handle: SessionHandle, _ body: (borrowing Conversation) -> Result
    ) -> Result? { loop.state.engine.with(handle, body) }

    /// Some feed tells of sessions.
    package var notesChanges: Bool {
        get { loop.state.engine.notesChanges }
        nonmutating set {
            loop.state.engine.notesChanges = newValue
            loop.state.chronicle.tally.notesChanges = newValue
        }
    }

    /// Sessions that changed since this was last asked, and the ids of those that are gone.
    func takeChanges() -> (Set<SessionHandle>, forgotten: [String]) {
        var changed = loop.state.engine.takeChanges()
        let (wronged, forgotten) = loop.state.chronicle.tally.takeChanges()
        for id in wronged { loop.state.engine.handle(of: id).map { _ = changed.insert($0) } }
        return (changed, forgotten)
    }

    func userAgent(of handle: SessionHandle) -> String? { loop.state.outbox(of: handle)?.userAgent }

    /// The same of all sessions that have one.
    var userAgents: [SessionHandle: String] {
        loop.state.outboxes.reduce(into: [:]) { found, outbox in
            if let outbox, let name = outbox.userAgent { found[outbox.handle] = name }
        }
    }

    func ids(beginning text: String, limit: Int) -> [String] {
        loop.state.engine.ids(beginning: text, limit: limit)
    }

    func openedAt(_ id: String) -> Instant? {
        loop.state.engine.handle(of: id).flatMap { loop.state.engine.with($0) { $0.openedAt } }
    }

    func told(
        in handle: SessionHandle, after sequence: Int
    ) -> (entries: [JournalEntry], bytes: Int, dialect: any Dialect)? {
        loop.state.told(in: handle, after: sequence)
    }

    var dialects: [any Dialect] { loop.state.dialects }

    func view(of handle: SessionHandle) -> SessionView? { loop.state.view(of: handle) }

    /// Clients of a session are told its entries as ``Dialect/describe(_:into:)`` says them.
    func isToldAsItIs(_ handle: SessionHandle) -> Bool {
        loop.state.outbox(of: handle).map { $0.encoder.memory == nil } ?? true
    }

    /// By which clients are judged, whatever their protocol.
    var laws: [Law] {
        loop.state.dialects.flatMap(\.laws.all)
    }

    func act(_ action: ChairAction, in handle: SessionHandle, by name: String) -> ChairRefusal? {
        loop.state.withEngine { $0.act(action, in: handle, by: name, at: now, into: &$1) }
    }

    func push(_ event: Event, in handle: SessionHandle, by name: String) {
        loop.state.withEngine { $0.push(event, in: handle, by: name, at: now, into: &$1) }
    }

    /// What a client's event says in the protocol of a session; nil when the session is gone.
    func decode(_ event: [UInt8], in handle: SessionHandle) -> ClientInput? {
        // By an encoder of its own: nothing has come from a connection.
        guard let outbox = loop.state.outbox(of: handle) else { return nil }
        var output = EncoderOutput()
        return dialects[outbox.dialect].encoder(of: outbox.id).receive(
            event, isText: true, from: .none, at: now, into: &output
        ).input
    }

    func speak(_ input: ClientInput, in handle: SessionHandle, by name: String) {
        loop.state.withEngine { $0.speak(input, in: handle, by: name, at: now, into: &$1) }
    }

    func end(_ handle: SessionHandle, reason: EndReason, by name: String) {
        loop.state.withEngine { $0.end(handle, reason: reason, by: name, at: now, into: &$1) }
    }

    /// Ends a session as abandoned, and closes its connections: what troubles hold back leaves first, or the Close frame
    /// would wait behind it for ever.
    func forget(_ handle: SessionHandle) {
        for id in loop.state.engine.with(handle, { $0.links.map(\.id) }) ?? [] {
            guard let connection = connection(of: id) else { continue }
            connection.withChannel { $0.letGo(of: nil) }
            loop.sessions.catchUp(connection)
        }
        let name = ConversationEngine.controls
        loop.state.withEngine { $0.remove(handle, by: name, at: now, into: &$1) }
    }

    // MARK: - Fixtures and troubles

    var fixtures: FixtureShelf {
        get { loop.state.fixtures }
        nonmutating set { loop.state.fixtures = newValue }
    }

    func adoptFixtures(_ shelf: FixtureShelf, _ news: [FixtureShelf.News]) {
        loop.reloading.take(shelf, news, into: loop.state)
    }

    func takeSaved(_ compiled: CompiledFixture, _ bytes: [UInt8]) {
        loop.reloading.take(compiled, bytes, into: loop.state)
    }

    var armedTroubles: [TroubleDesk.Armed] { loop.state.desk.armed }

    func strikes(of id: UInt64) -> Int { loop.state.desk.strikes[id] ?? 0 }

    func lastStrike(of id: UInt64) -> (time: Instant, session: String)? { loop.state.desk.lastStrikes[id] }

    func arm(_ trouble: Trouble, scope: TroubleScope, by author: String) -> TroubleDesk.Armed? {
        loop.state.arm(trouble, scope: scope, by: author)
    }

    /// Counts of scenario lines begin anew.
    func forgetLines() { loop.state.desk.forgetLines() }

    // MARK: - Record

    var timeline: Timeline { loop.state.chronicle.recorder.timeline }
    var counts: ServerCounts { loop.state.chronicle.counts }
    var unmatchedCount: UInt64 { loop.state.chronicle.unmatched.count }
    var forgottenRows: UInt64 { loop.state.chronicle.recorder.forgottenCount }
    var totalTraffic: (received: UInt64, sent: UInt64) { loop.sockets.totals }

    func record(_ row: Row) { loop.state.chronicle.recorder.append(row) }

    /// Rows, unheard traffic and breaches go; their numbers go on. Sessions that are under way may not be judged any
    /// more, where laws have to see them begin.
    func forgetRecord() {
        controlState.usesAtReset = RuleRecord.counts(snapshot.ruleUses)
        loop.state.chronicle.recorder.removeAll()
        loop.state.chronicle.unmatched.removeAll()
        loop.state.chronicle.breaches.beginAnew()
    }

    // MARK: - Connections

    func connection(of id: ConnectionID) -> Connection? { loop.state.connection(of: id) }

    func connection(number: UInt32) -> Connection? { loop.state.connection(number: number) }

    /// How many there are of a kind.
    func connections(_ isOne: (Connection) -> Bool) -> Int {
        loop.state.connections.count { $0.map(isOne) ?? false }
    }

    /// More may be written to it before the peer has read.
    func hasRoom(_ connection: Connection) -> Bool { loop.hasRoom(connection) }

    func setDeadline(_ deadline: Instant?, of connection: Connection) {
        loop.setDeadline(deadline, of: connection)
    }

    /// Answers a request and closes behind it.
    func answer(_ response: Response, to head: RequestHead, on connection: Connection) {
        loop.answer(response, to: head, on: connection)
    }

    /// The same, noted in the timeline.
    func answerNoted(_ response: Response, to head: RequestHead, on connection: Connection) {
        loop.answer(response, to: head, isNoted: true, on: connection)
    }

    /// Opens a WebSocket of the server's own.
    func open(
        _ head: RequestHead, _ response: Response, for purpose: Connection.OpenWebSocket.Purpose,
        early: [UInt8], on connection: Connection
    ) {
        loop.accept(head, response, for: purpose, early: early, on: connection)
    }

    func send(_ text: [UInt8], of webSocket: Connection.OpenWebSocket, on connection: Connection) {
        loop.send(text, as: .text, of: webSocket, on: connection)
    }

    /// Tells a client of a session something, behind a history that is on its way to it.
    func tell(_ text: [UInt8], _ context: OutboundContext, to connection: Connection) {
        loop.sessions.tell(text, context, to: connection)
    }

    func tell(refused status: Int, _ head: RequestHead, because reason: String, on connection: Connection) {
        loop.requests.tell(refused: status, head, because: reason, on: connection)
    }

    func preflightRefusal(_ head: RequestHead) -> String? { loop.requests.preflightRefusal(head) }

    func flush() { loop.sockets.flush() }
}
