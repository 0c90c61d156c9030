import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport

/// Work on requests that takes too long for the loop, with bodies and answers of megabytes: it is done on queues of its
/// own, while the connection waits and others are served.
extension Server {
    /// Has `work` done away from the loop, and goes on with `then` where its connection is still there. What the client sends
    /// meanwhile is heard afterwards.
    func work<Item: Sendable>(
        on connection: Connection, for head: RequestHead, _ lane: WorkLane,
        _ work: @escaping @Sendable () -> Item,
        then: @escaping @Sendable (Server, Connection, Item) -> Void
    ) {
        guard let exchange = connection.exchange else { return then(self, connection, work()) }
        let (id, behind) = (connection.id, Connection.Behind(exchange))
        connection.stage = .working(head, behind: behind)
        outputs.append(.pauseReading(connection.socket))
        // The peer is not waited for.
        setDeadline(nil, of: connection)
        let wish = behind.wish
        let away = AwayWork(lane) {
            guard !wish.hasEnded else { return nil }
            let parcel = Parcel(work())
            // The result may have a million pieces: all are freed on the queue, not on the loop.
            return AwayWork.Result(dropping: { parcel.drop() }) { server in
                server.goOn(id) { if let item = parcel.take() { then(server, $0, item) } }
            }
        }
        outputs.append(.work(away))
    }

    /// Has messages put together away from the loop.
    func makeAway(_ later: ToldLater, as number: UInt64) {
        let away = AwayWork(WorkLane(bytes: later.bytes)) {
            let messages = later.make()
            return AwayWork.Result { $0.deliver(messages, as: number) }
        }
        outputs.append(.work(away))
    }

    private func goOn(_ id: ConnectionID, _ then: (Connection) -> Void) {
        guard let connection = connection(of: id), case .working(_, let behind?) = connection.stage
        else { return }
        connection.stage = .http(behind.exchange)
        outputs.append(.resumeReading(connection.socket))
        release(behind, of: connection)
        then(connection)
        act(on: behind.outputs, of: behind.exchange, on: connection)
        updateDeadline(of: connection)
        pauseIfSlow(connection)
    }
}
