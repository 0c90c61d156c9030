import ConversationEngine
import DialectKit
import ServerCore

/// What projections want done that needs no socket.
extension ServerState {
    /// `mark` is that of the client's text behind it.
    func take(_ step: ProjectionStep, of outbox: SessionOutbox, mark: UInt32) {
        switch step {
        case .hear(var input, let id):
            input.mark = mark
            engine.handle(input, from: id, in: outbox.handle, at: clock.now, into: &effects)
        case .push(let event, let name):
            engine.push(event, in: outbox.handle, by: name, at: clock.now, into: &effects)
        case .name(let name): engine.name(outbox.handle, name)
        case .shelve(let id, let name, let type, let bytes):
            do throws(Shelf.Refusal) {
                shelf.expire(at: clock.now)
                try shelf.announce(id, name: name, type: type, size: bytes.count, session: outbox.id)
                try shelf.receive(bytes, of: id)
                try shelf.judge(id)
            } catch {
                remark("note", "the file \(name) is not kept: \(error.words)", session: outbox.id)
            }
        case .unshelve(let id): shelf.drop(id)
        case .send, .sendAll, .sendLater, .close: break
        }
    }

    /// An event of a run, for the connection that asked for it, and with it those of the same run that the `rest` of the
    /// effects begins with; the first event leaves alone. Without a projection the dialect has no words for them.
    func tell(
        _ entry: RunEntry, _ rest: inout Slice<UnsafeBufferPointer<Effect>>, of run: RunFacts,
        in handle: SessionHandle
    ) {
        guard let outbox = outbox(of: handle), outbox.isProjected else { return }
        changeProjection(outbox) { projection, steps in
            func tell(_ entry: RunEntry) {
                let log =
                    entry.event.buildsOnLog
                    ? engine.with(handle) { $0.runs?.before(entry, of: run) } ?? nil : nil
                projection.tell(entry, of: run, log: log, at: entry.time, into: &steps)
            }
            tell(entry)
            var isAlone = false
            if case .started = entry.event { isAlone = true }
            while !isAlone, !rest.isEmpty, case .run(_, let other, let next) = rest.base[rest.startIndex],
                other === run
            {
                tell(next)
                rest.removeFirst()
            }
            projection.leave(into: &steps)
        }
    }
}
