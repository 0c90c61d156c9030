import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport

/// Work on requests that takes too long for the loop, with bodies and answers of megabytes: it is done on queues of its
/// own, while the connection waits and others are served.
extension ServerLoop {
    /// Has `work` done away from the loop, and goes on with `then` where its connection is still there. What the client sends
    /// meanwhile is heard afterwards. Where a test drives the loop by hand, all of it happens at once.
    func work<Item: Sendable>(
        on connection: Connection, for head: RequestHead, _ lane: WorkLane,
        _ work: @escaping @Sendable () -> Item,
        then: @escaping @Sendable (ServerLoop, Connection, Item) -> Void
    ) {
        guard let resume = server.controls.resume, let exchange = connection.exchange else {
            return then(self, connection, work())
        }
        let (id, behind) = (connection.id, Connection.Behind(exchange))
        connection.stage = .working(head, behind: behind)
        sockets.pauseReading(connection.socket)
        // The peer is not waited for.
        setDeadline(nil, of: connection)
        let wish = behind.wish
        let queue = server.controls.queue(for: lane)
        queue.async {
            guard !wish.hasEnded else { return }
            let parcel = Parcel(work())
            resume { server in
                server.perform {
                    server.loop.goOn(id) { [loop = server.loop] in
                        if let item = parcel.take() { then(loop, $0, item) }
                    }
                }
                // The result may have a million pieces: all are freed on the queue, not on the loop.
                queue.async { parcel.drop() }
            }
        }
    }

    func makeAway(_ later: ToldLater, as number: UInt64) {
        guard let resume = server.controls.resume else { return server.deliver(later.make(), as: number) }
        server.controls.queue(for: WorkLane(bytes: later.bytes)).async {
            let messages = later.make()
            resume { server in server.perform { server.loop.server.deliver(messages, as: number) } }
        }
    }

    private func goOn(_ id: ConnectionID, _ then: (Connection) -> Void) {
        guard let connection = server.connection(of: id), case .working(_, let behind?) = connection.stage
        else { return }
        connection.stage = .http(behind.exchange)
        sockets.resumeReading(connection.socket)
        server.release(behind, of: connection)
        then(connection)
        act(on: behind.outputs, of: behind.exchange, on: connection)
        updateDeadline(of: connection)
        pauseIfSlow(connection)
    }
}
