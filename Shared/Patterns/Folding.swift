/// Folding of text for comparison, without case, accents, width and the shape of quotes, hyphens and spaces.
///
/// - Case: text becomes upper case, then lower case: `STRASSE` equals `straße`, and `Σ`, `σ`, `ς` are equal.
/// - Accents: after canonical decomposition, accents, harakat and Hebrew points are removed. Marks that are letters are
///   kept: vowel signs of Indic scripts and Thai, and the voicing marks of kana (`が` is not `か`).
/// - Letters often typed in another way: `ø` becomes `o`, `đ` `d`, `ł` `l`, `ı` `i`, `æ` `ae`, `œ` `oe`, `þ` `th`. `ü`
///   becomes `u`, so `fuer` does not equal `für`.
/// - Width and digits: full-width forms become ASCII, half-width katakana becomes katakana, and digits of any script
///   become `0`-`9`.
/// - Invisible characters (joiners, variation selectors, direction marks, skin tones) are removed.
package enum Folding {
    /// Appends the folded form of a character, if any. A jamo or a voicing mark may change the last character instead.
    package static func append(_ value: UInt32, to output: inout [UInt32]) {
        if value < 0x80 {
            output.append(value &- 0x41 < 26 ? value | 0x20 : value)
        } else if isDropped(value) {
            return
        } else if isPlainIdeograph(value) || (0x0430...0x044F).contains(value) && value != 0x0439 {
            output.append(value)
        } else if (0xFF01...0xFF5E).contains(value) {
            append(value - 0xFEE0, to: &output)
        } else if let last = output.last, let composed = compose(last, value) {
            output[output.count - 1] = composed
        } else if (0xAC00...0xD7A3).contains(value) {
            output.append(value)
        } else if let found = find(value, in: FoldingTable.single) {
            output.append(found)
        } else if let found = find(value, in: FoldingTable.several) {
            var index = Int(found)
            while FoldingTable.runs[index] != 0 {
                output.append(UInt32(FoldingTable.runs[index]))
                index += 1
            }
        } else {
            appendByProperties(value, to: &output)
        }
    }

    /// Whether folding removes the character. `FoldingTable` was generated with the same set.
    package static func isDropped(_ value: UInt32) -> Bool {
        if value < 0x300 { return value == 0xAD }
        switch value {
        // U+0345 is kept, because its upper case is a letter (iota).
        case 0x0300...0x0344, 0x0346...0x036F, 0x0483...0x0487: return true
        case 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: return true
        case 0x0610...0x061A, 0x061C, 0x0640, 0x064B...0x065F, 0x0670: return true
        case 0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8, 0x06EA...0x06ED: return true
        case 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: return true
        case 0x200C...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x2069: return true
        case 0xFE00...0xFE0F, 0xFEFF, 0x1F3FB...0x1F3FF, 0xE0000...0xE01EF: return true
        default: return false
        }
    }

    private static func isPlainIdeograph(_ value: UInt32) -> Bool {
        (0x3400...0x9FFF).contains(value) || (0x20000...0x3FFFF).contains(value)
    }

    /// Composes jamo (Unicode §3.12) and voiced kana, so that decomposed text equals composed text.
    private static func compose(_ last: UInt32, _ value: UInt32) -> UInt32? {
        switch value {
        case 0x1161...0x1175 where (0x1100...0x1112).contains(last):
            return 0xAC00 + ((last - 0x1100) * 21 + value - 0x1161) * 28
        case 0x11A8...0x11C2 where (0xAC00...0xD7A3).contains(last) && (last - 0xAC00) % 28 == 0:
            return last + value - 0x11A7
        case 0x3099, 0x309A, 0xFF9E, 0xFF9F:
            return voiced(last, isHalf: value & 1 == (value < 0xFF00 ? 0 : 1))
        default: return nil
        }
    }

    /// Returns the voiced form of a kana (`か` becomes `が`), or with `isHalf` the half-voiced form (`は` becomes `ぱ`).
    private static func voiced(_ kana: UInt32, isHalf: Bool) -> UInt32? {
        let offset: UInt32 = kana >= 0x30A1 ? 0x60 : 0
        switch kana - min(kana, offset) {
        case 0x306F, 0x3072, 0x3075, 0x3078, 0x307B: return kana + (isHalf ? 2 : 1)
        case 0x304B, 0x304D, 0x304F, 0x3051, 0x3053, 0x3055, 0x3057, 0x3059, 0x305B, 0x305D, 0x305F, 0x3061,
            0x3064, 0x3066, 0x3068, 0x309D:
            return isHalf ? nil : kana + 1
        case 0x3046: return isHalf ? nil : 0x3094 + offset
        case 0x308F...0x3092 where offset > 0: return isHalf ? nil : kana + 8
        default: return nil
        }
    }

    private static func appendByProperties(_ value: UInt32, to output: inout [UInt32]) {
        guard let scalar = Unicode.Scalar(value) else { return }
        if scalar.properties.numericType == .decimal, let digit = scalar.properties.numericValue {
            output.append(0x30 + UInt32(digit))
            return
        }
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
            for lower in upper.properties.lowercaseMapping.unicodeScalars where !isDropped(lower.value) {
                output.append(lower.value)
            }
        }
    }

    private static func find(_ value: UInt32, in table: [UInt32]) -> UInt32? {
        guard value < 0x10000 else { return nil }
        var low = 0
        var high = table.count
        while low < high {
            let middle = (low + high) >> 1
            let key = table[middle] >> 16
            if key == value { return table[middle] & 0xFFFF }
            if key < value { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}
