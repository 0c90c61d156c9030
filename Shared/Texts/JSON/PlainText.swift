/// Text that a JSON string contains without escapes: no quote, backslash or control character (RFC 8259 §7).
enum PlainText {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Returns the number of plain bytes from `start` on. With `isASCII`, only ASCII is plain.
    static func length(_ bytes: UnsafeRawBufferPointer, from start: Int, isASCII: Bool) -> Int {
        var index = start
        // Most text is plain, so eight bytes are tested at once.
        while index + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            var odd = Self.odd(word)
            if isASCII { odd |= word & highBits }
            guard odd == 0 else { return index + odd.trailingZeroBitCount / 8 - start }
            index += 8
        }
        while index < bytes.count, isPlain(bytes[index], isASCII) { index += 1 }
        return index - start
    }

    /// Marks the high bits of the word's bytes that are not plain. The lowest mark is exact: a borrow that marks a
    /// plain byte comes from a marked byte below it.
    @inline(__always)
    static func odd(_ word: UInt64) -> UInt64 {
        zeros(word ^ ones &* 0x22) | zeros(word ^ ones &* 0x5C) | (word &- ones &* 0x20) & ~word & highBits
    }

    private static func isPlain(_ byte: UInt8, _ isASCII: Bool) -> Bool {
        byte >= 0x20 && byte != 0x22 && byte != 0x5C && (byte < 0x80 || !isASCII)
    }

    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highBits }
}
