import Clocks
import ConversationEngine
import DialectKit
import ServerCore
import SocketTransport
import WebSocketCore

/// Lets sessions hear their clients, does what the engine wants done, and brings what is told to the channels of
/// clients: live entries, histories, runs, all of it through the troubles that act.
extension Server {
    // MARK: - Effects

    /// Does what the engine wants done by now.
    func performEffects() {
        // What comes up meanwhile stands behind what is being done: entries are told in their order.
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        while !effects.isEmpty {
            // Performing may lead to more effects, which come behind these.
            var batch = performed
            swap(&batch, &effects)
            performed = []
            // By reference: a copy of each would count up and down everything it holds.
            batch.withUnsafeBufferPointer { batch in
                var rest = batch[...]
                while !rest.isEmpty {
                    let index = rest.startIndex
                    rest.removeFirst()
                    perform(batch[index], &rest)
                }
            }
            batch.removeAll(keepingCapacity: true)
            performed = batch
        }
    }

    /// Takes of the `rest` what is done with the effect: further events of the same run.
    private func perform(_ effect: Effect, _ rest: inout Slice<UnsafeBufferPointer<Effect>>) {
        switch effect {
        case .deliver(let handle, let entry, let audience):
            if !nextStrikes.isEmpty { mark(audience, in: handle) }
            tell(entry, of: handle, to: audience)
        case .run(let handle, let run, let entry):
            if !nextStrikes.isEmpty { mark(.one(run.connection), in: handle) }
            tell(entry, &rest, of: run, in: handle)
            // The client knows that its run has begun while the server still puts together what follows.
            if case .started = entry.event, let connection = connection(of: run.connection) {
                outputs.append(.flush(connection.socket))
            }
        case .replay(let handle, let connection, let cursor, let includesStart):
            if !nextStrikes.isEmpty { mark(.one(connection), in: handle) }
            replay(handle, to: connection, after: cursor, includesStart: includesStart)
        case .strike(let handle, let strike):
            tell(.struck(strike.name, session: nil))
            if strike.effect == .expire { expireToken(of: handle) }
            nextStrikes.append((handle, strike))
        case .close(let id, let cause):
            guard let connection = connection(of: id) else { return }
            let (code, reason) = cause.onTheWire
            connection.endWithStream()
            end(connection, code, reason)
        case .forgotten(let handle):
            guard let outbox = outbox(of: handle) else { return }
            timers.encoders.note(nil, for: handle.slot)
            nextStrikes.removeAll { $0.session == handle }
            forget(outbox)
        case .note(let handle, let note):
            if let outbox = outbox(of: handle) { tell(note, of: outbox) }
        }
    }

    /// Has the troubles that just struck act on what these connections are told next.
    private func mark(_ audience: Audience, in handle: SessionHandle) {
        mark(audience, in: handle, with: nextStrikes.filter { $0.session == handle }.map(\.strike))
        nextStrikes.removeAll { $0.session == handle }
    }

    // MARK: - Telling

    /// An entry of a journal, for all who hear it.
    private func tell(_ entry: JournalEntry, of handle: SessionHandle, to audience: Audience) {
        guard let outbox = outbox(of: handle) else { return }
        let now = now
        tell(.told(session: outbox.id, entry, connections: audience.count), at: now)
        let listeners = listeners(to: entry, of: audience)
        var output = emptyOutput()
        outbox.encoder.encode(entry, for: listeners, at: now, into: &output)
        guard !output.shared.isEmpty else {
            keep(entry, size: entry.contents.event.textBytes + ServerLimits.entryBytes, in: outbox)
            return perform(&output, outbox)
        }
        tell(output.shared, output.type, of: entry, outbox, to: listeners)
        reuse(&output)
    }

    /// A text that is the same for all.
    private func tell(
        _ shared: [UInt8], _ type: String, of entry: JournalEntry, _ outbox: DeliveryLog,
        to listeners: Audience
    ) {
        let bytes = shared.count < sharedBytes ? shared : shared.exact
        keep(entry, size: bytes.count, in: outbox)
        switch listeners {
        case .nobody: break
        case .one(let id): tell(bytes, context(of: entry, type, in: outbox), to: id)
        case .many(let ids):
            let context = context(of: entry, type, in: outbox)
            for id in ids { tell(bytes, context, to: id) }
        }
    }

    /// Counts an entry that was encoded in `size` bytes. Journals have a size as well as a length
    /// (``Configuration/Limits/journalBytes``), and so have all of them together.
    func keep(_ entry: JournalEntry, size: Int, in outbox: DeliveryLog) {
        ledger.charge(outbox.append(entry, size: size), as: .journals)
        endIfFull(outbox)
    }

    /// Those who do not find the entry in the history that is on its way to them.
    private func listeners(to entry: JournalEntry, of audience: Audience) -> Audience {
        func isCaughtUp(_ id: ConnectionID) -> Bool { connection(of: id)?.isCaughtUp ?? true }
        guard entry.sequence != nil else { return audience }
        return switch audience {
        case .nobody: audience
        case .one(let id): isCaughtUp(id) ? audience : .nobody
        case .many(let ids): ids.allSatisfy(isCaughtUp) ? audience : .many(ids.filter(isCaughtUp))
        }
    }

    private func tell(_ bytes: [UInt8], _ context: OutboundContext, to id: ConnectionID) {
        if let connection = connection(of: id) { tell(bytes, context, to: connection) }
    }

    /// Sends a message now, or behind the history that is on its way.
    func tell(_ bytes: [UInt8], _ context: OutboundContext, to connection: Connection) {
        if connection.isCaughtUp {
            sendText(bytes, context, to: connection)
        } else {
            connection.withChannel { $0.hold(bytes.exact, context) }
        }
    }

    /// Sends a message, unless the troubles of its connection have to see it first.
    func sendText(_ bytes: [UInt8], _ context: OutboundContext, to connection: Connection) {
        switch connection.stage {
        case .webSocket(let webSocket) where webSocket.isOpen: break
        case .stream: break
        default: return
        }
        if let diversion { return diversion(context.session, connection.id) }
        guard connection.isPlain else { return sendHeld(bytes, context, to: connection) }
        put(bytes, on: connection)
        tellSent(bytes, context, on: connection, at: context.time)
    }

    /// Sends one text message of a session.
    func put(_ bytes: [UInt8], on connection: Connection) {
        if let webSocket = connection.webSocket {
            send(bytes, as: .text, of: webSocket, on: connection)
        } else if let stream = connection.stream {
            if let parts = stream.parts(of: bytes) { return parts.forEach { write($0, on: connection) } }
            if admits(bytes.count, to: connection) { outputs.append(.chunk(connection.socket, bytes)) }
        }
    }

    /// Sends one message. Its bytes may be shared with other connections; compressed ones are this connection's own.
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
        if admits(payload.count, to: connection) {
            outputs.append(.message(connection.socket, opcode, payload))
        }
    }

    func write(_ bytes: [UInt8], on connection: Connection) {
        if admits(bytes.count, to: connection) { outputs.append(.write(connection.socket, bytes)) }
    }

    /// Counts bytes for a connection. While the clock is moved nothing leaves, so that all frames of the jump wait here:
    /// beyond `limits.outputTotalBytes` the connection is cut, as sockets are whose peers do not read.
    private func admits(_ bytes: Int, to connection: Connection) -> Bool {
        connection.wrote(bytes)
        outputBytes += bytes
        guard isSteered, outputBytes > ledger.limits.held else { return true }
        if connection.pendingBytes < .max { outputs.append(.overflow(connection)) }
        connection.pendingBytes = .max
        return false
    }

    /// Ends a client's connection in good order, behind whatever troubles hold back.
    func end(_ connection: Connection, _ code: CloseCode, _ reason: String) {
        guard connection.webSocket != nil || connection.stream != nil else { return }
        sendInOrder(.close(code, reason), connection)
    }
}

extension [UInt8] {
    /// The same bytes without room for more.
    var exact: [UInt8] { withUnsafeBytes { Array($0) } }
}
