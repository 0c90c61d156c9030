/// A text that arrives in indexed chunks; assembled the same way while it grows and when it is complete.
///
/// The cost of a chunk depends neither on the number of earlier chunks nor on their order, even if the text
/// is read after each one. A chunk after all others is joined to the text at once. A late chunk goes to its
/// place in a block of pieces; the next look joins that block anew, and then the blocks.
package struct ChunkedText: Sendable {
    /// Size of all chunks in UTF-8 bytes.
    package private(set) var byteCount = 0
    /// How many chunks there are.
    package private(set) var count = 0
    private let maxChunks: Int
    private let maxBytes: Int

    private struct Piece: Sendable {
        var index: Int
        var text: String
    }

    /// Consecutive pieces by index: at least one, at most ``blockPieces``.
    private struct Block: Sendable {
        var pieces: [Piece]
        /// All pieces joined; nil if one was added since.
        var text: String?
    }

    /// Blocks in the order of the index.
    private var blocks: [Block] = []
    /// The text of all pieces; nil if a late piece has arrived since it was last read.
    private var built: String? = ""
    /// How many pieces and blocks were joined, for tests.
    package private(set) var joinCount = 0
    /// Pieces of a block. 128: after a late piece the text is joined from at most this many pieces, and as
    /// many blocks for a reply of 16,000 pieces.
    package static let blockPieces = 128

    package init(maxChunks: Int = .max, maxBytes: Int = .max) {
        self.maxChunks = maxChunks
        self.maxBytes = maxBytes
    }

    /// The lowest index; nil without a chunk.
    package var firstIndex: Int? { blocks.first?.pieces.first?.index }

    /// Whether no chunk is missing between the lowest index and the highest.
    package var isGapless: Bool {
        guard let first = firstIndex, let last = blocks.last?.pieces.last?.index else { return true }
        // Exact even where the difference leaves 64 bits, since the count does not.
        return last &- first == count - 1
    }

    /// The pieces concatenated in the order of their index.
    package mutating func text() -> String {
        if let built { return built }
        var whole = ""
        whole.reserveCapacity(byteCount)
        for place in blocks.indices {
            if blocks[place].text == nil {
                var text = ""
                for piece in blocks[place].pieces { text += piece.text }
                blocks[place].text = text
                joinCount += blocks[place].pieces.count
            }
            whole += blocks[place].text ?? ""
        }
        joinCount += blocks.count
        built = whole
        return whole
    }

    /// False when a chunk with this index is there already, or there is no room.
    package mutating func add(_ text: String, at index: Int) -> Bool {
        let size = text.utf8.count
        guard count < maxChunks, size <= maxBytes - byteCount, insert(Piece(index: index, text: text)) else {
            return false
        }
        byteCount += size
        count += 1
        return true
    }

    /// False when there is a piece with this index.
    private mutating func insert(_ piece: Piece) -> Bool {
        guard let last = blocks.last?.pieces.last, piece.index <= last.index else {
            append(piece)
            return true
        }
        // The last piece of all is not before this one, so both places are there.
        let block = Self.firstPlace(below: blocks.count) { place in
            (blocks[place].pieces.last?.index ?? .min) >= piece.index
        }
        let place = Self.firstPlace(below: blocks[block].pieces.count) { place in
            blocks[block].pieces[place].index >= piece.index
        }
        guard blocks[block].pieces[place].index != piece.index else { return false }
        built = nil
        insert(piece, at: place, ofBlock: block)
        return true
    }

    private mutating func append(_ piece: Piece) {
        if let block = blocks.indices.last, blocks[block].pieces.count < Self.blockPieces {
            blocks[block].pieces.append(piece)
            blocks[block].text = nil
        } else {
            blocks.append(Block(pieces: [piece]))
        }
        guard built != nil else { return }
        built?.append(piece.text)
        joinCount += 1
    }

    private mutating func insert(_ piece: Piece, at place: Int, ofBlock block: Int) {
        guard blocks[block].pieces.count == Self.blockPieces else {
            blocks[block].pieces.insert(piece, at: place)
            blocks[block].text = nil
            return
        }
        if place > 0 {
            // In halves, so that there is room in both whatever comes next.
            let half = Self.blockPieces / 2
            blocks.insert(Block(pieces: Array(blocks[block].pieces[half...])), at: block + 1)
            blocks[block].pieces.removeSubrange(half...)
            blocks[block].text = nil
            let target = place > half ? block + 1 : block
            blocks[target].pieces.insert(piece, at: place > half ? place - half : place)
        } else if block > 0, blocks[block - 1].pieces.count < Self.blockPieces {
            blocks[block - 1].pieces.append(piece)
            blocks[block - 1].text = nil
        } else {
            blocks.insert(Block(pieces: [piece]), at: block)
        }
    }

    /// Binary search: the first index for which `holds` is true, if `holds` is also true for all later ones;
    /// `count` if there is none.
    private static func firstPlace(below count: Int, where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Memory address of the blocks: it changes a few times while a reply grows, not with every chunk. For tests.
    package var address: UInt { blocks.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
}
