package import Clocks

/// The earliest of many deadlines (a binary heap). Entries may be outdated: whoever pops one asks the session
/// whether it still means it.
package struct DeadlineHeap: Sendable {
    package struct Item: Equatable, Sendable {
        package var deadline: Instant
        package var slot: Int32

        package init(deadline: Instant, slot: Int32) {
            self.deadline = deadline
            self.slot = slot
        }
    }

    private var items: [Item] = []

    package init() {}

    package var count: Int { items.count }
    package var first: Item? { items.first }

    package mutating func push(_ item: Item) {
        items.append(item)
        var child = items.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard items[child].deadline < items[parent].deadline else { return }
            items.swapAt(child, parent)
            child = parent
        }
    }

    package mutating func pop() -> Item? {
        guard let top = items.first, let last = items.popLast() else { return nil }
        guard !items.isEmpty else { return top }
        items[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < items.count else { break }
            if child + 1 < items.count, items[child + 1].deadline < items[child].deadline { child += 1 }
            guard items[child].deadline < items[parent].deadline else { break }
            items.swapAt(child, parent)
            parent = child
        }
        return top
    }
}
