import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import WebSocketCore

extension Server {
    /// Calls a session's encoder and executes its output. `mark` is the row of the client's message, or 0.
    func withEncoder(
        of outbox: DeliveryLog, mark: UInt32 = 0, _ body: (any SessionEncoder, inout EncoderOutput) -> Void
    ) {
        var output = emptyOutput()
        body(outbox.encoder, &output)
        execute(&output, outbox, mark: mark)
    }

    func emptyOutput() -> EncoderOutput {
        var output = EncoderOutput()
        swap(&output, &scratch)
        return output
    }

    /// Swaps the buffer back into ``scratch``, because a copy would make the next output allocate memory.
    func reuse(_ output: inout EncoderOutput) {
        output.reset(keeping: ServerLimits.scratchBytes)
        swap(&scratch, &output)
    }

    /// Executes an encoder's steps, then their effects. `replayed` is the page of history to send, or nil.
    func execute(
        _ output: inout EncoderOutput, _ outbox: DeliveryLog, mark: UInt32 = 0,
        replayed: [JournalEntry]? = nil, at now: Instant? = nil
    ) {
        let memory = outbox.encoder.memory
        if let memory { timers.encoders.note(memory.nextDeadline, for: outbox.handle.slot) }
        // The protocol rules get all entries of a page with its first message.
        var batch = replayed
        for step in output.steps { execute(step, outbox, replayed: &batch, mark: mark) }
        reuse(&output)
        if memory != nil { settle(outbox) }
        executeEffects(at: now)
    }

    private func execute(
        _ step: EncoderOutput.Step, _ outbox: DeliveryLog, replayed: inout [JournalEntry]?,
        mark: UInt32
    ) {
        switch step {
        case .send(let text, let type, let id):
            guard let connection = connection(of: id) else { return }
            guard let batch = replayed else {
                return deliver(text, OutboundContext(session: outbox.id, type: type), to: connection)
            }
            // Bypasses `deliver`, which would queue the message after the history.
            replayed = []
            sendText(
                text, OutboundContext(session: outbox.id, type: type, batch: batch, isReplay: true),
                to: connection)
        case .sendAll(let texts, let id):
            guard let connection = connection(of: id) else { return }
            // A plain stream gets all chunks at once.
            guard let stream = connection.stream, stream.channel.isPlain else {
                return texts.forEach {
                    deliver(Array($1), OutboundContext(session: outbox.id, type: $0), to: connection)
                }
            }
            write(stream.framing == .chunked ? texts.inChunks : texts.bytes, on: connection)
            record(.sentAll(link(of: connection), texts, of: outbox))
        case .sendLater(let later, let id):
            guard let connection = connection(of: id) else { return }
            send(later, to: connection, outbox)
        case .close(let id, let code, let reason):
            guard let connection = connection(of: id) else { return }
            end(connection, CloseCode(rawValue: code), reason)
        case .receive, .push, .name, .shelve, .unshelve: apply(step, of: outbox, mark: mark)
        }
    }

    /// Encodes messages now if a fault may change them. Otherwise reserves their place in the output and encodes them
    /// on a queue.
    private func send(_ later: DeferredMessages, to connection: Connection, _ outbox: DeliveryLog) {
        guard connection.channel?.changesMessages == false else {
            return later.make().forEach {
                deliver($0.text, OutboundContext(session: outbox.id, type: $0.type), to: connection)
            }
        }
        makings += 1
        let made = MadeMessages()
        connection.withChannel { $0.push(made, making: makings) }
        making[makings] = (made, connection.id)
        makeAway(later, as: makings)
    }

    /// Puts messages that a queue has encoded into the place reserved for them.
    func deliver(_ messages: [RenderedMessage], as number: UInt64) {
        guard let (made, id) = making.removeValue(forKey: number) else { return }
        made.messages = messages
        guard let connection = connection(of: id) else { return }
        connection.withChannel { $0.letGo(ofMaking: number) }
        release(connection)
    }

    private func apply(_ step: EncoderOutput.Step, of outbox: DeliveryLog, mark: UInt32) {
        switch step {
        case .receive(var input, let id):
            input.mark = mark
            engine.handle(input, from: id, in: outbox.handle, at: clock.now, into: &effects)
        case .push(let event, let name):
            engine.push(event, in: outbox.handle, by: name, at: clock.now, into: &effects)
        case .name(let name): engine.name(outbox.handle, name)
        case .shelve(let id, let name, let type, let bytes):
            do throws(AttachmentStore.Refusal) {
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

    // MARK: - Runs and time

    /// Delivers a run's event. Unless the event is `started`, takes the run's next events from the end of `rest` and
    /// delivers them with it.
    func deliver(
        _ entry: RunEntry, _ rest: inout [Effect], of run: RunInfo, in handle: SessionHandle
    ) {
        guard let outbox = outbox(of: handle) else { return }
        withEncoder(of: outbox) { encoder, output in
            func encode(_ entry: RunEntry) {
                let log =
                    entry.event.buildsOnLog
                    ? engine.with(handle) { $0.runs?.before(entry, of: run) } ?? nil : nil
                encoder.encode(entry, of: run, log: log, at: entry.time, into: &output)
            }
            encode(entry)
            let isAlone = if case .started = entry.event { true } else { false }
            while !isAlone, case .run(_, let other, let next)? = rest.last, other === run {
                encode(next)
                rest.removeLast()
            }
            encoder.flush(into: &output)
        }
        // Charges the run's memory.
        if outbox.encoder.memory == nil { settle(outbox) }
    }

    func advanceEncoder(of slot: Int32, to now: Instant) {
        guard let outbox = outboxes[Int(slot)] else { return }
        withEncoder(of: outbox) { $0.advance(to: now, into: &$1) }
    }
}

extension EncodedMessages {
    /// One chunk for each message (RFC 9112 §7.1).
    fileprivate var inChunks: [UInt8] {
        var chunks: [UInt8] = []
        chunks.reserveCapacity(bytes.count + count * TransferChunk.frameBytes)
        forEach { TransferChunk.append($1, into: &chunks) }
        return chunks
    }
}
