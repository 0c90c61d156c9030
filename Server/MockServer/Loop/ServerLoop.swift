import Clocks
import ServerCore
import SocketTransport

/// The shell of the running ``Server``: sockets, queues and timers. It gives the server what they bring, then does what the
/// server wants done. Lives on one loop and is touched nowhere else; a message runs from socket to socket in one call chain
/// (decision record 0001).
final class ServerLoop {
    let server: Server
    let sockets: SocketPool
    var listener: ListenerID?
    /// Called once when the last socket has gone.
    var onEmpty: [@Sendable () -> Void] = []
    var timer: (any EventTimer)?
    /// Real time, for what the control API waits for. Made when first needed.
    var realTimer: (any EventTimer)?
    /// The deadline of ``realTimer``.
    var realArmed: Instant?
    /// Runs work on the loop, from any thread.
    var resume: (@Sendable (@escaping @Sendable (ServerLoop) -> Void) -> Void)?
    var queues: [WorkLane: WorkQueue] = [:]
    /// The log has said so, and nothing was accepted since.
    private var hasToldPause = false
    var frameHeader: [UInt8] = []
    /// Room for outputs being performed.
    var performed: [ServerOutput] = []

    var configuration: Configuration { server.configuration }
    var clock: any SteerableClock { server.clock }

    init(_ parts: ServerDependencies) throws(ServerError) {
        server = Server(parts)
        do {
            sockets = try SocketPool(limits: parts.configuration.socketLimits(parts.shares))
        } catch {
            throw .cannotListen("\(error)")
        }
    }

    // MARK: - Input

    func handle(_ event: SocketEvent) {
        switch event {
        case .accepted(let socket, let peer, _):
            hasToldPause = false
            server.accept(socket, from: peer, open: sockets.openSockets)
        case .received(let socket, let bytes):
            guard let connection = server.connection(of: socket) else { return }
            // A request may ask for the numbers.
            if connection.exchange != nil { noteSockets() }
            server.receive(bytes, on: connection)
        case .inputClosed(let socket):
            if let connection = server.connection(of: socket) { server.inputClosed(connection) }
        case .closed(let socket, let error):
            if let connection = server.connection(of: socket) { server.lose(connection, error) }
        case .acceptPaused(let error):
            if server.timers.acceptAgainAt == nil, !hasToldPause {
                server.remark("accept paused", "\(error)")
            }
            hasToldPause = true
            server.timers.acceptAgain(at: clock.now + .milliseconds(ServerLimits.acceptRetryMilliseconds))
        case .behind(let socket):
            if let connection = server.connection(of: socket) { watchOutput(of: connection) }
        case .writable(let socket):
            guard let connection = server.connection(of: socket) else { return }
            endOutputWatch(of: connection)
            noteOutput(of: connection, isReader: false)
        case .connected:
            break
        }
        perform()
    }

    func noteSockets() {
        let totals = sockets.totals
        server.sockets = SocketCounts(
            open: sockets.openSockets, unsent: sockets.unsentBytes, received: totals.received,
            sent: totals.sent)
    }

    func noteOutput(of connection: Connection, isReader: Bool) {
        server.noteOutput(sockets.pendingBytes(connection.socket), of: connection, isReader: isReader)
    }
}
