/// Indexed binary heap of deadlines, at most one per slot.
package struct DeadlineHeap: Sendable {
    package struct Item: Equatable, Sendable {
        package var deadline: Instant
        package var slot: Int32

        package init(deadline: Instant, slot: Int32) {
            self.deadline = deadline
            self.slot = slot
        }
    }

    private static let nowhere: Int32 = -1

    /// Items in heap order: the earliest is first.
    package private(set) var items: [Item] = []
    /// Index into `items` of each slot's deadline, or ``nowhere``.
    private var places: [Int32] = []

    package init() {}

    package var count: Int { items.count }
    package var first: Item? { items.first }

    package func deadline(of slot: Int32) -> Instant? {
        guard let place = place(of: slot) else { return nil }
        return items[place].deadline
    }

    package mutating func set(_ deadline: Instant, for slot: Int32) {
        let item = Item(deadline: deadline, slot: slot)
        guard let place = place(of: slot) else {
            while places.count <= Int(slot) { places.append(Self.nowhere) }
            items.append(item)
            return rise(item, from: items.count - 1)
        }
        if deadline < items[place].deadline { rise(item, from: place) } else { sink(item, from: place) }
    }

    package mutating func note(_ deadline: Instant?, for slot: Int32) {
        if let deadline { set(deadline, for: slot) } else { remove(slot) }
    }

    package mutating func remove(_ slot: Int32) {
        guard let place = place(of: slot), let last = items.popLast() else { return }
        places[Int(slot)] = Self.nowhere
        guard place < items.count else { return }
        if last.deadline < items[place].deadline { rise(last, from: place) } else { sink(last, from: place) }
    }

    /// Removes the deadlines due by `now` and returns them, earliest first.
    ///
    /// - Parameters:
    ///   - now: the current moment. Deadlines at this moment are due.
    ///   - limit: the maximum number of deadlines to return. Further due deadlines stay in the heap.
    /// - Returns: the due deadlines and their slots.
    package mutating func takeDue(by now: Instant, atMost limit: Int = .max) -> [Item] {
        var due: [Item] = []
        while due.count < limit, let first = items.first, first.deadline <= now {
            remove(first.slot)
            due.append(first)
        }
        return due
    }

    /// Moves every deadline by the same interval.
    package mutating func shift(by interval: Interval) {
        for index in items.indices { items[index].deadline = items[index].deadline + interval }
    }

    private func place(of slot: Int32) -> Int? {
        guard Int(slot) < places.count, places[Int(slot)] != Self.nowhere else { return nil }
        return Int(places[Int(slot)])
    }

    private mutating func put(_ item: Item, at place: Int) {
        items[place] = item
        places[Int(item.slot)] = Int32(place)
    }

    /// Moves an empty place towards the root until `item` fits.
    private mutating func rise(_ item: Item, from place: Int) {
        var place = place
        while place > 0 {
            let parent = (place - 1) / 2
            guard item.deadline < items[parent].deadline else { break }
            put(items[parent], at: place)
            place = parent
        }
        put(item, at: place)
    }

    /// Moves an empty place towards the leaves until `item` fits.
    private mutating func sink(_ item: Item, from place: Int) {
        var place = place
        while true {
            var child = 2 * place + 1
            guard child < items.count else { break }
            if child + 1 < items.count, items[child + 1].deadline < items[child].deadline { child += 1 }
            guard items[child].deadline < item.deadline else { break }
            put(items[child], at: place)
            place = child
        }
        put(item, at: place)
    }
}
