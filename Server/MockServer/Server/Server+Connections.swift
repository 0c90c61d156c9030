import Clocks
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import WebSocketCore

/// Connections, from their sockets: accepted, heard, timed out, closed.
extension Server {
    /// A peer has connected; `open` sockets are open now.
    func accept(_ socket: SocketID, from peer: SocketAddress, open: Int) {
        let limits = configuration.limits
        let isBounded = (limits.socketsPerAddress != nil || !peer.isLoopback) && !trusts(peer)
        guard !isStopping else { return outputs.append(.abort(socket)) }
        let (verdict, admission) = doorway.enter(from: peer.with(port: 0), isBounded: isBounded, open: open)
        guard verdict != .cut else { return outputs.append(.abort(socket)) }
        let slot = Int(socket.slot)
        while connections.count <= slot { connections.append(nil) }
        connectionCount &+= 1
        tell(.accepted)
        let now = clock.now
        let connection = Connection(
            socket: socket, number: connectionCount, peer: peer,
            exchange: HTTPExchange(limits: configuration.requestLimits, at: now), admission: admission)
        connections[slot] = connection
        let patience =
            verdict == .comeIn ? limits.handshakeTime : min(limits.handshakeTime, limits.closeTime)
        setDeadline(now + patience, of: connection)
    }

    func receive(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        switch connection.stage {
        case .http(let exchange):
            receive(bytes, in: exchange, on: connection)
        case .handshake:
            if !keepEarly(bytes, of: connection) { abort(connection) }
        case .webSocket(let webSocket):
            if !connection.isPlain, hearsLater(.bytes(Array(bytes)), from: connection) { return }
            receiveFrames(bytes, of: webSocket, on: connection)
        case .stream: connection.endWithStream()
        case .held, .waiting, .working, .closing: break
        }
    }

    func inputClosed(_ connection: Connection) {
        switch connection.stage {
        case .http(let exchange):
            inputClosed(of: exchange, on: connection)
        case .webSocket(let webSocket):
            if !hearsLater(.end, from: connection) { inputClosed(of: webSocket, on: connection) }
        case .handshake, .held, .waiting, .stream: close(connection)
        // It may have ended its own direction and still read.
        case .working, .closing: break
        }
    }

    func timeOut(_ connection: Connection) {
        switch connection.stage {
        case .http(let exchange): timeOut(exchange, on: connection)
        case .handshake(let handshake): complete(handshake, on: connection)
        case .held(let answer):
            for part in answer.parts { write(part, on: connection) }
            close(connection)
        case .waiting: control.timeOutWait(connection)
        case .webSocket, .stream, .working, .closing:
            guard isSteered, connection.pendingBytes <= highWaterBytes else {
                return outputs.append(.endOverdue(connection))
            }
            // What was written at earlier moments would have left by now.
            outputs.append(.flush(connection.socket))
            abort(connection)
        }
    }

    /// Closes once everything written has left; the peer has a while to read it.
    func close(_ connection: Connection) {
        detach(connection)
        outputs.append(.close(connection))
        setDeadline(clock.now + configuration.limits.closeTime, of: connection)
    }

    /// Closes now. No event follows, so this is also where the connection is forgotten.
    func abort(_ connection: Connection) {
        outputs.append(.abort(connection.socket))
        forget(connection)
    }

    /// Its socket is gone.
    func lose(_ connection: Connection, _ error: SocketError?) {
        if let error { remark("connection lost", "\(error)", connection) }
        tellDropped(connection, .lost)
        forget(connection)
    }

    private func forget(_ connection: Connection) {
        detach(connection)
        let slot = Int(connection.socket.slot)
        expect(connections[slot] === connection, "a connection is forgotten once")
        timers.forget(Int32(slot))
        connections[slot] = nil
        doorway.leave(connection.admission, from: connection.remote.with(port: 0))
    }

    // MARK: - The end

    /// Accepts nothing more and closes what is open.
    func stop() {
        isStopping = true
        for connection in connections.compactMap({ $0 }) {
            switch connection.stage {
            case .webSocket, .stream:
                connection.withChannel { $0.letGo(of: nil) }
                release(connection)
                end(connection, .goingAway, "server stopping")
            case .http, .handshake, .held, .waiting, .working: close(connection)
            case .closing: break
            }
        }
    }

    /// Forgets all connections; their sockets are closed with all others.
    func shutDown() {
        isStopping = true
        connections = []
        (outputs, crowded) = ([], [])
        // A timer that is already on its way finds nothing to do.
        timers.deadlines = DeadlineHeap()
        timers.valves = DeadlineHeap()
        timers.stalls = DeadlineHeap()
        openWebSockets = 0
    }
}
