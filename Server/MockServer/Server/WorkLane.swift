import Clocks
import ServerCore

/// The queues for work that takes too long for the loop. Short work does not wait for long work.
enum WorkLane: String, CaseIterable {
    /// Bodies of clients that are read, and answers to clients.
    case medium = "polymock.bodies"
    case long = "polymock.long-bodies"
    /// Long answers of the control API.
    case answers = "polymock.control"
    /// Rows, compared with filters that a turn has no steps left for.
    case filters = "polymock.filters"

    init(bytes: Int) { self = bytes <= ServerLimits.mediumBodyBytes ? .medium : .long }
}

/// Work for a queue, and what follows it on the loop.
struct AwayWork {
    struct Result: Sendable {
        /// Frees on the queue what is used up.
        let drop: @Sendable () -> Void
        let proceed: @Sendable (Server) -> Void

        init(
            dropping drop: @escaping @Sendable () -> Void = {},
            _ proceed: @escaping @Sendable (Server) -> Void
        ) {
            (self.drop, self.proceed) = (drop, proceed)
        }
    }

    let lane: WorkLane
    /// Nil where nobody wants the result any more.
    let run: @Sendable () -> Result?

    init(_ lane: WorkLane, _ run: @escaping @Sendable () -> Result?) {
        (self.lane, self.run) = (lane, run)
    }
}

/// The wish for a piece of work, which ends with its connection. Set on the loop, looked at on the queue.
final class WorkWish: Sendable {
    private let isOver = Locked(false)

    func end() { isOver.withLock { $0 = true } }
    var hasEnded: Bool { isOver.withLock { $0 } }
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
