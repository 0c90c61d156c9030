extension RegularExpression {
    /// Variant of the expression syntax for one use (decision record 0014).
    package struct Syntax: Sendable {
        package enum Letters: Equatable, Sendable {
            case exact
            case eitherCase
            /// Patterns and texts are compared after ``Folding``.
            case folded
        }

        package var letters: Letters
        /// Small syntax, for filters: no named groups, word boundaries, properties or numeric escapes. `\d \w \s` match
        /// only ASCII.
        var isSmall = false
        /// Wide syntax: `^` and `$` can match at line boundaries, and options such as `(?i)` are allowed.
        var isWide = false
        var depth = PatternLimits.depth
        var instructions = PatternLimits.instructions
        /// Limits of the automaton that finds out whether a text has a match. Nil: no automaton is built.
        var automaton: PatternAutomaton.Bounds?
        /// Whether expressions beyond the limits of ``automaton`` are refused.
        var needsAutomaton: Bool { isSmall }
        /// Advice in the error that refuses look-around.
        var insteadOfLooking: String

        package static let hears = Syntax(
            letters: .folded,
            automaton: PatternAutomaton.Bounds(
                work: PatternLimits.heardWork, cells: PatternLimits.heardTransitions),
            insteadOfLooking: "use \"all\" and \"none\" in \"hears\" instead")

        /// Syntax of `--expect` of `polymock chat`.
        package static let expectation = Syntax(
            letters: .exact, isWide: true,
            insteadOfLooking: "use one --expect for each thing that must be there")

        /// Syntax of `/…/` in a filter.
        package static func filter(ignoresCase: Bool) -> Syntax {
            Syntax(
                letters: ignoresCase ? .eitherCase : .exact, isSmall: true, depth: PatternLimits.filterDepth,
                instructions: PatternLimits.filterInstructions,
                automaton: PatternAutomaton.Bounds(
                    work: PatternLimits.filterWork, cells: PatternLimits.filterTransitions),
                insteadOfLooking: "use a plain group, (…) or (?:…)")
        }
    }
}

package enum PatternLimits {
    /// Maximum bytes of an expression.
    package static let bytes = 4096
    /// Maximum number of instructions. Repeats such as `{3,9}` are expanded and count several times.
    package static let instructions = 4096
    /// Maximum number of instructions of a filter.
    package static let filterInstructions = 1000
    /// Maximum number of transitions of a filter's automaton (32 KiB).
    package static let filterTransitions = 16_384
    /// Maximum number of instructions visited while a filter's automaton is built: some milliseconds.
    package static let filterWork = 100_000
    /// Limits of the automaton of a `hears` expression. Small, because a fixture can have hundreds of expressions.
    static let heardTransitions = 4096
    static let heardWork = 30_000
    /// Number of characters that an automaton reads in the time of one ``MatchCost`` step, as measured.
    static let charactersPerStep = 8
    /// Maximum nesting depth of groups, which limits the parser's recursion.
    package static let depth = 50
    package static let filterDepth = 32
    package static let count = 1000
}
