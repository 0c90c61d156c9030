import Clocks
import ConversationEngine
import DialectKit
import LawBook
import ServerCore
import SocketTransport

/// Entries out: live ones at once, histories as fast as the client reads.
extension ServerLoop {
    func tell(_ entry: JournalEntry, of handle: SessionHandle, to audience: Audience) {
        guard let outbox = state.outbox(of: handle) else { return }
        state.tell(.told(session: outbox.id, entry, connections: audience.count))
        if outbox.isProjected { return project(entry, outbox, to: audience) }
        // Encoded once, in the same place as the entry before. A place that became large is let go.
        var scratch = encoded
        encoded = []
        defer { if scratch.capacity <= ServerLimits.scratchBytes { encoded = scratch } }
        scratch.removeAll(keepingCapacity: true)
        state.dialects[outbox.dialect].encode(entry, into: &scratch)
        // Senders keep long texts, so these have no spare room.
        let bytes = scratch.count < sockets.limits.sharedPayloadBytes ? scratch : scratch.exact
        state.keep(entry, size: bytes.count, in: outbox)
        switch audience {
        case .nobody: break
        case .one(let id): tell(bytes, state.context(of: entry, in: outbox), to: id)
        case .many(let ids):
            let context = state.context(of: entry, in: outbox)
            for id in ids { tell(bytes, context, to: id) }
        }
    }

    private func tell(_ bytes: [UInt8], _ context: OutboundContext, to id: ConnectionID) {
        if let connection = state.connection(of: id) { tell(bytes, context, to: connection) }
    }

    /// Sends a message now, or behind the history that is on its way.
    func tell(_ bytes: [UInt8], _ context: OutboundContext, to connection: Connection) {
        if connection.isPlain || connection.channel?.history == nil {
            sendText(bytes, context, to: connection)
        } else {
            connection.withChannel { $0.hold(bytes.exact, context) }
        }
    }

    // MARK: - History

    func replay(_ handle: SessionHandle, to id: ConnectionID, after cursor: UInt64, includesStart: Bool) {
        guard let connection = state.connection(of: id), state.outbox(of: handle) != nil else { return }
        connection.withChannel {
            $0.begin(
                Channel.History(next: Int(min(cursor, UInt64(Int.max))), leadsWithStart: includesStart))
        }
        continueHistory(of: connection)
    }

    /// Sends pages until the client has enough to read; called again when it has read them.
    func continueHistory(of connection: Connection) {
        while let channel = connection.channel, let history = channel.history {
            guard let outbox = state.outbox(of: channel.handle) else {
                connection.withChannel { $0.dropHistory() }
                return
            }
            guard history.isFirst || history.next < outbox.count else { return endHistory(of: connection) }
            guard sockets.pendingBytes(connection.socket) <= sockets.limits.highWaterBytes else { return }
            sendPage(of: history, outbox, to: connection)
        }
    }

    private func sendPage(of history: Channel.History, _ outbox: SessionOutbox, to connection: Connection) {
        if outbox.isProjected { return projectPage(of: history, outbox, to: connection) }
        let page = outbox.page(from: history, atMost: pageBytes)
        connection.withChannel { $0.sentPage(upTo: page.next, events: page.entries.count) }
        let now = clock.now
        let wrapper = UniqueID.version7(at: now, from: &state.identities)
        // The laws hear of all events with the first message.
        var batch = state.toldBefore(page.entries)
        let dialect = state.dialects[outbox.dialect]
        for message in dialect.replay(page.entries, expecting: page.bytes, wrapper: wrapper, at: now) {
            let context = OutboundContext(
                session: outbox.id, type: dialect.historyType, batch: batch, isReplay: true)
            sendText(message, context, to: connection)
            batch = []
        }
    }

    /// Half of what may wait for a slow reader, so that a page never crosses that bound.
    var pageBytes: Int {
        min(ServerLimits.historyPageBytes, configuration.limits.writeBufferBytes / 2)
    }

    func endHistory(of connection: Connection) {
        let held = connection.withChannel {
            $0.endHistory(at: clock.now, distance: configuration.connections.firstLiveEventDelay)
        }
        for (bytes, context) in held ?? [] { sendText(bytes, context, to: connection) }
    }
}

extension [UInt8] {
    /// The same bytes without room for more: for those who keep them.
    var exact: [UInt8] { withUnsafeBytes { Array($0) } }
}
