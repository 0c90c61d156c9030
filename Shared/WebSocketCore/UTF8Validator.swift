/// Checks UTF-8 as it arrives, in pieces cut anywhere (RFC 3629 §4).
///
/// Overlong forms, surrogates and anything above U+10FFFF are refused at the first byte that proves them.
package struct UTF8Validator: Equatable, Sendable {
    /// Continuation bytes due before the current character is complete.
    private var due = 0
    /// What the next continuation byte may be.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    package init() {}

    /// True between characters; a text must end so.
    package var isComplete: Bool { due == 0 }

    /// True when `bytes` is UTF-8 from beginning to end.
    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var validator = UTF8Validator()
        return validator.accept(bytes) && validator.isComplete
    }

    /// Takes the next piece; false as soon as no continuation could make the text valid.
    package mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let count = bytes.count
        var offset = 0
        while true {
            if due == 0 {
                while offset + 8 <= count,
                    base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    offset += 8
                }
            }
            guard offset < count else { return true }
            let byte = base.load(fromByteOffset: offset, as: UInt8.self)
            offset += 1
            if due > 0 {
                guard byte >= low, byte <= high else { return false }
                due -= 1
                low = 0x80
                high = 0xBF
            } else if byte >= 0x80 {
                guard begin(byte) else { return false }
            }
        }
    }

    private mutating func begin(_ lead: UInt8) -> Bool {
        switch lead {
        case 0xC2...0xDF: due = 1
        case 0xE0:
            due = 2
            low = 0xA0
        case 0xED:
            due = 2
            high = 0x9F
        case 0xE1...0xEF: due = 2
        case 0xF0:
            due = 3
            low = 0x90
        case 0xF1...0xF3: due = 3
        case 0xF4:
            due = 3
            high = 0x8F
        default: return false
        }
        return true
    }
}
