/// Text assembled from numbered chunks in any order.
package struct ChunkedText: Sendable {
    package private(set) var byteCount = 0
    package private(set) var count = 0
    private let maxChunks: Int
    private let maxBytes: Int

    private struct Piece: Sendable {
        var index: Int
        var text: String
    }

    /// One to ``blockPieces`` pieces in the order of their indices.
    private struct Block: Sendable {
        var pieces: [Piece]
        /// All pieces of the block, joined; nil if not joined yet.
        var text: String?
    }

    private var blocks: [Block] = []
    /// The whole text; nil if not joined yet.
    private var built: String? = ""
    /// Number of pieces and blocks joined so far, for tests.
    package private(set) var joinCount = 0
    /// Maximum number of pieces of a block.
    package static let blockPieces = 128

    package init(maxChunks: Int = .max, maxBytes: Int = .max) {
        self.maxChunks = maxChunks
        self.maxBytes = maxBytes
    }

    package var firstIndex: Int? { blocks.first?.pieces.first?.index }

    /// Whether every index between the lowest and the highest is present.
    package var isGapless: Bool {
        guard let first = firstIndex, let last = blocks.last?.pieces.last?.index else { return true }
        // If the subtraction wraps around, the difference is negative, and `count - 1` is not.
        return last &- first == count - 1
    }

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

    /// Adds a chunk. Returns false if its index is taken or a limit would be exceeded.
    package mutating func add(_ text: String, at index: Int) -> Bool {
        let size = text.utf8.count
        guard count < maxChunks, size <= maxBytes - byteCount, insert(Piece(index: index, text: text)) else {
            return false
        }
        byteCount += size
        count += 1
        return true
    }

    /// Returns false if the index is taken.
    private mutating func insert(_ piece: Piece) -> Bool {
        guard let last = blocks.last?.pieces.last, piece.index <= last.index else {
            append(piece)
            return true
        }
        // The last piece has an equal or higher index, so both searches find a result.
        let block = blocks.indices.firstPlace { place in
            (blocks[place].pieces.last?.index ?? .min) >= piece.index
        }
        let place = blocks[block].pieces.indices.firstPlace { place in
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

    package var address: UInt { blocks.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
}
