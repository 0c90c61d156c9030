/// Dictionary of at most `capacity` values with stable slots. When full, a new key replaces the key stored first. Of two
/// keys with the same hash, only the later one is kept.
struct Remembered<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var keys: [Key] = []
    private var slots: [Int: Int32] = [:]
    private var oldest = 0
    let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    func holds(_ key: Key, at slot: Int) -> Bool { keys.indices.contains(slot) && keys[slot] == key }

    func slot(_ key: Key) -> Int? {
        guard let slot = slots[key.hashValue].map({ Int($0) }), keys[slot] == key else { return nil }
        return slot
    }

    func key(of slot: Int) -> Key { keys[slot] }

    subscript(slot: Int) -> Value {
        get { values[slot] }
        _modify { yield &values[slot] }
    }

    /// Returns the slot of a key, which is stored with `value` if it is new.
    mutating func slot(_ key: Key, orStore value: @autoclosure () -> Value) -> Int {
        let hash = key.hashValue
        if let slot = slots[hash].map({ Int($0) }), keys[slot] == key { return slot }
        return store(value(), for: key, hash)
    }

    mutating func store(_ value: Value, for key: Key) -> Int { store(value, for: key, key.hashValue) }

    private mutating func store(_ value: Value, for key: Key, _ hash: Int) -> Int {
        if let slot = slots[hash].map({ Int($0) }) {
            (keys[slot], values[slot]) = (key, value)
            return slot
        }
        guard values.count == capacity else {
            values.append(value)
            keys.append(key)
            slots[hash] = Int32(values.count - 1)
            return values.count - 1
        }
        let slot = oldest
        oldest = (oldest + 1) % capacity
        slots[keys[slot].hashValue] = nil
        (keys[slot], values[slot]) = (key, value)
        slots[hash] = Int32(slot)
        return slot
    }
}
