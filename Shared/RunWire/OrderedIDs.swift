/// Ids in the order of their arrival, each once; found, added and removed in the same time however many there are.
struct OrderedIDs: Sendable {
    /// Nil in place of a removed one.
    private var ids: [String?] = []
    private var places: [String: Int] = [:]

    init(_ ids: [String] = []) {
        for id in ids { insert(id) }
    }

    var list: [String] { ids.compactMap { $0 } }

    func contains(_ id: String) -> Bool { places[id] != nil }

    mutating func insert(_ id: String) {
        guard places[id] == nil else { return }
        places[id] = ids.count
        ids.append(id)
    }

    mutating func remove(_ id: String) {
        guard let place = places.removeValue(forKey: id) else { return }
        ids[place] = nil
        // Closed up now and then, so that removing many costs what they are.
        guard ids.count > 2 * places.count + 16 else { return }
        ids = ids.filter { $0 != nil }
        for (place, id) in ids.enumerated() { if let id { places[id] = place } }
    }
}
