extension JSON5Reader {
    /// A number (JSON5 1.0.0, section 6): sign, hexadecimal, bare decimal points, Infinity and NaN.
    mutating func readNumber() throws(JSON5Problem) -> Double {
        let start = index
        var isNegative = false
        if bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
            isNegative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        let magnitude = try readMagnitude(from: start)
        return isNegative ? -magnitude : magnitude
    }

    private mutating func readMagnitude(from start: Int) throws(JSON5Problem) -> Double {
        if index < bytes.count, bytes[index] == UInt8(ascii: "I") || bytes[index] == UInt8(ascii: "N") {
            guard case .number(let value) = try readWord(name: nil) else { throw notANumber(start) }
            return value
        }
        if index + 1 < bytes.count, bytes[index] == UInt8(ascii: "0"), bytes[index + 1] | 0x20 == 0x78 {
            index += 2
            return try readHexadecimal(from: start)
        }
        let first = index
        let whole = skipDigits()
        if whole > 1, bytes[first] == UInt8(ascii: "0") {
            throw JSON5Problem("a number does not begin with 0", at: start)
        }
        var fraction = 0
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            fraction = skipDigits()
        }
        guard whole + fraction > 0 else { throw notANumber(start) }
        let mantissaEnd = index
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            guard skipDigits() > 0 else { throw notANumber(start) }
        }
        try endNumber(from: start)
        // "5." and ".5" in the form the standard library reads.
        var text = whole == 0 ? "0" : ""
        text += String(decoding: bytes[first..<mantissaEnd], as: UTF8.self)
        if mantissaEnd > first, bytes[mantissaEnd - 1] == UInt8(ascii: ".") { text += "0" }
        text += String(decoding: bytes[mantissaEnd..<index], as: UTF8.self)
        guard let value = Double(text) else { throw notANumber(start) }
        return value
    }

    private mutating func readHexadecimal(from start: Int) throws(JSON5Problem) -> Double {
        let first = index
        var value = 0.0
        while index < bytes.count, let digit = JSON5Escape.hexDigit(bytes[index]) {
            value = value * 16 + Double(digit)
            index += 1
        }
        guard index > first else { throw notANumber(start) }
        try endNumber(from: start)
        return value
    }

    private mutating func skipDigits() -> Int {
        let first = index
        while index < bytes.count, JSON5Escape.isDigit(bytes[index]) { index += 1 }
        return index - first
    }

    /// Refuses `2s`, `7.30pm` and `1.2.3`, which are texts without quotes, and numbers of silly length.
    private func endNumber(from start: Int) throws(JSON5Problem) {
        guard index - start <= limits.numberBytes else {
            throw JSON5Problem("a number of more than \(limits.numberBytes) characters", at: start)
        }
        guard let (scalar, _) = JSON5Characters.scalar(bytes, at: index),
            JSON5Characters.continuesName(scalar) || scalar == "." || scalar == "%"
        else { return }
        throw notANumber(start)
    }

    /// The whole word at `start` is not a number, so its author meant a text.
    private func notANumber(_ start: Int) -> JSON5Problem {
        var end = start
        while let (scalar, length) = JSON5Characters.scalar(bytes, at: end),
            JSON5Characters.continuesName(scalar) || "+-.%".unicodeScalars.contains(scalar)
        {
            end += length
        }
        let word = Words.shortened(String(decoding: bytes[start..<end], as: UTF8.self))
        return JSON5Problem("\(word) is not a number; a text needs quotes: \"\(word)\"", at: start)
    }
}
