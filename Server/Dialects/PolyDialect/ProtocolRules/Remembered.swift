/// Dictionary of at most `capacity` values with stable slots. When full, a new key replaces the key stored first. Of two
/// keys with the same hash, only the later one is kept.
struct Remembered<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var keys: [(key: Key, hash: Int)] = []
    private var slots: [Int: Int32] = [:]
    private var oldest = 0
    let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    func holds(_ key: Key, at slot: Int) -> Bool { keys.indices.contains(slot) && keys[slot].key == key }

    func slot(_ key: Key) -> Int? {
        guard let slot = slots[key.hashValue].map({ Int($0) }), keys[slot].key == key else { return nil }
        return slot
    }

    func key(of slot: Int) -> Key { keys[slot].key }

    subscript(slot: Int) -> Value {
        get { values[slot] }
        _modify { yield &values[slot] }
    }

    @discardableResult
    mutating func store(_ value: Value, for key: Key) -> Int {
        let hash = key.hashValue
        if let slot = slots[hash].map({ Int($0) }) {
            (keys[slot], values[slot]) = ((key, hash), value)
            return slot
        }
        guard values.count == capacity else {
            values.append(value)
            keys.append((key, hash))
            slots[hash] = Int32(values.count - 1)
            return values.count - 1
        }
        let slot = oldest
        oldest = (oldest + 1) % capacity
        slots[keys[slot].hash] = nil
        (keys[slot], values[slot]) = ((key, hash), value)
        slots[hash] = Int32(slot)
        return slot
    }
}
