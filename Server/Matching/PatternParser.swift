/// Reads the text of a pattern. The first mistake ends it.
struct PatternParser {
    private let source: [Unicode.Scalar]
    /// UTF-8 bytes before each of `source`, and before the end.
    private let offsets: [Int]
    private var index = 0
    private var depth = 0
    private(set) var groupNames: [String] = []

    init(_ text: String) {
        source = Array(text.unicodeScalars)
        var offsets = [0]
        offsets.reserveCapacity(source.count + 1)
        for scalar in source { offsets.append(offsets[offsets.count - 1] + UTF8.width(scalar)) }
        self.offsets = offsets
    }

    mutating func parse() throws(PatternError) -> PatternNode {
        if offsets[source.count] > MatchingLimits.patternBytes {
            throw error("A pattern has at most \(MatchingLimits.patternBytes) bytes.", at: 0)
        }
        if source.isEmpty { throw error("The pattern is empty. To hear anything write \"*\".", at: 0) }
        let node = try parseChoice()
        if peek == ")" {
            throw error("This \")\" closes no group. Write \"\\)\" for the character.", at: index)
        }
        return node
    }

    private var peek: Unicode.Scalar? { index < source.count ? source[index] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        index += 1
        return true
    }

    private func error(_ message: String, at index: Int) -> PatternError {
        PatternError(message: message, offset: offsets[min(index, source.count)])
    }

    // MARK: Structure

    private mutating func parseChoice() throws(PatternError) -> PatternNode {
        var choices = [try parseSequence()]
        while take("|") { choices.append(try parseSequence()) }
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func parseSequence() throws(PatternError) -> PatternNode {
        var nodes: [PatternNode] = []
        while let next = peek, next != "|", next != ")" {
            let start = index
            var atom = try parseAtom()
            guard !atom.isEmpty else { continue }
            skipDroppedMarks()
            let last = atom.removeLast()
            nodes += atom
            nodes.append(try parseQuantifier(of: last, from: start))
        }
        return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .empty : .sequence(nodes)
    }

    /// One atom; several nodes when a character folds to several, none when it folds away.
    private mutating func parseAtom() throws(PatternError) -> [PatternNode] {
        let start = index
        guard let scalar = peek else { return [] }
        index += 1
        switch scalar {
        case ".": return [.any]
        case "^": return [.assertion(.start)]
        case "$": return [.assertion(.end)]
        case "(": return [try parseGroup(from: start)]
        case "[": return [.set(try parseClass(from: start))]
        case "\\": return try parseEscape(from: start)
        case "*", "+", "?":
            throw error(
                "\"\(scalar)\" has nothing to repeat. Write \"\\\(scalar)\" for the character.", at: start)
        case "{" where countedRepeat(at: index) != nil:
            throw error("This count has nothing to repeat. Write \"\\{\" for the character.", at: start)
        default: return folded(scalar)
        }
    }

    private func folded(_ scalar: Unicode.Scalar) -> [PatternNode] {
        var values: [UInt32] = []
        Folding.append(scalar.value, to: &values)
        guard values.count > 1 else { return values.map { .character($0) } }
        // Kept together, so that a quantifier repeats all of them: "ß+" is "(?:ss)+".
        return [.sequence(values.map { .character($0) })]
    }

    private mutating func skipDroppedMarks() {
        while let next = peek, Folding.isDropped(next.value) { index += 1 }
    }

    private mutating func parseGroup(from start: Int) throws(PatternError) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= MatchingLimits.patternDepth else {
            throw error("Groups are nested more than \(MatchingLimits.patternDepth) deep.", at: start)
        }
        var name: Int?
        if take("?") {
            if take("<") {
                if peek == "=" || peek == "!" { throw lookAround(start) }
                name = try parseName()
            } else if peek == "=" || peek == "!" {
                throw lookAround(start)
            } else if !take(":") {
                throw error(
                    "Groups are \"(…)\", \"(?:…)\" and \"(?<name>…)\". Case never matters here, so no "
                        + "option is needed for it.", at: start)
            }
        }
        let inner = try parseChoice()
        guard take(")") else { throw error("This group is never closed: a \")\" is missing.", at: start) }
        return name.map { .group($0, inner) } ?? inner
    }

    private func lookAround(_ start: Int) -> PatternError {
        error(
            "Looking ahead or behind is not supported. Use \"all\" and \"none\" in \"hears\" instead.",
            at: start)
    }

    private mutating func parseName() throws(PatternError) -> Int {
        let start = index
        while let next = peek, next != ">" {
            guard
                next == "_" || next == "-" && index > start || next.properties.isAlphabetic
                    || ("0"..."9").contains(next) && index > start
            else {
                throw error(
                    "A group's name has letters, digits, \"-\" and \"_\", and begins with a letter.",
                    at: index)
            }
            index += 1
        }
        var name = String.UnicodeScalarView()
        name.append(contentsOf: source[start..<index])
        guard take(">") else {
            throw error("This group's name is never closed: a \">\" is missing.", at: start)
        }
        guard !name.isEmpty else { throw error("This group has no name between \"<\" and \">\".", at: start) }
        if groupNames.contains(String(name)) {
            throw error("Two groups are called \"\(String(name))\".", at: start)
        }
        groupNames.append(String(name))
        return groupNames.count - 1
    }

    // MARK: Quantifiers

    private mutating func parseQuantifier(of node: PatternNode, from start: Int) throws(PatternError)
        -> PatternNode
    {
        let place = index
        let bounds: (least: Int, most: Int?)
        if take("*") {
            bounds = (0, nil)
        } else if take("+") {
            bounds = (1, nil)
        } else if take("?") {
            bounds = (0, 1)
        } else if peek == "{", let counted = countedRepeat(at: index + 1) {
            index = counted.end
            bounds = (counted.least, counted.most)
        } else {
            return node
        }
        if max(bounds.least, bounds.most ?? 0) > MatchingLimits.patternCount {
            throw error("A count is at most \(MatchingLimits.patternCount).", at: place)
        }
        if let most = bounds.most, most < bounds.least {
            throw error("The first count is greater than the second.", at: place)
        }
        if case .assertion = node {
            throw error("A place such as \"^\" or \"\\b\" cannot be repeated.", at: place)
        }
        let isLazy = take("?")
        if peek == "*" || peek == "+" || peek == "?" || peek == "{" && countedRepeat(at: index + 1) != nil {
            throw error(
                "A repetition follows a repetition. Put the first in a group, or remove one.", at: index)
        }
        return .repeated(node, least: bounds.least, most: bounds.most, isLazy: isLazy, offset: offsets[start])
    }

    /// What stands behind a `{`: `3}`, `3,}` or `3,5}`; nil when the brace is an ordinary character.
    private func countedRepeat(at start: Int) -> (least: Int, most: Int?, end: Int)? {
        var place = start
        func number() -> Int? {
            let first = place
            var value = 0
            while place < source.count, ("0"..."9").contains(source[place]) {
                value = min(value * 10 + Int(source[place].value - 0x30), 1_000_000)
                place += 1
            }
            return place > first ? value : nil
        }
        guard let least = number(), place < source.count else { return nil }
        var most: Int? = least
        if source[place] == "," {
            place += 1
            most = number()
        }
        guard place < source.count, source[place] == "}" else { return nil }
        return (least, most, place + 1)
    }

    // MARK: Escapes

    private mutating func parseEscape(from start: Int) throws(PatternError) -> [PatternNode] {
        guard let scalar = peek else { throw error("The pattern ends in a single \"\\\".", at: start) }
        if scalar == "b" || scalar == "B" {
            index += 1
            return [.assertion(scalar == "b" ? .wordEdge : .noWordEdge)]
        }
        if ("1"..."9").contains(scalar) || scalar == "k" {
            throw error("Referring back to a group is not supported.", at: start)
        }
        if let (property, isNegated) = try parseProperty(from: start) {
            var set = CharacterSet()
            set.insert(property, isNegated: isNegated)
            return [.set(set)]
        }
        return folded(try parseEscapedCharacter(from: start))
    }

    /// `\d`, `\p{L}` and the like; nil, with nothing read, when it is another escape.
    private mutating func parseProperty(
        from start: Int
    ) throws(PatternError) -> (CharacterSet.Property, Bool)? {
        guard let scalar = peek else { return nil }
        let property: CharacterSet.Property
        switch scalar {
        case "d", "D": property = .digit
        case "w", "W": property = .word
        case "s", "S": property = .space
        case "p", "P":
            index += 1
            let name = bracedText()
            let known: [String: CharacterSet.Property] = [
                "L": .letter, "Letter": .letter, "Lu": .upper, "Ll": .lower, "N": .number, "Nd": .digit,
                "P": .punctuation, "S": .symbol, "M": .mark, "Z": .separator,
            ]
            guard let name, let found = known[name] else {
                throw error(
                    "Known properties are \\p{L}, {Lu}, {Ll}, {N}, {Nd}, {P}, {S}, {M} and {Z}.", at: start)
            }
            return (found, scalar == "P")
        default: return nil
        }
        index += 1
        return (property, scalar == "D" || scalar == "W" || scalar == "S")
    }

    private mutating func bracedText() -> String? {
        guard take("{") else { return nil }
        var text = String.UnicodeScalarView()
        while let next = peek, next != "}" {
            text.append(next)
            index += 1
        }
        return take("}") ? String(text) : nil
    }

    private mutating func parseEscapedCharacter(from start: Int) throws(PatternError) -> Unicode.Scalar {
        guard let scalar = peek else { throw error("The pattern ends in a single \"\\\".", at: start) }
        index += 1
        switch scalar {
        case "t": return "\t"
        case "n": return "\n"
        case "r": return "\r"
        case "f": return "\u{0C}"
        case "v": return "\u{0B}"
        case "0": return "\0"
        case "x": return try hex(fixedDigits(2), start)
        case "u": return try hex(peek == "{" ? bracedText() : fixedDigits(4), start)
        default:
            guard scalar.isASCII, !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar) else {
                throw error("\"\\\(scalar)\" has no meaning here.", at: start)
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
        else { throw error("A character by number is \\xHH, \\uHHHH or \\u{H…}.", at: start) }
        return scalar
    }

    // MARK: Classes

    private mutating func parseClass(from start: Int) throws(PatternError) -> CharacterSet {
        var set = CharacterSet()
        set.isNegated = take("^")
        var isFirst = true
        while let next = peek, next != "]" || isFirst {
            isFirst = false
            let place = index
            index += 1
            var low = next
            if next == "\\" {
                if let (property, isNegated) = try parseProperty(from: place) {
                    set.insert(property, isNegated: isNegated)
                    continue
                }
                low = peek == "b" ? "\u{08}" : try parseEscapedCharacter(from: place)
                if low == "\u{08}" { index += 1 }
            }
            var high = low
            if peek == "-", index + 1 < source.count, source[index + 1] != "]" {
                index += 1
                high = source[index]
                index += 1
                if high == "\\" { high = try parseEscapedCharacter(from: index - 1) }
                if high < low { throw error("This range runs backwards.", at: place) }
            }
            try insert(low.value...high.value, into: &set, at: place)
        }
        guard take("]") else { throw error("This class is never closed: a \"]\" is missing.", at: start) }
        return set
    }

    /// Adds the characters and what each of them folds to.
    private func insert(
        _ range: ClosedRange<UInt32>, into set: inout CharacterSet, at place: Int
    ) throws(PatternError) {
        var values: [UInt32] = []
        if range.count == 1 {
            Folding.append(range.lowerBound, to: &values)
            if values.count > 1 {
                throw error(
                    "\"\(source[place])\" is several letters once folded. Outside a class it works.",
                    at: place)
            }
            for value in values { set.insert(value...value) }
            return
        }
        set.insert(range)
        guard range.count <= 4096 else { return }
        for value in range {
            values.removeAll(keepingCapacity: true)
            Folding.append(value, to: &values)
            if values.count == 1, !range.contains(values[0]),
                !set.ranges.contains(where: { $0.contains(values[0]) })
            {
                set.insert(values[0]...values[0])
            }
        }
    }
}
