import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import WebSocketCore

/// The encoders of sessions: input for them, and what is done with their output.
extension Server {
    /// Lends a session's encoder, and does what comes of it; `mark` is that of the client's text that caused it.
    func withEncoder(
        of outbox: DeliveryLog, mark: UInt32 = 0, _ body: (any SessionEncoder, inout EncoderOutput) -> Void
    ) {
        var output = emptyOutput()
        body(outbox.encoder, &output)
        perform(&output, outbox, mark: mark)
    }

    /// The output that is used again and again. While it is out of its place, others are used.
    func emptyOutput() -> EncoderOutput {
        let output = scratch
        scratch = EncoderOutput()
        return output
    }

    /// Puts an output back whose work is done.
    func reuse(_ output: inout EncoderOutput) {
        output.reset(keeping: ServerLimits.scratchBytes)
        scratch = output
    }

    /// Does all that is not for the whole audience of an entry, and what the engine wants done then. `replayed` are the
    /// entries of a history; nil where the output is live.
    func perform(
        _ output: inout EncoderOutput, _ outbox: DeliveryLog, mark: UInt32 = 0,
        replayed: [JournalEntry]? = nil
    ) {
        if let memory = outbox.encoder.memory {
            timers.encoders.note(memory.nextDeadline, for: outbox.handle.slot)
        }
        // The laws hear of all events of a history with its first message.
        var batch = replayed
        for step in output.steps { perform(step, outbox, replayed: &batch, mark: mark) }
        reuse(&output)
        if outbox.encoder.memory != nil { settle(outbox) }
        performEffects()
    }

    private func perform(
        _ step: EncoderOutput.Step, _ outbox: DeliveryLog, replayed: inout [JournalEntry]?,
        mark: UInt32
    ) {
        switch step {
        case .send(let text, let type, let id):
            guard let connection = connection(of: id) else { return }
            guard let batch = replayed else {
                return tell(text, OutboundContext(session: outbox.id, type: type), to: connection)
            }
            // What is live waits for the history.
            replayed = []
            sendText(
                text, OutboundContext(session: outbox.id, type: type, batch: batch, isReplay: true),
                to: connection)
        case .sendAll(let texts, let id):
            guard let connection = connection(of: id) else { return }
            // In one write, each in its own chunk, unless a trouble acts on them.
            guard diversion == nil, let stream = connection.stream, stream.channel.isPlain else {
                return texts.forEach {
                    tell(Array($1), OutboundContext(session: outbox.id, type: $0), to: connection)
                }
            }
            write(stream.framing == .chunked ? texts.inChunks : texts.bytes, on: connection)
            tell(.sentAll(link(of: connection), texts, of: outbox))
        case .sendLater(let later, let id):
            guard let connection = connection(of: id) else { return }
            send(later, to: connection, outbox)
        case .close(let id, let code, let reason):
            guard let connection = connection(of: id) else { return }
            end(connection, CloseCode(rawValue: code), reason)
        case .hear, .push, .name, .shelve, .unshelve: take(step, of: outbox, mark: mark)
        }
    }

    /// Sends messages when they have been put together. They have their place in the order of the connection's output.
    private func send(_ later: ToldLater, to connection: Connection, _ outbox: DeliveryLog) {
        guard diversion == nil, connection.channel?.changesMessages == false else {
            return later.make().forEach {
                tell($0.text, OutboundContext(session: outbox.id, type: $0.type), to: connection)
            }
        }
        makings += 1
        let made = MadeMessages()
        connection.withChannel { $0.push(made, making: makings) }
        making[makings] = (made, connection.id)
        makeAway(later, as: makings)
    }

    /// Messages have been put together that have their place already.
    func deliver(_ messages: [RenderedMessage], as number: UInt64) {
        guard let (made, id) = making.removeValue(forKey: number) else { return }
        made.messages = messages
        guard let connection = connection(of: id) else { return }
        connection.withChannel { $0.letGo(ofMaking: number) }
        release(connection)
    }

    /// `mark` is that of the client's text that caused it.
    private func take(_ step: EncoderOutput.Step, of outbox: DeliveryLog, mark: UInt32) {
        switch step {
        case .hear(var input, let id):
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

    // MARK: - Input

    /// An event of a run, for the connection that asked for it, and with it those of the same run that the `rest` of the
    /// effects begins with; the first event leaves alone.
    func tell(
        _ entry: RunEntry, _ rest: inout Slice<UnsafeBufferPointer<Effect>>, of run: RunInfo,
        in handle: SessionHandle
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
            var isAlone = false
            if case .started = entry.event { isAlone = true }
            while !isAlone, !rest.isEmpty, case .run(_, let other, let next) = rest.base[rest.startIndex],
                other === run
            {
                encode(next)
                rest.removeFirst()
            }
            encoder.flush(into: &output)
        }
        // Runs take room whether a protocol sends them or not.
        if outbox.encoder.memory == nil { settle(outbox) }
    }

    /// The encoder of the session in `slot` has something to do that time brings.
    func advanceEncoder(of slot: Int32, to now: Instant) {
        guard let outbox = outboxes[Int(slot)] else { return }
        withEncoder(of: outbox) { $0.advance(to: now, into: &$1) }
    }
}

extension EncodedMessages {
    /// One chunk for each (RFC 9112 §7.1).
    fileprivate var inChunks: [UInt8] {
        var chunks: [UInt8] = []
        chunks.reserveCapacity(bytes.count + count * TransferChunk.frameBytes)
        forEach { TransferChunk.append($1, into: &chunks) }
        return chunks
    }
}
