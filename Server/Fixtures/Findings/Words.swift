/// Small helpers for sentences that people read.
enum Words {
    /// A quoted name or text, cut so that a message stays one line.
    static func shortened(_ text: String, to limit: Int = 60) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            if count == limit { return result + "…" }
            result.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
            count += 1
        }
        return result
    }

    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Without blanks at the end.
    static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first, part.count <= bytes.count else { return part.isEmpty }
        for start in 0...(bytes.count - part.count) where bytes[start] == first {
            if bytes[start..<(start + part.count)].elementsEqual(part) { return true }
        }
        return false
    }

    /// `a, b or c`.
    static func alternatives(_ words: [String]) -> String { joined(words, by: "or") }

    /// `a, b and c`.
    static func conjunction(_ words: [String]) -> String { joined(words, by: "and") }

    private static func joined(_ words: [String], by link: String) -> String {
        guard let last = words.last else { return "" }
        if words.count == 1 { return last }
        return words.dropLast().joined(separator: ", ") + " \(link) " + last
    }
}
