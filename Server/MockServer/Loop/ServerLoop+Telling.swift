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
        // Encoded once, in the same place as the entry before.
        var bytes = encoded
        encoded = []
        defer { encoded = bytes }
        bytes.removeAll(keepingCapacity: true)
        dialects[dialect].encode(entry, into: &bytes)
        // An entry that is told again was counted already.
        if let sequence = entry.sequence, sequence == UInt64(wire.toldCount) + 1 {
            wire.noteTold(bytes.count)
            if wire.byteCount > configuration.limits.journalBytes { endFull(wire) }
        }
        switch audience {
        case .nobody: break
        case .one(let id): tell(bytes, telling(entry, in: wire), to: id)
        case .many(let ids):
            let telling = telling(entry, in: wire)
            for id in ids { tell(bytes, telling, to: id) }
        }
    }

    /// A client that is still catching up finds journaled entries in its history; the rest waits behind it.
    private func tell(_ bytes: [UInt8], _ telling: Telling, to id: ConnectionID) {
        guard let connection = connection(of: id) else { return }
        if connection.history == nil {
            sendText(bytes, telling, to: connection)
        } else if telling.sequence == nil, connection.heldBack.count < ServerLimits.heldBackMessages {
            connection.heldBack.append((bytes, telling))
        }
    }

    /// The journal of a session has a size as well as a length (``Configuration/Limits/journalBytes``).
    private func endFull(_ wire: SessionWire) {
        guard engine.hasEnded(wire.handle) == false else { return }
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
            guard history.isFirst || history.next < wire.toldCount else {
                return finishHistory(of: connection)
            }
            guard sockets.pendingBytes(connection.socket) <= sockets.limits.highWaterBytes else { return }
            let page = page(from: history, of: wire)
            let dialect = dialects[wire.dialect]
            connection.history?.next = page.next
            connection.history?.isFirst = false
            let now = clock.now
            let wrapper = UniqueID.version7(at: now, from: &identities)
            var telling = Telling(session: wire.id, type: "EVENT_BATCH", isReplay: true)
            telling.batch = toldBefore(page.entries)
            for message in dialect.replay(
                page.entries, expecting: page.bytes, wrapper: wrapper, at: now)
            {
                sendText(message, telling, to: connection)
                telling.batch = []
            }
        }
    }

    /// The next entries of a history, their bytes on the wire, and where the page after them begins.
    ///
    /// A first page reaches to the first joining of the agent: start and joining must not come apart
    /// (poly-messaging 2.4).
    private func page(
        from history: Connection.History, of wire: SessionWire
    ) -> (entries: [JournalEntry], bytes: Int, next: Int) {
        // Half of what may wait for a slow reader, so that a page never crosses that bound.
        let size = min(ServerLimits.historyPageBytes, configuration.limits.writeBufferBytes / 2)
        return withTold(of: wire) { journal -> (entries: [JournalEntry], bytes: Int, next: Int) in
            let start = min(history.next, journal.count)
            var end = start
            if history.isFirst, start == 0,
                let joined = journal.firstIndex(where: { $0.kind == .agentJoined })
            {
                end = joined + 1
            }
            var bytes = wire.sizes[start..<end].reduce(0) { $0 + Int($1) }
            while end < journal.count, bytes < size {
                bytes += Int(wire.sizes[end])
                end += 1
            }
            let leads = history.isFirst && history.leadsWithStart && start > 0
            return ((leads ? Array(journal.prefix(1)) : []) + journal[start..<end], bytes, end)
        } ?? ([], 0, history.next)
    }

    /// Lends what was told in a session so far; nil when the session is gone.
    private func withTold<Result>(
        of wire: SessionWire, _ body: (ArraySlice<JournalEntry>) -> Result
    ) -> Result? {
        // The journal may be ahead of what was told.
        engine.withJournal(of: wire.handle) { body($0.prefix(wire.toldCount)) }
    }

    /// Every entry of a session as its clients were told it.
    func told(in handle: SessionHandle) -> [(entry: JournalEntry, bytes: [UInt8])] {
        guard let wire = wire(of: handle) else { return [] }
        return withTold(of: wire) { journal in
            journal.map { entry in
                var bytes: [UInt8] = []
                dialects[wire.dialect].encode(entry, into: &bytes)
                return (entry, bytes)
            }
        } ?? []
    }

    private func finishHistory(of connection: Connection) {
        connection.history = nil
        let held = connection.heldBack
        connection.heldBack = []
        for (bytes, telling) in held { sendText(bytes, telling, to: connection) }
    }

    /// The laws' words for a page of a history.
    private func toldBefore(_ entries: [JournalEntry]) -> [(sequence: UInt64?, told: Told)] {
        guard configuration.watchesLaws else { return [] }
        return entries.map { entry in
            let isStart = entry.kind == .sessionStarted
            return (entry.sequence, isStart ? Told(entry.event, localID: nil) : Told(kind: entry.kind))
        }
    }
}
