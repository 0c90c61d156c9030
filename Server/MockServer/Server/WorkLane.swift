import Clocks

/// Queues for long work, by kind, so that short work does not wait for long work.
enum WorkLane: String, CaseIterable {
    /// Parsing of bodies, and answers to clients.
    case medium = "polymock.bodies"
    case long = "polymock.long-bodies"
    /// Long answers of the control API.
    case answers = "polymock.control"
    /// Comparison of rows with costly filters.
    case filters = "polymock.filters"

    init(bytes: Int) { self = bytes <= ServerLimits.mediumBodyBytes ? .medium : .long }
}

/// Work for a queue, and its continuation on the loop.
struct AwayWork {
    struct Result: Sendable {
        /// Frees memory on the queue.
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
    /// Returns nil if cancelled.
    let run: @Sendable () -> Result?

    init(_ lane: WorkLane, _ run: @escaping @Sendable () -> Result?) {
        (self.lane, self.run) = (lane, run)
    }
}

/// A flag set when the connection ends, and read on the queue.
final class CancellationFlag: Sendable {
    private let flag = Locked(false)

    func cancel() { flag.withLock { $0 = true } }
    var isCancelled: Bool { flag.withLock { $0 } }
}

/// A value made on a queue, used on the loop and freed on the queue.
final class Parcel<Item: Sendable>: Sendable {
    private let item: Locked<Item?>

    init(_ item: Item) { self.item = Locked(item) }

    var value: Item? { item.withLock { $0 } }
    func drop() { item.withLock { $0 = nil } }
}
