enum MessageFormat {
    /// Returns a name or text on one line, cut to `limit` Unicode scalars.
    static func shortened(_ text: String, to limit: Int = 60) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            if count == limit { return result + "…" }
            result.unicodeScalars.append(Character(scalar).isNewline || scalar == "\t" ? " " : scalar)
            count += 1
        }
        return result
    }

    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    /// Whether `part` occurs in `bytes`. With `wholeWords`, "for 4" does not occur in "for 40".
    static func contains(_ bytes: [UInt8], _ part: [UInt8], wholeWords: Bool = false) -> Bool {
        guard let first = part.first, part.count <= bytes.count else { return part.isEmpty }
        for start in 0...(bytes.count - part.count) where bytes[start] == first {
            let end = start + part.count
            guard bytes[start..<end].elementsEqual(part) else { continue }
            if !wholeWords || !(isInsideWord(bytes, start) || isInsideWord(bytes, end)) { return true }
        }
        return false
    }

    private static func isInsideWord(_ bytes: [UInt8], _ offset: Int) -> Bool {
        // A character has at most four bytes in UTF-8, so four bytes contain the neighbouring character.
        let before = String(decoding: bytes[max(0, offset - 4)..<offset], as: UTF8.self).unicodeScalars.last
        let after = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
            .unicodeScalars.first
        guard let before, let after else { return false }
        return isPartOfWord(before) && isPartOfWord(after)
    }

    /// Whether the scalar is a letter or digit. False from U+0E00 on, where many scripts have no spaces between words.
    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x0E00 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }

    static func alternatives(_ words: [String]) -> String { joined(words, by: "or") }

    static func conjunction(_ words: [String]) -> String { joined(words, by: "and") }

    private static func joined(_ words: [String], by link: String) -> String {
        guard let last = words.last else { return "" }
        if words.count == 1 { return last }
        return words.dropLast().joined(separator: ", ") + " \(link) " + last
    }
}
