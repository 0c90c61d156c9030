import Texts

/// Sort key of a row. See ``TranscriptRow/rank``.
struct RowKey: Comparable, Sendable {
    var rank: Int
    var place: Int64
    var arrival: Int

    init(_ row: TranscriptRow) {
        (rank, place, arrival) = (row.rank, row.place, row.arrival)
    }

    /// Key that sorts before all rows of this rank.
    init(startOf rank: Int) {
        (self.rank, place, arrival) = (rank, .min, .min)
    }

    static func < (left: RowKey, right: RowKey) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.place != right.place { return left.place < right.place }
        return left.arrival < right.arrival
    }
}

/// Sorted list of rows in blocks. Copies share unchanged blocks, so a snapshot after each change is cheap.
struct RowList: Sendable {
    struct Spot: Equatable, Sendable {
        var block: Int
        var index: Int
    }

    /// Maximum rows of a block.
    static let blockRows = 64

    /// Blocks in order. None is empty.
    private(set) var blocks: [[TranscriptRow]] = []
    private(set) var count = 0
    private(set) var moved = 0

    init(_ rows: [TranscriptRow] = []) {
        count = rows.count
        for start in stride(from: 0, to: rows.count, by: Self.blockRows) {
            blocks.append(Array(rows[start..<min(start + Self.blockRows, rows.count)]))
        }
    }

    var isEmpty: Bool { count == 0 }
    var first: TranscriptRow? { blocks.first?.first }
    var last: TranscriptRow? { blocks.last?.last }
    var rows: [TranscriptRow] { Array(blocks.joined()) }

    subscript(spot: Spot) -> TranscriptRow {
        get { blocks[spot.block][spot.index] }
        set { blocks[spot.block][spot.index] = newValue }
    }

    // MARK: - Finding

    func find(_ key: RowKey) -> Spot? {
        let spot = spot(of: key)
        guard spot.block < blocks.count, RowKey(blocks[spot.block][spot.index]) == key else { return nil }
        return spot
    }

    func last(before key: RowKey) -> TranscriptRow? {
        let spot = spot(of: key)
        if spot.block < blocks.count, spot.index > 0 { return blocks[spot.block][spot.index - 1] }
        return spot.block > 0 ? blocks[spot.block - 1].last : nil
    }

    /// Returns the first position that does not sort before `key` (lower bound), or the end of the list.
    private func spot(of key: RowKey) -> Spot {
        let block = Self.first(blocks.count) { !(isBefore(key, $0, blocks[$0].count - 1)) }
        guard block < blocks.count else { return Spot(block: block, index: 0) }
        return Spot(block: block, index: Self.first(blocks[block].count) { !isBefore(key, block, $0) })
    }

    private func isBefore(_ key: RowKey, _ block: Int, _ index: Int) -> Bool {
        RowKey(blocks[block][index]) < key
    }

    /// Binary search: returns the first of `count` indices for which `fits` is true, or `count` if none. `fits` must
    /// also be true for all later indices.
    private static func first(_ count: Int, _ fits: (Int) -> Bool) -> Int {
        // The last index is tested first, because most searches are for a position at the end.
        guard count > 0, fits(count - 1) else { return count }
        return (0..<count - 1).firstPlace(where: fits)
    }

    /// Index of the row in the whole list.
    func number(of spot: Spot) -> Int {
        if spot.block >= blocks.count { return count }
        if spot.block > blocks.count / 2 {
            return blocks[spot.block...].reduce(count + spot.index) { $0 - $1.count }
        }
        return blocks[..<spot.block].reduce(spot.index) { $0 + $1.count }
    }

    // MARK: - Changing

    /// - Returns: the index of the new row in the list.
    mutating func insert(_ row: TranscriptRow) -> Int {
        let spot = spot(of: RowKey(row))
        defer { count += 1 }
        guard spot.block < blocks.count else {
            if let last = blocks.indices.last, blocks[last].count < Self.blockRows {
                blocks[last].append(row)
            } else {
                blocks.append([row])
            }
            return count
        }
        let number = number(of: spot)
        moved += blocks[spot.block].count - spot.index
        blocks[spot.block].insert(row, at: spot.index)
        if blocks[spot.block].count > Self.blockRows {
            let half = Array(blocks[spot.block].suffix(Self.blockRows / 2))
            blocks[spot.block].removeLast(half.count)
            blocks.insert(half, at: spot.block + 1)
            moved += half.count + blocks.count - spot.block
        }
        return number
    }

    /// - Returns: the former index of the row in the list.
    mutating func remove(at spot: Spot) -> Int {
        let number = number(of: spot)
        blocks[spot.block].remove(at: spot.index)
        if blocks[spot.block].isEmpty { blocks.remove(at: spot.block) }
        count -= 1
        return number
    }

    /// Removes the oldest `number` rows, but at most all rows of the first block.
    ///
    /// - Returns: the removed rows.
    mutating func removeFirst(_ number: Int) -> [TranscriptRow] {
        guard let block = blocks.first else { return [] }
        let oldest = Array(block.prefix(number))
        if oldest.count == block.count { blocks.removeFirst() } else { blocks[0].removeFirst(oldest.count) }
        count -= oldest.count
        return oldest
    }
}

extension RowList: Equatable {
    static func == (left: RowList, right: RowList) -> Bool {
        left.count == right.count && left.blocks.joined().elementsEqual(right.blocks.joined())
    }
}
