indirect enum PatternNode: Sendable {
    case empty
    case character(UInt32)
    /// Any character except a line feed.
    case any
    case set(CharacterSet)
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case choice([PatternNode])
    case group(Int, PatternNode)
    case repeated(PatternNode, least: Int, most: Int?, isLazy: Bool, offset: Int)

    /// Whether the node can match the empty text.
    var isNullable: Bool {
        switch self {
        case .empty, .assertion: true
        case .character, .any, .set: false
        case .sequence(let nodes): nodes.allSatisfy(\.isNullable)
        case .choice(let nodes): nodes.contains(where: \.isNullable)
        case .group(_, let node): node.isNullable
        case .repeated(let node, let least, _, _, _): least == 0 || node.isNullable
        }
    }

    /// Whether an unbounded repetition is directly inside another, as in `(a+)+`.
    var repeatsARepetition: Bool {
        switch self {
        case .empty, .assertion, .character, .any, .set: false
        case .sequence(let nodes), .choice(let nodes): nodes.contains(where: \.repeatsARepetition)
        case .group(_, let node): node.repeatsARepetition
        case .repeated(let node, _, let most, _, _):
            node.repeatsARepetition || most == nil && node.canBeARepetition
        }
    }

    /// Whether the node can match like one unbounded repetition, because its other parts may be empty.
    private var canBeARepetition: Bool {
        switch self {
        case .empty, .assertion, .character, .any, .set: return false
        case .choice(let nodes): return nodes.contains(where: \.canBeARepetition)
        case .group(_, let node): return node.canBeARepetition
        case .repeated(let node, _, let most, _, _): return most == nil || node.canBeARepetition
        case .sequence(let nodes):
            let firm = nodes.indices.filter { !nodes[$0].isNullable }
            if firm.count > 1 { return false }
            if let only = firm.first { return nodes[only].canBeARepetition }
            return nodes.contains(where: \.canBeARepetition)
        }
    }
}

enum PatternAssertion: Equatable, Sendable {
    case start
    case end
    case lineStart
    case lineEnd
    case wordEdge
    case noWordEdge
}

/// The characters of a class such as `[a-z\d]`.
struct CharacterSet: Sendable {
    enum Property: Equatable, Sendable {
        case digit
        case word
        case space
        case letter
        case upper
        case lower
        case number
        case punctuation
        case symbol
        case mark
        case separator
    }

    private(set) var ranges: [ClosedRange<UInt32>] = []
    private(set) var properties: [(property: Property, isNegated: Bool, isASCII: Bool)] = []
    var isNegated = false
    /// Whether the class has upper-case or lower-case properties.
    private(set) var readsOriginal = false

    mutating func insert(_ range: ClosedRange<UInt32>) {
        if let last = ranges.last, last.upperBound + 1 == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound...range.upperBound
        } else {
            ranges.append(range)
        }
    }

    /// Inserts a property. With `isASCII`, only ASCII characters count as having the property.
    mutating func insert(_ property: Property, isNegated: Bool, isASCII: Bool) {
        properties.append((property, isNegated, isASCII))
        readsOriginal = readsOriginal || property == .upper || property == .lower
    }

    func holds(_ value: UInt32) -> Bool { ranges.contains { $0.contains(value) } }

    /// Whether the class contains a character. `original`, before folding, is needed with ``readsOriginal``.
    func contains(_ value: UInt32, original: Unicode.Scalar?) -> Bool {
        for range in ranges where range.contains(value) { return !isNegated }
        for (property, isInverse, isASCII) in properties
        where (!(isASCII && value >= 0x80) && CharacterSet.has(property, value, original)) != isInverse {
            return !isNegated
        }
        return isNegated
    }

    private static func has(_ property: Property, _ value: UInt32, _ original: Unicode.Scalar?) -> Bool {
        switch property {
        case .digit where value < 0x80: return value &- 0x30 < 10
        case .word: return isWord(value)
        case .space: return LetterClass(value) == .space
        default: break
        }
        let folded = Unicode.Scalar(value)
        let scalar = property == .upper || property == .lower ? original ?? folded : folded
        guard let category = scalar?.properties.generalCategory else { return false }
        switch (property, category) {
        case (.letter, .uppercaseLetter), (.letter, .lowercaseLetter), (.letter, .titlecaseLetter),
            (.letter, .modifierLetter), (.letter, .otherLetter), (.upper, .uppercaseLetter),
            (.digit, .decimalNumber),
            (.lower, .lowercaseLetter), (.number, .decimalNumber), (.number, .letterNumber),
            (.number, .otherNumber), (.punctuation, .connectorPunctuation), (.punctuation, .dashPunctuation),
            (.punctuation, .openPunctuation), (.punctuation, .closePunctuation),
            (.punctuation, .initialPunctuation), (.punctuation, .finalPunctuation),
            (.punctuation, .otherPunctuation), (.symbol, .mathSymbol), (.symbol, .currencySymbol),
            (.symbol, .modifierSymbol), (.symbol, .otherSymbol), (.mark, .nonspacingMark),
            (.mark, .spacingMark), (.mark, .enclosingMark), (.separator, .spaceSeparator),
            (.separator, .lineSeparator), (.separator, .paragraphSeparator):
            return true
        default: return false
        }
    }

    /// Whether `\w` matches: letters, marks and digits of any script, and the underscore.
    static func isWord(_ value: UInt32) -> Bool {
        if value < 0x80 { return value == 0x5F || LetterClass(value).isWord }
        guard let category = Unicode.Scalar(value)?.properties.generalCategory else { return false }
        return category != .otherSymbol && LetterClass(value).isWord
    }
}
