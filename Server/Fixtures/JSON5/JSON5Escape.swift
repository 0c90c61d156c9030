/// Decoder for escapes in JSON5 strings (JSON5 1.0.0, section 5).
enum JSON5Escape {
    /// Decodes the escape at `index`, appends it to `text`, and returns the next index.
    static func decode(
        _ bytes: [UInt8], at index: Int, into text: inout [UInt8]
    ) throws(JSON5Problem) -> Int {
        guard index + 1 < bytes.count else { throw JSON5Problem("the file ends inside a text", at: index) }
        let next = index + 2
        switch bytes[index + 1] {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "v"): text.append(0x0B)
        case 0x0A: break
        case 0x0D: return next < bytes.count && bytes[next] == 0x0A ? next + 1 : next
        case UInt8(ascii: "x"):
            let unit = try hexadecimal(bytes, at: next, digits: 2, escape: index)
            append(unit, to: &text)
            return next + 2
        case UInt8(ascii: "u"): return try unicode(bytes, at: index, into: &text)
        case UInt8(ascii: "0"):
            if next < bytes.count, isDigit(bytes[next]) { throw octal(at: index) }
            text.append(0)
        case UInt8(ascii: "1")...UInt8(ascii: "9"): throw octal(at: index)
        case 0xE2 where JSON5Characters.isSeparator(bytes, at: index + 1): return index + 4
        case let byte: text.append(byte)
        }
        return next
    }

    private static func unicode(
        _ bytes: [UInt8], at index: Int, into text: inout [UInt8]
    ) throws(JSON5Problem) -> Int {
        let high = try hexadecimal(bytes, at: index + 2, digits: 4, escape: index)
        guard high & 0xF800 == 0xD800 else {
            append(high, to: &text)
            return index + 6
        }
        let half = JSON5Problem(
            "half of a character; write the character itself, or both of its \\u escapes", at: index)
        guard high < 0xDC00, index + 7 < bytes.count, bytes[index + 6] == UInt8(ascii: "\\"),
            bytes[index + 7] == UInt8(ascii: "u")
        else { throw half }
        let low = try hexadecimal(bytes, at: index + 8, digits: 4, escape: index + 6)
        guard low & 0xFC00 == 0xDC00 else { throw half }
        append(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), to: &text)
        return index + 12
    }

    private static func hexadecimal(
        _ bytes: [UInt8], at start: Int, digits: Int, escape: Int
    ) throws(JSON5Problem) -> UInt32 {
        var value: UInt32 = 0
        for index in start..<start + digits {
            guard index < bytes.count, let digit = hexDigit(bytes[index]) else {
                let form = digits == 2 ? "\\x and two" : "\\u and four"
                throw JSON5Problem("this escape must be \(form) hexadecimal digits", at: escape)
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private static func append(_ value: UInt32, to text: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(value) else { return }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private static func octal(at index: Int) -> JSON5Problem {
        JSON5Problem("a backslash and a digit mean nothing; write \\\\ for a backslash", at: index)
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
