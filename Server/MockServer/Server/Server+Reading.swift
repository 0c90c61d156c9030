import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import Texts
import Timeline

extension Server {
    var control: ControlAPI { ControlAPI(server: self) }
    /// Real time since the start.
    var uptimeSeconds: Int64 { max(0, (wallClock.now - startedAt).seconds) }
    var wallNow: Instant { wallClock.now }
    var wallMoment: Instant { wallNow(now) }

    // MARK: - Sessions

    var journalBytes: Int { ledger.sessionBytes }

    /// The newest session that exists.
    var newest: Conversation? {
        newestSession.flatMap { engine[$0] } ?? sessions.reversed().max { $0.openedAt < $1.openedAt }
    }

    /// Whether changes of sessions are collected for feeds.
    package var notesChanges: Bool {
        get { engine.notesChanges }
        set {
            engine.notesChanges = newValue
            events.tally.notesChanges = newValue
        }
    }

    func takeChanges() -> (Set<SessionHandle>, forgotten: [String]) {
        var changed = engine.takeChanges()
        let (wronged, forgotten) = events.tally.takeChanges()
        for id in wronged { engine.handle(of: id).map { _ = changed.insert($0) } }
        return (changed, forgotten)
    }

    var userAgents: [SessionHandle: String] {
        outboxes.reduce(into: [:]) { found, outbox in
            if let outbox, let name = outbox.userAgent { found[outbox.handle] = name }
        }
    }

    var protocolRules: [ProtocolRule] { dialects.flatMap(\.protocolRules.all) }

    func apply(_ action: OperatorAction, in handle: SessionHandle, by name: String) -> OperatorRefusal? {
        withEngine { $0.apply(action, in: handle, by: name, at: now, into: &$1) }
    }

    /// Decodes a client's event in the protocol of a session, or returns nil.
    func decode(_ event: [UInt8], in handle: SessionHandle) -> ClientInput? {
        // Uses a new encoder, because no connection has sent the event.
        guard let outbox = outbox(of: handle) else { return nil }
        var output = EncoderOutput()
        return dialects[outbox.dialect].encoder(of: outbox.id, with: outbox.extensions).receive(
            event, isText: true, from: .none, at: now, into: &output
        ).input
    }

    func speak(_ input: ClientInput, in handle: SessionHandle, by name: String) {
        withEngine { $0.speak(input, in: handle, by: name, at: now, into: &$1) }
    }

    /// Ends a session as abandoned, closes its connections, and removes it.
    func forget(_ handle: SessionHandle) {
        for id in engine.with(handle, { $0.links.map(\.id) }) ?? [] {
            guard let connection = connection(of: id) else { continue }
            connection.withChannel { $0.letGo(of: nil) }
            catchUp(connection)
        }
        let name = ConversationEngine.controls
        withEngine { $0.remove(handle, by: name, at: now, into: &$1) }
    }

    // MARK: - Record

    var timeline: Timeline { events.recorder.timeline }

    func record(_ row: Row) { events.recorder.append(row) }

    /// Drops rows, unmatched traffic and violations, and resets the protocol rules.
    func forgetRecord() {
        controls.usesAtReset = RuleRecord.counts(engine.snapshot.ruleUses)
        events.recorder.removeAll()
        events.unmatched.removeAll()
        events.violations.beginAnew()
    }

    // MARK: - `GET /_mock/health`

    /// Answers with the server's state. The seed is only for callers with access: it predicts session ids.
    func health(_ head: RequestHead) -> Response {
        var members: [(String, JSONValue)] = [
            ("status", .string("ok")), ("version", .string(MockServer.version)),
            ("uptimeSeconds", .integer(uptimeSeconds)), ("instance", .string(instance)),
        ]
        if let shard = configuration.shard { members.append(("shard", .string("\(shard)"))) }
        if configuration.control.isOn, ControlGate(configuration).allowsLooking(head) {
            let (rows, dropped) = (timeline.count, timeline.droppedCount + events.recorder.forgottenCount)
            members += [
                ("seed", ControlJSON.count(seed)), ("fixture", .string(fixtures.defaultName)),
                (
                    "rows",
                    Self.counts([
                        ("limit", configuration.limits.rows), ("held", rows), ("dropped", Int(dropped)),
                    ])
                ),
                (
                    "memory",
                    Self.counts([
                        ("sessions", ledger.sessionBytes), ("sessionsLimit", ledger.limits.sessions),
                        ("bodies", ledger[.bodies]), ("bodiesLimit", ledger.limits.bodies),
                        ("files", shelf.heldBytes), ("filesLimit", shelf.limits.totalBytes),
                    ])
                ),
            ]
        }
        members += [
            ("controls", .bool(configuration.control.isOn)),
            ("sessions", ControlJSON.count(engine.sessionCount)),
            ("connections", ControlJSON.count(openWebSockets)),
            ("unmatched", ControlJSON.count(events.unmatched.count)),
            ("violations", ControlJSON.count(violations.count + events.violations.droppedViolations)),
        ]
        return ControlJSON.response(JSONWriter.bytes(ControlJSON.object(members)) + [0x0A])
    }

    private static func counts(_ counts: [(String, Int)]) -> JSONValue {
        ControlJSON.object(counts.map { ($0, ControlJSON.count($1)) })
    }
}
