/// Display width of text in terminal columns (Unicode UAX #11, UTS #51).
enum DisplayWidth {
    static func of(_ text: some Sequence<Character>) -> Int { text.reduce(0) { $0 + of($1) } }

    /// Returns the width of a grapheme cluster: 0, 1 or 2 columns.
    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.isASCII, scalars.count == 1 { return first.value >= 0x20 && first.value != 0x7F ? 1 : 0 }
        // U+FE0F selects the emoji presentation, U+FE0E the text presentation.
        if scalars.contains("\u{FE0F}") { return 2 }
        if scalars.contains("\u{FE0E}") { return 1 }
        // Two regional indicators form a flag.
        if (0x1F1E6...0x1F1FF).contains(first.value) { return scalars.count > 1 ? 2 : 1 }
        return scalars.reduce(0) { max($0, of($1)) }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if scalar.value < 0x1100 { return 1 }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Blocks of East Asian Wide and Fullwidth characters (EastAsianWidth.txt of Unicode 16).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1B000...0x1B2FF, 0x1F200...0x1F265,
        0x20000...0x3FFFD,
    ]
}
