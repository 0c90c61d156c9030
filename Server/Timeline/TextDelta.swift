/// A text as its differences from another text of the same length: pairs of counts, of equal bytes and of other bytes,
/// each pair followed by the other bytes. HTTP messages of one kind differ in ids, tokens and times, which often have the
/// same length: 970 bytes of a handshake and its first event take 280.
enum TextDelta {
    /// Whether texts of this length are compared.
    static func takes(_ count: Int) -> Bool { 64...TimelineLimits.patternBytes ~= count }

    /// Writes the differences. Returns their length, or nil if they do not fit.
    static func write(
        _ text: UnsafeRawBufferPointer, from base: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) -> Int? {
        var (index, end) = (0, 0)
        while index < text.count {
            let start = index
            while index + 8 <= text.count,
                text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    == base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            { index += 8 }
            while index < text.count, text[index] == base[index] { index += 1 }
            var equal = index - start
            let other = index
            // Four equal bytes end the other ones, because a pair of counts takes two.
            while index < text.count, index - other < 255 {
                if index + 4 <= text.count,
                    text.loadUnaligned(fromByteOffset: index, as: UInt32.self)
                        == base.loadUnaligned(fromByteOffset: index, as: UInt32.self)
                {
                    break
                }
                index += 1
            }
            guard end + 2 * (equal / 255 + 1) + index - other <= room.count else { return nil }
            while equal > 255 {
                (room[end], room[end + 1]) = (255, 0)
                (equal, end) = (equal - 255, end + 2)
            }
            (room[end], room[end + 1]) = (UInt8(equal), UInt8(index - other))
            end += 2
            for place in other..<index { room[end + place - other] = text[place] }
            end += index - other
        }
        return end
    }

    /// Returns a text of `count` bytes. `delta` may be longer than the differences.
    static func text(_ count: Int, _ delta: UnsafeRawBufferPointer, from base: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(count)
        var next = 0
        while text.count < count {
            let (equal, other) = (Int(delta[next]), Int(delta[next + 1]))
            text += base[text.count..<text.count + equal]
            text += delta[next + 2..<next + 2 + other]
            next += 2 + other
        }
        return text
    }
}
