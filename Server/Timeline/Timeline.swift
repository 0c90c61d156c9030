package import Clocks

/// What crossed the wire of one server, the newest rows of it (chat-ui 3.5; mock-server AH-2, AH-6).
///
/// A ring with two bounds, rows and bytes. The oldest rows go first, and are counted.
package struct Timeline: Sendable {
    /// Most rows kept.
    package let capacity: Int
    /// Most bytes of `raw` and `original` kept. The newest row stays, however large.
    package let maxRawBytes: Int
    /// Rows that crossed a bound since the start, or since ``removeAll()``.
    package private(set) var droppedCount: UInt64 = 0
    /// The number of the newest row ever appended; 0 before the first.
    package private(set) var lastNumber: UInt64 = 0
    package private(set) var count = 0

    /// A ring: `count` rows from `head` on. The others are blank.
    private var slots: [Row] = []
    private var head = 0
    private var rawBytes = 0

    private static let blank = Row(
        time: Instant(nanosecondsSince1970: 0), direction: .inside, kind: .clock)

    package init(capacity: Int = TimelineLimits.rows, maxRawBytes: Int = TimelineLimits.rawBytes) {
        precondition(capacity > 0, "a timeline keeps at least one row")
        self.capacity = capacity
        self.maxRawBytes = maxRawBytes
    }

    /// The number of the oldest row kept; the next number when there is none.
    package var firstNumber: UInt64 { lastNumber - UInt64(count) + 1 }

    /// Keeps `row` under the next number, which is returned.
    @discardableResult
    package mutating func append(_ row: consuming Row) -> UInt64 {
        let weight = row.weight
        lastNumber += 1
        row.number = lastNumber
        while count > 0, rawBytes + weight > maxRawBytes { dropFirst() }
        if count == capacity {
            // The usual case of a busy server: the oldest row's place is the newest row's.
            rawBytes += weight - slots[head].weight
            slots[head] = consume row
            head = index(1)
            droppedCount += 1
            return lastNumber
        }
        if count == slots.count { grow() }
        slots[index(count)] = consume row
        rawBytes += weight
        count += 1
        return lastNumber
    }

    /// Forgets the rows and how many were dropped. Numbers go on, so that a reader's place stays true.
    package mutating func removeAll() {
        slots = []
        head = 0
        count = 0
        rawBytes = 0
        droppedCount = 0
    }

    /// The oldest rows after number `after` that `filter` takes, at most `limit`.
    ///
    /// `now` is what `since:` and `after:` count from, by the server's clock; nil: the newest row's time.
    package func rows(
        after: UInt64 = 0, limit: Int = .max, matching filter: RowFilter? = nil,
        now: Instant? = nil
    ) -> [Row] {
        guard after < lastNumber else { return [] }
        let skipped = after < firstNumber ? 0 : Int(after - firstNumber) + 1
        let now = now ?? newestTime
        var found: [Row] = []
        for offset in skipped..<count {
            guard found.count < limit else { break }
            let slot = index(offset)
            if filter?.matches(slots[slot], now: now) ?? true { found.append(slots[slot]) }
        }
        return found
    }

    /// The newest rows that `filter` takes, at most `limit`, oldest first.
    package func latest(
        _ limit: Int, matching filter: RowFilter? = nil, now: Instant? = nil
    ) -> [Row] {
        let now = now ?? newestTime
        var found: [Row] = []
        for offset in stride(from: count - 1, through: 0, by: -1) {
            guard found.count < limit else { break }
            let slot = index(offset)
            if filter?.matches(slots[slot], now: now) ?? true { found.append(slots[slot]) }
        }
        return found.reversed()
    }

    /// The row of that number; nil when it was dropped or is not there yet.
    package func row(_ number: UInt64) -> Row? {
        guard number >= firstNumber, number <= lastNumber else { return nil }
        return slots[index(Int(number - firstNumber))]
    }

    private var newestTime: Instant { row(lastNumber)?.time ?? Self.blank.time }

    private func index(_ offset: Int) -> Int {
        let index = head + offset
        return index < slots.count ? index : index - slots.count
    }

    private mutating func dropFirst() {
        rawBytes -= slots[head].weight
        slots[head] = Self.blank
        head = index(1)
        count -= 1
        droppedCount += 1
    }

    /// Doubles the ring up to its capacity, so that a quiet server pays for few rows.
    private mutating func grow() {
        let size = min(capacity, max(64, slots.count * 2))
        var grown: [Row] = []
        grown.reserveCapacity(size)
        for offset in 0..<count { grown.append(slots[index(offset)]) }
        while grown.count < size { grown.append(Self.blank) }
        slots = grown
        head = 0
    }
}
