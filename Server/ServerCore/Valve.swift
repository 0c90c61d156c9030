package import Clocks
package import WebSocketCore

/// What troubles hold back of one connection's output: stalled, delayed, or behind its successor. Pure; nothing
/// that entered is ever lost, and the order changes only where a swap asks for it.
package struct Valve {
    package enum Item: Equatable {
        case message([UInt8], OutboundContext)
        /// Bytes that are frames already.
        case bytes([UInt8])
        /// The close handshake begins.
        case close(CloseCode, String)
        /// The connection breaks.
        case cut

        /// Bytes that are kept for it.
        package var size: Int {
            switch self {
            case .message(let bytes, _), .bytes(let bytes): bytes.count
            case .close, .cut: 0
            }
        }
    }

    /// One trouble's claim to hold something until a moment.
    package struct Hold: Equatable, Sendable {
        package var end: Instant
        /// nil where nothing takes the trouble away.
        package var holder: UInt64?

        package init(end: Instant, holder: UInt64?) {
            self.end = end
            self.holder = holder
        }
    }

    private struct Waiting {
        /// Empty for what only stands behind something that is held.
        var holds: [Hold]
        var item: Item

        var due: Instant { holds.map(\.end).max() ?? .past }
    }

    private var waiting: [Waiting] = []
    private var firstWaiting = 0
    /// Until the last of them is over nothing leaves.
    private var stalls: [Hold] = []
    /// Leaves behind the next message, or alone when none comes in time.
    private var swapped: (item: Item, hold: Hold)?

    /// Bytes of the items inside.
    package private(set) var bytes = 0

    package init() {}

    /// Nothing is held back and nothing will be.
    package var isOpen: Bool { waiting.isEmpty && stalls.isEmpty && swapped == nil }

    package mutating func stall(until end: Instant, by holder: UInt64?) {
        stalls.append(Hold(end: end, holder: holder))
    }

    /// Takes in the next item of the connection's output; what may leave comes out of ``next(at:)``.
    package mutating func push(_ item: Item, holds: [Hold] = []) {
        waiting.append(Waiting(holds: holds, item: item))
        bytes += item.size
        if let swapped, case .message = item {
            waiting.append(Waiting(holds: [], item: swapped.item))
            self.swapped = nil
        }
    }

    /// Takes in an item that changes places with the next message; `deadline` bounds the wait for one.
    package mutating func swap(_ item: Item, until deadline: Instant, by holder: UInt64?) {
        guard swapped == nil else { return push(item) }
        swapped = (item, Hold(end: deadline, holder: holder))
        bytes += item.size
    }

    /// The next item that may leave now; nil when none may.
    package mutating func next(at now: Instant) -> Item? {
        stalls.removeAll { $0.end <= now }
        guard stalls.isEmpty else { return nil }
        if let held = swapped, held.hold.end <= now {
            swapped = nil
            waiting.append(Waiting(holds: [], item: held.item))
        }
        guard firstWaiting < waiting.count, waiting[firstWaiting].due <= now else { return nil }
        let item = waiting[firstWaiting].item
        bytes -= item.size
        // What has left takes no memory, also while something always waits.
        waiting[firstWaiting] = Waiting(holds: [], item: .bytes([]))
        firstWaiting += 1
        if firstWaiting == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            firstWaiting = 0
        } else if firstWaiting >= CoreLimits.leftItems, firstWaiting * 2 > waiting.count {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
        return item
    }

    /// Lets go of what the trouble `id` holds; nil lets go of everything.
    package mutating func letGo(of id: UInt64?) {
        stalls.removeAll { id == nil || $0.holder == id }
        for index in waiting.indices { waiting[index].holds.removeAll { id == nil || $0.holder == id } }
        if let held = swapped, id == nil || held.hold.holder == id { swapped?.hold.end = .past }
    }

    package var nextDeadline: Instant? {
        if let end = stalls.map(\.end).max() { return end }
        var earliest = swapped?.hold.end
        if firstWaiting < waiting.count {
            let due = waiting[firstWaiting].due
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }
}

extension Instant {
    /// Before anything that a server sees.
    package static let past = Instant(nanosecondsSince1970: .min)
}
