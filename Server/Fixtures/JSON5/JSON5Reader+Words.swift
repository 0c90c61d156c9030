import Matching

extension JSON5Reader {
    mutating func readText() throws(JSON5Problem) -> String {
        let open = index
        let quote = bytes[open]
        var text: [UInt8] = []
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == quote {
                index += 1
                return String(decoding: text, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") {
                index = try JSON5Escape.decode(bytes, at: index, into: &text)
            } else if byte == 0x0A || byte == 0x0D {
                throw JSON5Problem(
                    unclosed(text, from: open, "is not closed on its line")
                        + " (a line break in a text is \\n)", at: open)
            } else {
                text.append(byte)
                index += 1
            }
        }
        throw JSON5Problem(unclosed(text, from: open, "is never closed"), at: open)
    }

    /// Returns a message that says where the text begins, what is wrong, and how to close the text.
    private func unclosed(_ text: [UInt8], from open: Int, _ mistake: String) -> String {
        let place = lines.place(at: open)
        let end = text.lastIndex { !" \t,}])".utf8.contains($0) } ?? -1
        let words = MessageFormat.shortened(String(decoding: text[...end], as: UTF8.self))
        let quote = Character(Unicode.Scalar(bytes[open]))
        return "the text that begins at line \(place.line), column \(place.column) \(mistake); "
            + "write \(quote)\(words)\(quote)"
    }

    /// Reads a text in typographic quotes, and records the quotes as a problem. Returns nil if the end of the text is
    /// not sure.
    mutating func readPrintedText() -> String? {
        let start = index
        guard let (opening, width) = JSON5Characters.scalar(bytes, at: start),
            let family = ["“”„‟", "‘’‚‛", "«»"].first(where: { $0.unicodeScalars.contains(opening) })
        else { return nil }
        var end = start + width
        while let (scalar, length) = JSON5Characters.scalar(bytes, at: end), !isLineBreak(at: end) {
            guard family.unicodeScalars.contains(scalar) else {
                end += length
                continue
            }
            var next = end + length
            while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
            guard next == bytes.count || isLineBreak(at: next) || ",:]}".utf8.contains(bytes[next]) else {
                return nil
            }
            let straight = [0x22] + bytes[start + width..<end] + [0x22]
            var inner = JSON5Reader(straight, from: 0, lines: lines, limits: limits)
            guard let text = try? inner.readText(), inner.index == straight.count else { return nil }
            index = end + length
            problems.append(
                JSON5Problem(
                    Self.printersQuote(opening), at: start,
                    correction: .init(range: start..<index, text: String(decoding: straight, as: UTF8.self))))
            return text
        }
        return nil
    }

    private static func printersQuote(_ scalar: Unicode.Scalar) -> String {
        "\(scalar) is a printer's quote; write a straight one: \""
    }

    /// Reads the name of a member: a string, or an identifier (ECMAScript 5.1, section 7.6).
    mutating func readName() throws(JSON5Problem) -> String {
        let start = index
        if bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") { return try readText() }
        if bytes[start] == UInt8(ascii: ",") {
            throw JSON5Problem("a comma without a value before it", at: start)
        }
        if let name = readPrintedText() { return name }
        let name = try readBareWord()
        guard !name.isEmpty else { throw commaInNumber() ?? unexpected(wanted: "a name") }
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") {
            var end = index
            while let (scalar, length) = JSON5Characters.scalar(bytes, at: end),
                scalar == "-" || JSON5Characters.continuesName(scalar)
            {
                end += length
            }
            let whole = MessageFormat.shortened(String(decoding: bytes[start..<end], as: UTF8.self))
            throw JSON5Problem("a name with a hyphen needs quotes: write \"\(whole)\"", at: start)
        }
        return name
    }

    /// Reads `true`, `false`, `null`, `Infinity` or `NaN`.
    mutating func readWord(name: String?) throws(JSON5Problem) -> JSON5Value.Content {
        let start = index
        let word = try readBareWord()
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        case "Infinity": return .number(.infinity)
        case "NaN": return .number(.nan)
        case "":
            throw unexpected(
                wanted: name.map { "the value of \"\(MessageFormat.shortened($0))\"" } ?? "a value")
        default:
            let lower = word.lowercased()
            if lower == "true" || lower == "false" || lower == "null" {
                throw JSON5Problem("\"\(word)\" is written in small letters: \(lower)", at: start)
            }
            throw unopenedText(from: start) ?? unopenedBlock(word, at: start)
                ?? JSON5Problem(
                    "a text needs quotes: write \"\(MessageFormat.shortened(word))\"", at: start,
                    correction: name != nil && isWholeText(from: start)
                        ? .init(range: start..<index, text: "\"\(word)\"") : nil)
        }
    }

    /// Whether the word from `start` up to ``index`` is surely a member's whole text: the block or line ends after it,
    /// or a comma and another member follow.
    private func isWholeText(from start: Int) -> Bool {
        let flags: Set = ["yes", "no", "on", "off", "undefined", "none", "nil"]
        guard !flags.contains(String(decoding: bytes[start..<index], as: UTF8.self).lowercased()) else {
            return false
        }
        func skipBlanks(_ place: inout Int) {
            while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
        }
        var next = index
        skipBlanks(&next)
        guard next < bytes.count, bytes[next] != UInt8(ascii: "\\") else { return false }
        if bytes[next] == UInt8(ascii: ",") {
            next += 1
            skipBlanks(&next)
            guard next < bytes.count else { return false }
            if isLineBreak(at: next) || isName(at: next) { return true }
        }
        var quotes = 0
        var end = next
        while end < bytes.count, !isLineBreak(at: end) {
            if bytes[end] == UInt8(ascii: "\"") { quotes += 1 }
            end += 1
        }
        return bytes[next] == UInt8(ascii: "}") && quotes.isMultiple(of: 2) || isLineBreak(at: next)
    }

    /// Returns the error for a number such as `1,5` in a block; nil unless a digit is at ``index``, directly after a
    /// comma.
    private func commaInNumber() -> JSON5Problem? {
        guard index > 1, bytes[index - 1] == UInt8(ascii: ","), JSON5Escape.isDigit(bytes[index]) else {
            return nil
        }
        let comma = index - 1
        var (start, end) = (comma, index)
        while start > 0, JSON5Escape.isDigit(bytes[start - 1]) { start -= 1 }
        while let (scalar, length) = JSON5Characters.scalar(bytes, at: end),
            JSON5Characters.continuesName(scalar)
        {
            end += length
        }
        guard start < comma else { return nil }
        let number = String(decoding: bytes[start..<comma] + [0x2E] + bytes[index..<end], as: UTF8.self)
        let text = MessageFormat.shortened(number)
        let isLength = ValueSyntax.interval(number) != nil
        return JSON5Problem(
            "a number has a point, not a comma: write \(isLength ? "\"\(text)\"" : text)", at: start)
    }

    /// Reads the longest identifier at ``index``. Empty if no identifier begins there.
    private mutating func readBareWord() throws(JSON5Problem) -> String {
        var word = String.UnicodeScalarView()
        while let (plain, length) = JSON5Characters.scalar(bytes, at: index) {
            var scalar = plain
            var next = index + length
            if plain == "\\", next < bytes.count, bytes[next] == UInt8(ascii: "u") {
                var decoded: [UInt8] = []
                next = try JSON5Escape.decode(bytes, at: index, into: &decoded)
                guard let escaped = JSON5Characters.scalar(decoded, at: 0) else { break }
                scalar = escaped.0
            }
            let fits =
                word.isEmpty ? JSON5Characters.beginsName(scalar) : JSON5Characters.continuesName(scalar)
            guard fits else { break }
            word.append(scalar)
            index = next
        }
        return String(word)
    }

    private func unexpected(wanted: String) -> JSON5Problem {
        guard let (scalar, _) = JSON5Characters.scalar(bytes, at: index) else {
            return JSON5Problem("the file ends where \(wanted) should be", at: index)
        }
        switch scalar.value {
        case 0x201C, 0x201D, 0x201E, 0x2018, 0x2019, 0x201A, 0xAB, 0xBB:
            return JSON5Problem(Self.printersQuote(scalar), at: index)
        case 0x28: return JSON5Problem("a list stands in [ ], not in ( )", at: index)
        case 0..<0x20, 0x7F:
            return JSON5Problem("expected \(wanted), found an invisible character", at: index)
        default:
            return unopenedText(from: index)
                ?? JSON5Problem("expected \(wanted), found \"\(scalar)\"", at: index)
        }
    }

    /// Returns the error for a text without its opening quote, or nil.
    func unopenedText(from start: Int) -> JSON5Problem? {
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") {
            if isLineBreak(at: end) { return nil }
            end += 1
        }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\""), end > start,
            !" :[{,".utf8.contains(bytes[end - 1])
        else { return nil }
        var next = end + 1
        while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
        guard next >= bytes.count || isLineBreak(at: next) || ",]}".utf8.contains(bytes[next]) else {
            return nil
        }
        let words = bytes[start..<end]
        // If `}` comes first, the text begins before `start`.
        let brace = words.first { "{}".utf8.contains($0) }
        guard brace != UInt8(ascii: "}") else { return nil }
        let text = String(decoding: words, as: UTF8.self)
        return JSON5Problem(
            "the opening quote is missing: write \"\(MessageFormat.shortened(text))\"", at: start,
            correction: words.contains { ",:[]".utf8.contains($0) }
                ? nil : .init(range: start..<start, text: "\""))
    }

    /// Reads a number (JSON5 1.0.0, section 6): also hexadecimal, `.5`, `5.`, Infinity and NaN.
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
        // `Double` needs a digit on both sides of the point.
        var text = "0"
        text += String(decoding: bytes[first..<mantissaEnd], as: UTF8.self)
        if mantissaEnd > first, bytes[mantissaEnd - 1] == UInt8(ascii: ".") { text += "0" }
        text += String(decoding: bytes[mantissaEnd..<index], as: UTF8.self)
        guard let value = Double(text) else { throw notANumber(start) }
        return value
    }

    private mutating func readHexadecimal(from start: Int) throws(JSON5Problem) -> Double {
        let first = index
        while index < bytes.count, JSON5Escape.hexDigit(bytes[index]) != nil { index += 1 }
        guard index > first else { throw notANumber(start) }
        try endNumber(from: start)
        // Rounded once. A sum of the digits rounds after each digit beyond 53 bits.
        return Double("0x" + String(decoding: bytes[first..<index], as: UTF8.self)) ?? .infinity
    }

    private mutating func skipDigits() -> Int {
        let first = index
        while index < bytes.count, JSON5Escape.isDigit(bytes[index]) { index += 1 }
        return index - first
    }

    /// Throws an error if the number is too long, or goes on like a word, such as `2s` or `7.30pm`.
    private func endNumber(from start: Int) throws(JSON5Problem) {
        guard index - start <= limits.numberBytes else {
            throw JSON5Problem("a number of more than \(limits.numberBytes) characters", at: start)
        }
        guard let (scalar, _) = JSON5Characters.scalar(bytes, at: index),
            JSON5Characters.continuesName(scalar) || scalar == "." || scalar == "%"
        else { return }
        throw notANumber(start)
    }

    private func notANumber(_ start: Int) -> JSON5Problem {
        var end = start
        while let (scalar, length) = JSON5Characters.scalar(bytes, at: end),
            JSON5Characters.continuesName(scalar) || "+-.%".unicodeScalars.contains(scalar)
        {
            end += length
        }
        if let problem = unopenedText(from: start) { return problem }
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        let word = MessageFormat.shortened(text)
        let isLength = ValueSyntax.interval(text) != nil || ValueSyntax.intervalMeant(by: text) != nil
        return JSON5Problem(
            "\(word) is not a number; a text needs quotes: \"\(word)\"", at: start,
            correction: isLength ? .init(range: start..<end, text: "\"\(text)\"") : nil)
    }
}
