/// Regular expression whose matching time is limited for every text.
///
/// All syntaxes have characters, `.`, `^`, `$`, classes such as `[a-z]` and `[^,;]`, `\d \w \s \D \W \S \n \r \t`,
/// groups `( )` and `(?: )`, `|`, and `? * + {n} {n,} {n,m}`, each also lazy with `?`. All but the small syntax add
/// `(?<name> )`, `\b \B`, `\f \v \0 \xHH \uHHHH \u{…}` and `\p{L}`. Look-around and back-references are refused,
/// because their time has no limit. The leftmost match is found: the one that a backtracking engine would find.
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
    package var groupNames: [String] { program.groupNames }
    /// Whether the pattern has nested unbounded repetitions such as `(a+)+`, usually a mistake.
    package var repeatsARepetition: Bool { program.repeatsARepetition }

    package static func == (left: RegularExpression, right: RegularExpression) -> Bool {
        left.source == right.source && left.letters == right.letters
    }

    /// Whether a text, possibly invalid UTF-8, has a match.
    package func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = PatternBytes(bytes: bytes)
        if let isFound = program.automaton?.isFound(in: text) { return isFound }
        // In most texts, no byte can begin a match.
        guard program.mayBeEmpty || bytes.contains(where: program.mayBegin) else { return false }
        var machine = PatternMachine(program, text)
        var cost = MatchCost(budget: .max)
        return machine.run(cost: &cost) != nil
    }

    package func isFound(in text: String) -> Bool {
        var text = text
        return text.withUTF8 { isFound(in: $0) }
    }

    /// Returns the ranges of the named groups in folded text; -1 for a group without a match. Nil without a match, or
    /// if `cost` runs out. `original` returns the character before folding, for `\p{Lu}` and `\p{Ll}`.
    package func places(
        in scalars: [UInt32], cost: inout MatchCost, original: (Int) -> Unicode.Scalar
    ) -> [Int32]? {
        withoutActuallyEscaping(original) { original in
            let text = PatternScalars(scalars: scalars, original: original)
            if let automaton = program.automaton {
                guard cost.spend(scalars.count / PatternLimits.charactersPerStep + 1) else { return nil }
                // The automaton is faster, and most patterns do not match.
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

package struct MatchCost: Equatable, Sendable {
    package var steps = 0
    package let budget: Int
    /// Whether the budget ran out before the result was known. No match is then reported.
    package var isExhausted = false

    package init(budget: Int) { self.budget = budget }

    /// Counts `count` steps. Returns false if the budget is exhausted.
    package mutating func spend(_ count: Int) -> Bool {
        isExhausted = isExhausted || count > budget - steps
        steps = min(budget, steps + count)
        return !isExhausted
    }

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

package struct PatternError: Error, Equatable, Sendable {
    /// Predicate of a sentence about the expression, such as `opens a group and never closes it`.
    package var reason: String
    /// Suggested correction, without a full stop at the end.
    package var fix: String
    /// UTF-8 offset of the mistake in the expression.
    package var offset: Int

    package init(_ reason: String, at offset: Int, fix: String) {
        self.reason = reason
        self.offset = offset
        self.fix = fix
    }

    /// Reason and correction, as in `it opens a group and never closes it. End it with ")".`
    package var message: String { "it \(reason). \(fix.prefix(1).uppercased() + fix.dropFirst())." }
}
