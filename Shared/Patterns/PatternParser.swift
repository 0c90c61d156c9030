/// Recursive-descent parser of regular expressions, up to the first error.
struct PatternParser {
    let syntax: RegularExpression.Syntax
    private(set) var groupNames: [String] = []
    let source: [Unicode.Scalar]
    /// UTF-8 offset of each element of `source`, and of the end.
    private let offsets: [Int]
    var index = 0
    private var depth = 0
    var letters: RegularExpression.Syntax.Letters
    /// State of the options `(?m)` and `(?s)`.
    private var anchorsAreLines: Bool
    private var dotTakesLineEnds = false

    init(_ text: String, _ syntax: RegularExpression.Syntax) {
        self.syntax = syntax
        letters = syntax.letters
        anchorsAreLines = syntax.isWide
        source = Array(text.unicodeScalars)
        var offsets = [0]
        offsets.reserveCapacity(source.count + 1)
        for scalar in source { offsets.append(offsets[offsets.count - 1] + UTF8.width(scalar)) }
        self.offsets = offsets
    }

    mutating func parse() throws(PatternError) -> PatternNode {
        if offsets[source.count] > PatternLimits.bytes {
            throw error("has more than \(PatternLimits.bytes) bytes", at: 0, fix: "write a shorter one")
        }
        let node = try parseChoice()
        if peek == ")" {
            throw error(
                "closes a group that is not open", at: index, fix: "write \"\\)\" for the bracket itself")
        }
        return node
    }

    var peek: Unicode.Scalar? { index < source.count ? source[index] : nil }

    mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        index += 1
        return true
    }

    func error(_ reason: String, at index: Int, fix: String) -> PatternError {
        PatternError(reason, at: offsets[min(index, source.count)], fix: fix)
    }

    // MARK: Structure

    private mutating func parseChoice() throws(PatternError) -> PatternNode {
        var choices = [try parseSequence()]
        while consume("|") { choices.append(try parseSequence()) }
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func parseSequence() throws(PatternError) -> PatternNode {
        var nodes: [PatternNode] = []
        while let next = peek, next != "|", next != ")" {
            let start = index
            guard let atom = try parseAtom() else { continue }
            if letters == .folded { skipDroppedMarks() }
            nodes.append(try parseQuantifier(of: atom, from: start))
        }
        return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .empty : .sequence(nodes)
    }

    /// Parses an atom. Nil at an option, or at a character that folding removes.
    private mutating func parseAtom() throws(PatternError) -> PatternNode? {
        let start = index
        guard let scalar = peek else { return nil }
        index += 1
        switch scalar {
        case ".": return dot
        case "^": return .assertion(anchorsAreLines ? .lineStart : .start)
        case "$": return .assertion(anchorsAreLines ? .lineEnd : .end)
        case "(": return try parseGroup(from: start)
        case "[": return try parseClass(from: start)
        case "\\": return try parseEscape(from: start)
        case "*", "+", "?":
            throw error("repeats nothing", at: start, fix: "write \"\\\(scalar)\" for the character itself")
        case "{" where syntax.isSmall || countedRepeat(at: index) != nil:
            throw error("repeats nothing", at: start, fix: "write \"\\{\" for the character itself")
        default: return literal(scalar)
        }
    }

    private var dot: PatternNode {
        guard syntax.isWide else { return .any }
        var set = CharacterSet()
        set.isNegated = true
        if !dotTakesLineEnds { LetterClass.lineEnds.forEach { set.insert($0) } }
        return .set(set)
    }

    /// Returns the node of a character and its variants; nil if folding removes it.
    func literal(_ scalar: Unicode.Scalar) -> PatternNode? {
        switch letters {
        case .exact: return .character(scalar.value)
        case .eitherCase:
            let forms = Self.forms(of: scalar)
            if forms.count == 1 { return .character(scalar.value) }
            guard forms.allSatisfy({ $0.count == 1 }) else { return .choice(forms.map(Self.sequence)) }
            var set = CharacterSet()
            for form in forms { set.insert(form[0]...form[0]) }
            return .set(set)
        case .folded:
            var values: [UInt32] = []
            Folding.append(scalar.value, to: &values)
            return values.isEmpty ? nil : Self.sequence(values)
        }
    }

    /// Returns the lower-case and upper-case forms of a character. A form may consist of several characters.
    static func forms(of scalar: Unicode.Scalar) -> [[UInt32]] {
        let properties = scalar.properties
        let texts = Set([String(scalar), properties.lowercaseMapping, properties.uppercaseMapping])
        return texts.sorted().map { $0.unicodeScalars.map(\.value) }
    }

    /// Joins characters into one node, so that a quantifier repeats all of them: "ß+" is "(?:ss)+".
    private static func sequence(_ values: [UInt32]) -> PatternNode {
        values.count == 1 ? .character(values[0]) : .sequence(values.map { .character($0) })
    }

    private mutating func skipDroppedMarks() {
        while let next = peek, Folding.isDropped(next.value) { index += 1 }
    }

    // MARK: Groups

    private mutating func parseGroup(from start: Int) throws(PatternError) -> PatternNode? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= syntax.depth else {
            throw error("nests more than \(syntax.depth) groups", at: start, fix: "use fewer groups")
        }
        let outer = (letters, anchorsAreLines, dotTakesLineEnds)
        var name: Int?
        if consume("?") {
            if try parseOptions(from: start) { return nil }
            name = try parseGroupKind(from: start)
        }
        let inner = try parseChoice()
        guard consume(")") else {
            throw error("opens a group and never closes it", at: start, fix: "end it with \")\"")
        }
        (letters, anchorsAreLines, dotTakesLineEnds) = outer
        return name.map { .group($0, inner) } ?? inner
    }

    /// Parses the kind of group after `(?`. Returns the index of a named group, nil for other groups.
    private mutating func parseGroupKind(from start: Int) throws(PatternError) -> Int? {
        if source[index - 1] == ":" || consume(":") { return nil }
        let isNamed = consume("<")
        if peek == "=" || peek == "!" || syntax.isSmall {
            throw error(
                syntax.isSmall
                    ? "looks around or names a group, which this matcher does not do"
                    : "looks ahead or behind, which this matcher does not do",
                at: start, fix: syntax.insteadOfLooking)
        }
        if isNamed { return try parseName() }
        let option =
            syntax.isWide ? "(?i) and (?i:…)" : "case never matters here, so no option is needed for it"
        throw error(
            "has a group that this matcher does not know", at: start,
            fix: "use (…), (?:…) and (?<name>…); \(option)")
    }

    private mutating func parseName() throws(PatternError) -> Int {
        let start = index
        while let next = peek, next != ">" {
            guard
                next == "_" || next == "-" && index > start || next.properties.isAlphabetic
                    || ("0"..."9").contains(next) && index > start
            else {
                throw error(
                    "names a group with \"\(next)\"", at: index,
                    fix: "use letters, digits, \"-\" and \"_\", and begin with a letter")
            }
            index += 1
        }
        var name = String.UnicodeScalarView()
        name.append(contentsOf: source[start..<index])
        guard consume(">") else {
            throw error("begins a group's name and never ends it", at: start, fix: "end it with \">\"")
        }
        guard !name.isEmpty else {
            throw error(
                "has a group with an empty name", at: start, fix: "write the name between \"<\" and \">\"")
        }
        if groupNames.contains(String(name)) {
            throw error("has two groups called \"\(String(name))\"", at: start, fix: "give one another name")
        }
        groupNames.append(String(name))
        return groupNames.count - 1
    }

    /// Parses the options `i`, `s`, `m` and `-` of a wide syntax. Returns true if the options apply to the rest of the
    /// enclosing group, as in `(?i)`.
    private mutating func parseOptions(from start: Int) throws(PatternError) -> Bool {
        guard syntax.isWide,
            let end = source[index...].firstIndex(where: { !"ism-".unicodeScalars.contains($0) }),
            end > index, source[end] == ")" || source[end] == ":"
        else { return false }
        var isOn = true
        for option in source[index..<end] {
            switch option {
            case "-": isOn = false
            case "i": letters = isOn ? .eitherCase : .exact
            case "m": anchorsAreLines = isOn
            default: dotTakesLineEnds = isOn
            }
        }
        index = end + 1
        return source[end] == ")"
    }

    // MARK: Quantifiers

    private mutating func parseQuantifier(
        of node: PatternNode, from start: Int
    ) throws(PatternError) -> PatternNode {
        let place = index
        let bounds: (least: Int, most: Int?)
        if consume("*") {
            bounds = (0, nil)
        } else if consume("+") {
            bounds = (1, nil)
        } else if consume("?") {
            bounds = (0, 1)
        } else if peek == "{", let counted = countedRepeat(at: index + 1) {
            index = counted.end
            bounds = (counted.least, counted.most)
        } else if peek == "{", syntax.isSmall {
            throw error("has a repeat that is none", at: place, fix: "write {2}, {2,} or {2,5}")
        } else {
            return node
        }
        if max(bounds.least, bounds.most ?? 0) > PatternLimits.count {
            throw error(
                "repeats more than \(PatternLimits.count) times", at: place, fix: "use a smaller repeat")
        }
        if let most = bounds.most, most < bounds.least {
            throw error(
                "repeats at least \(bounds.least) and at most \(most) times", at: place,
                fix: "write the smaller count first")
        }
        if case .assertion = node, !syntax.isSmall {
            throw error("repeats a place such as \"^\" or \"\\b\"", at: place, fix: "write it once")
        }
        let isLazy = consume("?")
        let isRepeated = peek == "*" || peek == "+" || peek == "?" || peek == "{"
        if isRepeated, peek != "{" || syntax.isSmall || countedRepeat(at: index + 1) != nil {
            throw error(
                "repeats a repeat", at: index, fix: "put the first repeat in brackets, or leave one out")
        }
        return .repeated(node, least: bounds.least, most: bounds.most, isLazy: isLazy, offset: offsets[start])
    }

    /// Parses `3}`, `3,}` or `3,5}` after `{`; in a wide syntax also `,5}`. Nil if the brace is an ordinary character.
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
        let first = number()
        guard place < source.count, let least = first ?? (syntax.isWide && source[place] == "," ? 0 : nil)
        else { return nil }
        var most: Int? = least
        if source[place] == "," {
            place += 1
            most = number()
        }
        guard place < source.count, source[place] == "}", first ?? most != nil else { return nil }
        return (least, most, place + 1)
    }
}
