/// JSON5 white space and names (JSON5 1.0.0, sections 3 and 8).
enum JSON5Characters {
    /// Whether a line separator (U+2028) or paragraph separator (U+2029) begins at `index`.
    static func isSeparator(_ bytes: [UInt8], at index: Int) -> Bool {
        index + 2 < bytes.count && bytes[index] == 0xE2 && bytes[index + 1] == 0x80
            && (bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9)
    }

    /// Decodes the scalar at `index`. Nil at the end of `bytes`, which must be valid UTF-8.
    static func scalar(_ bytes: [UInt8], at index: Int) -> (Unicode.Scalar, length: Int)? {
        guard index < bytes.count else { return nil }
        let lead = bytes[index]
        if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard index + length <= bytes.count else { return nil }
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
        guard let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, length)
    }

    /// Whether the scalar is a non-ASCII white space or line break.
    static func isWideSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xA0, 0x2028, 0x2029, 0xFEFF: true
        case 0..<0x80: false
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }

    static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "$", "_": return true
        default:
            guard scalar.value >= 0x80 else { return false }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .letterNumber:
                return true
            default: return false
            }
        }
    }

    static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
        if beginsName(scalar) || ("0"..."9").contains(scalar) { return true }
        guard scalar.value >= 0x80 else { return false }
        if scalar.value == 0x200C || scalar.value == 0x200D { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
        default: return false
        }
    }
}
