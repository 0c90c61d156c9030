import Clocks
import ConversationEngine
import Expectations
import Fixtures
import Matching
import Testing

@Suite("Limits of a fixture")
struct FixtureLimitTests {
    static func compile(_ snippet: String) -> CompiledFixture {
        FixtureLoader.compile(bytes: Array("{ fixture: 1, \(snippet) }".utf8), fileName: "f", name: "f")
    }

    static func errors(_ snippet: String) -> [String] {
        compile(snippet).findings.filter { $0.severity == .error }.map(\.message)
    }

    @Test("10,000 rules are enough")
    func rules() {
        func rules(_ count: Int) -> String {
            "anywhere: [" + String(repeating: "{hears:'a',replies:[{say:'b'}]},", count: count) + "]"
        }
        expectEqual(Self.errors(rules(10_001)), ["A fixture has at most 10000 rules."])
    }

    @Test("A queue tells 1,000 positions at most")
    func positions() {
        func queue(_ count: Int) -> String {
            "handoffs: { h: { queue: { positions: [" + String(repeating: "1,", count: count) + "] } } }"
        }
        expectEqual(Self.errors(queue(1_000)), [])
        expectEqual(Self.errors(queue(1_001)), ["\"positions\" has 1001 numbers; 1000 are the most."])
        expectEqual(Self.errors("handoffs: { h: { queue: { positions: [100001] } } }").count, 1)
    }

    @Test("1,000 bytes are listened for at most")
    func phrases() {
        func hears(_ text: String) -> String { "anywhere: [{ hears: '\(text)', replies: [{ say: 'a' }] }]" }
        expectEqual(Self.errors(hears(String(repeating: "a", count: 1_000))), [])
        let message = "There are 1001 bytes to listen for here; 1000 are the most."
        expectEqual(Self.errors(hears(String(repeating: "a", count: 1_001))), [message])
        let words = Self.errors(hears(String(repeating: "a ", count: 129)))
        expectEqual(words, ["This text has too many words to listen for; 128 are the most."])
    }

    @Test("Own kinds have 2,000 values and spellings at most")
    func spellings() {
        func kinds(_ count: Int) -> String {
            "kinds: { k: [" + (0..<count).map { "'a\($0)'," }.joined() + "] }"
        }
        expectEqual(Self.errors(kinds(2_000)), [])
        let message = "The kinds of a fixture have at most 2000 values and spellings."
        for count in [2_001, 2_002, 2_100] { expectEqual(Self.errors(kinds(count)), [message]) }
        let long = "There are 1001 bytes to listen for here; 1000 are the most."
        expectEqual(Self.errors("kinds: { k: ['\(String(repeating: "a", count: 1_001))'] }"), [long])
    }

    @Test(
        "Numbers end somewhere",
        arguments: [
            "greeting: [{ wait: '25h' }]",
            "anywhere: [{ hears: 'a', limit: 1000001, replies: [{ say: 'a' }] }]",
            "faults: { t: { at: 'reply 100001', do: { lose: 'event' } } }",
            "faults: { t: { at: 'reply 1', do: { lose: 'event' }, times: 1000001 } }",
            "paces: { p: { chunk: '1001 words' } }", "session: { connections: 1001 }",
            "paces: { p: { jitter: '101%' } }", "seed: 9007199254740994",
            "zone: '+14:01'", "examples: [{ name: 'a', talk: [], now: '24:00' }]",
        ] as [String])
    func numbers(snippet: String) {
        expectEqual(Self.errors(snippet).count, 1)
    }

    @Test("A hundred findings are told, then no more")
    func findings() {
        let names = (0..<5_000).map { "unknown\($0): 1" }.joined(separator: ",")
        expectEqual(Self.errors(names).count, 100)
    }

    @Test("A hundred warnings do not hide an error")
    func warningsBeforeErrors() {
        let secrets = (0..<200).map { "s\($0): 'AKIA1234567890ABCDEF'" }.joined(separator: ",")
        let fixture = Self.compile("values: { \(secrets) }, greeting: [{ sya: 'x' }]")
        #expect(fixture.hasErrors && fixture.script == nil)
        expectEqual(fixture.findings.filter { $0.severity == .warning }.count, 100)
    }

    @Test("Looking for unmatched rules gives up on a stage of a thousand, and stays silent")
    func comparisons() {
        let rules = (0..<1_000).map { "{ hears: 'word\($0) more', replies: [{ say: 'a' }] }" }.joined(
            separator: ",")
        expectEqual(
            Self.compile("anywhere: [\(rules)], examples: [{ name: 'a', talk: ['agent: a'] }]").findings, []
        )
    }

    @Test("Values of every kind in every place end in findings, never in a crash", arguments: 0..<6)
    func scrambled(seed: UInt64) throws {
        let source = Array(try Samples.text("fixtures/booking.json5").split(separator: "\n"))
        let values = [
            "null", "7", "-1e999", "''", "[]", "{}", "true", "'{'", "[[{}]]", "'*'", "{ say: {} }", "'1h'",
            "NaN",
        ]
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            var lines = source
            for _ in 0..<4 {
                let number = Int.random(in: 1..<lines.count, using: &random)
                let line = lines[number]
                let colons = line.indices.filter { line[$0] == ":" }
                guard let colon = colons.randomElement(using: &random) else { continue }
                let rest = line[line.index(after: colon)...]
                let end = rest.firstIndex { $0 == "," || $0 == "}" || $0 == "]" } ?? rest.endIndex
                let value = values.randomElement(using: &random) ?? ""
                lines[number] = line[...colon] + value + line[end...]
            }
            let text = lines.joined(separator: "\n")
            let fixture = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "f", name: "f")
            #expect(fixture.script != nil || fixture.hasErrors)
            for finding in fixture.findings { #expect(finding.place.line >= 1 && finding.place.column >= 1) }
        }
    }
}
