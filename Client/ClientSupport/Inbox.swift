import Clocks

/// Queue of reports from network threads to a loop. The loop is woken once for all queued items.
package final class Inbox<Item: Sendable>: Sendable {
    private let items = Locked<[Item]>([])

    package init() {}

    /// - Returns: True if the queue was empty, so that the loop has to be woken.
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
