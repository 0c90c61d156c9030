import Clocks

/// Compact form of a row, whose bytes are in a ``ByteStore``.
struct KeptRow: Sendable {
    private static let noSequence = UInt64.max
    private static let noLatency = Int64.min
    private static let noStatus = Int32.min

    var session: String
    let type: String
    let rule: String
    private let file: String
    let time: Instant
    let wallTime: Instant
    private let sequence: UInt64
    private let latency: Int64
    private let rare: Rare?
    let reading: RowReading?
    /// The object that ``RowReading/text`` encodes; nil if the text is in the ``ByteStore``.
    private let source: (any AnyObject & Sendable)?
    let place: ByteStore.Place
    private let status: Int32
    let socket: UInt32
    let rawCount: UInt32
    private let cause: UInt32
    private let line: UInt32
    let direction: Row.Direction
    let kind: Row.Kind
    let flags: Row.Flags

    private final class Rare: Sendable {
        let fault: String
        let author: String
        let timer: String
        /// Size of the payload in bytes; nil if it equals the number of stored bytes.
        let size: Int?
        let originalCount: Int?

        init(fault: String, author: String, timer: String, size: Int?, originalCount: Int?) {
            self.fault = fault
            self.author = author
            self.timer = timer
            self.size = size
            self.originalCount = originalCount
        }
    }

    init(
        time: Instant, wallTime: Instant, direction: Row.Direction, kind: Row.Kind, session: String,
        socket: UInt32, type: String, sequence: UInt64?, size: Int, latency: Interval?, status: Int?,
        rule: String, fault: String, rawCount: Int, originalCount: Int?, flags: Row.Flags,
        file: String, line: UInt32, cause: UInt64, author: String, timer: String, reading: RowReading?,
        source: (any AnyObject & Sendable)? = nil, at place: ByteStore.Place
    ) {
        self.session = session
        self.type = type
        self.rule = rule
        self.time = time
        self.wallTime = wallTime
        self.sequence = sequence ?? Self.noSequence
        self.latency = latency?.nanoseconds ?? Self.noLatency
        self.status = status.map { Int32(clamping: $0) } ?? Self.noStatus
        self.socket = socket
        self.place = place
        self.rawCount = UInt32(clamping: rawCount)
        self.direction = direction
        self.kind = kind
        self.flags = flags
        self.cause = UInt32(exactly: cause) ?? 0
        self.file = file
        self.line = line
        let isUsual =
            fault.isEmpty && author.isEmpty && timer.isEmpty && size == rawCount && originalCount == nil
        rare =
            isUsual
            ? nil
            : Rare(
                fault: fault, author: author, timer: timer, size: size == rawCount ? nil : size,
                originalCount: originalCount)
        self.reading = reading
        self.source = source
    }

    var originalCount: Int { rare?.originalCount ?? 0 }
    var weight: Int { Int(rawCount) + originalCount }

    private var encodedAgain: [UInt8]? { source.flatMap { reading?.text?($0) } }

    func row(_ number: UInt64, from bytes: ByteStore) -> Row {
        Row(
            number: number, time: time, wallTime: wallTime, direction: direction, kind: kind,
            session: session, socket: socket, type: type,
            sequence: sequence == Self.noSequence ? nil : sequence, size: rare?.size ?? Int(rawCount),
            latency: latency == Self.noLatency ? nil : Interval(nanoseconds: latency),
            status: status == Self.noStatus ? nil : Int(status), rule: rule, fault: rare?.fault ?? "",
            raw: encodedAgain ?? bytes.read(place, from: 0, count: Int(rawCount)),
            original: rare?.originalCount.map { bytes.read(place, from: Int(rawCount), count: $0) },
            flags: flags,
            place: RowPlace(file: file, line: line), cause: UInt64(cause), author: rare?.author ?? "",
            timer: rare?.timer ?? "", reading: reading)
    }
}

/// Queue of the bytes of all rows, in pieces.
struct ByteStore: Sendable {
    struct Place: Sendable {
        /// Number of the piece, counted since the creation of the queue.
        let piece: UInt32
        let offset: UInt32
    }

    /// Maximum bytes of a piece with several rows.
    private static let pieceBytes = 64 << 10

    private var pieces: [[UInt8]] = []
    /// Empty array with the capacity of a dropped piece, for reuse.
    private var spare: [UInt8] = []
    private var first: UInt32 = 0

    mutating func append(_ raw: [UInt8], _ original: [UInt8]?) -> Place {
        let count = raw.count + (original?.count ?? 0)
        if original == nil, count >= Self.pieceBytes {
            // A long array becomes a piece of its own, without a copy.
            shrinkLast()
            pieces.append(raw)
            return Place(piece: first &+ UInt32(pieces.count - 1), offset: 0)
        }
        guard let original else { return raw.withUnsafeBytes { append(lent: $0) } }
        let place = place(for: count)
        pieces[pieces.count - 1].append(contentsOf: raw)
        pieces[pieces.count - 1].append(contentsOf: original)
        return place
    }

    mutating func append(lent raw: UnsafeRawBufferPointer) -> Place {
        let place = place(for: raw.count)
        pieces[pieces.count - 1].append(contentsOf: raw)
        return place
    }

    /// The place of a row without bytes.
    var end: Place { Place(piece: first &+ UInt32(max(pieces.count, 1) - 1), offset: 0) }

    private mutating func place(for count: Int) -> Place {
        if pieces.isEmpty || pieces[pieces.count - 1].count + count > Self.pieceBytes {
            shrinkLast()
            var piece = spare
            spare = []
            // Reserves the full size of each piece after the first one. Growing a piece would take 350 of the 21,600
            // instructions of a streamed chunk, and up to half of the memory of a row's text.
            piece.reserveCapacity(pieces.isEmpty ? count : max(count, Self.pieceBytes))
            pieces.append(piece)
        }
        let last = pieces.count - 1
        return Place(piece: first &+ UInt32(last), offset: UInt32(pieces[last].count))
    }

    func read(_ place: Place, from start: Int, count: Int) -> [UInt8] {
        let begin = Int(place.offset) + start
        return Array(pieces[Int(place.piece &- first)][begin..<begin + count])
    }

    mutating func drop(before place: Place) {
        let count = Int(place.piece &- first)
        guard count > 0 else { return }
        // The piece of a long row is not reused, because its array may be shared.
        if pieces[count - 1].count < Self.pieceBytes { keepSpare(count - 1) }
        pieces.removeFirst(count)
        first = place.piece
    }

    /// Shrinks the last piece if it is less than half full.
    private mutating func shrinkLast() {
        guard let last = pieces.last, last.count < Self.pieceBytes / 2 else { return }
        let used = last.withUnsafeBytes { Array($0) }
        keepSpare(pieces.count - 1)
        pieces[pieces.count - 1] = used
    }

    private mutating func keepSpare(_ piece: Int) {
        let capacity = pieces[piece].capacity
        guard capacity > spare.capacity, capacity <= 2 * Self.pieceBytes else { return }
        swap(&spare, &pieces[piece])
        spare.removeAll(keepingCapacity: true)
    }

    mutating func removeAll() {
        first &+= UInt32(pieces.count)
        pieces = []
        spare = []
    }
}
