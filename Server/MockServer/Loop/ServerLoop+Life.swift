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
        guard !server.isStopping else { return sockets.openSockets > 0 }
        if let listener { sockets.stopListening(listener) }
        server.stop()
        perform()
        sockets.flush()
        return sockets.openSockets > 0
    }

    func shutDown(_ completion: @escaping @Sendable () -> Void) {
        server.shutDown()
        timer?.disarm()
        timer = nil
        realTimer?.disarm()
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
