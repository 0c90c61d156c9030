/// A regular expression whose matching time is bounded for every pattern and every message.
///
/// Known: characters and the escapes `\d \w \s \b \D \W \S \B \t \n \r \f \v \xHH \uHHHH \u{…} \p{L}`;
/// classes such as `[a-z]` and `[^,;]`; `.`; groups `( )`, `(?: )` and `(?<name> )`; `|`; `? * + {n} {n,}
/// {n,m}`, each also lazy with a `?` behind; `^` and `$` for the ends of the message. Look-around and
/// back-references are refused, because no bound on time is known for them.
///
/// It reads the message with case and accents folded and punctuation kept, so `clos(e|ing)` is found in
/// "Closing!". Named groups give the original spelling. It is found anywhere unless `^` or `$` say otherwise;
/// of several places the first counts, and there the choice of the usual backtracking engines.
package struct Pattern: Equatable, Sendable {
    private let program: PatternProgram

    package init(_ source: String) throws(PatternError) {
        var parser = PatternParser(source)
        let root = try parser.parse()
        program = try PatternProgram(source: source, root: root, groupNames: parser.groupNames)
    }

    package var source: String { program.source }
    /// Named groups in the order of their opening parentheses.
    package var groupNames: [String] { program.groupNames }
    /// A repetition without end repeats another that may stand next to itself, as in `(a+)+`: harmless here,
    /// but a slip of the pen, and a trap for other engines.
    package var repeatsARepetition: Bool { program.repeatsARepetition }

    package static func == (left: Pattern, right: Pattern) -> Bool { left.source == right.source }

    /// What the named groups took; nil when the pattern is not in the message.
    func match(_ heard: Heard, cost: inout MatchCost) -> Captures? {
        var machine = PatternMachine(program)
        guard let slots = machine.run(heard, cost: &cost) else { return nil }
        var captures = Captures()
        for (index, name) in program.groupNames.enumerated() {
            let (start, end) = (Int(slots[index * 2]), Int(slots[index * 2 + 1]))
            if start >= 0, end >= start { captures[name] = heard.original(start..<end) }
        }
        return captures
    }
}

/// Why a pattern is refused, in a sentence for its author.
package struct PatternError: Error, Equatable, Sendable {
    package var message: String
    /// UTF-8 bytes from the start of the pattern to the mistake.
    package var offset: Int

    package init(message: String, offset: Int) {
        self.message = message
        self.offset = offset
    }
}
