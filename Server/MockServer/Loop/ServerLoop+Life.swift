import Clocks
import ConversationEngine
import ServerCore
import SocketTransport
import WebSocketCore

/// Starting and stopping.
extension ServerLoop {
    func listen(on host: String, port: UInt16) -> Result<UInt16, ServerError> {
        do throws(SocketError) {
            let (id, address) = try sockets.listen(host: host, port: port)
            listener = id
            guard sockets.hasSpareDescriptors(ServerLimits.leastDescriptors) else {
                sockets.stopListening(id)
                return .failure(
                    .cannotListen(
                        "the system lets this program open too few files at once (ulimit -n); allow 64 or "
                            + "more, and one for each connection"))
            }
            server.listens(on: host, address)
            return .success(address.port)
        } catch {
            return .failure(.cannotListen("\(error)"))
        }
    }

    /// `timer` must bring ``fire()`` back onto the loop.
    func start(timer: any EventTimer, on queue: LoopQueue, onReady: @escaping @Sendable () -> Void) {
        self.timer = timer
        sockets.start(on: queue, onReady: onReady)
        server.noteShortTokens()
    }

    /// Accepts nothing more and closes what is open.
    ///
    /// - Returns: true when there are peers that should get the time to leave.
    func beginStop() -> Bool {
        guard !isStopping else { return sockets.openSockets > 0 }
        isStopping = true
        if let listener { sockets.stopListening(listener) }
        for connection in server.connections.compactMap({ $0 }) {
            switch connection.stage {
            case .webSocket, .stream:
                connection.withChannel { $0.letGo(of: nil) }
                server.release(connection)
                server.end(connection, .goingAway, "server stopping")
            case .http, .handshake, .held, .waiting, .working: close(connection)
            case .closing: break
            }
        }
        sockets.flush()
        return sockets.openSockets > 0
    }

    func shutDown(_ completion: @escaping @Sendable () -> Void) {
        isStopping = true
        server.connections = []
        // A timer that is already on its way finds nothing to do.
        timers.deadlines = DeadlineHeap()
        timers.valves = DeadlineHeap()
        timers.stalls = DeadlineHeap()
        server.openWebSockets = 0
        timer?.disarm()
        timer = nil
        server.controls.timer?.disarm()
        sockets.shutDown(completion)
        checkEmpty()
    }

    /// Tells whoever waits for the last socket to go.
    func checkEmpty() {
        guard sockets.openSockets == 0, !onEmpty.isEmpty else { return }
        let waiting = onEmpty
        onEmpty = []
        for tell in waiting { tell() }
    }
}
