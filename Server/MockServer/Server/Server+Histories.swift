import Clocks
import ConversationEngine
import DialectKit
import ServerCore

/// Histories, sent page by page as fast as the client reads (decision record 0010).
extension Server {
    func replay(_ handle: SessionHandle, to id: ConnectionID, after cursor: UInt64, includesStart: Bool) {
        guard let connection = connection(of: id), outbox(of: handle) != nil else { return }
        connection.withChannel {
            $0.begin(Channel.History(next: Int(min(cursor, UInt64(Int.max))), leadsWithStart: includesStart))
        }
        continueHistory(of: connection)
    }

    /// Sends pages as long as the peer reads them.
    func continueHistory(of connection: Connection) {
        while let channel = connection.channel, let history = channel.history {
            guard let outbox = outbox(of: channel.handle) else {
                connection.withChannel { $0.dropHistory() }
                return
            }
            guard history.isFirst || history.next < outbox.count else { return endHistory(of: connection) }
            guard hasRoom(connection) else { return }
            sendPage(of: history, outbox, to: connection)
        }
    }

    private func sendPage(of history: Channel.History, _ outbox: DeliveryLog, to connection: Connection) {
        let (page, next) = outbox.page(from: history, atMost: pageBytes)
        connection.withChannel { $0.sentPage(upTo: next, events: page.entries.count) }
        let now = now
        var output = emptyOutput()
        outbox.encoder.replay(
            page, to: connection.id, at: now, id: { UniqueID.version7(at: now, from: &identities) },
            into: &output)
        execute(&output, outbox, replayed: page.entries)
    }

    private var pageBytes: Int {
        min(ServerLimits.historyPageBytes, configuration.limits.writeBufferBytes / 2)
    }

    private func endHistory(of connection: Connection) {
        let held = connection.withChannel {
            $0.endHistory(at: now, distance: configuration.poly.connections.firstLiveEventDelay)
        }
        for (bytes, context) in held ?? [] { sendText(bytes, context, to: connection) }
    }
}
