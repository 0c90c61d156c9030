import Clocks

/// An input, taken apart by an entry: control bytes first, the parser's own bytes behind them.
struct FuzzInput {
    let bytes: [UInt8]
    private(set) var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next byte as a small number; `0` to `9` and `A` to `O` count as 0 to 31, so that corpus files can be
    /// typed. 0 at the end.
    mutating func control() -> Int {
        guard index < bytes.count else { return 0 }
        index += 1
        return Int(bytes[index - 1] &- 0x30)
    }

    var isAtEnd: Bool { index >= bytes.count }

    /// Up to `count` of the bytes that are left.
    mutating func take(_ count: Int) -> [UInt8] {
        let end = min(bytes.count, index + max(0, count))
        defer { index = end }
        return Array(bytes[index..<end])
    }

    /// The bytes up to the next line feed, which is passed over.
    mutating func line() -> [UInt8] {
        let end = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
        defer { index = min(bytes.count, end + 1) }
        return Array(bytes[index..<end])
    }

    /// What is left.
    var rest: [UInt8] { Array(bytes[index...]) }
}

/// Bytes cut into pieces at places that `seed` chooses; each piece has at least one byte.
struct Pieces: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var index = 0
    private var generator: SeededGenerator
    private let largest: UInt64

    init(_ bytes: [UInt8], seed: Int) {
        self.bytes = bytes
        generator = SeededGenerator(seed: UInt64(truncatingIfNeeded: seed))
        // A quarter of the seeds cuts at every byte, unless that would make the run slow and show nothing new.
        largest = [bytes.count <= 512 ? 1 : 64, 4, 32, 400][seed & 3]
    }

    mutating func next() -> [UInt8]? {
        guard index < bytes.count else { return nil }
        let end = Swift.min(bytes.count, index + 1 + Int(generator.next() % largest))
        defer { index = end }
        return Array(bytes[index..<end])
    }
}
