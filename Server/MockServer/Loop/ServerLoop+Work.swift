import Clocks
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport

/// Work on requests that takes too long for the loop, with bodies and answers of megabytes: it is done on queues of its
/// own, while the connection waits and others are served.
extension ServerLoop {
    /// Who waits for whom: short work does not wait for long work.
    enum WorkLane {
        case medium
        case long

        init(bytes: Int) { self = bytes <= ServerLimits.mediumBodyBytes ? .medium : .long }
    }

    /// Has `work` done away from the loop, and goes on with `then` where its connection is still there. What the client sends
    /// meanwhile is heard afterwards. Where a test drives the loop by hand, all of it happens at once.
    func work<Item: Sendable>(
        on connection: Connection, for head: RequestHead, _ lane: WorkLane,
        _ work: @escaping @Sendable () -> Item,
        then: @escaping @Sendable (ServerLoop, Connection, Item) -> Void
    ) {
        guard let resume = controlState.resume, let exchange = connection.exchange else {
            return then(self, connection, work())
        }
        let (id, behind) = (connection.id, Connection.Behind(exchange))
        connection.stage = .working(head, behind: behind)
        sockets.pauseReading(connection.socket)
        // The peer is not waited for.
        setDeadline(nil, of: connection)
        let isGone = behind.isGone
        let queue = controlState.queue(for: lane)
        queue.async {
            guard !isGone.withLock({ $0 }) else { return }
            let parcel = Parcel(work())
            resume { server in
                server.perform {
                    server.loop.goOn(id) { [loop = server.loop] in
                        if let item = parcel.take() { then(loop, $0, item) }
                    }
                }
                // What is left of it has a million pieces, perhaps: they are let go of elsewhere.
                queue.async { parcel.drop() }
            }
        }
    }

    func makeAway(_ later: ToldLater, as number: UInt64) {
        guard let resume = controlState.resume else { return sessions.deliver(later.make(), as: number) }
        controlState.queue(for: WorkLane(bytes: later.bytes)).async {
            let messages = later.make()
            resume { server in server.perform { server.loop.sessions.deliver(messages, as: number) } }
        }
    }

    private func goOn(_ id: ConnectionID, _ then: (Connection) -> Void) {
        guard let connection = state.connection(of: id), case .working(_, let behind?) = connection.stage
        else { return }
        connection.stage = .http(behind.exchange)
        sockets.resumeReading(connection.socket)
        then(connection)
        act(on: behind.outputs, of: behind.exchange, on: connection)
        updateDeadline(of: connection)
        pauseIfSlow(connection)
    }
}

/// Something made on one queue and used on another. What was used is kept until it is dropped, where that costs no one time.
final class Parcel<Item: Sendable>: Sendable {
    private let item: Locked<Item?>

    init(_ item: Item) {
        self.item = Locked(item)
    }

    func take() -> Item? { item.withLock { $0 } }
    func drop() { item.withLock { $0 = nil } }
}
