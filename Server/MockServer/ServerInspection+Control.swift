import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import Timeline
import WebSocketCore

/// What the control API asks of the server.
extension ServerInspection {
    var configuration: Configuration { loop.configuration }
    var controlState: ControlState { loop.controlState }
    var seed: UInt64 { loop.seed }
    var now: Instant { loop.clock.now }
    var uptime: Interval { loop.clock.now - loop.startedAt }
    /// Real time, whatever the server's clock shows.
    var wallClock: any EventClock { loop.wallClock }
    var wallNow: Instant { loop.wallClock.now }
    /// The wall's time at the server's present moment.
    var wallMoment: Instant { loop.wallNow(now) }

    /// Does `body`, then sends and arms whatever came of it.
    func perform(_ body: () -> Void) { loop.perform { _ in body() } }

    func tell(_ happening: Happening) { loop.tell(happening) }

    // MARK: - Sessions

    var snapshot: ConversationEngine.Snapshot { loop.engine.snapshot }
    var sessionCount: Int { loop.engine.sessionCount }
    var openSessions: Int { loop.engine.openCount }
    var journaledEntries: Int { loop.engine.journaledCount }
    var sessionHandles: [SessionHandle] { loop.engine.sessionHandles }

    /// The session that was opened last.
    var newest: Conversation? {
        loop.newestSession.flatMap { loop.engine[$0] } ?? sessions.max { $0.openedAt < $1.openedAt }
    }

    func session(_ handle: SessionHandle) -> Conversation? { loop.engine[handle] }

    func ids(beginning text: String, limit: Int) -> [String] {
        loop.engine.ids(beginning: text, limit: limit)
    }

    func openedAt(_ id: String) -> Instant? {
        loop.engine.handle(of: id).flatMap { loop.engine.with($0) { $0.openedAt } }
    }

    func told(
        in handle: SessionHandle, after sequence: Int
    ) -> (entries: [JournalEntry], bytes: Int, dialect: any Dialect)? {
        loop.told(in: handle, after: sequence)
    }

    func act(_ action: ChairAction, in handle: SessionHandle, by name: String) -> ChairRefusal? {
        loop.withEngine { $0.act(action, in: handle, by: name, at: now, into: &$1) }
    }

    func push(_ event: Event, in handle: SessionHandle, by name: String) {
        loop.withEngine { $0.push(event, in: handle, by: name, at: now, into: &$1) }
    }

    func end(_ handle: SessionHandle, reason: EndReason) {
        loop.withEngine { $0.end(handle, reason: reason, at: now, into: &$1) }
    }

    /// Ends a session as abandoned, and closes its connections: what troubles hold back leaves first, or the Close frame
    /// would wait behind it for ever.
    func forget(_ handle: SessionHandle) {
        for id in loop.engine.with(handle, { $0.links.map(\.id) }) ?? [] {
            guard let connection = connection(of: id) else { continue }
            connection.withChannel { $0.letGo(of: nil) }
            loop.release(connection)
        }
        loop.withEngine { $0.remove(handle, at: now, into: &$1) }
    }

    // MARK: - Fixtures and troubles

    var fixtures: FixtureShelf {
        get { loop.fixtures }
        nonmutating set { loop.fixtures = newValue }
    }

    /// Looks at the fixture files at once. A look that is under way may have read older files; it is to look again.
    func reloadFixtures() -> [FixtureShelf.News] {
        var copy = loop.fixtures
        let news = copy.reload()
        let wasReloading = loop.isReloading
        _ = loop.adopt(copy, news)
        loop.isReloading = wasReloading
        loop.reloadsAgain = wasReloading
        return news
    }

    var armedTroubles: [TroubleDesk.Armed] { loop.desk.armed }

    func strikes(of id: UInt64) -> Int { loop.desk.strikes[id] ?? 0 }

    func arm(_ trouble: Trouble, scope: TroubleScope, by author: String) -> TroubleDesk.Armed? {
        loop.arm(trouble, scope: scope, by: author)
    }

    /// Counts of scenario lines begin anew.
    func forgetLines() { loop.desk.forgetLines() }

    // MARK: - Record

    var timeline: Timeline { loop.chronicle.recorder.timeline }
    var counts: ServerCounts { loop.chronicle.counts }
    var unmatchedCount: UInt64 { loop.chronicle.unmatched.count }
    var forgottenRows: UInt64 { loop.chronicle.recorder.forgottenCount }
    var totalTraffic: (received: UInt64, sent: UInt64) { loop.sockets.totals }

    func record(_ row: Row) { loop.chronicle.recorder.append(row) }

    /// Rows, unheard traffic and breaches go; their numbers go on. Sessions that are under way are not judged by
    /// the new law book, since it has not seen them begin.
    func forgetRecord() {
        loop.chronicle.recorder.removeAll()
        loop.chronicle.unmatched.removeAll()
        loop.chronicle.laws.beginAnew()
    }

    // MARK: - Connections

    func connection(of id: ConnectionID) -> Connection? { loop.connection(of: id) }

    func connection(number: UInt32) -> Connection? { loop.connection(number: number) }

    /// How many there are of a kind.
    func connections(_ isOne: (Connection) -> Bool) -> Int {
        loop.connections.count { $0.map(isOne) ?? false }
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

    /// The same, noted in the timeline and sent as fast as the client reads.
    func answerAtLength(_ response: Response, to head: RequestHead, on connection: Connection) {
        let bytes = response.serialized(to: head, closing: true, date: loop.httpDate)
        loop.tellResponse(bytes, response.status, to: head, on: connection)
        loop.send(bytes, on: connection)
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
        loop.tell(text, context, to: connection)
    }

    func tell(refused status: Int, _ head: RequestHead, because reason: String, on connection: Connection) {
        loop.tell(refused: status, head, because: reason, on: connection)
    }

    func preflightRefusal(_ head: RequestHead) -> String? { loop.preflightRefusal(head) }

    func flush() { loop.sockets.flush() }
}
