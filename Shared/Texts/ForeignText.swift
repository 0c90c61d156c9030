/// Escapes untrusted text for terminals and logs.
///
/// ```swift
/// ForeignText.line("a\u{9B}31mb")        // "a\\u{9B}31mb"
/// ```
package enum ForeignText {
    /// Whether a character can affect a terminal. These are control characters (C0, DEL, C1), line separators,
    /// invisible characters and bidirectional controls (Unicode UAX #9 §2). Joiners are not among them, because emoji
    /// and some scripts need them.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        case 0xE0001, 0xE0020...0xE007E: true
        default: false
        }
    }

    /// Whether all bytes are printable ASCII. That is the usual case.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }

    /// Returns a text as one line of a log. Line ends and tabs become spaces, and other harmful characters are escaped,
    /// as in `\u{9B}`.
    package static func line(_ text: String) -> String {
        replaced(text) { scalar, _ in
            scalar == "\n" || scalar == "\r" || scalar == "\t" ? " " : shown(scalar)
        }
    }

    /// Shortens a text to 80 characters. For texts whose length a peer can choose.
    package static func clipped(_ text: String) -> String {
        text.count > 80 ? text.prefix(79) + "…" : text
    }

    /// Returns a text as a single line of a conversation. Line ends become `\n`, and tabs become four spaces.
    package static func talkLine(_ text: String) -> String { talk(text, lineEnd: "\\n") }

    /// Returns a text as one or more lines of a conversation. Line ends are kept, and tabs become four spaces.
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

    /// Replaces each harmful character by U+FFFD. Line feeds and tabs are kept.
    package static func marked(_ text: String) -> String {
        replaced(text) { scalar, _ in
            scalar == "\n" || scalar == "\t" ? String(scalar) : "\u{FFFD}"
        }
    }

    /// Replaces each harmful character by the text that `instead` returns. The second argument of `instead` is the
    /// character before it.
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

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }

    /// Returns a value as JSON. Harmful characters are escaped.
    package static func json(_ value: JSONValue) -> String {
        json(String(decoding: JSONWriter.bytes(value), as: UTF8.self))
    }

    /// Returns the JSON with harmful characters in its strings escaped. White space between values does not change.
    package static func json(_ text: String) -> String {
        var result = ""
        var (start, place) = (text.startIndex, text.startIndex)
        // ASCII characters below DEL need no check, because in valid JSON, control characters are already escaped.
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
