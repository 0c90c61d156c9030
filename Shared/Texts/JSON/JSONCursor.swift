/// Position in JSON text (RFC 8259), from which tokens are read. The text's memory must stay valid.
///
/// Public, because the compiler inlines only public functions into other modules.
public struct JSONCursor {
    /// String token: the bytes between the quotes, with checked syntax.
    public struct Text {
        package var start: Int
        package var end: Int
        package var hasEscapes: Bool
    }

    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline let maxDepth: Int
    let manner: JSONManner
    @usableFromInline package internal(set) var offset = 0
    /// Number of values that may still be built from the text.
    var valuesLeft = Int.max

    package init(_ bytes: UnsafeRawBufferPointer, maxDepth: Int, manner: JSONManner = .strict) {
        self.bytes = bytes
        self.maxDepth = maxDepth
        self.manner = manner
        if manner == .lenient { skipByteOrderMarks() }
    }

    // MARK: Tokens

    /// Consumes white space and returns the next byte without consuming it. Nil at the end. Inlined always, like the
    /// other small steps of a reader: 1,200 of the 37,200 instructions of a round trip.
    @inlinable
    @inline(__always)
    public mutating func peek() -> UInt8? {
        // Most tokens follow without white space.
        if offset < bytes.count, bytes[offset] > 0x20 { return bytes[offset] }
        return peekAfterBlanks()
    }

    @usableFromInline
    mutating func peekAfterBlanks() -> UInt8? {
        while offset < bytes.count {
            let byte = bytes[offset]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            offset += 1
        }
        return nil
    }

    /// Consumes `byte`, or throws.
    @inlinable
    @inline(__always)
    public mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard let next = peek() else { throw JSONError(.unexpectedEnd, at: offset) }
        guard next == byte else { throw JSONError(.unexpectedByte, at: offset) }
        offset += 1
    }

    /// Consumes `byte` if it is next. Otherwise returns false.
    @inlinable
    @inline(__always)
    public mutating func consume(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        offset += 1
        return true
    }

    /// Consumes a comma (true) or the closing bracket `close` (false).
    @inlinable
    @inline(__always)
    public mutating func isFollowed(close: UInt8) throws(JSONError) -> Bool {
        guard let next = peek() else { throw JSONError(.unexpectedEnd, at: offset) }
        guard next == UInt8(ascii: ",") || next == close else { throw JSONError(.unexpectedByte, at: offset) }
        offset += 1
        return next != close
    }

    /// Throws unless only white space is left (RFC 8259 §2).
    package mutating func expectEnd() throws(JSONError) {
        guard peek() == nil else { throw JSONError(.trailingBytes, at: offset) }
    }

    package mutating func literal(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard offset < bytes.count else { throw JSONError(.unexpectedEnd, at: offset) }
            guard bytes[offset] == word.utf8Start[index] else { throw JSONError(.unexpectedByte, at: offset) }
            offset += 1
        }
    }

    /// Reads a number (RFC 8259 §6). `isInteger` is true for a number without fraction and exponent.
    package mutating func number() throws(JSONError) -> (start: Int, end: Int, isInteger: Bool) {
        let start = offset
        if byteHere == UInt8(ascii: "-") { offset += 1 }
        if byteHere == UInt8(ascii: "0") {
            offset += 1
        } else {
            try digits(of: start)
        }
        var isInteger = true
        if byteHere == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            try digits(of: start)
        }
        if byteHere == UInt8(ascii: "e") || byteHere == UInt8(ascii: "E") {
            isInteger = false
            offset += 1
            if byteHere == UInt8(ascii: "+") || byteHere == UInt8(ascii: "-") { offset += 1 }
            try digits(of: start)
        }
        if let next = byteHere, Self.isDigit(next) { throw JSONError(.badNumber, at: start) }  // leading zero
        return (start, offset, isInteger)
    }

    package mutating func text() throws(JSONError) -> Text {
        try expect(UInt8(ascii: "\""))
        var token = Text(start: offset, end: offset, hasEscapes: false)
        while true {
            offset += PlainText.length(bytes, from: offset, isASCII: true)
            guard offset < bytes.count else { break }
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                token.end = offset
                offset += 1
                return token
            case UInt8(ascii: "\\"):
                token.hasEscapes = true
                try escape()
            case 0..<0x20: throw JSONError(.controlCharacter, at: offset)
            default:
                let length = UTF8Validator.characterLength(bytes, at: offset)
                guard length > 0 || manner == .lenient else { throw JSONError(.badUTF8, at: offset) }
                offset += max(length, 1)
            }
        }
        throw JSONError(.unexpectedEnd, at: offset)
    }

    package mutating func skip(depth: Int) throws(JSONError) {
        guard let next = peek() else { throw JSONError(.unexpectedEnd, at: offset) }
        switch next {
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "{"):
            try enter(depth: depth)
            if consume(UInt8(ascii: "}")) { return }
            repeat {
                _ = try text()
                try expect(UInt8(ascii: ":"))
                try skip(depth: depth + 1)
            } while try isFollowed(close: UInt8(ascii: "}"))
        case UInt8(ascii: "["):
            try enter(depth: depth)
            if consume(UInt8(ascii: "]")) { return }
            repeat { try skip(depth: depth + 1) } while try isFollowed(close: UInt8(ascii: "]"))
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try skipNumber()
        }
    }

    /// Skips a number. Throws if it exceeds a double (RFC 8259 §6).
    private mutating func skipNumber() throws(JSONError) {
        let (start, end, isInteger) = try number()
        // Without exponent, only a number of more than 308 digits can be too large.
        guard !isInteger || end - start > 308 else { return }
        guard let value = Double(verbatim(start, end)), value.isFinite else {
            throw JSONError(.badNumber, at: start)
        }
    }

    /// Consumes an opening bracket inside `depth` containers. Throws if that is too deep.
    @inlinable
    @inline(__always)
    public mutating func enter(depth: Int) throws(JSONError) {
        guard depth < maxDepth else { throw JSONError(.tooDeep, at: offset) }
        offset += 1
    }

    /// With a lenient reader, skips a container that is too deep. Returns whether there was such a container.
    mutating func skipsTooDeep(depth: Int) throws(JSONError) -> Bool {
        guard manner == .lenient, depth >= maxDepth else { return false }
        var openCount = 0
        repeat {
            guard let next = peek() else { throw JSONError(.unexpectedEnd, at: offset) }
            switch next {
            case UInt8(ascii: "\""): _ = try text()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                openCount += 1
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                openCount -= 1
                offset += 1
            default: offset += 1
            }
        } while openCount > 0
        return true
    }

    // MARK: Contents

    /// Whether the token's text is `word`.
    package func matches(_ token: Text, _ word: StaticString) -> Bool {
        if token.hasEscapes { return string(token) == word.description }
        return token.end - token.start == word.utf8CodeUnitCount && holds(word, at: token.start)
    }

    /// Consumes a member's name and colon if the name is one of these, without escapes and white space. Names are given
    /// as numbers, the first of at most eight bytes lowest. Returns the name; otherwise 0, and consumes at most white
    /// space before a name, which ``text()`` then reads.
    @inlinable
    @inline(__always)
    public mutating func consumeName(_ first: UInt64, _ second: UInt64, _ third: UInt64) -> UInt64 {
        guard peek() == UInt8(ascii: "\""), offset + 11 <= bytes.count else { return 0 }
        var name = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt64.self))
        let other = name ^ 0x2222_2222_2222_2222
        let quotes = (other &- 0x0101_0101_0101_0101) & ~other & 0x8080_8080_8080_8080
        var end = offset + 9
        if quotes != 0 {
            // The lowest mark is the first quote.
            name &= (quotes & (0 &- quotes)) &>> 7 &- 1
            end = offset + 1 + quotes.trailingZeroBitCount / 8
        }
        // A name that ends with NUL is another one, though the same number.
        guard name == first || name == second || name == third, name != 0,
            name.leadingZeroBitCount / 8 == 9 &+ offset &- end,
            bytes[end] == UInt8(ascii: "\""), bytes[end + 1] == UInt8(ascii: ":")
        else { return 0 }
        offset = end + 2
        return name
    }

    /// Whether `word` is at `start`. From there on, the text must have at least as many bytes as `word`. Compares eight
    /// bytes at once: a part of the 1,200 instructions that inlined reading saves in a round trip.
    @inlinable
    @inline(__always)
    func holds(_ word: StaticString, at start: Int) -> Bool {
        let count = word.utf8CodeUnitCount
        let other = UnsafeRawBufferPointer(start: word.utf8Start, count: count)
        var index = 0
        while index + 8 <= count {
            guard
                bytes.loadUnaligned(fromByteOffset: start + index, as: UInt64.self)
                    == other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            else { return false }
            // The last step overlaps the one before it.
            index = index + 8 < count ? min(index + 8, count - 8) : count
        }
        if index + 4 <= count {
            guard
                bytes.loadUnaligned(fromByteOffset: start + index, as: UInt32.self)
                    == other.loadUnaligned(fromByteOffset: index, as: UInt32.self)
            else { return false }
            index += 4
        }
        while index < count {
            guard bytes[start + index] == other[index] else { return false }
            index += 1
        }
        return true
    }

    package func string(_ token: Text) -> String {
        guard token.hasEscapes else { return verbatim(token.start, token.end) }
        var plain: [UInt8] = []
        plain.reserveCapacity(token.end - token.start)
        var index = token.start
        while index < token.end {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                index += 1
                continue
            }
            index = unescape(at: index, into: &plain)
        }
        return String(decoding: plain, as: UTF8.self)
    }

    package func verbatim(_ start: Int, _ end: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    }

    // MARK: Details

    private mutating func skipByteOrderMarks() {
        while offset + 3 <= bytes.count, bytes[offset] == 0xEF, bytes[offset + 1] == 0xBB,
            bytes[offset + 2] == 0xBF
        {
            offset += 3
        }
    }

    private var byteHere: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private mutating func digits(of start: Int) throws(JSONError) {
        guard let first = byteHere else { throw JSONError(.unexpectedEnd, at: offset) }
        guard Self.isDigit(first) else {
            throw JSONError(offset == start ? .unexpectedByte : .badNumber, at: offset)
        }
        while let next = byteHere, Self.isDigit(next) { offset += 1 }
    }

    /// Checks one escape. A strict reader refuses lone surrogates.
    private mutating func escape() throws(JSONError) {
        let start = offset
        offset += 1
        guard let kind = byteHere else { throw JSONError(.unexpectedEnd, at: offset) }
        offset += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"):
            let unit = try checkedUnit(start)
            if manner == .lenient { return }
            if 0xDC00...0xDFFF ~= unit { throw JSONError(.loneSurrogate, at: start) }
            guard 0xD800...0xDBFF ~= unit else { return }
            guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
                bytes[offset + 1] == UInt8(ascii: "u")
            else { throw JSONError(.loneSurrogate, at: start) }
            offset += 2
            guard 0xDC00...0xDFFF ~= (try checkedUnit(start)) else {
                throw JSONError(.loneSurrogate, at: start)
            }
        default: throw JSONError(.badEscape, at: start)
        }
    }

    private mutating func checkedUnit(_ start: Int) throws(JSONError) -> UInt32 {
        guard offset + 4 <= bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
        var unit: UInt32 = 0
        for index in offset..<offset + 4 {
            guard let digit = Self.hexDigit(bytes[index]) else { throw JSONError(.badEscape, at: start) }
            unit = unit << 4 | digit
        }
        offset += 4
        return unit
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte) - 0x30
        case 0x41...0x46: UInt32(byte) - 0x37
        case 0x61...0x66: UInt32(byte) - 0x57
        default: nil
        }
    }

    /// Decodes the checked escape at `index`. Appends its character and returns the next offset.
    private func unescape(at index: Int, into plain: inout [UInt8]) -> Int {
        switch bytes[index + 1] {
        case UInt8(ascii: "b"): plain.append(0x08)
        case UInt8(ascii: "f"): plain.append(0x0C)
        case UInt8(ascii: "n"): plain.append(0x0A)
        case UInt8(ascii: "r"): plain.append(0x0D)
        case UInt8(ascii: "t"): plain.append(0x09)
        case UInt8(ascii: "u"): return unescapeScalar(at: index, into: &plain)
        case let other: plain.append(other)
        }
        return index + 2
    }

    private func unescapeScalar(at index: Int, into plain: inout [UInt8]) -> Int {
        var code = unit(at: index + 2)
        var end = index + 6
        // The closing quote guarantees these offsets.
        if 0xD800...0xDBFF ~= code, bytes[end] == UInt8(ascii: "\\"), bytes[end + 1] == UInt8(ascii: "u"),
            case let low = unit(at: index + 8), 0xDC00...0xDFFF ~= low
        {
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            end = index + 12
        }
        for byte in UTF8.encode(Unicode.Scalar(code) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
            plain.append(byte)
        }
        return end
    }

    private func unit(at index: Int) -> UInt32 {
        var unit: UInt32 = 0
        for position in index..<index + 4 { unit = unit << 4 | (Self.hexDigit(bytes[position]) ?? 0) }
        return unit
    }
}
