import Clocks

/// Makes inputs out of inputs. The same seed makes the same ones.
struct Mutator {
    private var generator: SeededGenerator
    private let words: [[UInt8]]
    private let maxBytes: Int

    /// Numbers at which lengths, counts and ranges turn over, as text.
    private static let numbers: [[UInt8]] = [
        "0", "1", "-1", "00", "7", "9", "10", "64", "65", "125", "126", "127", "128", "255", "256", "999",
        "1000", "1001", "32767", "32768", "65535", "65536", "100000", "131072", "131073", "1048576",
        "1048577", "2147483647", "2147483648", "4294967295", "4294967296", "9007199254740993",
        "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
        "1e9", "1e308", "1e400", "-0", "0.1", ".5", "5.", "0x7f", "ffffffffffffffff", "1e-9",
    ].map { (text: String) in Array(text.utf8) }

    /// Bytes and characters that readers treat in a way of their own.
    private static let curious: [[UInt8]] =
        [
            [0], [0x0A], [0x0D], [0x0D, 0x0A], [0x20], [0x09], [0x7F], [0x80], [0xBF], [0xC0], [0xFF], [0xFE],
            [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xEF, 0xBB, 0xBF],
        ]
        + [
            "ß", "İ", "ﬁ", "é", "e\u{301}", "\u{200D}", "\u{2028}", "👩‍👩‍👧", "🇩🇪", "漢", "ا", "\u{202E}",
            "\u{FFFD}", "\u{10FFFF}", "\u{212A}", "’", "“", "٣", "½", "Ⅷ", "\u{0345}", "\u{1E9E}",
        ].map { (text: String) in Array(text.utf8) }

    init(generator: SeededGenerator, words: [[UInt8]], maxBytes: Int) {
        self.generator = generator
        self.words = words
        self.maxBytes = maxBytes
    }

    mutating func below(_ bound: Int) -> Int {
        bound > 1 ? Int(truncatingIfNeeded: generator.next() >> 33) % bound : 0
    }

    /// A few changes to `input`; some of them take parts of `other`.
    mutating func mutated(_ input: [UInt8], with other: [UInt8]) -> [UInt8] {
        var bytes = input
        // 1, 2, 4 or 8 changes.
        for _ in 0..<(1 << below(4)) { change(&bytes, other) }
        if bytes.count > maxBytes { bytes.removeSubrange(maxBytes...) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8], _ other: [UInt8]) {
        let kind = below(100)
        guard !bytes.isEmpty || kind >= 50 else { return bytes.append(UInt8(truncatingIfNeeded: below(256))) }
        switch kind {
        case 0..<10: bytes[below(bytes.count)] ^= 1 << UInt8(below(8))
        case 10..<16: bytes[below(bytes.count)] = UInt8(truncatingIfNeeded: below(256))
        case 16..<20: bytes[below(bytes.count)] &+= UInt8(truncatingIfNeeded: below(17)) &- 8
        case 20..<30: bytes.removeSubrange(range(in: bytes, atMost: 1 + below(16)))
        case 30..<34: bytes.removeSubrange(range(in: bytes, atMost: bytes.count))
        case 34..<41: insert(Array(bytes[range(in: bytes, atMost: 64)]), into: &bytes)
        case 41..<44: swapParts(&bytes)
        case 44..<46: repeatPart(&bytes)
        case 46..<50: bytes.removeSubrange(below(bytes.count)...)
        case 50..<72 where !words.isEmpty: place(words[below(words.count)], into: &bytes)
        case 50..<78: place(Self.curious[below(Self.curious.count)], into: &bytes)
        case 78..<84: place(Self.numbers[below(Self.numbers.count)], into: &bytes)
        case 84..<90: insert([UInt8(truncatingIfNeeded: 0x20 + below(95))], into: &bytes)
        case 90..<93: insert([UInt8(truncatingIfNeeded: below(256))], into: &bytes)
        case 93..<98 where !other.isEmpty: insert(Array(other[range(in: other, atMost: 256)]), into: &bytes)
        default:
            // Both halves: the head of one input, the tail of another.
            bytes = Array(bytes.prefix(below(bytes.count + 1))) + other.suffix(below(other.count + 1))
        }
    }

    private mutating func range(in bytes: [UInt8], atMost count: Int) -> Range<Int> {
        let start = below(bytes.count)
        return start..<min(bytes.count, start + 1 + below(count))
    }

    private mutating func insert(_ part: [UInt8], into bytes: inout [UInt8]) {
        guard bytes.count + part.count <= maxBytes else { return }
        bytes.insert(contentsOf: part, at: below(bytes.count + 1))
    }

    /// Between or over what is there.
    private mutating func place(_ part: [UInt8], into bytes: inout [UInt8]) {
        let start = below(bytes.count + 1)
        let end = below(2) == 0 ? start : min(bytes.count, start + part.count)
        guard bytes.count + part.count <= maxBytes else { return }
        bytes.replaceSubrange(start..<end, with: part)
    }

    private mutating func swapParts(_ bytes: inout [UInt8]) {
        let part = range(in: bytes, atMost: 32)
        let taken = Array(bytes[part])
        bytes.removeSubrange(part)
        insert(taken, into: &bytes)
    }

    /// Long inputs are made of repeats: they show what costs more than its length.
    private mutating func repeatPart(_ bytes: inout [UInt8]) {
        let part = Array(bytes[range(in: bytes, atMost: 32)])
        let room = (maxBytes - bytes.count) / part.count
        let count = min(room, below(8) == 0 ? room : 1 + below(32))
        guard count > 0 else { return }
        let all = Array(repeatElement(part, count: count).joined())
        bytes.insert(contentsOf: all, at: below(bytes.count + 1))
    }
}
