import Expectations
import TestSupport
import Testing

@testable import Patterns

@Suite("Expressions as automata")
struct PatternAutomatonTests {
    private static let bounds = PatternAutomaton.Bounds(
        work: PatternLimits.filterWork, cells: PatternLimits.filterTransitions)

    private func program(
        _ source: String, _ syntax: RegularExpression.Syntax, bounds: PatternAutomaton.Bounds? = bounds
    ) throws -> PatternProgram {
        var parser = PatternParser(source, syntax)
        let root = try parser.parse()
        return try PatternProgram(
            source: source, root: root, groupNames: parser.groupNames, most: syntax.instructions,
            tellsPlace: true, automaton: bounds)
    }

    private func isFoundByMachine(_ program: PatternProgram, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var machine = PatternMachine(program, PatternBytes(bytes: bytes))
            var cost = MatchCost(budget: .max)
            return machine.run(cost: &cost) != nil
        }
    }

    private func isFound(_ program: PatternProgram, _ bytes: [UInt8]) -> Bool? {
        bytes.withUnsafeBufferPointer { program.automaton?.isFound(in: PatternBytes(bytes: $0)) }
    }

    @Test(
        "Machine and automaton agree about any expression and any bytes", arguments: [false, true] as [Bool])
    func agreement(ignoresCase: Bool) throws {
        // Knuth's linear congruential generator, of which the upper bits are good.
        var state: UInt64 = ignoresCase ? 11 : 7
        func below(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let pieces = [
            "a", "b", "é", ".", "^", "$", "|", "(", ")", "*", "+", "?", "{2}", "{0,3}", "{1,4}", "[ab]",
            "[^a]",
            #"\w"#, #"\D"#, #"\s"#, "(a|b)", "(ab)*",
        ]
        let letters: [[UInt8]] = [
            [0x61], [0x62], [0x41], [0xC3, 0xA9], [0xC3], [0xFF], [0x0A], [0x20], [0x37],
        ]
        var compared = 0
        for _ in 0..<Strength.of(1_500, full: 50_000) {
            let source = (0..<(1 + below(8))).map { _ in pieces[below(pieces.count)] }.joined()
            guard let program = try? program(source, .filter(ignoresCase: ignoresCase)),
                program.automaton != nil
            else { continue }
            for _ in 0..<6 {
                let text = (0..<below(10)).flatMap { _ in letters[below(letters.count)] }
                compared += 1
                expectEqual(isFound(program, text), isFoundByMachine(program, text), "\(source) in \(text)")
            }
        }
        #expect(compared > 2_000)
    }

    static let costly = [
        String(repeating: ".*", count: 120) + "q9z", String(repeating: "(x*y?)+", count: 12) + "q9z",
        "(a+)+(b|c)*.*.*q9z", "(.*a){12}b", "(a?){300}a", "refund.{0,40}order", "a.{0,400}b",
        "(ab.{1,30}){0,10}c", "([a-z]+ ?)+!", "[0-9]{16}", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$",
        "(one|two|three|four|five|six|seven)+ [0-9]{2,5}", #""level":"(warn|error)""#,
    ]

    @Test(
        "What a filter may ask is asked with one step for each character, however it is written",
        arguments: costly)
    func oneStep(_ source: String) throws {
        let program = try program(source, .filter(ignoresCase: false))
        #expect(program.automaton != nil)
        for text in ["xyxyxyq9", "aaab refund, my order", "abxxc", "1234567812345678", "five 123", "abc!"] {
            expectEqual(
                isFound(program, Array(text.utf8)), isFoundByMachine(program, Array(text.utf8)), "\(text)")
        }
    }

    @Test(
        "An expression that has to keep too much in mind is refused (limits filterTransitions, filterWork)",
        arguments: ["(a|b)*a(a|b){20}", "a.{20}b", "[^x]*x.{400}[^y]", "(.{1,30}a.{30}){3}"] as [String])
    func tooCostly(_ source: String) {
        let error = #expect(throws: PatternError.self) {
            try RegularExpression(source, .filter(ignoresCase: false))
        }
        #expect(error?.reason.contains("too costly") == true && error?.fix.isEmpty == false)
        // A fixture may have it; it costs what it costs, under the budget of a message.
        #expect(throws: Never.self) { try RegularExpression(source, .hears) }
    }

    @Test("Bounds are kept while an automaton is built")
    func bounds() throws {
        func isBuilt(_ source: String, work: Int, cells: Int) throws -> Bool {
            let bounds = PatternAutomaton.Bounds(work: work, cells: cells)
            return try program(source, .filter(ignoresCase: false), bounds: bounds).automaton != nil
        }
        #expect(try isBuilt("abc", work: 10_000, cells: 100))
        #expect(try !isBuilt("abc", work: 10, cells: 100))
        #expect(try !isBuilt("abc", work: 10_000, cells: 10))
        // Edges of words and Unicode's properties are none of its business.
        #expect(try program(#"\bab"#, .hears).automaton == nil)
        #expect(try program(#"\p{Lu}"#, .hears).automaton == nil)
    }
}
