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
    var controls: Control.State { loop.server.controls }
    var seed: UInt64 { loop.server.seed }
    var now: Instant { loop.clock.now }
    var uptime: Interval { loop.clock.now - loop.server.startedAt }
    /// Real time, whatever the server's clock shows.
    var wallClock: any EventClock { loop.server.wallClock }
    var wallNow: Instant { loop.server.wallClock.now }
    /// The wall's time at the server's present moment.
    var wallMoment: Instant { loop.server.wallNow(now) }

    var heldFrames: [(connection: Connection, frames: [Valve.HeldFrame])] { loop.server.heldFrames }
    func place(of context: OutboundContext) -> RowPlace { loop.server.place(of: context) }
    var waitsInRealTime: Bool { loop.server.waitsInRealTime }
    func armRealTime(noLaterThan moment: Instant) { loop.server.armRealTime(noLaterThan: moment) }
    func takeFixtureNews() -> [FixtureShelf.News] { loop.server.takeFixtureNews() }

    /// The clock is being moved, all in one turn.
    var isSteered: Bool { loop.server.isSteered }

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

    func tell(_ happening: Happening) { loop.server.tell(happening) }

    // MARK: - Sessions

    var snapshot: ConversationEngine.Snapshot { loop.server.engine.snapshot }
    var sessionCount: Int { loop.server.engine.sessionCount }
    var openSessions: Int { loop.server.engine.openCount }
    var journaledEntries: Int { loop.server.engine.journaledCount }
    var sessionHandles: [SessionHandle] { loop.server.engine.sessionHandles }
    var journalBytes: Int { loop.server.ledger.sessionBytes }
    var shard: Shard? { loop.server.configuration.shard }

    /// The session that was opened last.
    var newest: Conversation? {
        loop.server.newestSession.flatMap { loop.server.engine[$0] }
            ?? sessions.max { $0.openedAt < $1.openedAt }
    }

    func session(_ handle: SessionHandle) -> Conversation? { loop.server.engine[handle] }

    func withSession<Result>(
        _ handle: SessionHandle, _ body: (borrowing Conversation) -> Result
    ) -> Result? { loop.server.engine.with(handle, body) }

    /// Some feed tells of sessions.
    package var notesChanges: Bool {
        get { loop.server.engine.notesChanges }
        nonmutating set {
            loop.server.engine.notesChanges = newValue
            loop.server.chronicle.tally.notesChanges = newValue
        }
    }

    /// Sessions that changed since this was last asked, and the ids of those that are gone.
    func takeChanges() -> (Set<SessionHandle>, forgotten: [String]) {
        var changed = loop.server.engine.takeChanges()
        let (wronged, forgotten) = loop.server.chronicle.tally.takeChanges()
        for id in wronged { loop.server.engine.handle(of: id).map { _ = changed.insert($0) } }
        return (changed, forgotten)
    }

    func userAgent(of handle: SessionHandle) -> String? { loop.server.outbox(of: handle)?.userAgent }

    /// The same of all sessions that have one.
    var userAgents: [SessionHandle: String] {
        loop.server.outboxes.reduce(into: [:]) { found, outbox in
            if let outbox, let name = outbox.userAgent { found[outbox.handle] = name }
        }
    }

    func ids(beginning text: String, limit: Int) -> [String] {
        loop.server.engine.ids(beginning: text, limit: limit)
    }

    func openedAt(_ id: String) -> Instant? {
        loop.server.engine.handle(of: id).flatMap { loop.server.engine.with($0) { $0.openedAt } }
    }

    func told(
        in handle: SessionHandle, after sequence: Int
    ) -> (entries: [JournalEntry], bytes: Int, dialect: any Dialect)? {
        loop.server.told(in: handle, after: sequence)
    }

    var dialects: [any Dialect] { loop.server.dialects }

    func view(of handle: SessionHandle) -> SessionView? { loop.server.view(of: handle) }

    /// Clients of a session are told its entries as ``Dialect/describe(_:into:)`` says them.
    func isToldAsItIs(_ handle: SessionHandle) -> Bool {
        loop.server.outbox(of: handle).map { $0.encoder.memory == nil } ?? true
    }

    /// By which clients are judged, whatever their protocol.
    var laws: [Law] {
        loop.server.dialects.flatMap(\.laws.all)
    }

    func act(_ action: ChairAction, in handle: SessionHandle, by name: String) -> ChairRefusal? {
        loop.server.withEngine { $0.act(action, in: handle, by: name, at: now, into: &$1) }
    }

    func push(_ event: Event, in handle: SessionHandle, by name: String) {
        loop.server.withEngine { $0.push(event, in: handle, by: name, at: now, into: &$1) }
    }

    /// What a client's event says in the protocol of a session; nil when the session is gone.
    func decode(_ event: [UInt8], in handle: SessionHandle) -> ClientInput? {
        // By an encoder of its own: nothing has come from a connection.
        guard let outbox = loop.server.outbox(of: handle) else { return nil }
        var output = EncoderOutput()
        return dialects[outbox.dialect].encoder(of: outbox.id).receive(
            event, isText: true, from: .none, at: now, into: &output
        ).input
    }

    func speak(_ input: ClientInput, in handle: SessionHandle, by name: String) {
        loop.server.withEngine { $0.speak(input, in: handle, by: name, at: now, into: &$1) }
    }

    func end(_ handle: SessionHandle, reason: EndReason, by name: String) {
        loop.server.withEngine { $0.end(handle, reason: reason, by: name, at: now, into: &$1) }
    }

    /// Ends a session as abandoned, and closes its connections: what troubles hold back leaves first, or the Close frame
    /// would wait behind it for ever.
    func forget(_ handle: SessionHandle) {
        for id in loop.server.engine.with(handle, { $0.links.map(\.id) }) ?? [] {
            guard let connection = connection(of: id) else { continue }
            connection.withChannel { $0.letGo(of: nil) }
            loop.server.catchUp(connection)
        }
        let name = ConversationEngine.controls
        loop.server.withEngine { $0.remove(handle, by: name, at: now, into: &$1) }
    }

    // MARK: - Fixtures and troubles

    var fixtures: FixtureShelf {
        get { loop.server.fixtures }
        nonmutating set { loop.server.fixtures = newValue }
    }

    func adoptFixtures(_ shelf: FixtureShelf, _ news: [FixtureShelf.News]) {
        loop.reloading.take(shelf, news, into: loop.server)
    }

    func takeSaved(_ compiled: CompiledFixture, _ bytes: [UInt8]) {
        loop.reloading.take(compiled, bytes, into: loop.server)
    }

    var armedTroubles: [TroubleDesk.Armed] { loop.server.desk.armed }

    func strikes(of id: UInt64) -> Int { loop.server.desk.strikes[id] ?? 0 }

    func lastStrike(of id: UInt64) -> (time: Instant, session: String)? { loop.server.desk.lastStrikes[id] }

    func arm(_ trouble: Trouble, scope: TroubleScope, by author: String) -> TroubleDesk.Armed? {
        loop.server.arm(trouble, scope: scope, by: author)
    }

    /// Counts of scenario lines begin anew.
    func forgetLines() { loop.server.desk.forgetLines() }

    // MARK: - Record

    var timeline: Timeline { loop.server.chronicle.recorder.timeline }
    var counts: ServerCounts { loop.server.chronicle.counts }
    var unmatchedCount: UInt64 { loop.server.chronicle.unmatched.count }
    var forgottenRows: UInt64 { loop.server.chronicle.recorder.forgottenCount }
    var totalTraffic: (received: UInt64, sent: UInt64) { loop.sockets.totals }

    func record(_ row: Row) { loop.server.chronicle.recorder.append(row) }

    /// Rows, unheard traffic and breaches go; their numbers go on. Sessions that are under way may not be judged any
    /// more, where laws have to see them begin.
    func forgetRecord() {
        controls.usesAtReset = RuleRecord.counts(snapshot.ruleUses)
        loop.server.chronicle.recorder.removeAll()
        loop.server.chronicle.unmatched.removeAll()
        loop.server.chronicle.breaches.beginAnew()
    }

    // MARK: - Connections

    func connection(of id: ConnectionID) -> Connection? { loop.server.connection(of: id) }

    func connection(number: UInt32) -> Connection? { loop.server.connection(number: number) }

    /// How many there are of a kind.
    func connections(_ isOne: (Connection) -> Bool) -> Int {
        loop.server.connections.count { $0.map(isOne) ?? false }
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
        loop.server.tell(text, context, to: connection)
    }

    func tell(refused status: Int, _ head: RequestHead, because reason: String, on connection: Connection) {
        loop.server.tell(refused: status, head, because: reason, on: connection)
    }

    func preflightRefusal(_ head: RequestHead) -> String? { loop.server.preflightRefusal(head) }

    func flush() { loop.sockets.flush() }
}
