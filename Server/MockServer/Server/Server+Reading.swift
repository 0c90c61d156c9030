import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import HTTPCore
import ServerCore
import SocketTransport
import Timeline
import WebSocketCore

/// Queries of the control API.
extension Server {
    /// The control API of the server.
    var control: ControlAPI { ControlAPI(server: self) }
    var uptime: Interval { clock.now - startedAt }
    var wallNow: Instant { wallClock.now }
    /// The wall's time at the server's present moment.
    var wallMoment: Instant { wallNow(now) }

    // MARK: - Sessions

    var journalBytes: Int { ledger.sessionBytes }

    /// The session that was opened last.
    var newest: Conversation? {
        newestSession.flatMap { engine[$0] }
            ?? sessions.max { $0.openedAt < $1.openedAt }
    }

    /// Some feed follows sessions.
    package var notesChanges: Bool {
        get { engine.notesChanges }
        set {
            engine.notesChanges = newValue
            chronicle.tally.notesChanges = newValue
        }
    }

    /// Sessions that changed since this was last asked, and the ids of those that are gone.
    func takeChanges() -> (Set<SessionHandle>, forgotten: [String]) {
        var changed = engine.takeChanges()
        let (wronged, forgotten) = chronicle.tally.takeChanges()
        for id in wronged { engine.handle(of: id).map { _ = changed.insert($0) } }
        return (changed, forgotten)
    }

    /// The programs of sessions, where they name themselves.
    var userAgents: [SessionHandle: String] {
        outboxes.reduce(into: [:]) { found, outbox in
            if let outbox, let name = outbox.userAgent { found[outbox.handle] = name }
        }
    }

    func openedAt(_ id: String) -> Instant? {
        engine.handle(of: id).flatMap { engine.with($0) { $0.openedAt } }
    }

    /// Clients of a session receive its entries as ``Dialect/describe(_:into:)`` writes them.
    func isToldAsItIs(_ handle: SessionHandle) -> Bool {
        outbox(of: handle).map { $0.encoder.memory == nil } ?? true
    }

    /// By which clients are judged, whatever their protocol.
    var laws: [Law] { dialects.flatMap(\.laws.all) }

    func act(_ action: OperatorAction, in handle: SessionHandle, by name: String) -> OperatorRefusal? {
        withEngine { $0.apply(action, in: handle, by: name, at: now, into: &$1) }
    }

    /// The meaning of a client's event in the protocol of a session; nil when the session is gone.
    func decode(_ event: [UInt8], in handle: SessionHandle) -> ClientInput? {
        // By a separate encoder: nothing has come from a connection.
        guard let outbox = outbox(of: handle) else { return nil }
        var output = EncoderOutput()
        return dialects[outbox.dialect].encoder(of: outbox.id).receive(
            event, isText: true, from: .none, at: now, into: &output
        ).input
    }

    func speak(_ input: ClientInput, in handle: SessionHandle, by name: String) {
        withEngine { $0.speak(input, in: handle, by: name, at: now, into: &$1) }
    }

    /// Ends a session as abandoned, and closes its connections: what troubles hold back leaves first, or the Close frame
    /// would wait after it for ever.
    func forget(_ handle: SessionHandle) {
        for id in engine.with(handle, { $0.links.map(\.id) }) ?? [] {
            guard let connection = connection(of: id) else { continue }
            connection.withChannel { $0.letGo(of: nil) }
            catchUp(connection)
        }
        let name = ConversationEngine.controls
        withEngine { $0.remove(handle, by: name, at: now, into: &$1) }
    }

    // MARK: - Fixtures and troubles

    func adoptFixtures(_ shelf: FixtureStore, _ news: [FixtureStore.News]) {
        reloading.take(shelf, news, into: self)
    }

    func takeSaved(_ compiled: CompiledFixture, _ bytes: [UInt8]) {
        reloading.take(compiled, bytes, into: self)
    }

    // MARK: - Record

    var timeline: Timeline { chronicle.recorder.timeline }

    func record(_ row: Row) { chronicle.recorder.append(row) }

    /// Rows, unheard traffic and breaches go; their numbers go on. Sessions that are under way are not judged by
    /// the new law book, since it has not seen them begin.
    func forgetRecord() {
        controls.usesAtReset = RuleRecord.counts(engine.snapshot.ruleUses)
        chronicle.recorder.removeAll()
        chronicle.unmatched.removeAll()
        chronicle.breaches.beginAnew()
    }

    // MARK: - Connections

    /// How many there are of a kind.
    func count(ofConnections isOne: (Connection) -> Bool) -> Int {
        connections.count { $0.map(isOne) ?? false }
    }
}
