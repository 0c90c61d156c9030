import Clocks

package final class Inbox<Item: Sendable>: Sendable {
    private let items = Locked<[Item]>([])

    package init() {}

    /// - Returns: true if the queue was empty before. The caller must then wake the loop.
    package func post(_ item: Item) -> Bool {
        items.withLock { items in
            items.append(item)
            return items.count == 1
        }
    }

    package func takeAll() -> [Item] {
        items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
