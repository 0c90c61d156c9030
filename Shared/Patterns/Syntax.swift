extension RegularExpression {
    /// Variant of expressions for one use (decision record 0014).
    package struct Syntax: Sendable {
        package enum Letters: Equatable, Sendable {
            case exact
            case eitherCase
            /// Compared after ``Folding``.
            case folded
        }

        package var letters: Letters
        /// Without names, word edges, properties or characters by number: filters. `\d \w \s` are ASCII.
        var isSmall = false
        /// `^` and `$` match at lines, and `(?i)` is allowed.
        var isWide = false
        var depth = PatternLimits.depth
        var instructions = PatternLimits.instructions
        /// Limits of an automaton that only decides if there is a match; nil: none is built.
        var automaton: PatternAutomaton.Bounds?
        /// Refuse expressions over these limits.
        var needsAutomaton: Bool { isSmall }
        /// Alternative to look-around, for the error text.
        var insteadOfLooking: String

        /// `hears` of a fixture.
        package static let hears = Syntax(
            letters: .folded,
            automaton: PatternAutomaton.Bounds(
                work: PatternLimits.heardWork, cells: PatternLimits.heardTransitions),
            insteadOfLooking: "use \"all\" and \"none\" in \"hears\" instead")

        /// `--expect` of `polymock chat`.
        package static let expectation = Syntax(
            letters: .exact, isWide: true,
            insteadOfLooking: "use one --expect for each thing that must be there")

        /// `/…/` of a filter, matched while frames wait.
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

/// Limits of one expression.
package enum PatternLimits {
    /// Bytes of an expression: longer ones were made by a program, not by a person.
    package static let bytes = 4096
    /// Instructions of a compiled expression; counted repeats such as `{3,9}` are written out.
    package static let instructions = 4096
    /// Instructions of a filter's compiled expression. 1,000: the filter must fit into an address.
    package static let filterInstructions = 1000
    /// Transitions of a filter's automaton. 16,384: 32 KiB for each of a thousand waits, and far more than a search for
    /// a few words has.
    package static let filterTransitions = 16_384
    /// Instructions visited by its construction. 100,000: some milliseconds at most, once.
    package static let filterWork = 100_000
    /// Bounds of the automaton of an expression in `hears`; a larger expression is matched without an automaton. Small,
    /// because fixtures have hundreds of expressions.
    static let heardTransitions = 4096
    static let heardWork = 30_000
    /// Characters an automaton reads per step of ``MatchCost``, measured.
    static let charactersPerStep = 8
    /// Depth of groups, which the parser recurses into.
    package static let depth = 50
    /// Depth of groups in a filter.
    package static let filterDepth = 32
    /// The largest number in `{n,m}`.
    package static let count = 1000
}
