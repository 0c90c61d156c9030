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
        // Encoded once, in the same place as the entry before. A place that became large is let go.
        var scratch = encoded
        encoded = []
        defer { if scratch.capacity <= ServerLimits.scratchBytes { encoded = scratch } }
        scratch.removeAll(keepingCapacity: true)
        dialects[dialect].encode(entry, into: &scratch)
        // What is long is kept by whoever sends it, so it is no longer than needed.
        let bytes = scratch.count < sockets.limits.sharedPayloadBytes ? scratch : scratch.exact
        // An entry that is told again was counted already.
        if let sequence = entry.sequence, sequence == UInt64(wire.told.count) + 1 {
            wire.append(entry, size: bytes.count)
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
            connection.heldBack.append((bytes.exact, telling))
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
            guard history.isFirst || history.next < wire.told.count else {
                return finishHistory(of: connection)
            }
            guard sockets.pendingBytes(connection.socket) <= sockets.limits.highWaterBytes else { return }
            let page = wire.page(from: history, atMost: pageBytes)
            let dialect = dialects[wire.dialect]
            connection.history?.next = page.next
            connection.history?.isFirst = false
            connection.history?.endsWithSeveral = page.entries.count > 1
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

    /// Half of what may wait for a slow reader, so that a page never crosses that bound.
    private var pageBytes: Int {
        min(ServerLimits.historyPageBytes, configuration.limits.writeBufferBytes / 2)
    }

    /// The entries of a session behind `sequence`, as its clients were told them.
    func told(in handle: SessionHandle, after sequence: Int = 0) -> [(entry: JournalEntry, bytes: [UInt8])] {
        guard let wire = wire(of: handle) else { return [] }
        return wire.told.dropFirst(sequence).map { entry, size in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(Int(size))
            dialects[wire.dialect].encode(entry, into: &bytes)
            return (entry, bytes)
        }
    }

    private func finishHistory(of connection: Connection) {
        // A single event takes the same way through a client as live ones do, so these cannot overtake it.
        if connection.history?.endsWithSeveral == true, configuration.connections.firstLiveEventDelay > .zero
        {
            connection.historyEnded = clock.now
        }
        connection.history = nil
        let held = connection.heldBack
        connection.heldBack = []
        for (bytes, telling) in held { sendText(bytes, telling, to: connection) }
    }

    /// Holds live events back for a moment, in order, when the first of them comes right behind the history
    /// (``Configuration/Connections/firstLiveEventDelay``).
    func keepDistance(of connection: Connection, since ended: Instant) {
        connection.historyEnded = nil
        let end = ended + entryDelay(configuration.connections.firstLiveEventDelay)
        guard end > clock.now else { return }
        openValve(connection)
        connection.valve?.value.stall(until: end, by: nil)
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

extension [UInt8] {
    /// The same bytes without room for more: for those who keep them.
    var exact: [UInt8] { withUnsafeBytes { Array($0) } }
}
