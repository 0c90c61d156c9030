import ConversationEngine
import DialectKit
import HTTPCore

/// Work on requests that takes too long for the loop, such as parsing megabytes of JSON.
extension Server {
    /// Runs `work` on a queue, then `then` on the loop.
    func work<Item: Sendable>(
        on connection: Connection, for head: RequestHead, _ lane: WorkLane,
        _ work: @escaping @Sendable () -> Item,
        then: @escaping @Sendable (Server, Connection, Item) -> Void
    ) {
        guard let exchange = connection.exchange else { return then(self, connection, work()) }
        let (id, pipelined) = (connection.id, Connection.Pipelined(exchange))
        connection.stage = .working(head, pipelined: pipelined)
        outputs.append(.pauseReading(connection.socket))
        // Removes the peer's deadline, because the server does not wait for the peer during the work.
        setDeadline(nil, of: connection)
        let cancellation = pipelined.cancellation
        let away = AwayWork(lane) {
            guard !cancellation.isCancelled else { return nil }
            let parcel = Parcel(work())
            // Frees the result on the queue, because freeing a million pieces would block the loop.
            return AwayWork.Result(dropping: { parcel.drop() }) { server in
                server.proceed(id) { if let item = parcel.value { then(server, $0, item) } }
            }
        }
        outputs.append(.work(away))
    }

    /// Encodes deferred messages on a queue.
    func makeAway(_ later: DeferredMessages, as number: UInt64) {
        let away = AwayWork(WorkLane(bytes: later.bytes)) {
            let messages = later.make()
            return AwayWork.Result { $0.deliver(messages, as: number) }
        }
        outputs.append(.work(away))
    }

    private func proceed(_ id: ConnectionID, _ then: (Connection) -> Void) {
        guard let connection = connection(of: id), case .working(_, let pipelined?) = connection.stage
        else { return }
        connection.stage = .http(pipelined.exchange)
        outputs.append(.resumeReading(connection.socket))
        release(pipelined, of: connection)
        then(connection)
        handle(pipelined.outputs, of: pipelined.exchange, on: connection)
        updateDeadline(of: connection)
        pauseIfSlow(connection)
    }
}
