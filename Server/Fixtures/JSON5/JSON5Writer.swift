import Texts

/// Writer of compact JSON (RFC 8259) for events that are sent unchanged.
package enum JSON5Writer {
    /// Returns the value as JSON. Nil if the value contains Infinity or NaN, which JSON does not have.
    package static func compactJSON(_ value: JSON5Value, of document: JSON5Document) -> String? {
        var text: [UInt8] = []
        guard write(value, of: document, to: &text) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private static func write(
        _ value: JSON5Value, of document: JSON5Document, to text: inout [UInt8]
    ) -> Bool {
        switch value.content {
        case .null: text.append(contentsOf: "null".utf8)
        case .boolean(let flag): text.append(contentsOf: (flag ? "true" : "false").utf8)
        case .number(let number):
            guard number.isFinite else { return false }
            text.append(contentsOf: numberText(number, source: document.bytes[value.range]))
        case .text(let words): JSONWriter.string(words, controlsByNumber: true, into: &text)
        case .list(let items):
            text.append(UInt8(ascii: "["))
            for (place, item) in items.enumerated() {
                if place > 0 { text.append(UInt8(ascii: ",")) }
                guard write(item, of: document, to: &text) else { return false }
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for (place, member) in members.enumerated() {
                if place > 0 { text.append(UInt8(ascii: ",")) }
                JSONWriter.string(member.name, controlsByNumber: true, into: &text)
                text.append(UInt8(ascii: ":"))
                guard write(member.value, of: document, to: &text) else { return false }
            }
            text.append(UInt8(ascii: "}"))
        }
        return true
    }

    /// Returns the number as written if that is valid JSON, otherwise converted.
    static func numberText(_ number: Double, source: ArraySlice<UInt8>) -> [UInt8] {
        var source = source
        if source.first == UInt8(ascii: "+") { source = source.dropFirst() }
        let digits = source.first == UInt8(ascii: "-") ? source.dropFirst() : source
        var isPlain = digits.first.map(JSON5Escape.isDigit) ?? false
        var afterPoint = false
        for byte in digits {
            if byte | 0x20 == UInt8(ascii: "x") { isPlain = false }
            if afterPoint, !JSON5Escape.isDigit(byte) { isPlain = false }
            afterPoint = byte == UInt8(ascii: ".")
        }
        if isPlain, !afterPoint { return Array(source) }
        let isNegative = digits.startIndex > source.startIndex
        let (sign, digitsOfHex) = (isNegative ? Array("-".utf8) : [], digits.dropFirst(2))
        if digits.count > 2, digits.dropFirst().first.map({ $0 | 0x20 == UInt8(ascii: "x") }) ?? false {
            return sign + decimal(ofHexadecimal: digitsOfHex)
        }
        if number == 0, isNegative { return Array("-0.0".utf8) }
        if let whole = Int64(exactly: number) { return Array(String(whole).utf8) }
        return Array("\(number)".utf8)
    }

    /// Converts hexadecimal digits to decimal digits. The result is exact, even beyond the precision of a double.
    private static func decimal(ofHexadecimal digits: ArraySlice<UInt8>) -> [UInt8] {
        var parts: [UInt64] = [0]
        for digit in digits {
            var carry = UInt64(JSON5Escape.hexDigit(digit) ?? 0)
            for place in parts.indices {
                let value = parts[place] * 16 + carry
                (parts[place], carry) = (value % 1_000_000_000, value / 1_000_000_000)
            }
            if carry > 0 { parts.append(carry) }
        }
        let rest = parts.dropLast().reversed().map { part in
            let text = String(part)
            return String(repeating: "0", count: 9 - text.count) + text
        }
        return Array((String(parts[parts.count - 1]) + rest.joined()).utf8)
    }

    /// Returns the first number that no event can represent: not finite, a whole number beyond 64 bits, or too small
    /// for a double.
    static func unfitNumber(in value: JSON5Value, of document: JSON5Document) -> JSON5Value? {
        switch value.content {
        case .number(let number):
            guard number.isFinite else { return value }
            let text = numberText(number, source: document.bytes[value.range])
            let isWhole = text.allSatisfy { JSON5Escape.isDigit($0) || $0 == UInt8(ascii: "-") }
            if isWhole { return Int64(String(decoding: text, as: UTF8.self)) == nil ? value : nil }
            let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
            return number == 0 && mantissa.contains { (0x31...0x39).contains($0) } ? value : nil
        case .list(let items): return items.lazy.compactMap { unfitNumber(in: $0, of: document) }.first
        case .object(let members):
            return members.lazy.compactMap { unfitNumber(in: $0.value, of: document) }.first
        case .null, .boolean, .text: return nil
        }
    }
}
