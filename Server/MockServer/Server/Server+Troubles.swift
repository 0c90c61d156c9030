import Clocks
import ConversationEngine
import DialectKit
import ServerCore
import SocketTransport

/// Troubles on the wire: transformations of what is about to be sent. A connection that none
/// acts on has neither strikes nor a valve, and takes the short way.
extension Server {
    // MARK: - In force

    /// Puts a trouble in force at once: in the sessions there are, and in those to come. nil when too many are.
    func arm(_ trouble: Trouble, scope: TroubleScope, by author: String) -> FaultRegistry.Armed? {
        guard let item = desk.arm(trouble, scope: scope, by: author) else { return nil }
        for handle in engine.sessionHandles { arm(item, in: handle) }
        remark("trouble", "\(trouble.name) armed by \(author)")
        return item
    }

    func arm(_ item: FaultRegistry.Armed, in handle: SessionHandle) {
        guard let trouble = desk.left(of: item) else { return }
        // Not the session itself: it would be copied.
        // Those of requests count for all sessions together, at the desk.
        if trouble.moment.kind == .request, item.scope == .all { return }
        guard let session = engine.with(handle, { (id: $0.id, scenario: $0.scenario) }) else { return }
        switch item.scope {
        case .all: break
        case .tag(let tag): guard tag == FaultRegistry.tag(of: session.scenario) else { return }
        case .session(let id): guard id == session.id else { return }
        case .connection(let number):
            guard let connection = connection(number: number), connection.session == handle else { return }
            return engine.arm(trouble, id: item.id, in: handle, connection: connection.id)
        }
        engine.arm(trouble, id: item.id, in: handle)
    }

    /// The session's token is refused from now on.
    func expireToken(of handle: SessionHandle) {
        if let owner = engine.with(handle, { $0.owner }), let dialect = outbox(of: handle)?.dialect {
            desk.expire(owner, dialect: dialect, at: clock.now)
        }
    }

    /// Counts a strike in a session.
    func noteStrike(_ strike: Strike, in handle: SessionHandle) {
        desk.noteStrike(
            strike, line: strike.span == .token ? engine.with(handle) { $0.scenario } ?? nil : nil,
            in: sessionID(of: handle), at: clock.now)
        // One that counts over all sessions is over in all of them.
        if strike.span == .token, let id = strike.id, desk.isUsedUp(id) { engine.disarm(id) }
    }

    /// Has troubles that just struck act on the next message to these connections.
    func mark(_ audience: Audience, in handle: SessionHandle, with strikes: [Strike]) {
        for strike in strikes {
            noteStrike(strike, in: handle)
            for id in audience.connections where strike.connection == nil || strike.connection == id {
                guard let connection = connection(of: id) else { continue }
                connection.withChannel { $0.strike(strike) }
                connection.endWithStream()
            }
        }
    }

    /// Takes a trouble out of force; what it holds back leaves now, in order.
    ///
    /// - Returns: false when there was none with this id.
    package func disarm(_ id: UInt64) -> Bool {
        guard desk.disarm(id) else { return false }
        engine.disarm(id)
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

    /// Sends one text message through the troubles that act on it, after all messages held back.
    func sendHeld(_ bytes: [UInt8], _ context: OutboundContext, to connection: Connection) {
        let distance = entryDelay(configuration.connections.firstLiveEventDelay)
        let (now, person) = (now, personHold(on: connection))
        connection.withChannel { channel in
            let dialect = dialects[channel.dialect]
            channel.push(bytes.exact, context, at: now, distance: distance, person: person) {
                dialect.garbled($0, as: $1)
            }
        }
        release(connection)
    }

    /// Sends, or holds back after all that is held back already.
    func sendInOrder(_ item: HoldQueue.Item, _ connection: Connection) {
        guard connection.channel?.isHolding == true else { return perform(item, on: connection) }
        connection.withChannel { $0.push(item) }
        release(connection)
    }

    /// Lets out what may leave by now and notes when more may.
    func release(_ connection: Connection) {
        guard connection.channel?.isPlain == false else { return hold(0, for: connection) }
        let now = now
        // No faster than the client reads: what was held for long may be more than may wait for it.
        while hasRoom(connection), let item = connection.withChannel({ $0.next(at: now) }) ?? nil {
            perform(item, on: connection)
        }
        guard let channel = connection.channel else { return }
        if let isStalled = connection.withChannel({ $0.changedStall() }) ?? nil {
            tell(.stalled(link(of: connection), isStalled: isStalled))
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
        // More leaves when the peer has read; until then a deadline can only have its input heard.
        timers.valves.note(
            hasRoom(connection) ? channel.nextDeadline : channel.inputDeadline,
            for: Int32(connection.socket.slot))
    }

    private func cutOverfull(_ connection: Connection, _ words: String) {
        remark("connection cut", "troubles hold back more \(words)", connection)
        tellDropped(connection, .lost)
        abort(connection)
    }

    private func perform(_ item: HoldQueue.Item, on connection: Connection) {
        guard connection.webSocket != nil || connection.stream != nil else { return }
        switch item {
        case .message(let bytes, let context):
            guard connection.mayBeTold else { return }
            put(bytes, on: connection)
            tellSent(bytes, context, on: connection)
        case .bytes(let bytes): write(bytes, on: connection)
        case .made(let made):
            let session = sessionID(of: connection)
            for message in made.messages ?? [] where connection.mayBeTold {
                put(message.text, on: connection)
                tellSent(
                    message.text, OutboundContext(session: session, type: message.type), on: connection)
            }
        case .framed(let bytes, let text, let context):
            guard connection.mayBeTold else { return }
            write(bytes, on: connection)
            tellSent(text, context, on: connection)
        case .close(let code, let reason): beginClosing(connection, code, reason)
        case .cut:
            tellDropped(connection, .trouble(code: nil))
            close(connection)
        case .end: close(connection)
        }
    }

    // MARK: - Late input

    /// Keeps what a client sent, where a trouble has it heard later.
    ///
    /// - Returns: false when it is to be heard now.
    func hearsLater(_ piece: @autoclosure () -> DelayedInput.Piece, from connection: Connection) -> Bool {
        guard connection.channel?.isLagging == true else { return false }
        let (piece, now) = (piece(), now)
        connection.withChannel { $0.hearLater(piece, at: now) }
        release(connection)
        pauseIfSlow(connection)
        return true
    }

    /// Hears what a client sent long enough ago, then lets out what may leave. Each connection once in a turn: what has
    /// to wait again waits for the next one.
    func catchUp(_ connection: Connection) {
        let now = now
        while let piece = connection.withChannel({ $0.heard(at: now) }) ?? nil {
            guard connection.webSocket != nil else { break }
            hear(piece, from: connection)
        }
        release(connection)
    }
}
