import Clocks

/// At most one deadline per slot that counts, the earliest first.
///
/// A deadline that moves away is not looked for in the heap: its old entry comes up early, and the owner, who
/// knows better, sets it anew.
struct DeadlineHeap {
    private struct Entry {
        var deadline: Instant
        var slot: Int
    }

    private var entries: [Entry] = []
    /// The entry of each slot that counts.
    private var armed: [Instant?]

    init(slots: Int) {
        armed = Array(repeating: nil, count: slots)
    }

    var next: Instant? { entries.first?.deadline }

    /// Makes sure that `slot` comes up at `deadline`, or before.
    mutating func arm(_ slot: Int, at deadline: Instant) {
        if let present = armed[slot], present <= deadline { return }
        armed[slot] = deadline
        entries.append(Entry(deadline: deadline, slot: slot))
        var place = entries.count - 1
        while place > 0, entries[place].deadline < entries[(place - 1) / 2].deadline {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// The next slot whose deadline has come; nil when there is none.
    mutating func popDue(by now: Instant) -> Int? {
        while let first = entries.first, first.deadline <= now {
            removeFirst()
            guard armed[first.slot] == first.deadline else { continue }
            armed[first.slot] = nil
            return first.slot
        }
        return nil
    }

    private mutating func removeFirst() {
        let last = entries.removeLast()
        guard !entries.isEmpty else { return }
        entries[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < entries.count && entries[child].deadline < entries[least].deadline {
                least = child
            }
            if least == place { return }
            entries.swapAt(place, least)
            place = least
        }
    }
}
