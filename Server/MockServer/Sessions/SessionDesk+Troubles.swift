import Clocks
import ConversationEngine
import DialectKit
import ServerCore

/// Troubles on the wire: transformations of what is about to be sent. A connection that none
/// acts on has neither strikes nor a valve, and takes the short way.
extension SessionDesk {
    /// Takes a trouble out of force; what it holds back leaves now, in order.
    ///
    /// - Returns: false when there was none with this id.
    func disarm(_ id: UInt64) -> Bool {
        guard state.disarm(id) else { return false }
        for connection in state.connections.compactMap({ $0 }) {
            if connection.channel?.isPlain == false {
                connection.withChannel { $0.letGo(of: id) }
                catchUp(connection)
            }
            guard connection.holds.contains(where: { $0.holder == id }) else { continue }
            connection.holds.removeAll { $0.holder == id }
            shell.setDeadline(connection.heldUntil ?? now, of: connection)
        }
        return true
    }

    /// Sends one text message through whatever troubles act on it, behind what is held back.
    func sendHeld(_ bytes: [UInt8], _ context: OutboundContext, to connection: Connection) {
        let distance = state.entryDelay(state.configuration.connections.firstLiveEventDelay)
        let (now, person) = (now, personHold(connection))
        connection.withChannel { channel in
            let dialect = state.dialects[channel.dialect]
            channel.push(bytes.exact, context, at: now, distance: distance, person: person) {
                dialect.garbled($0, as: $1)
            }
        }
        release(connection)
    }

    /// Sends, or holds back behind what is held back already.
    func sendInOrder(_ item: Valve.Item, _ connection: Connection) {
        guard connection.channel?.isHolding == true else { return perform(item, on: connection) }
        connection.withChannel { $0.push(item) }
        release(connection)
    }

    /// Lets out what may leave by now and notes when more may.
    func release(_ connection: Connection) {
        guard connection.channel?.isPlain == false else { return state.hold(0, for: connection) }
        let now = now
        // No faster than the client reads: what was held for long may be more than may wait for it.
        while shell.hasRoom(connection), let item = connection.withChannel({ $0.next(at: now) }) ?? nil {
            perform(item, on: connection)
        }
        guard let channel = connection.channel else { return }
        if let isStalled = connection.withChannel({ $0.changedStall() }) ?? nil {
            state.tell(.stalled(state.link(of: connection), isStalled: isStalled))
        }
        state.hold(channel.heldBytes, for: connection)
        guard channel.heldBytes <= ServerLimits.heldBytes else {
            return cutOverfull(connection, "of it than \(ServerLimits.heldBytes) bytes")
        }
        guard state.ledger[.held] <= state.ledger.limits.held else {
            return cutOverfull(
                connection,
                "of all connections than \(state.ledger.limits.held) bytes (limits.outputTotalBytes)")
        }
        // More leaves when the peer has read; until then a deadline can only have its input heard.
        shell.setValve(
            shell.hasRoom(connection) ? channel.nextDeadline : channel.inputDeadline, of: connection)
    }

    private func cutOverfull(_ connection: Connection, _ words: String) {
        state.remark("connection cut", "troubles hold back more \(words)", connection)
        state.tellDropped(connection, .lost)
        shell.abort(connection)
    }

    private func perform(_ item: Valve.Item, on connection: Connection) {
        guard connection.webSocket != nil || connection.stream != nil else { return }
        switch item {
        case .message(let bytes, let context):
            guard connection.mayBeTold else { return }
            shell.put(bytes, on: connection)
            state.tellSent(bytes, context, on: connection)
        case .bytes(let bytes): shell.write(bytes, on: connection)
        case .made(let made):
            let session = state.sessionID(of: connection)
            for message in made.messages ?? [] where connection.mayBeTold {
                shell.put(message.text, on: connection)
                state.tellSent(
                    message.text, OutboundContext(session: session, type: message.type), on: connection)
            }
        case .framed(let bytes, let text, let context):
            guard connection.mayBeTold else { return }
            shell.write(bytes, on: connection)
            state.tellSent(text, context, on: connection)
        case .close(let code, let reason): shell.beginClosing(connection, code, reason)
        case .cut:
            state.tellDropped(connection, .trouble(code: nil))
            shell.close(connection)
        case .end: shell.close(connection)
        }
    }

    // MARK: - Late input

    /// Keeps what a client sent, where a trouble has it heard later.
    ///
    /// - Returns: false when it is to be heard now.
    func hearsLater(_ piece: @autoclosure () -> LateInput.Piece, from connection: Connection) -> Bool {
        guard connection.channel?.isLagging == true else { return false }
        let (piece, now) = (piece(), now)
        connection.withChannel { $0.hearLater(piece, at: now) }
        release(connection)
        shell.pauseIfSlow(connection)
        return true
    }

    /// Hears what a client sent long enough ago, then lets out what may leave. Each connection once in a turn: what has
    /// to wait again waits for the next one.
    func catchUp(_ connection: Connection) {
        let now = now
        while let piece = connection.withChannel({ $0.heard(at: now) }) ?? nil {
            guard connection.webSocket != nil else { break }
            shell.hear(piece, from: connection)
        }
        release(connection)
    }
}
