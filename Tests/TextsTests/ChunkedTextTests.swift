import Expectations
import TestSupport
import Testing
import Texts

extension Random: RandomNumberGenerator {}

@Suite("Texts in chunks")
struct ChunkedTextTests {
    /// Orders in which 4,000 chunks may come.
    enum Order: CaseIterable {
        case rising, falling, fallingBehindOthers, risingBeforeOthers, everySecond, byChance

        var indexes: [Int] {
            var generator = Random(state: 1)
            let count = Strength.of(1_500, full: 4_000)
            let all = Array(0..<count)
            return switch self {
            case .rising: all
            case .falling: all.reversed()
            case .fallingBehindOthers: Array(0..<300) + Array(300..<count).reversed()
            case .risingBeforeOthers: Array(count - 300..<count) + Array(0..<count - 300)
            case .everySecond: all.filter { $0 % 2 == 0 } + all.filter { $0 % 2 == 1 }
            case .byChance: all.shuffled(using: &generator)
            }
        }
    }

    @Test(
        "A look after each chunk joins a block of pieces and the blocks, in any order",
        arguments: Order.allCases)
    func looks(_ order: Order) {
        let indexes = order.indexes
        var text = ChunkedText()
        for index in indexes {
            _ = text.add("\(index) ", at: index)
            _ = text.text()
        }
        expectEqual(text.text(), indexes.sorted().map { "\($0) " }.joined())
        // Blocks are half full at least. All pieces at each look would be half their square.
        let blocks = 2 * indexes.count / ChunkedText.blockPieces + 2
        let bound = indexes.count * (2 * ChunkedText.blockPieces + blocks)
        #expect(text.joinCount <= (order == .rising ? indexes.count : bound))
    }

    @Test("Whatever the order of arrival, the text has each index once, in order", arguments: 1...10)
    func order(_ seed: UInt64) {
        var generator = Random(state: seed)
        let indexes = Array(-50..<450).shuffled(using: &generator)
        var text = ChunkedText()
        for (count, index) in indexes.enumerated() {
            let isNew = text.add("\(index) ", at: index)
            #expect(isNew)
            // Looks in between must not change what comes of it.
            if count.isMultiple(of: 37) { _ = text.text() }
            let isNewAgain = text.add("again", at: indexes[count / 2])
            #expect(!isNewAgain)
        }
        expectEqual(text.text(), (-50..<450).map { "\($0) " }.joined())
    }

    @Test("What is beyond a bound is not taken, what was there stays")
    func bounds() {
        var text = ChunkedText(maxChunks: 3, maxBytes: 4)
        let taken = [("äb", 1), ("cd", 2), ("", 3), ("e", 4), ("", 5)].map { text.add($0, at: $1) }
        expectEqual(taken, [true, false, true, true, false])
        #expect(text.text() == "äbe" && text.byteCount == 4 && text.count == 3)
    }

    @Test("A gap is seen wherever it is, at the ends of the numbers, too")
    func gaps() {
        func isGapless(_ indexes: [Int]) -> Bool {
            var text = ChunkedText()
            for index in indexes { _ = text.add("x", at: index) }
            expectEqual(text.firstIndex, indexes.min())
            return text.isGapless
        }
        for indexes in [[], [7], [2, 1], [3, 1, 2], [.max, .max - 1], [.min, .min + 1]] {
            #expect(isGapless(indexes))
        }
        for indexes in [[1, 3], [3, 1], [.min, .max], [.min, 0, .max], [-1, 1]] {
            #expect(!isGapless(indexes))
        }
    }
}
