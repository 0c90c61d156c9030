struct PatternCharacter {
    /// Value of an invalid UTF-8 byte, which no instruction matches.
    static let broken: UInt32 = .max

    var value: UInt32
    /// Offset of the next character.
    var end: Int
    var isEnd = false

    static func atEnd(_ place: Int) -> PatternCharacter {
        PatternCharacter(value: broken, end: place, isEnd: true)
    }
}

protocol PatternText {
    func character(at place: Int) -> PatternCharacter
    /// Returns the character at `place` before folding; nil if unknown.
    func original(at place: Int) -> Unicode.Scalar?
}

/// A text of characters, folded or not.
struct PatternScalars: PatternText {
    let scalars: [UInt32]
    let original: (Int) -> Unicode.Scalar

    @inline(__always)
    func character(at place: Int) -> PatternCharacter {
        guard place < scalars.count else { return .atEnd(place) }
        return PatternCharacter(value: scalars[place], end: place + 1)
    }

    func original(at place: Int) -> Unicode.Scalar? { original(place) }
}

/// A text of UTF-8 bytes, possibly invalid.
struct PatternBytes: PatternText {
    let bytes: UnsafeBufferPointer<UInt8>

    @inline(__always)
    func character(at place: Int) -> PatternCharacter {
        guard place < bytes.count else { return .atEnd(place) }
        let lead = bytes[place]
        if lead < 0x80 { return PatternCharacter(value: UInt32(lead), end: place + 1) }
        return wide(lead, at: place)
    }

    /// Decodes a character of two to four bytes (RFC 3629 §4), or returns ``PatternCharacter/broken``.
    private func wide(_ lead: UInt8, at place: Int) -> PatternCharacter {
        let broken = PatternCharacter(value: PatternCharacter.broken, end: place + 1)
        let due =
            switch lead {
            case 0xC2...0xDF: 1
            case 0xE0...0xEF: 2
            case 0xF0...0xF4: 3
            default: 0
            }
        guard due > 0, place + due < bytes.count else { return broken }
        var value = UInt32(lead) & (0x3F >> UInt32(due))
        for byte in bytes[place + 1...place + due] {
            guard byte & 0xC0 == 0x80 else { return broken }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        // An overlong form is one character, with a high bit that no other character has.
        if value < [0, 0x80, 0x800, 0x1_0000][due] { value |= 0x8000_0000 }
        return PatternCharacter(value: value, end: place + due + 1)
    }

    func original(at place: Int) -> Unicode.Scalar? { nil }
}
