import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import LawBook
import ServerCore
import SocketTransport
import WebSocketCore

/// Troubles on the wire: transformations of what is about to be sent. A connection that none
/// acts on has neither strikes nor a valve, and takes the short way.
extension ServerLoop {
    /// Takes a trouble out of force; what it holds back leaves now, in order.
    ///
    /// - Returns: false when there was none with this id.
    func disarm(_ id: UInt64) -> Bool {
        guard state.disarm(id) else { return false }
        for connection in state.connections.compactMap({ $0 }) {
            if connection.channel?.isPlain == false {
                connection.withChannel { $0.letGo(of: id) }
                hearLate(connection)
                release(connection)
            }
            guard connection.holds.contains(where: { $0.holder == id }) else { continue }
            connection.holds.removeAll { $0.holder == id }
            setDeadline(connection.heldUntil ?? clock.now, of: connection)
        }
        return true
    }

    // MARK: - Messages

    /// Sends one text message through whatever troubles act on it, behind what is held back.
    func sendHeld(_ bytes: [UInt8], _ context: OutboundContext, to connection: Connection) {
        let distance = state.entryDelay(configuration.connections.firstLiveEventDelay)
        let (now, person) = (clock.now, ServerInspection(loop: self).personHold(on: connection))
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
        guard connection.channel?.isPlain == false else { return }
        let now = clock.now
        // No faster than the client reads: what was held for long may be more than may wait for it.
        while hasRoom(connection), let item = connection.withChannel({ $0.next(at: now) }) ?? nil {
            perform(item, on: connection)
        }
        guard let channel = connection.channel else { return }
        if let isStalled = connection.withChannel({ $0.changedStall() }) ?? nil {
            state.tell(.stalled(state.link(of: connection), isStalled: isStalled))
        }
        guard channel.heldBytes <= ServerLimits.heldBytes else { return cutOverfull(connection) }
        let slot = Int32(connection.socket.slot)
        // More leaves when the peer has read (`.writable`); until then a deadline can only have its input heard.
        if let due = hasRoom(connection) ? channel.nextDeadline : channel.inputDeadline {
            timers.valves.set(due, for: slot)
        } else {
            timers.valves.remove(slot)
        }
    }

    func hasRoom(_ connection: Connection) -> Bool {
        sockets.pendingBytes(connection.socket) <= sockets.limits.highWaterBytes
    }

    private func cutOverfull(_ connection: Connection) {
        state.remark(
            "connection cut", "troubles hold back more than \(ServerLimits.heldBytes) bytes of it", connection
        )
        state.tellDropped(connection, .lost)
        abort(connection)
    }

    /// Each connection once: what has to wait again waits for the next turn.
    func releaseValves(at now: Instant) {
        for due in timers.valves.takeDue(by: now) {
            guard let connection = state.connections[Int(due.slot)] else { continue }
            hearLate(connection)
            release(connection)
        }
    }

    /// Keeps what a client sent, where a trouble has it heard later.
    ///
    /// - Returns: false when it is to be heard now.
    func hearsLater(_ piece: @autoclosure () -> LateInput.Piece, from connection: Connection) -> Bool {
        guard connection.channel?.isLagging == true else { return false }
        let (piece, now) = (piece(), clock.now)
        connection.withChannel { $0.hearLater(piece, at: now) }
        release(connection)
        pauseIfSlow(connection)
        return true
    }

    func hearLate(_ connection: Connection) {
        let now = clock.now
        while let piece = connection.withChannel({ $0.heard(at: now) }) ?? nil {
            guard let webSocket = connection.webSocket else { return }
            switch piece {
            case .bytes(let bytes):
                bytes.withUnsafeBytes { receiveFrames($0, of: webSocket, on: connection) }
            case .end: inputClosed(of: webSocket, on: connection)
            }
        }
    }

    /// The session's token is refused from now on.
    func expireToken(of handle: SessionHandle) {
        if let owner = state.engine.with(handle, { $0.owner }) { state.desk.expire(owner, at: clock.now) }
    }

    private func perform(_ item: Valve.Item, on connection: Connection) {
        guard connection.webSocket != nil || connection.stream != nil else { return }
        switch item {
        case .message(let bytes, let context):
            guard connection.mayBeTold else { return }
            put(bytes, on: connection)
            state.tellSent(bytes, context, on: connection)
        case .bytes(let bytes): sockets.write(connection.socket, bytes)
        case .framed(let bytes, let text, let context):
            guard connection.mayBeTold else { return }
            sockets.write(connection.socket, bytes)
            state.tellSent(text, context, on: connection)
        case .close(let code, let reason):
            if let webSocket = connection.webSocket {
                beginClosing(webSocket, code, reason, on: connection)
            } else {
                endStream(connection, code)
            }
        case .cut:
            state.tellDropped(connection, .trouble(code: nil))
            close(connection)
        case .end: close(connection)
        }
    }

    /// Sends a response, or what the troubles that struck its request make of it.
    ///
    /// - Returns: false when the connection is not to be used any more.
    func deliver(_ bytes: [UInt8], struckBy strikes: [Strike], on connection: Connection) -> Bool {
        guard let holds = FaultPlan.holds(ofAnswerStruckBy: strikes, at: clock.now) else {
            close(connection)
            return false
        }
        guard let due = holds.map(\.end).max() else {
            sockets.write(connection.socket, bytes)
            return true
        }
        connection.stage = .held(Connection.HeldAnswer(bytes: bytes, holds: holds))
        setDeadline(due, of: connection)
        return false
    }
}
