/// Escaping of untrusted text for terminals and logs.
///
/// ```swift
/// ForeignText.line("a\u{9B}31mb")        // "a\\u{9B}31mb"
/// ```
package enum ForeignText {
    /// Whether a character can affect a terminal: control characters (C0, DEL, C1), line separators, invisible
    /// characters and bidirectional controls (Unicode UAX #9 §2). Joiners do not count, because emoji and some scripts
    /// need them.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        case 0xE0001, 0xE0020...0xE007E: true
        default: false
        }
    }

    /// Whether all bytes are printable ASCII, the usual case.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }

    /// Returns a text as one log line. Line ends and tabs become spaces. Other harmful characters become escapes such
    /// as `\u{9B}`.
    package static func line(_ text: String) -> String {
        replaced(text) { scalar, _ in
            scalar == "\n" || scalar == "\r" || scalar == "\t" ? " " : shown(scalar)
        }
    }

    /// Shortens a text, whose length a peer can choose, to 80 characters.
    package static func clipped(_ text: String) -> String {
        text.count > 80 ? text.prefix(79) + "…" : text
    }

    /// Like ``talkLines(_:)``, but in one line: line ends become a backslash and `n`.
    package static func talkLine(_ text: String) -> String { talk(text, lineEnd: "\\n") }

    /// Returns a text as lines of a conversation. Tabs become four spaces, other harmful characters escapes.
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

    /// Replaces harmful characters by U+FFFD, except line feeds and tabs.
    package static func marked(_ text: String) -> String {
        replaced(text) { scalar, _ in
            scalar == "\n" || scalar == "\t" ? String(scalar) : "\u{FFFD}"
        }
    }

    /// Replaces each harmful character by the result of `instead`.
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

    /// Returns a value as JSON with harmful characters escaped.
    package static func json(_ value: JSONValue) -> String {
        json(String(decoding: JSONWriter.bytes(value), as: UTF8.self))
    }

    /// Returns the JSON with harmful characters in its strings escaped.
    package static func json(_ text: String) -> String {
        var result = ""
        var (start, place) = (text.startIndex, text.startIndex)
        // In valid JSON, control characters below DEL are already escaped.
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
