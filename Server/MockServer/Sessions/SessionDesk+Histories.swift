import Clocks
import ConversationEngine
import DialectKit
import ServerCore

/// Histories, as fast as the client reads (decision record 0010).
extension SessionDesk {
    /// Begins to tell a client what is behind its cursor.
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
            guard shell.hasRoom(connection) else { return }
            sendPage(of: history, outbox, to: connection)
        }
    }

    private func sendPage(of history: Channel.History, _ outbox: SessionOutbox, to connection: Connection) {
        if outbox.isProjected { return projectPage(of: history, outbox, to: connection) }
        let page = outbox.page(from: history, atMost: pageBytes)
        connection.withChannel { $0.sentPage(upTo: page.next, events: page.entries.count) }
        let now = now
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
    private var pageBytes: Int {
        min(ServerLimits.historyPageBytes, state.configuration.limits.writeBufferBytes / 2)
    }

    private func endHistory(of connection: Connection) {
        let held = connection.withChannel {
            $0.endHistory(at: now, distance: state.configuration.connections.firstLiveEventDelay)
        }
        for (bytes, context) in held ?? [] { sendText(bytes, context, to: connection) }
    }
}
