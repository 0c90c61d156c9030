import Clocks
import ConversationEngine
import DialectKit
import LawBook
import SocketTransport

/// Entries out: live ones at once, histories as fast as the client reads.
extension ServerLoop {
    func tell(_ entry: JournalEntry, of handle: SessionHandle, to audience: Audience) {
        guard let wire = wire(of: handle) else { return }
        let dialect = wire.dialect
        announce(of: handle) { .told(session: $0, entry) }
        encoded.removeAll(keepingCapacity: true)
        dialects[dialect].encode(entry, into: &encoded)
        // As long as it is and no longer: it is kept for as long as the session.
        let bytes = encoded.withUnsafeBytes { Array($0) }
        // An entry that is told again has its place already.
        if let sequence = entry.sequence, sequence == UInt64(wire.entries.count) + 1 {
            wire.append(EncodedEntry(kind: entry.event.kind, bytes: bytes))
            endIfFull(wire)
        }
        guard audience != .nobody else { return }
        let telling = telling(entry, in: wire)
        switch audience {
        case .nobody: break
        case .one(let id): tell(bytes, telling, to: id)
        case .many(let ids): for id in ids { tell(bytes, telling, to: id) }
        }
    }

    /// A client that is still catching up finds journaled entries in its history; the rest waits behind it.
    private func tell(_ bytes: [UInt8], _ telling: Telling, to id: ConnectionID) {
        guard let connection = connection(of: id) else { return }
        if connection.history == nil {
            sendText(bytes, telling, to: id)
        } else if telling.sequence == nil, connection.heldBack.count < ServerLimits.heldBackMessages {
            connection.heldBack.append((bytes, telling))
        }
    }

    /// The journal of a session has a size as well as a length (``Configuration/Limits/journalBytes``).
    private func endIfFull(_ wire: SessionWire) {
        guard wire.byteCount > configuration.limits.journalBytes, engine.hasEnded(wire.handle) == false else {
            return
        }
        log.session("journal full", wire.id, "the journal holds \(wire.byteCount) bytes: the session ends")
        engine.end(wire.handle, reason: .natural, at: clock.now, into: &effects)
    }

    // MARK: - History

    func replay(_ handle: SessionHandle, to id: ConnectionID, after cursor: UInt64, includesStart: Bool) {
        guard let connection = connection(of: id), wire(of: handle) != nil else { return }
        connection.history = Connection.History(
            handle: handle, next: Int(min(cursor, UInt64(Int.max))), leadsWithStart: includesStart,
            isFirst: true)
        continueHistory(of: connection)
    }

    /// Sends pages until the client has enough to read; goes on when it has read them.
    func continueHistory(of connection: Connection) {
        while let history = connection.history {
            guard let wire = wire(of: history.handle) else {
                connection.history = nil
                return
            }
            guard history.isFirst || history.next < wire.entries.count else {
                return finishHistory(of: connection)
            }
            guard sockets.pendingBytes(connection.socket) <= sockets.limits.highWaterBytes else { return }
            let page = wire.page(from: history, atLeast: pageBytes)
            connection.history?.next = page.next
            connection.history?.isFirst = false
            let now = clock.now
            let wrapper = UniqueID.version7(at: now, from: &identities)
            var telling = Telling(session: wire.id, type: "EVENT_BATCH", isReplay: true)
            telling.batch = toldBefore(page.entries, of: history)
            for message in dialects[wire.dialect].replay(page.entries, wrapper: wrapper, at: now) {
                sendText(message, telling, to: connection.id)
                telling.batch = []
            }
        }
    }

    /// Half of what may wait for a slow reader, so that a page never crosses that bound.
    private var pageBytes: Int {
        min(ServerLimits.historyPageBytes, configuration.limits.writeBufferBytes / 2)
    }

    private func finishHistory(of connection: Connection) {
        connection.history = nil
        let held = connection.heldBack
        connection.heldBack = []
        for (bytes, telling) in held { sendText(bytes, telling, to: connection.id) }
    }

    /// The laws' words for a page of a history.
    private func toldBefore(_ entries: [EncodedEntry], of history: Connection.History)
        -> [(sequence: UInt64?, told: Told)]
    {
        guard configuration.watchesLaws else { return [] }
        let handle = history.handle
        var next = UInt64(history.next)
        var told: [(UInt64?, Told)] = []
        for (index, entry) in entries.enumerated() {
            if index == 0, entry.kind == .sessionStarted {
                let facts = engine.withJournal(of: handle) { $0.first?.event }
                told.append((1, (facts ?? nil).map { Told($0, localID: nil) } ?? .other))
                next = max(next, 1)
                continue
            }
            next += 1
            told.append((next, Told(kind: entry.kind)))
        }
        return told
    }
}
