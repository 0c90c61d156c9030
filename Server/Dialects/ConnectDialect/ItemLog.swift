import Clocks

/// The items of a contact as its transcript has them, in the order of their ids, and what they take.
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

    /// Keeps an item; one that was held back stands where it was said.
    ///
    /// - Returns: its place.
    @discardableResult
    mutating func keep(_ item: Item) -> Int {
        let place = place(of: item.id)
        items.insert(item, at: place)
        textBytes += item.textBytes
        return place
    }

    /// The place of the first item that is not before `id`.
    func place(of id: UniqueID) -> Int {
        func isBefore(_ place: Int) -> Bool {
            (items[place].id.high, items[place].id.low) < (id.high, id.low)
        }
        var (low, high) = (0, items.count)
        // Mostly it is new.
        if high > 0, isBefore(high - 1) { return high }
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The place of a message that the engine calls so.
    func place(ofSource source: String) -> Int? { items.lastIndex { $0.source == source } }
}
