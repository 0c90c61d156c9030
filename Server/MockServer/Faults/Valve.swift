import Clocks
import WebSocketCore

/// What troubles hold back of one connection's output: stalled, delayed, or behind its successor. Pure; nothing
/// that entered is ever lost, and the order changes only where a swap asks for it.
struct Valve {
    enum Item: Equatable {
        case message([UInt8], Telling)
        /// Bytes that are frames already.
        case bytes([UInt8])
        /// The close handshake begins.
        case close(CloseCode, String)
        /// The connection breaks.
        case cut
    }

    private struct Waiting {
        var due: Instant
        /// The trouble that holds it; nil for what only stands behind it.
        var holder: UInt64?
        var item: Item
    }

    private var waiting: [Waiting] = []
    private var firstWaiting = 0
    /// Until then nothing leaves.
    private var closedUntil: Instant?
    private var stalledBy: UInt64?
    /// Leaves behind the next message, or alone when none comes in time.
    private var swapped: (item: Item, due: Instant, holder: UInt64?)?

    /// Nothing is held back and nothing will be.
    var isOpen: Bool { waiting.isEmpty && closedUntil == nil && swapped == nil }

    var heldCount: Int { waiting.count - firstWaiting + (swapped == nil ? 0 : 1) }

    mutating func stall(until end: Instant, by holder: UInt64?) {
        closedUntil = max(closedUntil ?? end, end)
        stalledBy = holder
    }

    /// Takes in the next item of the connection's output; what may leave comes out of ``release(at:)``.
    mutating func push(_ item: Item, due: Instant? = nil, by holder: UInt64? = nil) {
        waiting.append(Waiting(due: due ?? .past, holder: holder, item: item))
        if let swapped, case .message = item {
            waiting.append(Waiting(due: .past, holder: swapped.holder, item: swapped.item))
            self.swapped = nil
        }
    }

    /// Takes in an item that changes places with the next message; `deadline` bounds the wait for one.
    mutating func swap(_ item: Item, until deadline: Instant, by holder: UInt64?) {
        guard swapped == nil else { return push(item) }
        swapped = (item, deadline, holder)
    }

    /// What leaves now, in order.
    mutating func release(at now: Instant) -> [Item] {
        if let end = closedUntil {
            guard end <= now else { return [] }
            closedUntil = nil
        }
        if let held = swapped, held.due <= now {
            swapped = nil
            waiting.append(Waiting(due: .past, holder: nil, item: held.item))
        }
        var released: [Item] = []
        while firstWaiting < waiting.count, waiting[firstWaiting].due <= now {
            released.append(waiting[firstWaiting].item)
            firstWaiting += 1
        }
        if firstWaiting == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            firstWaiting = 0
        }
        return released
    }

    /// Lets go of what the trouble `id` holds; nil lets go of everything.
    mutating func letGo(of id: UInt64?) {
        for index in waiting.indices where id == nil || waiting[index].holder == id {
            waiting[index].due = .past
        }
        if id == nil || stalledBy == id { closedUntil = closedUntil.map { _ in .past } }
        if swapped != nil, id == nil || swapped?.holder == id { swapped?.due = .past }
    }

    var nextDeadline: Instant? {
        if let closedUntil { return closedUntil }
        var earliest = swapped?.due
        if firstWaiting < waiting.count {
            let due = waiting[firstWaiting].due
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }
}

extension Instant {
    /// Before anything that a server sees.
    static let past = Instant(nanosecondsSince1970: .min)
}
