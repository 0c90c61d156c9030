import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import WebSocketCore

/// Sessions whose dialect remembers what it tells (``Projection``).
extension SessionDesk {
    /// Changes a session's projection and does what comes of it; `mark` is that of the client's text behind it.
    func project(
        _ outbox: SessionOutbox, isReplay: Bool = false, mark: UInt32 = 0,
        _ body: (inout any Projection, inout [ProjectionStep]) -> Void
    ) {
        guard var projection = outbox.projection else { return expect(false, "projections do not nest") }
        outbox.projection = nil
        var steps: [ProjectionStep] = []
        body(&projection, &steps)
        let due = projection.nextDeadline
        outbox.projection = projection
        shell.setProjection(due, of: outbox.handle.slot)
        for step in steps { perform(step, outbox, isReplay: isReplay, mark: mark) }
        state.settle(outbox)
        performEffects()
    }

    private func perform(_ step: ProjectionStep, _ outbox: SessionOutbox, isReplay: Bool, mark: UInt32) {
        switch step {
        case .send(let text, let type, let id):
            guard let connection = state.connection(of: id) else { return }
            let context = OutboundContext(session: outbox.id, type: type, isReplay: isReplay)
            // What is live waits for the history.
            if isReplay {
                sendText(text, context, to: connection)
            } else {
                tell(text, context, to: connection)
            }
        case .sendAll(let texts, let id):
            guard let connection = state.connection(of: id) else { return }
            // In one write, each in a chunk of its own, unless something acts on them.
            guard diversion == nil, let stream = connection.stream, stream.channel.isPlain else {
                return texts.forEach {
                    tell(Array($1), OutboundContext(session: outbox.id, type: $0), to: connection)
                }
            }
            shell.write(stream.framing == .chunked ? texts.inChunks : texts.bytes, on: connection)
            state.tell(.sentAll(state.link(of: connection), texts, of: outbox))
        case .sendLater(let later, let id):
            guard let connection = state.connection(of: id) else { return }
            send(later, to: connection, outbox)
        case .close(let id, let code, let reason):
            guard let connection = state.connection(of: id) else { return }
            end(connection, CloseCode(rawValue: code), reason)
        case .hear, .push, .name, .shelve, .unshelve: state.take(step, of: outbox, mark: mark)
        }
    }

    /// Sends messages when they have been put together. They have their place in the order of the connection's output.
    private func send(_ later: ToldLater, to connection: Connection, _ outbox: SessionOutbox) {
        guard diversion == nil, connection.channel?.changesMessages == false else {
            return later.make().forEach {
                tell($0.text, OutboundContext(session: outbox.id, type: $0.type), to: connection)
            }
        }
        makings += 1
        let made = MadeMessages()
        connection.withChannel { $0.push(made, making: makings) }
        making[makings] = (made, connection.id)
        shell.makeAway(later, as: makings)
    }

    /// Messages have been put together that have their place already.
    func deliver(_ messages: [Retold], as number: UInt64) {
        guard let (made, id) = making.removeValue(forKey: number) else { return }
        made.messages = messages
        guard let connection = state.connection(of: id) else { return }
        connection.withChannel { $0.letGo(ofMaking: number) }
        release(connection)
    }

    /// An entry for all who do not find it in the history that is on its way to them.
    func project(_ entry: JournalEntry, _ outbox: SessionOutbox, to audience: Audience) {
        state.keep(entry, size: entry.contents.event.textBytes + ServerLimits.entryBytes, in: outbox)
        let ids = audience.connections.filter {
            entry.sequence == nil || state.connection(of: $0)?.isCaughtUp ?? true
        }
        project(outbox) { $0.tell(entry, to: ids, isHistory: false, at: now, into: &$1) }
    }

    /// A page of a history; entries have no size of their own here, so it has a number of them.
    func projectPage(of history: Channel.History, _ outbox: SessionOutbox, to connection: Connection) {
        let entries = outbox.entries(after: history.next, limit: ServerLimits.projectedEntries)
        connection.withChannel {
            $0.sentPage(upTo: history.next + entries.count, events: entries.count)
        }
        let now = now
        project(outbox, isReplay: true) { projection, steps in
            for entry in entries {
                projection.tell(entry, to: [connection.id], isHistory: true, at: now, into: &steps)
            }
        }
    }

    /// The projection of the session in `slot` has something to do that time brings.
    func advanceProjection(of slot: Int32, to now: Instant) {
        guard let outbox = state.outboxes[Int(slot)] else { return }
        project(outbox) { $0.advance(to: now, into: &$1) }
    }
}

extension ToldTexts {
    /// Each in a chunk of its own (RFC 9112 §7.1).
    fileprivate var inChunks: [UInt8] {
        var chunks: [UInt8] = []
        chunks.reserveCapacity(bytes.count + count * TransferChunk.frameBytes)
        forEach { TransferChunk.append($1, into: &chunks) }
        return chunks
    }
}
