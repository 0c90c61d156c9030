package import Clocks

/// Queue of a server's newest rows, limited in rows and bytes.
package struct Timeline: Sendable {
    package let capacity: Int
    /// Maximum bytes of `raw` and `original` in all rows. The newest row is always kept.
    package let maxRawBytes: Int
    /// Number of rows dropped since the start or ``removeAll()``.
    package private(set) var droppedCount: UInt64 = 0
    package private(set) var lastNumber: UInt64 = 0
    package private(set) var count = 0

    package var heldBytes: Int { rawBytes }
    /// ``heldBytes`` plus the bytes of the rows and of what they share.
    package var memoryBytes: Int { blocks.reduce(rawBytes + newest.tableBytes) { $0 + $1.tableBytes } }

    /// The blocks before ``newest``, each of ``rowsPerBlock`` rows. The first `head` rows of all are dropped.
    private var blocks: [RowBlock] = []
    /// Not in the array, where each access checks that the array has one owner: 8 times for each message.
    private var newest = RowBlock()
    private var head = 0
    private var slots = RowSlots()
    private var bytes = ByteStore()
    private var rawBytes = 0

    package init(capacity: Int = TimelineLimits.rows, maxRawBytes: Int = TimelineLimits.rawBytes) {
        precondition(capacity > 0, "a timeline keeps at least one row")
        self.capacity = capacity
        blockBits = capacity < 8 * 1_024 ? 6 : 10
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
        reading: RowReading? = nil, source: (any RowSource)? = nil
    ) {
        makeRoom(for: raw.count + (original?.count ?? 0))
        var number = number(of: source, reading)
        var place = bytes.end
        if number == 0 {
            if original == nil, TextDelta.takes(raw.count) {
                (number, place) = raw.withUnsafeBytes { appendDelta($0) }
            } else {
                place = bytes.append(raw, original)
            }
        }
        let isUsual =
            original == nil && fault.isEmpty && author.isEmpty && timer.isEmpty
            && (size ?? raw.count) == raw.count
        let extras = RowExtras(
            status: status, size: size ?? raw.count, originalCount: original?.count, fault: fault,
            author: author, timer: timer)
        newest.append(
            direction: direction, kind: kind, flags: flags, line: line,
            status: status.map { Int32(clamping: $0) }, type: type, rule: rule, file: file,
            session: session, socket: socket, reading: reading, key: RowPeer.key(session, socket), time: time,
            wallTime: wallTime, sequence: sequence, latency: latency, cause: cause, rawCount: raw.count,
            extras: isUsual ? nil : extras, source: number,
            at: place, &slots)
        count += 1
        lastNumber += 1
    }

    /// Appends a row without the values that few rows have, in half of the instructions. The borrowed bytes are copied.
    package mutating func append(
        lent raw: UnsafeRawBufferPointer, time: Instant, wallTime: Instant, direction: Row.Direction,
        kind: Row.Kind, session: String, socket: UInt32 = 0, type: String, sequence: UInt64? = nil,
        latency: Interval? = nil, rule: String = "", flags: Row.Flags = .none, file: String = "",
        line: UInt32 = 0, cause: UInt64 = 0, reading: RowReading? = nil, source: (any RowSource)? = nil
    ) {
        makeRoom(for: raw.count)
        var number = number(of: source, reading)
        var (key, end) = (RowPeer.key(session, socket), bytes.end)
        if socket == 0, let offset = offset(of: cause), case (blocks.count, let index) = place(offset) {
            key = newest.key(after: index)
            // A rule's text is the user's, which the row of the message may have.
            if kind == .rule {
                number = newest.source(of: index, withText: raw)
                if number > 0 { end.offset = RowPattern.textAlone }
            }
        }
        if number == 0 {
            // A message of a user gets a reference to its words instead.
            if direction == .outbound, kind == .ws, TextDelta.takes(raw.count) {
                (number, end) = appendDelta(raw)
            } else {
                end = bytes.append(lent: raw)
            }
        }
        newest.append(
            direction: direction, kind: kind, flags: flags, line: line, status: nil, type: type, rule: rule,
            file: file, session: session, socket: socket, reading: reading, key: key, time: time,
            wallTime: wallTime, sequence: sequence, latency: latency, cause: cause, rawCount: raw.count,
            extras: nil, source: number, at: end, &slots)
        count += 1
        lastNumber += 1
    }

    /// Appends a text as its differences from another one, if these are at most three quarters of it.
    private mutating func appendDelta(_ raw: UnsafeRawBufferPointer) -> (UInt16, ByteStore.Place) {
        withUnsafeTemporaryAllocation(byteCount: raw.count * 3 / 4, alignment: 1) { room in
            guard let count = newest.delta(raw, into: room) else {
                return (0, bytes.append(lent: raw))
            }
            return (KeptRow.delta, bytes.append(lent: UnsafeRawBufferPointer(rebasing: room[..<count])))
        }
    }

    /// Returns the number of a source in the newest block; 0 if rows keep their texts. Inlined, since a call retains it.
    @inline(__always)
    private mutating func number(of source: (any RowSource)?, _ reading: RowReading?) -> UInt16 {
        guard let source, reading?.text != nil else { return 0 }
        return newest.number(of: source)
    }

    /// Replaces the text of the newest row, if it is row `number`, by a reference to the message in it.
    package mutating func refer(_ number: UInt64, to source: some RowSource) {
        guard number == lastNumber, count > 0, newest.isLastPlain else { return }
        bytes.replaceLast(newest.lastWeight) {
            newest.refer(to: source, $0)
        }
    }

    /// Appends the newest row again for each of the connections, without the cost of its parts.
    package mutating func repeatLast(session: String, sockets: ArraySlice<UInt32>, reading: RowReading?) {
        for socket in sockets {
            let weight = newest.lastWeight
            if count > 1, 2 * weight <= maxRawBytes, newest.rows.count < rowsPerBlock {
                makeRoom(for: weight)
                newest.repeatLast(
                    session: session, socket: socket, reading: reading, &slots)
                count += 1
                lastNumber += 1
            } else if var row = row(lastNumber) {
                (row.session, row.socket, row.reading) = (session, socket, reading)
                append(row)
            }
        }
    }

    private mutating func makeRoom(for weight: Int) {
        while count == capacity || count > 0 && rawBytes + weight > maxRawBytes { dropFirst() }
        if count == 0 {
            bytes.removeAll()
            (blocks, newest, head) = ([], RowBlock(), 0)
        } else {
            bytes.drop(before: blocks.isEmpty ? newest.rows[head].place : blocks[0].rows[head].place)
        }
        rawBytes += weight
        if newest.rows.count == rowsPerBlock {
            let next = RowBlock(after: newest)
            blocks.append(newest)
            newest = next
        }
    }

    /// Rows per block: few if few rows are kept, because dropped rows stay until the block is empty.
    private var rowsPerBlock: Int { 1 &<< blockBits }
    private let blockBits: Int

    /// Sets the session of a row that is still in the buffer.
    package mutating func attribute(_ number: UInt64, to session: String) {
        guard let offset = offset(of: number) else { return }
        let (block, index) = place(offset)
        if block < blocks.count {
            blocks[block].attribute(index, to: session)
        } else {
            newest.attribute(index, to: session)
        }
    }

    /// Drops all rows and resets ``droppedCount``. Numbering continues.
    package mutating func removeAll() {
        (blocks, newest) = ([], RowBlock())
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
        while start > 0, time(at: start - 1) >= moment { start -= 1 }
        return (start..<min(count, start + limit)).lazy.map { row(at: $0) }.first(where: isOne)
    }

    /// Returns a row; nil if it was dropped or does not exist yet.
    package func row(_ number: UInt64) -> Row? { offset(of: number).map { row(at: $0) } }

    package func origin(of number: UInt64) -> (time: Instant, socket: UInt32)? {
        guard let (block, index) = offset(of: number).map(place) else { return nil }
        return block < blocks.count ? blocks[block].origin(of: index) : newest.origin(of: index)
    }

    /// Returns the number of bytes of a row's `raw`, type, session and rule; 0 if the row is not in the buffer.
    package func bytes(of number: UInt64) -> Int {
        guard let (block, index) = offset(of: number).map(place) else { return 0 }
        return block < blocks.count ? blocks[block].bytes(of: index) : newest.bytes(of: index)
    }

    private func offset(of number: UInt64) -> Int? {
        number >= firstNumber && number <= lastNumber ? Int(number - firstNumber) : nil
    }

    private var newestTime: Instant {
        count > 0 ? time(at: count - 1) : Instant(nanosecondsSince1970: 0)
    }

    private func time(at offset: Int) -> Instant {
        let (block, index) = place(offset)
        return block < blocks.count ? blocks[block].rows[index].time : newest.rows[index].time
    }

    private func row(at offset: Int) -> Row {
        let (block, index) = place(offset)
        let number = firstNumber + UInt64(offset)
        return block < blocks.count
            ? blocks[block].row(index, number: number, from: bytes)
            : newest.row(index, number: number, from: bytes)
    }

    private func place(_ offset: Int) -> (block: Int, index: Int) {
        ((head &+ offset) &>> blockBits, (head &+ offset) & (rowsPerBlock &- 1))
    }

    private mutating func dropFirst() {
        rawBytes -= blocks.isEmpty ? newest.weight(at: head) : blocks[0].weight(at: head)
        head += 1
        count -= 1
        droppedCount += 1
        guard head == rowsPerBlock else { return }
        if blocks.isEmpty { newest = RowBlock() } else { blocks.removeFirst() }
        head = 0
    }
}
