/// A 128-bit identifier, written as a UUID (RFC 9562).
package struct UniqueID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Version 7: 48 bits of milliseconds, then 74 random bits from `generator` (RFC 9562 §5.7).
    package static func version7(
        at instant: Instant, from generator: inout SeededGenerator
    ) -> UniqueID {
        let milliseconds = UInt64(bitPattern: instant.millisecondsSince1970) & 0xFFFF_FFFF_FFFF
        let high = milliseconds << 16 | 0x7000 | generator.next() & 0x0FFF
        let low = 0x8000_0000_0000_0000 | generator.next() >> 2
        return UniqueID(high: high, low: low)
    }

    /// Version 4: 122 random bits from `generator` (RFC 9562 §5.4).
    package static func version4(from generator: inout SeededGenerator) -> UniqueID {
        let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = 0x8000_0000_0000_0000 | generator.next() >> 2
        return UniqueID(high: high, low: low)
    }

    /// Appends the 36 characters of the lower-case canonical form.
    package func write(to bytes: inout [UInt8]) {
        Self.write(high, to: &bytes, hyphensAfter: 0b0000_1000_1000_0000)
        bytes.append(UInt8(ascii: "-"))
        Self.write(low, to: &bytes, hyphensAfter: 0b0000_0000_0000_1000)
    }

    /// The 36 characters of the lower-case canonical form.
    package var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An id of another form: `prefix` and the sixteen hexadecimal digits of `word`.
    package static func text(_ prefix: String, _ word: UInt64) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(prefix.utf8.count + 16)
        bytes.append(contentsOf: prefix.utf8)
        write(word, to: &bytes, hyphensAfter: 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Sixteen hexadecimal digits; bit n of `hyphensAfter` asks for a hyphen behind digit n (from the left).
    private static func write(_ word: UInt64, to bytes: inout [UInt8], hyphensAfter: UInt16) {
        for digit in 0..<16 {
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - digit * 4)) & 0xF
            bytes.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
            if digit < 15, hyphensAfter & (1 << UInt16(digit)) != 0 { bytes.append(UInt8(ascii: "-")) }
        }
    }
}
