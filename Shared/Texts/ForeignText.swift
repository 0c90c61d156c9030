/// Makes untrusted text harmless for terminals and logs. The only table of the characters that affect them.
///
/// ```swift
/// ForeignText.line("a\u{9B}31mb")        // "a\\u{9B}31mb"
/// ```
package enum ForeignText {
    /// Controls (C0, DEL, C1), separators of lines, invisible characters, and what changes the direction of writing
    /// (Unicode UAX #9 §2). The joiners stay: emoji and some scripts need them.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        case 0xE0001, 0xE0020...0xE007E: true
        default: false
        }
    }

    /// True when every byte is visible ASCII or a blank: the common case, and cheap to see.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }

    /// One line of a log: ends of lines and tabs become blanks, other harmful characters are shown as
    /// `\u{9B}`.
    package static func line(_ text: String) -> String {
        replaced(text) { scalar, _ in
            scalar == "\n" || scalar == "\r" || scalar == "\t" ? " " : shown(scalar)
        }
    }

    /// The beginning, up to 80 characters, of a text that a peer chose the length of.
    package static func clipped(_ text: String) -> String {
        text.count > 80 ? text.prefix(79) + "…" : text
    }

    /// One line of a conversation: each line end is shown as `\n`, tabs become four blanks.
    package static func talkLine(_ text: String) -> String { talk(text, lineEnd: "\\n") }

    /// Lines of a conversation: line ends are kept, tabs become four blanks.
    package static func talkLines(_ text: String) -> String { talk(text, lineEnd: "\n") }

    private static func talk(_ text: String, lineEnd: String) -> String {
        replaced(text) { scalar, previous in
            switch scalar {
            case "\n": previous == "\r" ? "" : lineEnd
            case "\r": lineEnd
            case "\t": "    "
            default: shown(scalar)
            }
        }
    }

    /// Lines as they are, with a mark in place of each harmful character.
    package static func marked(_ text: String) -> String {
        replaced(text) { scalar, _ in
            scalar == "\n" || scalar == "\t" ? String(scalar) : "\u{FFFD}"
        }
    }

    /// Replaces harmful characters; `instead` also gets the preceding character.
    private static func replaced(
        _ text: String, by instead: (Unicode.Scalar, _ previous: Unicode.Scalar?) -> String
    ) -> String {
        guard !isPlain(text) else { return text }
        var result = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if isHarmful(scalar) {
                result += instead(scalar, previous)
            } else {
                result.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        return result
    }

    /// `\u{202E}`.
    private static func shown(_ scalar: Unicode.Scalar) -> String {
        "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }

    /// A value in which nothing is harmful.
    package static func json(_ value: JSONValue) -> String {
        json(String(decoding: JSONWriter.bytes(value), as: UTF8.self))
    }

    /// JSON that means the same, with escapes for what is harmful: such characters stand only in strings. Ends of lines
    /// and tabs between the values stay.
    package static func json(_ text: String) -> String {
        var result = ""
        var (start, place) = (text.startIndex, text.startIndex)
        // Bytes of ASCII are passed over without a look at their properties.
        while let next = text.utf8[place...].firstIndex(where: { $0 >= 0x7F }) {
            let scalar = text.unicodeScalars[next]
            place = text.unicodeScalars.index(after: next)
            guard isHarmful(scalar) else { continue }
            result += text[start..<next]
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            start = place
        }
        return start == text.startIndex ? text : result + text[start...]
    }
}
