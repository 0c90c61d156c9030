/// Reads a regular expression into nodes over bytes.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private let ignoresCase: Bool
    private var index = 0
    private var depth = 0

    init(_ text: String, ignoringCase: Bool) {
        scalars = Array(text.unicodeScalars)
        ignoresCase = ignoringCase
    }

    mutating func expression() throws(PatternError) -> PatternNode {
        let node = try choice()
        guard index == scalars.count else {
            throw PatternError(
                "closes a group that is not open", at: index, fix: "write \"\\)\" for a bracket")
        }
        return node
    }

    private mutating func choice() throws(PatternError) -> PatternNode {
        var nodes = [try sequence()]
        while take("|") { nodes.append(try sequence()) }
        return nodes.count == 1 ? nodes[0] : .choice(nodes)
    }

    private mutating func sequence() throws(PatternError) -> PatternNode {
        var nodes: [PatternNode] = []
        while let next = here, next != "|", next != ")" { nodes.append(try repeated()) }
        return nodes.isEmpty ? .empty : .sequence(nodes)
    }

    private mutating func repeated() throws(PatternError) -> PatternNode {
        var node = try atom()
        while let next = here {
            switch next {
            case "*": node = .repeated(node, least: 0, most: nil)
            case "+": node = .repeated(node, least: 1, most: nil)
            case "?": node = .repeated(node, least: 0, most: 1)
            case "{":
                let (least, most) = try bounds()
                node = .repeated(node, least: least, most: most)
                index -= 1
            default: return node
            }
            index += 1
            // A lazy repeat finds the same rows as a greedy one.
            _ = take("?")
            if let again = here, "*+?{".unicodeScalars.contains(again) {
                throw PatternError("repeats a repeat", at: index, fix: "put the first repeat in brackets")
            }
        }
        return node
    }

    /// `{2}`, `{2,}` or `{2,5}`.
    private mutating func bounds() throws(PatternError) -> (Int, Int?) {
        let start = index
        index += 1
        let least = number()
        var most = least
        if take(",") { most = here == "}" ? nil : number() ?? -1 }
        guard let least, take("}"), most.map({ $0 >= least }) ?? true else {
            throw PatternError("has a repeat that is none", at: start, fix: "write {2}, {2,} or {2,5}")
        }
        guard max(least, most ?? 0) <= 1_000 else {
            throw PatternError("repeats more than 1,000 times", at: start, fix: "use a smaller repeat")
        }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var digits = ""
        while let next = here, "0"..."9" ~= next {
            digits.unicodeScalars.append(next)
            index += 1
        }
        return Int(digits)
    }

    private mutating func atom() throws(PatternError) -> PatternNode {
        guard let next = here else { return .empty }
        let start = index
        index += 1
        switch next {
        case "(": return try group(start)
        case "[": return try set(start)
        case ".": return Self.anyScalar(but: [0x0A...0x0A])
        case "^": return .start
        case "$": return .end
        case "*", "+", "?", "{":
            throw PatternError(
                "repeats nothing", at: start, fix: "write \"\\\(next)\" for the character itself")
        case "\\": return try escape(start)
        default: return literal(next)
        }
    }

    private mutating func group(_ start: Int) throws(PatternError) -> PatternNode {
        if take("?"), !take(":") {
            throw PatternError(
                "looks around or names a group, which this matcher does not do", at: start,
                fix: "use a plain group, (…) or (?:…)")
        }
        depth += 1
        guard depth <= TimelineLimits.patternDepth else {
            throw PatternError("nests too many groups", at: start, fix: "use fewer groups")
        }
        let node = try choice()
        depth -= 1
        guard take(")") else {
            throw PatternError("opens a group and never closes it", at: start, fix: "end it with \")\"")
        }
        return node
    }

    private mutating func escape(_ start: Int) throws(PatternError) -> PatternNode {
        guard let next = here else {
            throw PatternError("ends with a backslash", at: start, fix: "write two for the character itself")
        }
        index += 1
        if let ranges = Self.shorthand(next) { return .set(ranges) }
        switch next {
        case "D": return Self.anyScalar(but: Self.digit)
        case "W": return Self.anyScalar(but: Self.wordPart)
        case "S": return Self.anyScalar(but: Self.space)
        default: return literal(try escaped(next, at: start))
        }
    }

    /// The character an escape stands for.
    private func escaped(_ scalar: Unicode.Scalar, at start: Int) throws(PatternError) -> Unicode.Scalar {
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        default:
            guard !scalar.properties.isAlphabetic, !("0"..."9" ~= scalar) else {
                throw PatternError(
                    "has the escape \"\\\(scalar)\", which this matcher does not know", at: start,
                    fix: "use \\d, \\w, \\s, \\D, \\W, \\S, \\n, \\r, \\t or a punctuation mark")
            }
            return scalar
        }
    }

    /// From behind the opening bracket.
    private mutating func set(_ start: Int) throws(PatternError) -> PatternNode {
        let isOpposite = take("^")
        var ranges: [ClosedRange<UInt8>] = []
        var others: [PatternNode] = []
        var isFirst = true
        while let next = here, next != "]" || isFirst {
            isFirst = false
            let place = index
            index += 1
            var low = next
            if next == "\\" {
                guard let kind = here else { break }
                index += 1
                if let shorthand = Self.shorthand(kind) {
                    ranges += shorthand
                    continue
                }
                low = try escaped(kind, at: place)
            }
            var high = low
            if here == "-", index + 1 < scalars.count, scalars[index + 1] != "]" {
                high = scalars[index + 1]
                index += 2
            }
            if low == high, !low.isASCII, !isOpposite {
                others.append(literal(low))
                continue
            }
            guard low.isASCII, high.isASCII, high != "\\", low <= high else {
                throw PatternError(
                    "has a range this matcher does not know", at: place,
                    fix: "use ranges from low to high of plain letters, digits and signs")
            }
            ranges.append(UInt8(low.value)...UInt8(high.value))
        }
        guard take("]") else {
            throw PatternError("opens a class and never closes it", at: start, fix: "end it with \"]\"")
        }
        if ignoresCase { ranges = Self.bothCases(ranges) }
        if isOpposite { return Self.anyScalar(but: ranges) }
        return others.isEmpty ? .set(ranges) : .choice([.set(ranges)] + others)
    }

    private func literal(_ scalar: Unicode.Scalar) -> PatternNode {
        guard ignoresCase else { return Self.bytes(String(scalar)) }
        let properties = scalar.properties
        let forms = Set([String(scalar), properties.lowercaseMapping, properties.uppercaseMapping])
        return forms.count == 1 ? Self.bytes(String(scalar)) : .choice(forms.sorted().map(Self.bytes))
    }

    private static func bytes(_ text: String) -> PatternNode {
        let nodes = text.utf8.map { PatternNode.set([$0...$0]) }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    // MARK: Sets

    private static let digit: [ClosedRange<UInt8>] = [0x30...0x39]
    private static let wordPart: [ClosedRange<UInt8>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    private static let space: [ClosedRange<UInt8>] = [0x09...0x0D, 0x20...0x20]

    private static func shorthand(_ scalar: Unicode.Scalar) -> [ClosedRange<UInt8>]? {
        switch scalar {
        case "d": digit
        case "w": wordPart
        case "s": space
        default: nil
        }
    }

    private static func bothCases(_ ranges: [ClosedRange<UInt8>]) -> [ClosedRange<UInt8>] {
        var both = ranges
        for byte in ranges.joined() {
            if 0x41...0x5A ~= byte || 0x61...0x7A ~= byte { both.append((byte ^ 0x20)...(byte ^ 0x20)) }
        }
        return both
    }

    /// One scalar outside `ranges`, in one to four bytes (RFC 3629 §4).
    private static func anyScalar(but ranges: [ClosedRange<UInt8>]) -> PatternNode {
        let plain = (0...0x7F as ClosedRange<UInt8>).filter { byte in
            !ranges.contains { $0.contains(byte) }
        }
        let tail = PatternNode.set([0x80...0xBF])
        return .choice([
            .set(plain.map { $0...$0 }),
            .sequence([.set([0xC2...0xDF]), tail]),
            .sequence([.set([0xE0...0xEF]), tail, tail]),
            .sequence([.set([0xF0...0xF4]), tail, tail, tail]),
        ])
    }

    // MARK: Characters

    private var here: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard here == scalar else { return false }
        index += 1
        return true
    }
}
