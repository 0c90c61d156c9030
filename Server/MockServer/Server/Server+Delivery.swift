import Clocks
import ConversationEngine
import Deflate
import DialectKit
import ServerCore
import WebSocketCore

extension Server {
    // MARK: - Effects

    /// Executes the engine's effects, including effects that are added during the execution. `now` is the time of the
    /// first batch.
    func executeEffects(at now: Instant? = nil) {
        // The outer call also executes the effects of a nested call, so that entries keep their order.
        guard !isExecuting else { return }
        isExecuting = true
        defer { isExecuting = false }
        var now = now
        while !effects.isEmpty {
            // By swapping, since a copy would retain the buffer.
            var batch: [Effect] = []
            swap(&batch, &spare)
            swap(&batch, &effects)
            // One reading of the clock for all entries of the batch.
            let moment = now ?? self.now
            now = nil
            // Moves each effect out, from the end. A copy would retain its references: 1,000 instructions per message.
            // Reversed as a buffer, since the array's methods copy too: 860 of the 37,200 instructions of a round trip.
            batch.withUnsafeMutableBufferPointer {
                for index in 0..<$0.count / 2 { $0.swapAt(index, $0.count - 1 - index) }
            }
            while let effect = batch.popLast() { execute(effect, &batch, at: moment) }
            swap(&batch, &spare)
        }
    }

    /// Executes an effect. A run's event may be delivered with the run's next events, which are then removed from the
    /// end of `rest`.
    private func execute(_ effect: consuming Effect, _ rest: inout [Effect], at now: Instant) {
        switch consume effect {
        case .deliver(let handle, let entry, let audience):
            if !nextFirings.isEmpty { mark(audience, in: handle) }
            deliver(entry, of: handle, to: audience, at: now)
        case .run(let handle, let run, let entry):
            if !nextFirings.isEmpty { mark(.one(run.connection), in: handle) }
            deliver(entry, &rest, of: run, in: handle)
            // Flushes the run's start, so that the client gets it while later events are encoded.
            if case .started = entry.event, let connection = connection(of: run.connection) {
                outputs.append(.flush(connection.socket))
                sendOutputs()
            }
        case .replay(let handle, let connection, let cursor, let includesStart):
            if !nextFirings.isEmpty { mark(.one(connection), in: handle) }
            replay(handle, to: connection, after: cursor, includesStart: includesStart)
        case .fire(let handle, let firing):
            record(.fired(firing.name, session: nil))
            if firing.effect == .expire { expireToken(of: handle) }
            nextFirings.append((handle, firing))
        case .close(let id, let cause):
            guard let connection = connection(of: id) else { return }
            let (code, reason) = cause.onTheWire
            connection.endWithStream()
            end(connection, code, reason)
        case .forgotten(let handle):
            guard let outbox = outbox(of: handle) else { return }
            timers.encoders.note(nil, for: handle.slot)
            nextFirings.removeAll { $0.session == handle }
            forget(outbox)
        case .note(let handle, let note):
            if let outbox = outbox(of: handle) { record(note, of: outbox, at: now) }
        }
    }

    private func mark(_ audience: Audience, in handle: SessionHandle) {
        mark(audience, in: handle, with: nextFirings.filter { $0.session == handle }.map(\.firing))
        nextFirings.removeAll { $0.session == handle }
    }

    // MARK: - Entries

    /// Delivers an entry. Encodes it once if all connections receive the same text.
    private func deliver(
        _ entry: JournalEntry, of handle: SessionHandle, to audience: Audience, at now: Instant
    ) {
        guard let outbox = outbox(of: handle) else { return }
        events.delivered(entry, of: outbox, to: audience.count, at: now, in: self)
        // Most entries go to one plain connection, which is looked up once.
        var plain: Connection?
        if case .one(let id) = audience, let found = connection(of: id), found.isPlain { plain = found }
        let listeners = plain == nil ? listeners(to: entry, of: audience) : audience
        var output = emptyOutput()
        outbox.encoder.encode(entry, for: listeners, at: now, into: &output)
        guard !output.shared.isEmpty else {
            keep(entry, size: entry.textBytes + ServerLimits.entryBytes, in: outbox)
            return execute(&output, outbox)
        }
        if output.shared.count < sharedBytes {
            deliver(output.shared, output.type, of: entry, outbox, to: listeners, plain)
        } else {
            deliver(output.shared.exact, output.type, of: entry, outbox, to: listeners, plain)
        }
        reuse(&output)
    }

    private func deliver(
        _ bytes: [UInt8], _ type: String, of entry: JournalEntry, _ outbox: DeliveryLog,
        to listeners: Audience, _ plain: Connection?
    ) {
        keep(entry, size: bytes.count, in: outbox)
        if let plain {
            return sendUnchanged(bytes, context(of: entry, type, in: outbox), to: plain, of: outbox)
        }
        switch listeners {
        case .nobody: break
        case .one(let id):
            guard let connection = connection(of: id) else { return }
            deliver(bytes, context(of: entry, type, in: outbox), to: connection, of: outbox)
        case .many(let ids): deliver(bytes, context(of: entry, type, in: outbox), to: ids, outbox)
        }
    }

    /// Delivers a message to several connections. Records consecutive plain connections in one event, which saves 24,000
    /// of the 117,000 instructions of a message to ten connections.
    private func deliver(
        _ bytes: [UInt8], _ context: OutboundContext, to ids: [ConnectionID], _ outbox: DeliveryLog
    ) {
        var numbers: [UInt32] = []
        numbers.reserveCapacity(ids.count)
        func recordSent() {
            guard !numbers.isEmpty else { return }
            record(
                .sentToMany(numbers, dialect: outbox.dialect, bytes, context, of: outbox), at: context.time)
            numbers = []
        }
        for id in ids {
            guard let connection = connection(of: id) else { continue }
            guard connection.isPlain, connection.isOpen, connection.stream == nil else {
                // The events of all connections stay in the order of `ids`.
                recordSent()
                deliver(bytes, context, to: connection)
                continue
            }
            put(bytes, on: connection)
            numbers.append(connection.number)
        }
        recordSent()
    }

    /// Stores an entry in the delivery log and charges its memory.
    func keep(_ entry: JournalEntry, size: Int, in outbox: DeliveryLog) {
        endIfFull(outbox, hasRoom: ledger.chargeJournal(outbox.append(entry, size: size)))
    }

    /// The connections of the audience that do not receive the entry as part of a history.
    private func listeners(to entry: JournalEntry, of audience: Audience) -> Audience {
        func isCaughtUp(_ id: ConnectionID) -> Bool { connection(of: id)?.isCaughtUp ?? true }
        guard entry.sequence != nil else { return audience }
        return switch audience {
        case .nobody: audience
        case .one(let id): isCaughtUp(id) ? audience : .nobody
        case .many(let ids): ids.allSatisfy(isCaughtUp) ? audience : .many(ids.filter(isCaughtUp))
        }
    }

    /// Sends a message, or queues it while a history is being sent.
    func deliver(
        _ bytes: [UInt8], _ context: OutboundContext, to connection: Connection, of outbox: DeliveryLog? = nil
    ) {
        // Most connections are plain: a plain one is caught up, and no fault acts on it.
        if connection.isPlain {
            sendUnchanged(bytes, context, to: connection, of: outbox)
        } else if connection.isCaughtUp {
            sendText(bytes, context, to: connection)
        } else {
            connection.withChannel { $0.hold(bytes.exact, context) }
        }
    }

    /// Sends a message, through the faults that act on its connection.
    func sendText(_ bytes: [UInt8], _ context: OutboundContext, to connection: Connection) {
        guard !connection.isPlain else { return sendUnchanged(bytes, context, to: connection) }
        if connection.isOpen { sendHeld(bytes, context, to: connection) }
    }

    private func sendUnchanged(
        _ bytes: [UInt8], _ context: OutboundContext, to connection: Connection, of outbox: DeliveryLog? = nil
    ) {
        guard connection.isOpen else { return }
        put(bytes, on: connection)
        recordSent(bytes, context, on: connection, of: outbox, at: context.moment)
    }

    func put(_ bytes: [UInt8], on connection: Connection) {
        if let webSocket = connection.webSocket {
            send(bytes, as: .text, of: webSocket, on: connection)
        } else if let stream = connection.stream {
            if let parts = stream.parts(of: bytes) { return parts.forEach { write($0, on: connection) } }
            if admits(bytes.count, to: connection) { outputs.append(.chunk(connection.socket, bytes)) }
        }
    }

    /// Sends a WebSocket message, compressed if possible.
    func send(
        _ payload: [UInt8], as opcode: Opcode, of webSocket: Connection.OpenWebSocket,
        on connection: Connection
    ) {
        if let packed = webSocket.deflate?.compress(payload) {
            if admits(packed.count, to: connection) {
                outputs.append(.compressed(connection.socket, opcode, packed))
            }
            return
        }
        guard admits(payload.count, to: connection) else { return }
        guard payload.count < sharedBytes, framed.count < 1 << 30 else {
            return outputs.append(.message(connection.socket, opcode, payload))
        }
        let start = UInt32(framed.count)
        FrameWriter.appendHeader(opcode: opcode, length: payload.count, to: &framed)
        payload.withUnsafeBytes { framed.append(contentsOf: $0) }
        outputs.append(.frame(connection.socket, start..<UInt32(framed.count)))
    }

    func write(_ bytes: [UInt8], on connection: Connection) {
        if admits(bytes.count, to: connection) { outputs.append(.write(connection.socket, bytes)) }
    }

    /// Counts bytes to be written. If all connections have too many unsent bytes while the clock is moved, cuts this
    /// connection and returns false.
    private func admits(_ bytes: Int, to connection: Connection) -> Bool {
        connection.wrote(bytes)
        outputBytes += bytes
        guard isSteered, outputBytes > ledger.limits.held else { return true }
        if connection.pendingBytes < .max { outputs.append(.overflow(connection)) }
        connection.pendingBytes = .max
        return false
    }

    /// Closes a WebSocket or event stream after the messages that are held back.
    func end(_ connection: Connection, _ code: CloseCode, _ reason: String) {
        guard connection.webSocket != nil || connection.stream != nil else { return }
        sendInOrder(.close(code, reason), connection)
    }
}

extension [UInt8] {
    /// A copy without spare capacity.
    var exact: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension CloseCause {
    /// Code and reason of the Close frame (protocol.md#close-normal, protocol.md#close-going-away).
    var onTheWire: (CloseCode, String) {
        switch self {
        case .sessionEnded: (.normal, "session ended")
        case .connectionIdle: (.goingAway, "connection idle")
        case .connectionTooOld: (.goingAway, "connection too old")
        case .tooManyConnections: (.goingAway, "one connection too many")
        }
    }
}
