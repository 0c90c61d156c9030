import Clocks
import ServerCore

/// Work queues by size: short work does not wait for long work.
enum WorkLane {
    case medium
    case long

    init(bytes: Int) { self = bytes <= ServerLimits.mediumBodyBytes ? .medium : .long }
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
