package import Clocks

/// Ring buffer of a server's newest rows, limited in rows and bytes.
package struct Timeline: Sendable {
    package let capacity: Int
    /// Maximum bytes of `raw` and `original` in all rows. The newest row is always kept.
    package let maxRawBytes: Int
    /// Number of rows dropped since the start or ``removeAll()``.
    package private(set) var droppedCount: UInt64 = 0
    package private(set) var lastNumber: UInt64 = 0
    package private(set) var count = 0

    package var heldBytes: Int { rawBytes }
    /// ``heldBytes`` plus the bytes of the ring's slots.
    package var memoryBytes: Int { rawBytes + slots.count * MemoryLayout<KeptRow>.stride }

    /// Slots of the ring: `count` rows from index `head` on, then free slots.
    private var slots: [KeptRow] = []
    private var head = 0
    private var bytes = ByteStore()
    private var rawBytes = 0

    package init(capacity: Int = TimelineLimits.rows, maxRawBytes: Int = TimelineLimits.rawBytes) {
        precondition(capacity > 0, "a timeline keeps at least one row")
        self.capacity = capacity
        self.maxRawBytes = maxRawBytes
    }

    /// Number of the oldest row; the next number if there is none.
    package var firstNumber: UInt64 { lastNumber - UInt64(count) + 1 }

    @discardableResult
    package mutating func append(_ row: borrowing Row) -> UInt64 {
        append(
            time: row.time, wallTime: row.wallTime, direction: row.direction, kind: row.kind,
            session: row.session, socket: row.socket, type: row.type, sequence: row.sequence,
            size: row.size, latency: row.latency, status: row.status, rule: row.rule, fault: row.fault,
            raw: row.raw, original: row.original, flags: row.flags, file: row.place.file,
            line: row.place.line, cause: row.cause, author: row.author, timer: row.timer,
            reading: row.reading)
        return lastNumber
    }

    /// Appends a row from its parts, without the cost of a ``Row``.
    package mutating func append(
        time: Instant, wallTime: Instant, direction: Row.Direction, kind: Row.Kind, session: String = "",
        socket: UInt32 = 0, type: String = "", sequence: UInt64? = nil, size: Int? = nil,
        latency: Interval? = nil, status: Int? = nil, rule: String = "", fault: String = "",
        raw: [UInt8] = [], original: [UInt8]? = nil, flags: Row.Flags = .none, file: String = "",
        line: UInt32 = 0, cause: UInt64 = 0, author: String = "", timer: String = "",
        reading: RowReading? = nil, source: (any AnyObject & Sendable)? = nil
    ) {
        makeRoom(for: raw.count + (original?.count ?? 0))
        let source = reading?.text == nil ? nil : source
        let place = source == nil ? bytes.append(raw, original) : bytes.end
        keep {
            KeptRow(
                time: time, wallTime: wallTime, direction: direction, kind: kind, session: session,
                socket: socket, type: type, sequence: sequence, size: size ?? raw.count, latency: latency,
                status: status, rule: rule, fault: fault, rawCount: raw.count,
                originalCount: original?.count, flags: flags, file: file, line: line, cause: cause,
                author: author, timer: timer, reading: reading, source: source, at: place)
        }
    }

    /// Appends a row. The borrowed bytes are copied.
    package mutating func append(
        lent raw: UnsafeRawBufferPointer, time: Instant, wallTime: Instant, direction: Row.Direction,
        kind: Row.Kind, session: String, socket: UInt32 = 0, type: String, rule: String = "",
        file: String = "", line: UInt32 = 0, cause: UInt64 = 0, reading: RowReading? = nil
    ) {
        makeRoom(for: raw.count)
        let place = bytes.append(lent: raw)
        keep {
            KeptRow(
                time: time, wallTime: wallTime, direction: direction, kind: kind, session: session,
                socket: socket, type: type, sequence: nil, size: raw.count, latency: nil, status: nil,
                rule: rule, fault: "", rawCount: raw.count, originalCount: nil, flags: .none, file: file,
                line: line, cause: cause, author: "", timer: "", reading: reading, at: place)
        }
    }

    private mutating func makeRoom(for weight: Int) {
        while count == capacity || count > 0 && rawBytes + weight > maxRawBytes { dropFirst() }
        if count == 0 {
            bytes.removeAll()
        } else {
            bytes.drop(before: slots[head].place)
        }
        rawBytes += weight
    }

    @inline(__always)
    private mutating func keep(_ row: () -> KeptRow) {
        if count < slots.count {
            slots[index(count)] = row()
        } else {
            straighten()
            slots.append(row())
        }
        count += 1
        lastNumber += 1
    }

    /// Sets the session of a row that is still in the buffer.
    package mutating func attribute(_ number: UInt64, to session: String) {
        if let offset = offset(of: number) { slots[index(offset)].session = session }
    }

    /// Drops all rows and resets ``droppedCount``. Numbering continues.
    package mutating func removeAll() {
        slots = []
        bytes.removeAll()
        head = 0
        count = 0
        rawBytes = 0
        droppedCount = 0
    }

    /// Returns the oldest `limit` rows after number `after` that match `filter`. `now` is by default the newest row's
    /// time.
    package func rows(
        after: UInt64 = 0, limit: Int = .max, matching filter: RowFilter? = nil, now: Instant? = nil
    ) -> [Row] {
        guard after < lastNumber else { return [] }
        let skipped = after < firstNumber ? 0 : Int(after - firstNumber) + 1
        let now = now ?? newestTime
        var found: [Row] = []
        for offset in skipped..<count {
            guard found.count < limit else { break }
            let row = row(at: offset)
            if filter?.matches(row, now: now) ?? true { found.append(row) }
        }
        return found
    }

    /// Returns the newest `limit` rows that match `filter`, oldest first.
    package func latest(_ limit: Int, matching filter: RowFilter? = nil, now: Instant? = nil) -> [Row] {
        let now = now ?? newestTime
        var found: [Row] = []
        for offset in stride(from: count - 1, through: 0, by: -1) {
            guard found.count < limit else { break }
            let row = row(at: offset)
            if filter?.matches(row, now: now) ?? true { found.append(row) }
        }
        return found.reversed()
    }

    /// Returns the first row at or after `moment` for which `isOne` is true. Tests at most `limit` rows.
    package func firstRow(from moment: Instant, atMost limit: Int, where isOne: (Row) -> Bool) -> Row? {
        var start = count
        while start > 0, slots[index(start - 1)].time >= moment { start -= 1 }
        return (start..<min(count, start + limit)).lazy.map { row(at: $0) }.first(where: isOne)
    }

    /// Returns a row; nil if it was dropped or does not exist yet.
    package func row(_ number: UInt64) -> Row? { offset(of: number).map { row(at: $0) } }

    package func origin(of number: UInt64) -> (time: Instant, socket: UInt32)? {
        guard let index = offset(of: number).map({ self.index($0) }) else { return nil }
        return (slots[index].time, slots[index].socket)
    }

    /// Returns the number of bytes of a row's `raw`, type, session and rule; 0 if the row is not in the buffer.
    package func bytes(of number: UInt64) -> Int {
        guard let index = offset(of: number).map({ self.index($0) }) else { return 0 }
        return Int(slots[index].rawCount) + slots[index].type.utf8.count + slots[index].session.utf8.count
            + slots[index].rule.utf8.count
    }

    private func offset(of number: UInt64) -> Int? {
        number >= firstNumber && number <= lastNumber ? Int(number - firstNumber) : nil
    }

    private var newestTime: Instant {
        count > 0 ? slots[index(count - 1)].time : Instant(nanosecondsSince1970: 0)
    }

    private func row(at offset: Int) -> Row {
        slots[index(offset)].row(firstNumber + UInt64(offset), from: bytes)
    }

    private func index(_ offset: Int) -> Int {
        let index = head + offset
        return index < slots.count ? index : index - slots.count
    }

    private mutating func dropFirst() {
        rawBytes -= slots[head].weight
        head = index(1)
        count -= 1
        droppedCount += 1
    }

    /// Rotates the oldest row into the first slot, so that the ring can grow.
    private mutating func straighten() {
        guard head > 0 else { return }
        slots = Array(slots[head...] + slots[..<head])
        head = 0
    }
}
