/// Class of a character in folded text, for the split into tokens.
package enum LetterClass: UInt8 {
    case separator
    case space
    case letter
    case digit
    /// A mark that belongs to the previous character.
    case mark
    /// A token by itself: a symbol such as an emoji, or a character of a script without spaces, such as Han or Thai.
    case lone

    package init(_ value: UInt32) {
        if value < 0x80 {
            self = LetterClass.ofASCII(UInt8(truncatingIfNeeded: value))
        } else if LetterClass.writesNoSpaces(value) {
            self = LetterClass.ofProperties(value) == .mark ? .mark : .lone
        } else if (0x00E0...0x024F).contains(value) && value != 0xF7 || (0x0430...0x044F).contains(value) {
            self = .letter
        } else {
            self = LetterClass.ofProperties(value)
        }
    }

    /// Whether the class is neither separator nor space.
    package var isWord: Bool { self != .separator && self != .space }

    /// Line terminators (Unicode 16, §5.8).
    static let lineEnds: [ClosedRange<UInt32>] = [0x0A...0x0D, 0x85...0x85, 0x2028...0x2029]

    static func endsLine(_ value: UInt32) -> Bool { lineEnds.contains { $0.contains(value) } }

    private static func ofASCII(_ byte: UInt8) -> LetterClass {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A: .letter
        case 0x30...0x39: .digit
        case 0x20, 0x09...0x0D: .space
        default: .separator
        }
    }

    private static func writesNoSpaces(_ value: UInt32) -> Bool {
        switch value {
        case 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x3035, 0x3041...0x30FA, 0x30FC...0x30FF: true
        case 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        case 0x0E01...0x0E4E, 0x0E81...0x0ECE, 0x0EDC...0x0EDF: true
        case 0x1000...0x103F, 0x1050...0x109F, 0x1780...0x17D3: true
        default: false
        }
    }

    private static func ofProperties(_ value: UInt32) -> LetterClass {
        if (0x4E00...0x9FFF).contains(value) { return .letter }
        guard let scalar = Unicode.Scalar(value) else { return .separator }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            return .letter
        case .decimalNumber, .letterNumber, .otherNumber: return .letter
        case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
        case .otherSymbol: return .lone
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: return .space
        default: return .separator
        }
    }
}
