/// Decoder of HTML character references: `&amp;`, `&#42;`, `&#x2A;` (HTML, section 13.5).
enum Entity {
    private static let names: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]

    /// Decodes the reference at `index`, and returns its text and the index after it.
    static func read(_ text: [Unicode.Scalar], at index: Int) -> (text: [Unicode.Scalar], end: Int)? {
        guard text[index] == "&" else { return nil }
        var end = index + 1
        while end < text.count, end <= index + 10, text[end] != ";" { end += 1 }
        guard end < text.count, text[end] == ";" else { return nil }
        let inner = Array(text[(index + 1)..<end])
        guard inner.first == "#" else {
            let isName = (2...4).contains(inner.count) && inner.allSatisfy { ("a"..."z").contains($0) }
            let whole = Array(text[index...end])
            return isName ? (names[Scalars.string(inner)].map { [$0] } ?? whole, end + 1) : nil
        }
        let isHex = inner.count > 1 && Scalars.lowercased(inner[1]) == "x"
        let digits = inner.dropFirst(isHex ? 2 : 1)
        guard (1...(isHex ? 6 : 7)).contains(digits.count), digits.allSatisfy({ Scalars.isWord($0) }),
            let value = UInt32(Scalars.string(digits), radix: isHex ? 16 : 10)
        else { return nil }
        return ([value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"], end + 1)
    }

    static func decoded(_ text: some Collection<Unicode.Scalar>) -> [Unicode.Scalar] {
        read(Array(text), escapes: false)
    }

    /// Decodes references, and removes backslashes that escape a punctuation mark.
    static func unescaped(_ text: some Collection<Unicode.Scalar>) -> [Unicode.Scalar] {
        read(Array(text), escapes: true)
    }

    private static func read(_ text: [Unicode.Scalar], escapes: Bool) -> [Unicode.Scalar] {
        guard text.contains(where: { $0 == "&" || $0 == "\\" }) else { return text }
        var result: [Unicode.Scalar] = []
        var index = 0
        while index < text.count {
            if let (scalars, end) = read(text, at: index) {
                result += scalars
                index = end
            } else if escapes, text[index] == "\\", index + 1 < text.count,
                Scalars.isPunctuation(text[index + 1])
            {
                result.append(text[index + 1])
                index += 2
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }
}
