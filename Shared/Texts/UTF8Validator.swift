/// Incremental UTF-8 validator (RFC 3629 §4). Detects overlong forms, surrogates and values above U+10FFFF at the first
/// possible byte.
package struct UTF8Validator: Equatable, Sendable {
    private var due = 0
    /// Allowed values of the next continuation byte: `low` to `high`.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    package init() {}

    /// Whether the text ends with a complete character.
    package var isComplete: Bool { due == 0 }

    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var validator = UTF8Validator()
        return validator.accept(bytes) && validator.isComplete
    }

    /// Checks the next piece. Returns false as soon as no continuation can make the text valid.
    package mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let count = bytes.count
        var offset = 0
        while true {
            if due == 0 {
                while offset + 32 <= count, Self.isASCII(base + offset) { offset += 32 }
                while offset + 8 <= count,
                    base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    offset += 8
                }
                // The rest is in the last eight bytes, if those before it are ASCII.
                if count - offset < 8, offset >= 8,
                    base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) & 0x8080_8080_8080_8080
                        == 0
                {
                    return true
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

    /// Whether 32 bytes are ASCII, in one test.
    @inline(__always)
    private static func isASCII(_ bytes: UnsafeRawPointer) -> Bool {
        let first =
            bytes.loadUnaligned(as: UInt64.self) | bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        let last =
            bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
            | bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
        return (first | last) & 0x8080_8080_8080_8080 == 0
    }

    /// Returns the offset of the first invalid character; nil if all are valid.
    package static func firstBadByte(in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { buffer in
            var index = 0
            while index < buffer.count {
                // Most text is ASCII, so eight bytes are tested at once.
                while index + 8 <= buffer.count,
                    buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < buffer.count else { break }
                let length = characterLength(buffer, at: index)
                guard length > 0 else { return index }
                index += length
            }
            return nil
        }
    }

    /// Returns the number of bytes of the character at `index`; 0 if the character is invalid.
    @inline(__always)
    static func characterLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
        let lead = bytes[index]
        if lead < 0x80 { return 1 }
        guard let form = form(of: lead), index + form.due < bytes.count, form.next.contains(bytes[index + 1])
        else { return 0 }
        for place in index + 1...index + form.due where bytes[place] & 0xC0 != 0x80 { return 0 }
        return form.due + 1
    }

    /// Returns the text; nil if it is not valid UTF-8. `String(decoding:as:)` would replace invalid bytes.
    package static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.withUnsafeBytes({ isValid($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func begin(_ lead: UInt8) -> Bool {
        guard let form = Self.form(of: lead) else { return false }
        due = form.due
        low = form.next.lowerBound
        high = form.next.upperBound
        return true
    }

    /// Returns the number of continuation bytes after `lead`, and the allowed values of the first of these bytes
    /// (Unicode 16, table 3-7). Nil if `lead` is invalid.
    private static func form(of lead: UInt8) -> (due: Int, next: ClosedRange<UInt8>)? {
        switch lead {
        case 0xC2...0xDF: (1, 0x80...0xBF)
        case 0xE0: (2, 0xA0...0xBF)
        case 0xED: (2, 0x80...0x9F)
        case 0xE1...0xEF: (2, 0x80...0xBF)
        case 0xF0: (3, 0x90...0xBF)
        case 0xF1...0xF3: (3, 0x80...0xBF)
        case 0xF4: (3, 0x80...0x8F)
        default: nil
        }
    }
}
