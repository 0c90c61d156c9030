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
        /// Small syntax, for filters. It has no named groups, word boundaries, properties or numeric escapes. `\d \w
        /// \s` match ASCII characters only.
        var isSmall = false
        /// Wide syntax. `^` and `$` can match at line boundaries, and options such as `(?i)` are allowed.
        var isWide = false
        var depth = PatternLimits.depth
        var instructions = PatternLimits.instructions
        /// Limits of the automaton that decides whether there is a match. If nil, no automaton is built.
        var automaton: PatternAutomaton.Bounds?
        /// Whether expressions that exceed these limits are refused.
        var needsAutomaton: Bool { isSmall }
        /// Advice for the error message that refuses look-around: what to use in its place.
        var insteadOfLooking: String

        /// Syntax of `hears` in a fixture.
        package static let hears = Syntax(
            letters: .folded,
            automaton: PatternAutomaton.Bounds(
                work: PatternLimits.heardWork, cells: PatternLimits.heardTransitions),
            insteadOfLooking: "use \"all\" and \"none\" in \"hears\" instead")

        /// Syntax of `--expect` of `polymock chat`.
        package static let expectation = Syntax(
            letters: .exact, isWide: true,
            insteadOfLooking: "use one --expect for each thing that must be there")

        /// Syntax of `/…/` in a filter. It is small, because frames have to wait while a filter is matched.
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

/// Limits of one regular expression.
package enum PatternLimits {
    /// Maximum bytes of an expression. 4096: more than anybody writes by hand.
    package static let bytes = 4096
    /// Maximum number of instructions of a compiled expression. Repeats such as `{3,9}` are expanded, so they count
    /// several times.
    package static let instructions = 4096
    /// Maximum number of instructions of a filter's compiled expression. 1,000: the filter has to fit into a URL.
    package static let filterInstructions = 1000
    /// Maximum number of transitions of a filter's automaton. 16,384 take 32 KiB, and are far more than a search for a
    /// few words needs.
    package static let filterTransitions = 16_384
    /// Maximum number of instructions visited while a filter's automaton is built. 100,000 take some milliseconds.
    package static let filterWork = 100_000
    /// Limits of the automaton of an expression in `hears`. They are small, because a fixture can have hundreds of
    /// expressions. An expression that exceeds them is matched without an automaton.
    static let heardTransitions = 4096
    static let heardWork = 30_000
    /// Number of characters that an automaton reads in the time of one step of ``MatchCost``. The number was measured.
    static let charactersPerStep = 8
    /// Maximum nesting depth of groups. It limits the parser's recursion.
    package static let depth = 50
    /// Maximum nesting depth of groups in a filter.
    package static let filterDepth = 32
    /// Maximum number in the counts of `{n,m}`.
    package static let count = 1000
}
