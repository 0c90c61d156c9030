/// A regular expression with bounded matching time for every expression and text.
///
/// All syntaxes: characters, `.`, classes such as `[a-z]` and `[^,;]`, `\d \w \s \D \W \S \n \r \t`, groups `( )` and
/// `(?: )`, `|`, `? * + {n} {n,} {n,m}`, each also lazy with `?`, `^` and `$`. All but the small one: `(?<name> )`, `\b
/// \B`, `\f \v \0 \xHH \uHHHH \u{…}` and `\p{L}`. Look-around and back-references are refused, because no bound on time
/// is known for them.
///
/// It matches anywhere unless `^` or `$` are used; the first position wins, with the preferences of backtracking
/// engines.
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
    /// Named groups in order.
    package var groupNames: [String] { program.groupNames }
    /// True for nested endless repetitions such as `(a+)+`: harmless here, but usually a mistake, and slow in other
    /// engines.
    package var repeatsARepetition: Bool { program.repeatsARepetition }

    package static func == (left: RegularExpression, right: RegularExpression) -> Bool {
        left.source == right.source && left.letters == right.letters
    }

    /// True if the text, which may have encoding errors, has a match.
    package func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = PatternBytes(bytes: bytes)
        if let isFound = program.automaton?.isFound(in: text) { return isFound }
        // Most rows have no possible start.
        guard program.mayBeEmpty || bytes.contains(where: program.mayBegin) else { return false }
        var machine = PatternMachine(program, text)
        var cost = MatchCost(budget: .max)
        return machine.run(cost: &cost) != nil
    }

    package func isFound(in text: String) -> Bool {
        var text = text
        return text.withUTF8 { isFound(in: $0) }
    }

    /// Ranges of the named groups in folded text, -1 for a group without match. Nil without a match or when `cost` runs
    /// out. `original` is the unfolded character at an index, for `\p{Lu}` and `\p{Ll}`.
    package func places(
        in scalars: [UInt32], cost: inout MatchCost, original: (Int) -> Unicode.Scalar
    ) -> [Int32]? {
        withoutActuallyEscaping(original) { original in
            let text = PatternScalars(scalars: scalars, original: original)
            if let automaton = program.automaton {
                guard cost.spend(scalars.count / PatternLimits.charactersPerStep + 1) else { return nil }
                // Few rules match a message.
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

/// Budget of matching.
package struct MatchCost: Equatable, Sendable {
    package var steps = 0
    package let budget: Int
    /// The budget ran out before the result; nothing counts as found.
    package var isExhausted = false

    package init(budget: Int) { self.budget = budget }

    /// Counts steps; false if too few are left.
    package mutating func spend(_ count: Int) -> Bool {
        isExhausted = isExhausted || count > budget - steps
        steps = min(budget, steps + count)
        return !isExhausted
    }

    /// Counts a step; false if none is left.
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

/// Syntax error of a regular expression.
package struct PatternError: Error, Equatable, Sendable {
    /// Continues "the regular expression ".
    package var reason: String
    /// Suggested replacement, without a full stop.
    package var fix: String
    /// UTF-8 bytes from the start of the expression to the mistake.
    package var offset: Int

    package init(_ reason: String, at offset: Int, fix: String) {
        self.reason = reason
        self.offset = offset
        self.fix = fix
    }

    /// Two sentences: `it opens a group and never closes it. End it with ")".`
    package var message: String { "it \(reason). \(fix.prefix(1).uppercased() + fix.dropFirst())." }
}
