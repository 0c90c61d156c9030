/// Reads values in digits, which do not depend on the language.
extension PreparedMessage {
    func original(_ token: Token) -> String { original(Int(token.start)..<Int(token.end)) }

    /// Returns the number in a token, with a decimal point; nil for other tokens.
    func writtenNumber(at atom: Int) -> String? {
        let token = tokens[Int(atoms[atom].token)]
        let range = Int(token.start)..<Int(token.end)
        guard range.count <= MatchingLimits.kindCharacters, !token.isEmail else { return nil }
        guard scalars[Int(atoms[atom].start)] &- 0x30 < 10 else { return nil }
        var text: [UInt8] = []
        for value in scalars[range] {
            guard let byte = UInt8(exactly: value) else { return nil }
            text.append(byte)
        }
        return WrittenNumber.normal(text)
    }

    /// Returns the number in a token of at most four characters; nil for other tokens.
    func plainInteger(at atom: Int) -> Int? {
        let token = tokens[Int(atoms[atom].token)]
        guard startsToken(atom), token.end - token.start <= 4 else { return nil }
        return integer(Int(token.start)..<Int(token.end))
    }

    /// Returns one to nine digits as a number; nil for anything else.
    func integer(_ range: Range<Int>) -> Int? {
        guard (1...9).contains(range.count) else { return nil }
        var result = 0
        for value in scalars[range] {
            guard value &- 0x30 < 10 else { return nil }
            result = result * 10 + Int(value - 0x30)
        }
        return result
    }

    func isPhonePart(_ token: Token, mayHavePlus: Bool) -> Bool {
        let range = Int(token.start)..<Int(token.end)
        guard range.count <= MatchingLimits.kindCharacters, writtenDate(token) == nil else { return false }
        for index in range {
            switch scalars[index] {
            case 0x30...0x39: continue
            case 0x2D, 0x2E: if index == range.lowerBound { return false }
            case 0x2B: if index != range.lowerBound || !mayHavePlus { return false }
            default: return false
            }
        }
        return true
    }

    func arePhoneSeparators(between token: Int) -> Bool {
        let gap = Int(tokens[token].end)..<Int(tokens[token + 1].start)
        guard gap.count <= 4 else { return false }
        return scalars[gap].allSatisfy { [0x20, 0x28, 0x29, 0x2D, 0x2E].contains($0) }
    }
}

private enum WrittenNumber {
    static func normal(_ text: [UInt8]) -> String? {
        var digits = text[...]
        let isNegative = digits.first == 0x2D
        if isNegative || digits.first == 0x2B { digits.removeFirst() }
        let parts = digits.split(omittingEmptySubsequences: false) { $0 == 0x2C || $0 == 0x2E }
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0 &- 0x30 < 10 } }) else { return nil }
        let marks = digits.filter { $0 == 0x2C || $0 == 0x2E }
        guard let whole = parts.first, let split = split(parts.count, marks, parts) else { return nil }
        let integer = Array(parts[..<split].joined())
        guard integer.count <= 18, split == 1 || whole.count <= 3 else { return nil }
        let trimmed = integer.drop { $0 == 0x30 }
        var result =
            (isNegative ? "-" : "") + String(decoding: trimmed.isEmpty ? [0x30] : trimmed, as: UTF8.self)
        if split < parts.count { result += "." + String(decoding: parts[split], as: UTF8.self) }
        return result
    }

    /// Returns the number of digit groups before the fraction: 2 for `1,000`, 1 for `3,50`, 2 for `1.000,5`. Nil if the
    /// groups are invalid.
    private static func split(_ count: Int, _ marks: [UInt8], _ parts: [ArraySlice<UInt8>]) -> Int? {
        guard let first = marks.first, let last = marks.last else { return 1 }
        func areGroups(_ range: Range<Int>) -> Bool { parts[range].allSatisfy { $0.count == 3 } }
        if marks.count == 1 { return first == 0x2C && areGroups(1..<2) && parts[0].count <= 3 ? 2 : 1 }
        if marks.allSatisfy({ $0 == first }) { return areGroups(1..<count) ? count : nil }
        guard marks.dropLast().allSatisfy({ $0 == first }), last != first, areGroups(1..<count - 1) else {
            return nil
        }
        return count - 1
    }
}
