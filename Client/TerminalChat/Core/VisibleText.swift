import Clocks

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
                if ForeignText.isHarmful(scalar) {
                    result += ForeignText.shown(scalar)
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
