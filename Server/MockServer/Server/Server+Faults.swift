import Clocks
import ConversationEngine
import DialectKit
import ServerCore
import SocketTransport

extension Server {
    // MARK: - In force

    /// Adds a fault for its scope, or returns nil if there are too many faults.
    func inject(_ fault: Fault, scope: FaultScope, by author: String) -> FaultRegistry.Active? {
        guard let item = faults.inject(fault, scope: scope, by: author) else { return nil }
        for handle in engine.sessionHandles { inject(item, in: handle) }
        remark("fault", "\(fault.name) added by \(author)")
        return item
    }

    func inject(_ item: FaultRegistry.Active, in handle: SessionHandle) {
        guard let fault = faults.left(of: item) else { return }
        // The registry itself counts requests over all sessions.
        if fault.moment.kind == .request, item.scope == .all { return }
        guard let (id, scenario) = engine.with(handle, { ($0.id, $0.scenario) }) else { return }
        switch item.scope {
        case .all: break
        case .tag(let tag): guard tag == FaultRegistry.tag(of: scenario) else { return }
        case .session(let wanted): guard wanted == id else { return }
        case .connection(let number):
            guard let connection = connection(number: number), connection.session == handle else { return }
            return engine.inject(fault, id: item.id, in: handle, connection: connection.id)
        }
        engine.inject(fault, id: item.id, in: handle)
    }

    func expireToken(of handle: SessionHandle) {
        if let owner = engine.with(handle, { $0.owner }), let dialect = outbox(of: handle)?.dialect {
            faults.expire(owner, dialect: dialect, at: clock.now)
        }
    }

    func noteFiring(_ firing: FiredFault, in handle: SessionHandle) {
        faults.noteFiring(
            firing, line: firing.span == .token ? engine.with(handle) { $0.scenario } ?? nil : nil,
            in: sessionID(of: handle), at: clock.now)
        // Removes a used-up fault that is counted over all sessions.
        if firing.span == .token, let id = firing.id, faults.isUsedUp(id) { engine.remove(id) }
    }

    /// Applies firings to the next messages of the audience's connections.
    func mark(_ audience: Audience, in handle: SessionHandle, with firings: [FiredFault]) {
        for firing in firings {
            noteFiring(firing, in: handle)
            for id in audience.connections where firing.connection == nil || firing.connection == id {
                guard let connection = connection(of: id) else { continue }
                connection.withChannel { $0.fire(firing) }
                connection.endWithStream()
            }
        }
    }

    /// Removes a fault and releases what it holds back. Returns false if no fault has this id.
    package func remove(_ id: UInt64) -> Bool {
        guard faults.remove(id) else { return false }
        engine.remove(id)
        for connection in connections.compactMap({ $0 }) {
            if connection.channel?.isPlain == false {
                connection.withChannel { $0.letGo(of: id) }
                catchUp(connection)
            }
            guard connection.holds.contains(where: { $0.holder == id }) else { continue }
            connection.holds.removeAll { $0.holder == id }
            setDeadline(connection.heldUntil ?? now, of: connection)
        }
        return true
    }

    /// Sends a message through the faults that act on its connection.
    func sendHeld(_ bytes: [UInt8], _ context: OutboundContext, to connection: Connection) {
        let distance = entryDelay(configuration.poly.connections.firstLiveEventDelay)
        let (now, person) = (now, personHold(on: connection))
        connection.withChannel { channel in
            let dialect = dialects[channel.dialect]
            channel.push(bytes.exact, context, at: now, distance: distance, person: person) {
                dialect.garbled($0, as: $1, messageBytes: configuration.limits.messageBytes)
            }
        }
        release(connection)
    }

    /// Sends an item after the items that are held back.
    func sendInOrder(_ item: HoldQueue.Item, _ connection: Connection) {
        guard connection.channel?.isHolding == true else { return execute(item, on: connection) }
        connection.withChannel { $0.push(item) }
        release(connection)
    }

    func release(_ connection: Connection) {
        guard connection.channel?.isPlain == false else { return hold(0, for: connection) }
        let now = now
        // Sends no faster than the client reads, because many bytes may have been held back.
        while hasRoom(connection), let item = connection.withChannel({ $0.next(at: now) }) ?? nil {
            execute(item, on: connection)
        }
        guard let channel = connection.channel else { return }
        if let isStalled = connection.withChannel({ $0.changedStall() }) ?? nil {
            record(.stalled(link(of: connection), isStalled: isStalled))
        }
        hold(channel.heldBytes, for: connection)
        guard channel.heldBytes <= ServerLimits.heldBytes else {
            return cutOverfull(connection, "of it than \(ServerLimits.heldBytes) bytes")
        }
        guard ledger[.held] <= ledger.limits.held else {
            return cutOverfull(
                connection,
                "of all connections than \(ledger.limits.held) bytes (limits.outputTotalBytes)")
        }
        // While the peer does not read its output, only delayed input needs a deadline.
        timers.holds.note(
            hasRoom(connection) ? channel.nextDeadline : channel.inputDeadline,
            for: Int32(connection.socket.slot))
    }

    private func cutOverfull(_ connection: Connection, _ words: String) {
        remark("connection cut", "faults hold back more \(words)", connection)
        recordDrop(connection, .lost)
        abort(connection)
    }

    private func execute(_ item: HoldQueue.Item, on connection: Connection) {
        guard connection.webSocket != nil || connection.stream != nil else { return }
        switch item {
        case .message(let bytes, let context):
            guard connection.takesMessages else { return }
            put(bytes, on: connection)
            recordSent(bytes, context, on: connection)
        case .bytes(let bytes): write(bytes, on: connection)
        case .made(let made):
            let session = sessionID(of: connection)
            for message in made.messages ?? [] where connection.takesMessages {
                put(message.text, on: connection)
                recordSent(
                    message.text, OutboundContext(session: session, type: message.type), on: connection)
            }
        case .framed(let bytes, let text, let context):
            guard connection.takesMessages else { return }
            write(bytes, on: connection)
            recordSent(text, context, on: connection)
        case .close(let code, let reason): beginClosing(connection, code, reason)
        case .cut:
            recordDrop(connection, .fault(code: nil))
            close(connection)
        case .end: close(connection)
        }
    }

    // MARK: - Delayed input

    /// Queues input that a fault delays. Returns false if no fault delays it.
    func delaysInput(_ piece: @autoclosure () -> DelayedInput.Piece, from connection: Connection) -> Bool {
        guard connection.channel?.isLagging == true else { return false }
        let (piece, now) = (piece(), now)
        connection.withChannel { $0.delay(piece, at: now) }
        release(connection)
        pauseIfSlow(connection)
        return true
    }

    /// Handles delayed input that is due, then sends what may be sent.
    func catchUp(_ connection: Connection) {
        let now = now
        while let piece = connection.withChannel({ $0.nextInput(at: now) }) ?? nil {
            guard connection.webSocket != nil else { break }
            receive(piece, from: connection)
        }
        release(connection)
    }
}
