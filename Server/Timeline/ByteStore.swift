/// Queue of the bytes of all rows, in pieces.
struct ByteStore: Sendable {
    struct Place: Sendable {
        /// Number of the piece, counted since the creation of the queue.
        let piece: UInt32
        var offset: UInt32
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

    /// Removes the newest row's bytes if `canReplace` returns true for them. A piece of one long row stays.
    mutating func replaceLast(_ count: Int, _ canReplace: (UnsafeRawBufferPointer) -> Bool) {
        guard let last = pieces.indices.last, pieces[last].count <= Self.pieceBytes else { return }
        let isReplaced = pieces[last].withUnsafeBytes { bytes in
            canReplace(UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - count)...]))
        }
        if isReplaced { pieces[last].removeLast(count) }
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

    /// Lends the bytes from `place` to the end of its piece.
    func lend<Result>(_ place: Place, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        pieces[Int(place.piece &- first)].withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[Int(place.offset)...]))
        }
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
