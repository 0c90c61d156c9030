import Clocks
import ConversationEngine
import DialectKit
import ServerCore

extension Server {
    /// Changes the engine, then executes its effects.
    func withEngine<Result>(_ body: (inout ConversationEngine, inout [Effect]) -> Result) -> Result {
        let result = body(&engine, &effects)
        executeEffects()
        return result
    }

    /// Changes the engine, executes its effects, and returns the recorded entries.
    func entries(_ body: (inout ConversationEngine, inout [Effect]) -> Void) -> [JournalEntry] {
        let start = effects.count
        body(&engine, &effects)
        let recorded = effects[start...].compactMap { effect -> JournalEntry? in
            if case .deliver(_, let entry, _) = effect { entry } else { nil }
        }
        executeEffects()
        return recorded
    }

    /// Opens a session. `bytes` is the initial memory of its encoder.
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
        outboxes[slot] = DeliveryLog(
            handle: session.handle, id: session.id, dialect: dialect,
            encoder: dialects[dialect].encoder(of: session.id, with: opening.extensions),
            file: opening.script.value.file, userAgent: userAgent, extensions: opening.extensions)
        record(.opened(session: session.id, opening.script))
        newestSession = session.handle
        for item in faults.active { inject(item, in: session.handle) }
        executeEffects()
        return .opened(id: session.id)
    }

    func forget(_ outbox: DeliveryLog) {
        record(.forgotten(session: outbox.id, dialect: outbox.dialect))
        outbox.release(from: &ledger)
        shelf.drop(session: outbox.id)
        outboxes[Int(outbox.handle.slot)] = nil
    }

    func record(_ note: Note, of outbox: DeliveryLog, at now: Instant) {
        let reasons = look(at: note, of: outbox)
        events.noted(note, of: outbox, reasons, at: EventTime(now: now, wall: wallNow(now)), in: self)
    }

    /// Stores the place of the rule that answered. Returns the reasons of an unmatched message.
    private func look(at note: Note, of outbox: DeliveryLog) -> UnmatchedReasons? {
        switch note {
        case .heard(_, let rule, let place, _, let cause):
            // The place of the same part is the same.
            guard cause.part == .none || cause.part != outbox.spoken.part else { break }
            outbox.speak(at: ScriptLocation(cause.part, rule: rule, place: place))
        case .unmatched(let unmatched):
            return UnmatchedReasons { [self] in engine.with(outbox.handle) { $0.report(on: unmatched) } }
        default: break
        }
        return nil
    }

    func view(of handle: SessionHandle) -> SessionView? {
        engine.lend(handle) {
            SessionView(
                handle: handle, id: $0.id, owner: $0.owner, hasEnded: $0.hasEnded,
                connectionCount: $0.links.count, connectionLimit: $0.connectionLimit,
                extensions: $0.extensions)
        }
    }

    func outbox(of handle: SessionHandle) -> DeliveryLog? {
        let slot = Int(handle.slot)
        guard slot < outboxes.count, let outbox = outboxes[slot], outbox.handle == handle else { return nil }
        return outbox
    }

    func outbox(of connection: Connection) -> DeliveryLog? {
        connection.session.flatMap { outbox(of: $0) }
    }

    func sessionID(of connection: Connection) -> String {
        connection.session.map { sessionID(of: $0) } ?? ""
    }

    func sessionID(of handle: SessionHandle) -> String { outbox(of: handle)?.id ?? "" }

    func delivered(
        in handle: SessionHandle, after sequence: Int = 0
    ) -> (entries: [JournalEntry], bytes: Int, dialect: any Dialect)? {
        guard let outbox = outbox(of: handle) else { return nil }
        return (outbox.entries(after: sequence), outbox.journalBytes, dialects[outbox.dialect])
    }

    func settle(_ outbox: DeliveryLog) {
        guard self.outbox(of: outbox.handle) === outbox else { return }
        // Not `with`, for which the engine is copied out of the server: 670 instructions.
        let runs = engine.lend(outbox.handle) { $0.runBytes + $0.ledgerBytes } ?? 0
        if outbox.settle(runs: runs, contact: outbox.encoder.memory?.heldBytes ?? 0, in: &ledger) {
            endIfFull(outbox)
        }
    }

    /// Forgets ended sessions until `bytes` more fit. Returns false if they do not fit.
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

    /// Ends a session that exceeds its limit, or for which there is no room.
    func endIfFull(_ outbox: DeliveryLog, hasRoom: Bool? = nil) {
        let isFull = outbox.heldBytes > configuration.limits.journalBytes
        // This runs for each entry, so the cheap comparisons come first.
        guard isFull || !(hasRoom ?? ledger.hasRoomInSessions(for: 0)),
            engine.hasEnded(outbox.handle) == false, isFull || !makeRoom()
        else { return }
        let limit = isFull ? "limits.journalBytes" : "limits.journalTotalBytes"
        remark(
            "journal full", "the session holds \(outbox.heldBytes) bytes: it ends (\(limit))",
            session: outbox.id)
        engine.end(outbox.handle, reason: .natural, isFull: true, at: clock.now, into: &effects)
    }
}

extension JournalEntry {
    var textBytes: Int {
        if case .said(let message) = values { return message.places.text.count }
        if case .long(let message) = values { return message.places.text.count }
        return switch event {
        case .userMessage(_, let text): text.utf8.count
        case .userFile(let file): file.name.utf8.count + file.type.utf8.count
        case .messageChanged(let change): change.textBytes
        case .agentMessage(let message), .liveAgentMessage(let message, _): message.text.utf8.count
        case .agentChunk(let chunk): chunk.text.utf8.count
        case .raw(_, let payload): payload.utf8.count
        default: 0
        }
    }
}
