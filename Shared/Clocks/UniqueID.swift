/// 128-bit identifier in the text form of a UUID (RFC 9562).
package struct UniqueID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns a version 7 UUID: 48 bits of time in milliseconds, 74 random bits (RFC 9562 §5.7).
    package static func version7(
        at instant: Instant, from generator: inout SeededGenerator
    ) -> UniqueID {
        let milliseconds = UInt64(bitPattern: instant.millisecondsSince1970) & 0xFFFF_FFFF_FFFF
        let high = milliseconds << 16 | 0x7000 | generator.next() & 0x0FFF
        let low = 0x8000_0000_0000_0000 | generator.next() >> 2
        return UniqueID(high: high, low: low)
    }

    /// Returns a version 4 UUID with 122 random bits (RFC 9562 §5.4).
    package static func version4(from generator: inout SeededGenerator) -> UniqueID {
        let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = 0x8000_0000_0000_0000 | generator.next() >> 2
        return UniqueID(high: high, low: low)
    }

    /// Bytes of the canonical form.
    package static let length = 36

    /// Appends the canonical form: 36 characters in lower case.
    package func write(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(byteCount: Self.length, alignment: 1) { room in
            _ = write(to: room)
            bytes.append(contentsOf: room)
        }
    }

    /// Writes the canonical form. Returns its length.
    package func write(to room: UnsafeMutableRawBufferPointer) -> Int {
        precondition(room.count >= Self.length)
        let (start, middle) = (Self.digits(high >> 32), Self.digits(high))
        let (next, end) = (Self.digits(low >> 32), Self.digits(low))
        room.storeBytes(of: start.bigEndian, as: UInt64.self)
        room[8] = UInt8(ascii: "-")
        room.storeBytes(
            of: UInt32(truncatingIfNeeded: middle >> 32).bigEndian, toByteOffset: 9, as: UInt32.self)
        room[13] = UInt8(ascii: "-")
        room.storeBytes(of: UInt32(truncatingIfNeeded: middle).bigEndian, toByteOffset: 14, as: UInt32.self)
        room[18] = UInt8(ascii: "-")
        room.storeBytes(
            of: UInt32(truncatingIfNeeded: next >> 32).bigEndian, toByteOffset: 19, as: UInt32.self)
        room[23] = UInt8(ascii: "-")
        room.storeBytes(of: UInt32(truncatingIfNeeded: next).bigEndian, toByteOffset: 24, as: UInt32.self)
        room.storeBytes(of: end.bigEndian, toByteOffset: 28, as: UInt64.self)
        return Self.length
    }

    package var text: String {
        String(unsafeUninitializedCapacity: Self.length) { write(to: UnsafeMutableRawBufferPointer($0)) }
    }

    /// Returns `prefix` and the sixteen hexadecimal digits of `word`, not a UUID.
    package static func text(_ prefix: String, _ word: UInt64) -> String {
        let start = prefix.utf8.count
        return String(unsafeUninitializedCapacity: start + wordBytes) { bytes in
            _ = bytes.initialize(from: prefix.utf8)
            write(word, to: UnsafeMutableRawBufferPointer(bytes), at: start)
            return start + wordBytes
        }
    }

    /// Bytes of a word's hexadecimal digits.
    package static let wordBytes = 16

    /// Writes the sixteen hexadecimal digits of `word`.
    package static func write(_ word: UInt64, to room: UnsafeMutableRawBufferPointer, at offset: Int) {
        room.storeBytes(of: digits(word >> 32).bigEndian, toByteOffset: offset, as: UInt64.self)
        room.storeBytes(of: digits(word).bigEndian, toByteOffset: offset + 8, as: UInt64.self)
    }

    /// Returns eight hexadecimal digits of the lower half of `word` in ASCII, the first one in the highest byte.
    private static func digits(_ word: UInt64) -> UInt64 {
        // Spreads each nibble to one byte.
        var nibbles = word & 0xFFFF_FFFF
        nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in each byte whose nibble is 10 or more. Such a byte needs 0x27 more, because "a" is not next to "9".
        let letters = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    }
}
