import Clocks

/// What threads of the network report, until a loop gets to it: one visit of the loop for all that has come.
package final class Inbox<Item: Sendable>: Sendable {
    private let items = Locked<[Item]>([])

    package init() {}

    /// - Returns: true when nothing waited: the loop has to be called.
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
