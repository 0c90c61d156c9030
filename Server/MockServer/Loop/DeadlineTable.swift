import Clocks

/// At most one deadline per slot, the earliest first.
///
/// A binary heap that knows where each slot stands: a connection that moves its deadline with every request
/// leaves nothing behind, so the table never has more entries than there are slots.
struct DeadlineTable {
    private struct Item {
        var deadline: Instant
        var slot: Int32
    }

    private static let absent: Int32 = -1

    private var heap: [Item] = []
    /// Where a slot stands in the heap.
    private var places: [Int32] = []

    var count: Int { heap.count }

    var first: (deadline: Instant, slot: Int)? {
        heap.first.map { ($0.deadline, Int($0.slot)) }
    }

    /// Replaces the deadline of `slot`; nil removes it.
    mutating func set(_ deadline: Instant?, for slot: Int) {
        while places.count <= slot { places.append(Self.absent) }
        let place = places[slot]
        guard let deadline else {
            if place != Self.absent { remove(at: Int(place)) }
            return
        }
        if place == Self.absent {
            heap.append(Item(deadline: deadline, slot: Int32(slot)))
            places[slot] = Int32(heap.count - 1)
            rise(heap.count - 1)
        } else {
            heap[Int(place)].deadline = deadline
            settle(Int(place))
        }
    }

    mutating func removeAll() {
        heap = []
        places = []
    }

    private mutating func remove(at place: Int) {
        swap(place, heap.count - 1)
        let removed = heap.removeLast()
        places[Int(removed.slot)] = Self.absent
        if place < heap.count { settle(place) }
    }

    private mutating func settle(_ place: Int) {
        rise(place)
        sink(place)
    }

    private mutating func rise(_ place: Int) {
        var child = place
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].deadline < heap[parent].deadline else { return }
            swap(child, parent)
            child = parent
        }
    }

    private mutating func sink(_ place: Int) {
        var parent = place
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, heap[child + 1].deadline < heap[child].deadline { child += 1 }
            guard heap[child].deadline < heap[parent].deadline else { return }
            swap(child, parent)
            parent = child
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        guard left != right else { return }
        heap.swapAt(left, right)
        places[Int(heap[left].slot)] = Int32(left)
        places[Int(heap[right].slot)] = Int32(right)
    }
}
