extension PatternParser {
    // MARK: Escapes

    mutating func parseEscape(from start: Int) throws(PatternError) -> PatternNode? {
        let scalar = try escapeLetter(from: start)
        if let assertion = assertion(of: scalar) {
            index += 1
            return .assertion(assertion)
        }
        if ("1"..."9").contains(scalar) && !syntax.isSmall || scalar == "k" && !syntax.isSmall {
            throw error(
                "refers back to a group, which this matcher does not do", at: start,
                fix: "write what shall stand there once more")
        }
        if let (property, isNegated) = try parseProperty(from: start) {
            var set = CharacterSet()
            set.insert(property, isNegated: isNegated, isASCII: syntax.isSmall)
            return .set(set)
        }
        return literal(try parseEscapedCharacter(from: start))
    }

    private func assertion(of scalar: Unicode.Scalar) -> PatternAssertion? {
        switch scalar {
        case "b" where !syntax.isSmall: .wordEdge
        case "B" where !syntax.isSmall: .noWordEdge
        case "A" where syntax.isWide: .start
        case "z" where syntax.isWide, "Z" where syntax.isWide: .end
        default: nil
        }
    }

    private func escapeLetter(from start: Int) throws(PatternError) -> Unicode.Scalar {
        guard let scalar = peek else {
            throw error("ends in a single \"\\\"", at: start, fix: "write two for the character itself")
        }
        return scalar
    }

    /// Parses an escape for a property, such as `\d` or `\p{L}`. Any other escape is not consumed and gives nil.
    private mutating func parseProperty(
        from start: Int
    ) throws(PatternError) -> (CharacterSet.Property, isNegated: Bool)? {
        guard let scalar = peek else { return nil }
        let property: CharacterSet.Property
        switch scalar {
        case "d", "D": property = .digit
        case "w", "W": property = .word
        case "s", "S": property = .space
        case "p" where !syntax.isSmall, "P" where !syntax.isSmall:
            index += 1
            let name = bracedText()
            let known: [String: CharacterSet.Property] = [
                "L": .letter, "Letter": .letter, "Lu": .upper, "Ll": .lower, "N": .number, "Nd": .digit,
                "P": .punctuation, "S": .symbol, "M": .mark, "Z": .separator,
            ]
            guard let name, let found = known[name] else {
                throw error(
                    "has a property that this matcher does not know", at: start,
                    fix: "use \\p{L}, {Lu}, {Ll}, {N}, {Nd}, {P}, {S}, {M} or {Z}")
            }
            return (found, scalar == "P")
        default: return nil
        }
        index += 1
        return (property, scalar == "D" || scalar == "W" || scalar == "S")
    }

    private mutating func bracedText() -> String? {
        guard consume("{") else { return nil }
        var text = String.UnicodeScalarView()
        while let next = peek, next != "}" {
            text.append(next)
            index += 1
        }
        return consume("}") ? String(text) : nil
    }

    private mutating func parseEscapedCharacter(from start: Int) throws(PatternError) -> Unicode.Scalar {
        let scalar = try escapeLetter(from: start)
        index += 1
        switch scalar {
        case "t": return "\t"
        case "n": return "\n"
        case "r": return "\r"
        case "f" where !syntax.isSmall: return "\u{0C}"
        case "v" where !syntax.isSmall: return "\u{0B}"
        case "0" where !syntax.isSmall: return "\0"
        case "x" where !syntax.isSmall:
            return try hex(syntax.isWide && peek == "{" ? bracedText() : fixedDigits(2), start)
        case "u" where !syntax.isSmall: return try hex(peek == "{" ? bracedText() : fixedDigits(4), start)
        default:
            guard syntax.isSmall || scalar.isASCII, !scalar.properties.isAlphabetic,
                !("0"..."9").contains(scalar)
            else {
                throw error(
                    "has the escape \"\\\(scalar)\", which this matcher does not know", at: start,
                    fix: "use \\d, \\w, \\s, \\D, \\W, \\S, \\n, \\r, \\t or a punctuation mark")
            }
            return scalar
        }
    }

    private mutating func fixedDigits(_ count: Int) -> String? {
        guard index + count <= source.count else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: source[index..<(index + count)])
        index += count
        return String(text)
    }

    private func hex(_ digits: String?, _ start: Int) throws(PatternError) -> Unicode.Scalar {
        guard let digits, digits.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
            let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value)
        else {
            throw error(
                "has a character by number that is none", at: start, fix: "write \\xHH, \\uHHHH or \\u{H…}")
        }
        return scalar
    }

    // MARK: Classes

    /// Parses a class, starting after its opening bracket.
    mutating func parseClass(from start: Int) throws(PatternError) -> PatternNode {
        var set = CharacterSet()
        set.isNegated = consume("^")
        // Case variants that consist of several characters, such as `SS`, the upper case of `ß`.
        var others: [PatternNode] = []
        var isFirst = true
        while let next = peek, next != "]" || isFirst {
            isFirst = false
            let place = index
            index += 1
            if syntax.isSmall, next == "\\", peek == nil { break }
            if syntax.isWide, next == "[" || peek == next && "&-~".unicodeScalars.contains(next) {
                throw error(
                    "has a class inside a class", at: place,
                    fix: "write \"\\\(next)\" for the character itself")
            }
            var low = next
            if next == "\\" {
                if let (property, isNegated) = try parseClassProperty(from: place) {
                    set.insert(property, isNegated: isNegated, isASCII: syntax.isSmall)
                    continue
                }
                low = try parseClassEscape(from: place)
            }
            let high = try parseRangeEnd(from: low, at: place)
            if low == high, letters == .eitherCase, !set.isNegated {
                others += Self.forms(of: low).filter { $0.count > 1 }.map {
                    .sequence($0.map { .character($0) })
                }
            }
            if syntax.isSmall, low > high || !(low.isASCII && high.isASCII) && (low != high || set.isNegated)
            {
                throw error(
                    "has a range this matcher does not know", at: place,
                    fix: "use ranges from low to high of plain letters, digits and signs")
            }
            try insert(low.value...high.value, into: &set, at: place)
        }
        guard consume("]") else {
            throw error("opens a class and never closes it", at: start, fix: "end it with \"]\"")
        }
        return others.isEmpty ? .set(set) : .choice([.set(set)] + others)
    }

    /// Parses a property in a class; nil for other escapes, and for `\D`, `\W` and `\S` in the small syntax.
    private mutating func parseClassProperty(
        from place: Int
    ) throws(PatternError) -> (CharacterSet.Property, isNegated: Bool)? {
        if syntax.isSmall, let next = peek, "DWS".unicodeScalars.contains(next) { return nil }
        return try parseProperty(from: place)
    }

    private mutating func parseClassEscape(from place: Int) throws(PatternError) -> Unicode.Scalar {
        if peek == "b", !syntax.isSmall {
            index += 1
            return "\u{08}"
        }
        return try parseEscapedCharacter(from: place)
    }

    /// Parses the rest of a range that begins with `low`. Without a range, returns `low`.
    private mutating func parseRangeEnd(
        from low: Unicode.Scalar, at place: Int
    ) throws(PatternError) -> Unicode.Scalar {
        guard peek == "-", index + 1 < source.count, source[index + 1] != "]" else { return low }
        let high = source[index + 1]
        index += 2
        if high == "\\" {
            if syntax.isSmall {
                throw error(
                    "has a range this matcher does not know", at: place,
                    fix: "use ranges from low to high of plain letters, digits and signs")
            }
            let end = try parseEscapedCharacter(from: index - 1)
            return try checked(low, end, at: place)
        }
        return try checked(low, high, at: place)
    }

    private func checked(
        _ low: Unicode.Scalar, _ high: Unicode.Scalar, at place: Int
    ) throws(PatternError) -> Unicode.Scalar {
        guard low <= high else {
            throw error("has a range that runs backwards", at: place, fix: "write its lower end first")
        }
        return high
    }

    /// Inserts a range of characters with their case variants or folded forms.
    private func insert(
        _ range: ClosedRange<UInt32>, into set: inout CharacterSet, at place: Int
    ) throws(PatternError) {
        if letters != .folded || range.count > 1 { set.insert(range) }
        guard letters != .exact, range.count <= 4096 else { return }
        for value in range {
            let twins = twins(of: value)
            if letters == .folded, range.count == 1, twins.contains(where: { $0.count > 1 }) {
                throw error(
                    "has \"\(source[place])\" in a class, which is several letters once folded", at: place,
                    fix: "write it outside the class")
            }
            for twin in twins where twin.count == 1 && !set.holds(twin[0]) { set.insert(twin[0]...twin[0]) }
        }
    }

    /// Returns the variants of a member of a class. A variant may consist of several characters.
    private func twins(of value: UInt32) -> [[UInt32]] {
        if letters == .eitherCase { return Unicode.Scalar(value).map(Self.forms) ?? [] }
        var values: [UInt32] = []
        Folding.append(value, to: &values)
        return values.isEmpty ? [] : [values]
    }
}
