/// Makes text of a server harmless for a terminal: what would move the cursor, change colours or turn the direction
/// of writing is shown as `\u{202E}` instead of acting.
enum VisibleText {
    /// One line: new lines are shown as `\n`.
    static func line(_ text: String) -> String {
        clean(text, newLine: "\\n")
    }

    /// New lines are kept, tabs become spaces.
    static func block(_ text: String) -> String {
        clean(text, newLine: "\n")
    }

    private static func clean(_ text: String, newLine: String) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        var result = ""
        var wasReturn = false
        for scalar in text.unicodeScalars {
            defer { wasReturn = scalar == "\r" }
            switch scalar {
            case "\n": if !wasReturn { result += newLine }
            case "\r": result += newLine
            case "\t": result += "    "
            default:
                if isDangerous(scalar) {
                    result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    /// Controls (C0, DEL, C1), separators of lines, invisible characters, and what changes the direction of writing
    /// (Unicode UAX #9 §2). The joiners stay: emoji and some scripts need them.
    static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        case 0xE0001, 0xE0020...0xE007E: true
        default: false
        }
    }
}
