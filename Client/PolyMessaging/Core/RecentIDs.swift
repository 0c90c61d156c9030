/// Set of the most recent ids, to recognise duplicates. When full, a new id replaces the oldest.
package struct RecentIDs: Sendable {
    private let capacity: Int
    private var known: Set<String> = []
    private var ring: [String] = []
    private var oldest = 0

    package private(set) var hasForgotten = false

    package init(capacity: Int) {
        precondition(capacity > 0, "a memory of nothing")
        self.capacity = capacity
    }

    package var count: Int { known.count }

    package func contains(_ id: String) -> Bool { known.contains(id) }

    package mutating func insert(_ id: String) -> Bool {
        guard known.insert(id).inserted else { return false }
        if ring.count < capacity {
            ring.append(id)
        } else {
            known.remove(ring[oldest])
            ring[oldest] = id
            oldest = (oldest + 1) % capacity
            hasForgotten = true
        }
        return true
    }

    package mutating func removeAll() {
        self = RecentIDs(capacity: capacity)
    }
}
