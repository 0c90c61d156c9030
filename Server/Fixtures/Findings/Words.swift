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
