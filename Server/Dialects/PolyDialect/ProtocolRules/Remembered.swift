/// Dictionary of at most `capacity` values with stable slots. When full, a new key replaces the key stored first.
struct Remembered<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var keys: [Key] = []
    private var slots: [Key: Int] = [:]
    private var oldest = 0
    let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    func holds(_ key: Key, at slot: Int) -> Bool { keys.indices.contains(slot) && keys[slot] == key }

    func slot(_ key: Key) -> Int? { slots[key] }

    subscript(slot: Int) -> Value {
        get { values[slot] }
        _modify { yield &values[slot] }
    }

    @discardableResult
    mutating func store(_ value: Value, for key: Key) -> Int {
        if let slot = slots[key] {
            values[slot] = value
            return slot
        }
        guard values.count == capacity else {
            values.append(value)
            keys.append(key)
            slots[key] = values.count - 1
            return values.count - 1
        }
        let slot = oldest
        oldest = (oldest + 1) % capacity
        slots[keys[slot]] = nil
        keys[slot] = key
        values[slot] = value
        slots[key] = slot
        return slot
    }
}
