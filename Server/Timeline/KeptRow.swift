import Clocks

/// Compact form of a row: 40 bytes in place of 152, because what many rows share is in the tables of a ``RowBlock``.
struct KeptRow: Sendable {
    fileprivate static let none = UInt32.max
    /// In place of a source: the row's bytes are the number of a text in the block, and a ``TextDelta`` from it.
    static let delta = UInt16.max

    let time: Instant
    /// Place of the text. In a row with a source, `offset` is the number of the ``RowPattern``, or 0 for
    /// ``RowReading/text``.
    fileprivate(set) var place: ByteStore.Place
    fileprivate let sequence: UInt32
    fileprivate let latency: UInt32
    fileprivate let cause: UInt32
    let rawCount: UInt32
    fileprivate let form: UInt16
    fileprivate(set) var peer: UInt16
    // These two are an index plus 1, or 0 for none.
    fileprivate var source: UInt16
    fileprivate let rare: UInt16
}

/// What a row has in common with many others.
struct RowForm: Sendable {
    let direction: Row.Direction
    let kind: Row.Kind
    let flags: Row.Flags
    let line: UInt32
    let status: Int32?
    let type: String
    let rule: String
    let file: String
}

/// Connection of a row.
struct RowPeer: Sendable {
    let session: String
    let socket: UInt32
    let reading: RowReading?

    /// Where ``RowSlots`` has the connection.
    static func key(_ session: String, _ socket: UInt32) -> Int {
        (socket != 0 ? Int(socket) : session.utf8.count) & (RowSlots.peers - 1)
    }
}

/// Values that few rows have.
struct RowExtras: Sendable {
    let status: Int?
    let size: Int
    let originalCount: Int?
    let fault: String
    let author: String
    let timer: String
}

/// The extras of a row, and the numbers of which one does not fit into a ``KeptRow``.
private struct RareRow: Sendable {
    let wallTime: Instant
    let sequence: UInt64?
    let latency: Interval?
    let extras: RowExtras
}

/// Indices of forms and peers in the newest block, by a short hash. An index from an earlier block is found out and
/// replaced.
struct RowSlots: Sendable {
    // Not in one tuple, which would be created on first use, and checked at each: 15 instructions.
    fileprivate static let forms = 64
    fileprivate static let peers = 1_024
    fileprivate var forms = [UInt16](repeating: 0, count: forms)
    /// The second half is for sessions without a connection.
    fileprivate var peers = [UInt16](repeating: 0, count: 2 * peers)
}

/// Consecutive rows with the values that they share.
struct RowBlock: Sendable {
    private(set) var rows: [KeptRow] = []
    private var forms: [RowForm] = []
    private var peers: [RowPeer] = []
    private var sources: [any RowSource] = []
    /// Identity of the last source, since a look at the source itself retains it.
    private var lastSource: ObjectIdentifier?
    private var patterns: [RowPattern] = []
    private var bases: [[UInt8]] = []
    /// Index of the row that the newest peer was created for.
    private var newestPeerRow = -1
    private var rares: [RareRow] = []

    /// Bytes of the rows and of the tables, without the texts in the tables.
    var tableBytes: Int {
        func bytes<Element>(_ table: [Element]) -> Int { table.capacity * MemoryLayout<Element>.stride }
        return bytes(rows) + bytes(forms) + bytes(peers) + bytes(sources) + bytes(rares)
            + bytes(patterns) + bases.reduce(0) { $0 + $1.count }
    }

    init() {}

    /// Creates the block after a full one, with room for as many values.
    init(after last: RowBlock) {
        rows.reserveCapacity(last.rows.count)
        forms.reserveCapacity(last.forms.count)
        peers.reserveCapacity(last.peers.count)
        sources.reserveCapacity(last.sources.count)
        patterns.reserveCapacity(last.patterns.count)
    }

    /// Appends a row. Most rows retain nothing, because the block has their values already. The values of its form and
    /// peer are compared one by one, since a ``RowForm`` and a ``RowPeer`` would retain their texts.
    @inline(__always)
    mutating func append(
        direction: Row.Direction, kind: Row.Kind, flags: Row.Flags, line: UInt32, status: Int32?,
        type: String, rule: String, file: String, session: String, socket: UInt32, reading: RowReading?,
        key: Int, time: Instant, wallTime: Instant, sequence: UInt64?, latency: Interval?, cause: UInt64,
        rawCount: Int, extras: RowExtras?, source: UInt16, at place: ByteStore.Place,
        _ slots: inout RowSlots
    ) {
        let (number, span) = (sequence ?? 0, latency?.nanoseconds ?? 0)
        let isUsual =
            time == wallTime && number < KeptRow.none && span >= 0 && span < KeptRow.none && extras == nil
        if !isUsual { keep(extras, wallTime, sequence, latency, size: rawCount, status: status) }
        let form = form(direction, kind, flags, line, status, type, rule, file, &slots)
        rows.append(
            KeptRow(
                time: time, place: place,
                sequence: sequence == nil ? KeptRow.none : UInt32(truncatingIfNeeded: number),
                latency: latency == nil ? KeptRow.none : UInt32(truncatingIfNeeded: span),
                cause: UInt32(exactly: cause) ?? 0, rawCount: UInt32(clamping: rawCount),
                form: form, peer: peer(session, socket, reading, key, &slots), source: source,
                rare: isUsual ? 0 : UInt16(rares.count)))
    }

    // Not inlined, because the tables would be retained: 3 times for each row.
    @inline(never)
    private mutating func form(
        _ direction: Row.Direction, _ kind: Row.Kind, _ flags: Row.Flags, _ line: UInt32, _ status: Int32?,
        _ type: String, _ rule: String, _ file: String, _ slots: inout RowSlots
    ) -> UInt16 {
        let key =
            (type.utf8.count &* 4 &+ Int(line) &+ (direction == .inbound ? 2 : 0)) & (RowSlots.forms - 1)
        let known = Int(slots.forms[key])
        if known < forms.count, forms[known].type == type, forms[known].direction == direction,
            forms[known].kind == kind, forms[known].flags == flags, forms[known].line == line,
            forms[known].status == status, forms[known].rule == rule, forms[known].file == file
        {
            return UInt16(known)
        }
        slots.forms[key] = UInt16(forms.count)
        forms.append(
            RowForm(
                direction: direction, kind: kind, flags: flags, line: line, status: status, type: type,
                rule: rule, file: file))
        return slots.forms[key]
    }

    @inline(never)
    private mutating func keep(
        _ extras: RowExtras?, _ wallTime: Instant, _ sequence: UInt64?, _ latency: Interval?, size: Int,
        status: Int32?
    ) {
        let usual = RowExtras(
            status: status.map { Int($0) }, size: size, originalCount: nil, fault: "", author: "", timer: "")
        rares.append(
            RareRow(wallTime: wallTime, sequence: sequence, latency: latency, extras: extras ?? usual))
    }

    /// Appends the last row again, with another connection.
    mutating func repeatLast(
        session: String, socket: UInt32, reading: RowReading?, _ slots: inout RowSlots
    ) {
        var row = rows[rows.count - 1]
        row.peer = peer(session, socket, reading, RowPeer.key(session, socket), &slots)
        rows.append(row)
    }

    @inline(never)
    private mutating func peer(
        _ session: String, _ socket: UInt32, _ reading: RowReading?, _ key: Int, _ slots: inout RowSlots
    ) -> UInt16 {
        let known = Int(slots.peers[key])
        if known < peers.count, peers[known].socket == socket, peers[known].reading === reading,
            peers[known].session == session
        {
            return UInt16(known)
        }
        slots.peers[key] = UInt16(peers.count)
        newestPeerRow = rows.count
        peers.append(RowPeer(session: session, socket: socket, reading: reading))
        return slots.peers[key]
    }

    mutating func attribute(_ index: Int, to session: String) {
        let old = peers[Int(rows[index].peer)]
        let peer = RowPeer(session: session, socket: old.socket, reading: old.reading)
        // A peer of this row alone, which the next rows share.
        if index == newestPeerRow, index == rows.count - 1 {
            peers[Int(rows[index].peer)] = peer
            return
        }
        guard peers.count < UInt16.max else { return }
        peers.append(peer)
        rows[index].peer = UInt16(peers.count - 1)
    }

    // MARK: - Texts

    /// Returns the number of a source, which is mostly the last one.
    @inline(__always)
    mutating func number(of source: any RowSource) -> UInt16 {
        if lastSource != ObjectIdentifier(source) { add(source) }
        return UInt16(sources.count)
    }

    @inline(never)
    private mutating func add(_ source: any RowSource) {
        sources.append(source)
        lastSource = ObjectIdentifier(source)
    }

    /// Writes the differences of a text from one of the block's texts. Returns their length, or nil if they are not much
    /// shorter. Keeps a text of a new length.
    mutating func delta(_ text: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int? {
        var (base, tries) = (0, 0)
        let delta = UnsafeMutableRawBufferPointer(rebasing: room[1...])
        while base < TimelineLimits.bases, tries < TimelineLimits.basesTried {
            if base == bases.count { bases.append(Array(text)) }
            if bases[base].count == text.count {
                room[0] = UInt8(base)
                let count = bases[base].withUnsafeBytes { TextDelta.write(text, from: $0, into: delta) }
                if let count { return count + 1 }
                tries += 1
            }
            base += 1
        }
        return nil
    }

    /// Finds the pattern of a message's text. `raw` belongs to the newest row.
    mutating func refer(to source: some RowSource, _ raw: UnsafeRawBufferPointer) -> Bool {
        guard raw.count <= TimelineLimits.patternBytes else { return false }
        var pattern: UInt32?
        guard
            source.lendWords({ words in
                pattern = self.pattern(of: raw, words)
                return pattern != nil
            }), let pattern
        else { return false }
        rows[rows.count - 1].source = number(of: source)
        rows[rows.count - 1].place.offset = pattern
        return true
    }

    /// Key of a row without a connection, which it shares with the row that caused it.
    func key(after index: Int) -> Int { RowSlots.peers + Int(rows[index].peer) % RowSlots.peers }

    /// Returns the source of a row if its text is `raw`, or 0. Mutating, because the block would be copied otherwise: 400
    /// instructions.
    mutating func source(of index: Int, withText raw: UnsafeRawBufferPointer) -> UInt16 {
        let source = rows[index].source
        guard source > 0, source != KeptRow.delta, Self.hasText(raw, &sources[Int(source) - 1]) else {
            return 0
        }
        return source
    }

    /// With a parameter, since reading an element retains it.
    private static func hasText(_ raw: UnsafeRawBufferPointer, _ source: inout any RowSource) -> Bool {
        source.lendWords { $0.hasText(raw) }
    }

    private mutating func pattern(of raw: UnsafeRawBufferPointer, _ words: RowWords) -> UInt32? {
        for known in patterns.indices where patterns[known].matches(raw, words) { return UInt32(known + 1) }
        guard patterns.count < TimelineLimits.patterns, let new = RowPattern(raw, words) else {
            return nil
        }
        patterns.append(new)
        return UInt32(patterns.count)
    }

    func origin(of index: Int) -> (time: Instant, socket: UInt32) {
        (rows[index].time, peers[Int(rows[index].peer)].socket)
    }

    func bytes(of index: Int) -> Int {
        let row = rows[index]
        let form = forms[Int(row.form)]
        return Int(row.rawCount) + form.type.utf8.count + form.rule.utf8.count
            + peers[Int(row.peer)].session.utf8.count
    }

    var lastWeight: Int { weight(at: rows.count - 1) }

    /// Whether the last row has a text of its own, which nothing has changed.
    var isLastPlain: Bool {
        let row = rows[rows.count - 1]
        return row.source == 0 && weight(of: row) == Int(row.rawCount)
    }

    func weight(at index: Int) -> Int { weight(of: rows[index]) }

    private func weight(of row: KeptRow) -> Int {
        Int(row.rawCount) + (rare(of: row)?.extras.originalCount ?? 0)
    }

    private func rare(of row: KeptRow) -> RareRow? { row.rare == 0 ? nil : rares[Int(row.rare) - 1] }

    private func raw(of row: KeptRow, from bytes: ByteStore) -> [UInt8] {
        let count = Int(row.rawCount)
        guard row.source > 0 else { return bytes.read(row.place, from: 0, count: count) }
        if row.source == KeptRow.delta {
            return bytes.lend(row.place) { delta in
                TextDelta.text(
                    count, UnsafeRawBufferPointer(rebasing: delta[1...]), from: bases[Int(delta[0])])
            }
        }
        let (source, number) = (sources[Int(row.source) - 1], Int(row.place.offset))
        guard number > 0 else { return peers[Int(row.peer)].reading?.text?(source) ?? [] }
        var raw: [UInt8] = []
        _ = source.lendWords { words in
            raw = number == RowPattern.textAlone ? words.textBytes : patterns[number - 1].raw(words)
            return true
        }
        return raw
    }

    func row(_ index: Int, number: UInt64, from bytes: ByteStore) -> Row {
        let row = rows[index]
        let (form, peer, rare) = (forms[Int(row.form)], peers[Int(row.peer)], rare(of: row))
        return Row(
            number: number, time: row.time, wallTime: rare?.wallTime ?? row.time, direction: form.direction,
            kind: form.kind, session: peer.session, socket: peer.socket, type: form.type,
            sequence: rare.map(\.sequence) ?? (row.sequence == KeptRow.none ? nil : UInt64(row.sequence)),
            size: rare?.extras.size ?? Int(row.rawCount),
            latency: rare.map(\.latency)
                ?? (row.latency == KeptRow.none ? nil : .nanoseconds(Int64(row.latency))),
            status: rare.map(\.extras.status) ?? form.status.map { Int($0) }, rule: form.rule,
            fault: rare?.extras.fault ?? "", raw: raw(of: row, from: bytes),
            original: rare?.extras.originalCount.map {
                bytes.read(row.place, from: Int(row.rawCount), count: $0)
            },
            flags: form.flags, place: RowPlace(file: form.file, line: form.line), cause: UInt64(row.cause),
            author: rare?.extras.author ?? "", timer: rare?.extras.timer ?? "", reading: peer.reading)
    }
}
