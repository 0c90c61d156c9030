import Clocks
import Texts

/// Items of a transcript, sorted by id, with their total size.
struct ItemLog: RandomAccessCollection, Sendable {
    private var items: [Item] = []
    private var textBytes = 0

    var startIndex: Int { 0 }
    var endIndex: Int { items.count }
    var heldBytes: Int { textBytes + items.count * Item.bytes }

    subscript(place: Int) -> Item {
        get { items[place] }
        set {
            textBytes += newValue.textBytes - items[place].textBytes
            items[place] = newValue
        }
    }

    /// Inserts an item in the order of the ids. Returns its index.
    @discardableResult
    mutating func keep(_ item: Item) -> Int {
        let place = place(of: item.id)
        items.insert(item, at: place)
        textBytes += item.textBytes
        return place
    }

    /// Returns the index of the first item whose id is `id` or greater, or the number of items.
    func place(of id: UniqueID) -> Int {
        func isBefore(_ place: Int) -> Bool {
            (items[place].id.high, items[place].id.low) < (id.high, id.low)
        }
        // Fast path: most ids are greater than all ids in the log.
        if !items.isEmpty, isBefore(items.count - 1) { return items.count }
        return items.indices.firstPlace { !isBefore($0) }
    }

    func place(ofSource source: String) -> Int? { items.lastIndex { $0.source == source } }
}
