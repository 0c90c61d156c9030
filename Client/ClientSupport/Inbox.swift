import Clocks

/// A queue of reports from threads of the network. The loop is called once for all items that wait in the queue.
package final class Inbox<Item: Sendable>: Sendable {
    private let items = Locked<[Item]>([])

    package init() {}

    /// - Returns: true if the queue was empty, so that the loop has to be called.
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
