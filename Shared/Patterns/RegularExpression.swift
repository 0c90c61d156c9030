/// A regular expression whose matching time is bounded for every expression and every text.
///
/// Known everywhere: characters, `.`, classes such as `[a-z]` and `[^,;]`, `\d \w \s \D \W \S \n \r \t`, groups `( )`
/// and `(?: )`, `|`, `? * + {n} {n,} {n,m}`, each also lazy with a `?` behind, `^` and `$`. Known where the syntax is
/// not small: `(?<name> )`, `\b \B`, `\f \v \0 \xHH \uHHHH \u{…}` and `\p{L}`. Look-around and back-references are
/// refused, because no bound on time is known for them.
///
/// It is found anywhere unless `^` or `$` say otherwise; of several places the first counts, and there the choice of the
/// usual backtracking engines.
package struct RegularExpression: Equatable, Sendable {
    private let program: PatternProgram
    private let letters: Syntax.Letters

    package init(_ source: String, _ syntax: Syntax) throws(PatternError) {
        var parser = PatternParser(source, syntax)
        let root = try parser.parse()
        program = try PatternProgram(
            source: source, root: root, groupNames: parser.groupNames, most: syntax.instructions,
            tellsPlace: !syntax.isSmall, automaton: syntax.automaton)
        guard program.automaton != nil || !syntax.needsAutomaton else {
            throw PatternError(
                "is too costly: it has to keep too many places in mind at once", at: 0,
                fix: "use a smaller count, or * in its place")
        }
        letters = syntax.letters
    }

    package var source: String { program.source }
    /// Named groups in the order of their opening parentheses.
    package var groupNames: [String] { program.groupNames }
    /// A repetition without end repeats another that may stand next to itself, as in `(a+)+`: harmless here,
    /// but a slip of the pen, and a trap for other engines.
    package var repeatsARepetition: Bool { program.repeatsARepetition }

    package static func == (left: RegularExpression, right: RegularExpression) -> Bool {
        left.source == right.source && left.letters == right.letters
    }

    /// True when it is found in text, which need not be UTF-8 everywhere.
    package func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = PatternBytes(bytes: bytes)
        if let isFound = program.automaton?.isFound(in: text) { return isFound }
        // Most rows of a timeline have no place where a match could begin.
        guard program.mayBeEmpty || bytes.contains(where: program.mayBegin) else { return false }
        var machine = PatternMachine(program, text)
        var cost = MatchCost(budget: .max)
        return machine.run(cost: &cost) != nil
    }

    package func isFound(in text: String) -> Bool {
        var text = text
        return text.withUTF8 { isFound(in: $0) }
    }

    /// Positions of its named groups in folded text: two each, -1 for a group that took no part. Nil when it
    /// is not found, and when `cost` runs out.
    /// `original` is the character at a place before folding, for `\p{Lu}` and `\p{Ll}`.
    package func places(
        in scalars: [UInt32], cost: inout MatchCost, original: (Int) -> Unicode.Scalar
    ) -> [Int32]? {
        withoutActuallyEscaping(original) { original in
            let text = PatternScalars(scalars: scalars, original: original)
            if let automaton = program.automaton {
                guard cost.spend(scalars.count / PatternLimits.charactersPerStep + 1) else { return nil }
                // Most messages are heard by few rules.
                switch automaton.isFound(in: text) {
                case false?: return nil
                case true? where program.groupNames.isEmpty: return []
                case true?, nil: break
                }
            }
            var machine = PatternMachine(program, text)
            return machine.run(cost: &cost)
        }
    }
}

/// Cost of matching, and whether it was given up.
package struct MatchCost: Equatable, Sendable {
    package var steps = 0
    package let budget: Int
    /// The budget was spent before the answer was known; nothing counts as found.
    package var isExhausted = false

    package init(budget: Int) {
        self.budget = budget
    }

    /// Counts many steps at once; false when there are not so many.
    package mutating func spend(_ count: Int) -> Bool {
        isExhausted = isExhausted || count > budget - steps
        steps = min(budget, steps + count)
        return !isExhausted
    }

    /// Counts a step; false when none is left.
    @inlinable
    package mutating func spend() -> Bool {
        if steps >= budget {
            isExhausted = true
            return false
        }
        steps += 1
        return true
    }
}
