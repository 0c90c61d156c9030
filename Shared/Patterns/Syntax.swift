extension RegularExpression {
    /// Dialect of expressions in one part of the product. Everything else is common to all (decision record 0014).
    package struct Syntax: Sendable {
        package enum Letters: Equatable, Sendable {
            case exact
            case eitherCase
            /// As ``Folding`` has them: case, accents and width do not count.
            case folded
        }

        package var letters: Letters
        /// No names, word edges, properties or characters by number: what filters take. `\d \w \s` are ASCII.
        var isSmall = false
        /// `^` and `$` are the ends of lines, and `(?i)` may stand in front.
        var isWide = false
        var depth = PatternLimits.depth
        var instructions = PatternLimits.instructions
        /// Limits on the cost of an automaton that says only whether the expression is found; nil: no
        /// automaton is built.
        var automaton: PatternAutomaton.Bounds?
        /// Without its automaton an expression is refused.
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

        /// `/…/` of a filter, which is matched where frames wait.
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
    /// Instructions that building it may look at. 100,000: some milliseconds at most, once.
    package static let filterWork = 100_000
    /// Transitions and work for an expression in `hears`, which is matched without an automaton over these
    /// limits: fixtures have hundreds of expressions.
    static let heardTransitions = 4096
    static let heardWork = 30_000
    /// Characters that an automaton reads in the time of one step of ``MatchCost``, measured.
    static let charactersPerStep = 8
    /// Groups inside groups. The parser recurses once for each.
    package static let depth = 50
    /// Groups inside groups in a filter.
    package static let filterDepth = 32
    /// The largest number in `{n,m}`.
    package static let count = 1000
}
