/// A text as its differences from another text of the same length: pairs of counts, of equal words and of other words of
/// four bytes, each pair followed by the other words, and the last bytes. HTTP messages of one kind differ in ids, tokens
/// and times, which often have the same length: 970 bytes of a handshake and its first event take 290.
enum TextDelta {
    private static let word = 4

    /// Whether texts of this length are compared.
    static func takes(_ count: Int) -> Bool { 64...TimelineLimits.patternBytes ~= count }

    /// Writes the differences. Returns their length, or nil if they do not fit. Takes two instructions for each byte.
    static func write(
        _ text: UnsafeRawBufferPointer, from base: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) -> Int? {
        guard let new = text.baseAddress, let old = base.baseAddress, let delta = room.baseAddress else {
            return nil
        }
        func isEqual<Word: FixedWidthInteger>(_ place: Int, as _: Word.Type) -> Bool {
            new.loadUnaligned(fromByteOffset: place, as: Word.self)
                == old.loadUnaligned(fromByteOffset: place, as: Word.self)
        }
        let (words, last) = (text.count & ~(word - 1), room.count - word)
        var (index, end) = (0, 0)
        while index < words {
            let start = index
            while index &+ 2 * word <= words, isEqual(index, as: UInt64.self) { index &+= 2 * word }
            if index < words, isEqual(index, as: UInt32.self) { index &+= word }
            var equal = (index &- start) / word
            let counts = end + 2 * (equal / 255)
            guard counts + 2 <= last else { return nil }
            while equal > 255 {
                (room[end], room[end + 1]) = (255, 0)
                (equal, end) = (equal - 255, end + 2)
            }
            room[end] = UInt8(equal)
            end += 2
            let other = index
            while index < words, index &- other < 255 * word, !isEqual(index, as: UInt32.self) {
                guard end <= last else { return nil }
                delta.storeBytes(
                    of: new.loadUnaligned(fromByteOffset: index, as: UInt32.self), toByteOffset: end,
                    as: UInt32.self)
                (index, end) = (index &+ word, end &+ word)
            }
            room[end &- (index &- other) &- 1] = UInt8((index &- other) / word)
        }
        guard end <= last else { return nil }
        for place in words..<text.count { room[end + place - words] = text[place] }
        return end + text.count - words
    }

    /// Returns a text of `count` bytes. `delta` may be longer than the differences.
    static func text(_ count: Int, _ delta: UnsafeRawBufferPointer, from base: [UInt8]) -> [UInt8] {
        let words = count & ~(word - 1)
        var text: [UInt8] = []
        text.reserveCapacity(count)
        var next = 0
        while text.count < words {
            let (equal, other) = (Int(delta[next]) * word, Int(delta[next + 1]) * word)
            text += base[text.count..<text.count + equal]
            text += delta[next + 2..<next + 2 + other]
            next += 2 + other
        }
        return text + delta[next..<next + count - words]
    }
}
