import ConversationEngine
import DialectKit
import ServerCore

/// Steps of encoders that need no socket.
extension ServerState {
    /// `mark` is that of the client's text behind it.
    func take(_ step: EncoderOutput.Step, of outbox: SessionOutbox, mark: UInt32) {
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
}
