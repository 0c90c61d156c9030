/// Finds the first byte that is not UTF-8 (Unicode 16, table 3-7).
enum UTF8Check {
    static func firstBadByte(in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            var index = 0
            while index < buffer.count {
                if buffer[index] < 0x80 {
                    index += 1
                    continue
                }
                let length = sequenceLength(buffer, at: index)
                if length == 0 { return index }
                index += length
            }
            return nil
        }
    }

    /// The length of the well-formed sequence that begins with a byte of 0x80 or more; 0 when it is not one.
    private static func sequenceLength(_ buffer: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let lead = buffer[index]
        var second: ClosedRange<UInt8> = 0x80...0xBF
        let length: Int
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { second = 0xA0...0xBF }
            if lead == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { second = 0x90...0xBF }
            if lead == 0xF4 { second = 0x80...0x8F }
        default: return 0
        }
        guard index + length <= buffer.count, second.contains(buffer[index + 1]) else { return 0 }
        for offset in 2..<max(length, 2) where buffer[index + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
