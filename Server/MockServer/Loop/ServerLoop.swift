import Clocks
import ConversationEngine
import Deflate
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import Timeline
import WebSocketCore

/// The shell of the running ``Server``: sockets and timers. Lives on one loop and is touched nowhere else; a message
/// runs from socket to socket in one call chain (decision record 0001).
final class ServerLoop: ConnectionShell {
    let configuration: Configuration
    let clock: any SteerableClock
    let server: Server
    let sockets: SocketPool
    /// Nil while nothing is compressed.
    let deflate: DeflateService?
    var listener: ListenerID?
    private var doorway: Doorway<SocketAddress>
    let reloading = FixtureReloading()
    var isStopping = false
    /// Called once when the last socket has gone.
    var onEmpty: [@Sendable () -> Void] = []
    var timers = LoopTimers(spacing: .microseconds(ServerLimits.turnSpacingMicroseconds))
    var timer: (any EventTimer)?
    let turnWatch: TurnWatch
    private var connectionCount: UInt32 = 0
    /// The log has said so, and nothing was accepted since.
    private var hasToldPause = false
    var outputs: [WebSocketConnection.Output] = []
    var frameHeader: [UInt8] = []
    var inflation = InflationQueue()
    private var date = HTTPDate()
    var httpDate: String { date.text(at: clock.now.secondsSince1970) }

    init(_ parts: ServerParts) throws(ServerError) {
        configuration = parts.configuration
        clock = parts.clock
        server = Server(parts)
        turnWatch = TurnWatch(clock: parts.wallClock) { [log = server.chronicle.log] in
            log.tell(.remarked("slow turn", $0, peer: nil, session: nil), tellsUnheard: false)
        }
        deflate = parts.configuration.deflateService(parts.shares)
        doorway = Doorway(parts.configuration.limits)
        do {
            sockets = try SocketPool(limits: parts.configuration.socketLimits(parts.shares))
        } catch {
            throw .cannotListen("\(error)")
        }
        server.shell = self
    }

    /// Made when it is needed: it holds the loop.
    var control: Control { Control(server: ServerInspection(loop: self)) }

    // MARK: - Sockets

    func handle(_ event: SocketEvent) {
        switch event {
        case .accepted(let socket, let peer, _):
            hasToldPause = false
            accept(socket, from: peer)
        case .received(let socket, let bytes):
            if let connection = server.connection(of: socket) { receive(bytes, on: connection) }
        case .inputClosed(let socket):
            if let connection = server.connection(of: socket) { inputClosed(connection) }
        case .closed(let socket, let error):
            guard let connection = server.connection(of: socket) else { return }
            if let error { server.remark("connection lost", "\(error)", connection) }
            server.tellDropped(connection, .lost)
            forget(connection)
        case .acceptPaused(let error):
            if timers.acceptAgainAt == nil, !hasToldPause { server.remark("accept paused", "\(error)") }
            hasToldPause = true
            timers.acceptAgain(at: clock.now + .milliseconds(ServerLimits.acceptRetryMilliseconds))
        case .behind(let socket):
            if let connection = server.connection(of: socket) { watchOutput(of: connection) }
        case .writable(let socket):
            guard let connection = server.connection(of: socket) else { return }
            endOutputWatch(of: connection)
            server.continueHistory(of: connection)
            server.release(connection)
            readOn(connection)
        case .connected:
            break
        }
    }

    private func accept(_ socket: SocketID, from peer: SocketAddress) {
        let limits = configuration.limits
        let isBounded = (limits.socketsPerAddress != nil || !peer.isLoopback) && !server.trusts(peer)
        guard !isStopping else { return sockets.abort(socket) }
        let (verdict, admission) = doorway.enter(
            from: peer.with(port: 0), isBounded: isBounded, open: sockets.openSockets)
        guard verdict != .cut else { return sockets.abort(socket) }
        let slot = Int(socket.slot)
        while server.connections.count <= slot { server.connections.append(nil) }
        connectionCount &+= 1
        server.tell(.accepted)
        let now = clock.now
        let connection = Connection(
            socket: socket, number: connectionCount, peer: peer,
            exchange: HTTPExchange(limits: configuration.requestLimits, at: now), admission: admission)
        server.connections[slot] = connection
        let patience =
            verdict == .comeIn ? limits.handshakeTime : min(limits.handshakeTime, limits.closeTime)
        setDeadline(now + patience, of: connection)
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        switch connection.stage {
        case .http(let exchange):
            receive(bytes, in: exchange, on: connection)
        case .handshake:
            if !server.keepEarly(bytes, of: connection) { abort(connection) }
        case .webSocket(let webSocket):
            if !connection.isPlain, server.hearsLater(.bytes(Array(bytes)), from: connection) { return }
            receiveFrames(bytes, of: webSocket, on: connection)
        case .stream: connection.endWithStream()
        case .held, .waiting, .working, .closing: break
        }
    }

    private func inputClosed(_ connection: Connection) {
        switch connection.stage {
        case .http(let exchange):
            inputClosed(of: exchange, on: connection)
        case .webSocket(let webSocket):
            if !server.hearsLater(.end, from: connection) { inputClosed(of: webSocket, on: connection) }
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
            for part in answer.parts { sockets.write(connection.socket, part) }
            close(connection)
        case .waiting: control.timeOutWait(connection)
        case .webSocket, .stream, .working, .closing: if !waitsForOutput(connection) { abort(connection) }
        }
    }

    /// Closes once everything written has left; the peer has a while to read it.
    func close(_ connection: Connection) {
        detach(connection)
        sockets.close(connection.socket, afterFlush: true)
        noteOutput(of: connection)
        setDeadline(clock.now + configuration.limits.closeTime, of: connection)
    }

    /// Closes now. No event follows, so this is also where the connection is forgotten.
    func abort(_ connection: Connection) {
        sockets.abort(connection.socket)
        forget(connection)
    }

    private func forget(_ connection: Connection) {
        detach(connection)
        let slot = Int(connection.socket.slot)
        expect(server.connections[slot] === connection, "a connection is forgotten once")
        timers.forget(Int32(slot))
        server.connections[slot] = nil
        doorway.leave(connection.admission, from: connection.remote.with(port: 0))
    }

    func detach(_ connection: Connection) {
        if case .working(_, let behind?) = connection.stage {
            behind.wish.end()
            // The rest of the client's input is read and discarded.
            sockets.resumeReading(connection.socket)
        }
        server.detach(connection)
        server.releaseRequest(of: connection)
        server.hold(0, for: connection)
        if connection.webSocket != nil { server.openWebSockets -= 1 }
        timers.valves.remove(Int32(connection.socket.slot))
        connection.stage = .closing
    }
}
