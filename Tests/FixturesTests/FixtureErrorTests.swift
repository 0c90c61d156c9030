import Expectations
import Fixtures
import Testing
import Texts

/// One mistake per case, each told on its line and column with its likely spelling.
@Suite("Fixture compiler: errors")
struct FixtureErrorTests {
    /// The snippet stands from line 2 on, so that columns are those of the snippet.
    static func findings(_ snippet: String) -> [String] {
        Samples.findings("{ fixture: 1, examples: [{ name: \"e\", talk: [\"agent: a\"] }],\n\(snippet)\n}")
    }

    @Test("A message has the characters of the file; none acts on the terminal that shows it")
    func harmless() {
        let name = "a\u{7F}\u{9B}b\u{202E}c\u{2066}\u{E9}"
        let findings = Self.findings("pace: '\(name)'")
        expectEqual(
            findings,
            [
                "2:7: error: No pace is called \"\(name)\". There is instant and natural. [unknown-pace]"
            ])
        expectEqual(
            findings.map(ForeignText.marked),
            [
                "2:7: error: No pace is called \"a\u{FFFD}\u{FFFD}b\u{FFFD}c\u{FFFD}\u{E9}\". There is instant and natural. [unknown-pace]"
            ])
    }

    @Test("A message stays one line, whatever line ends a name has")
    func oneLine() {
        for end in ["\\n", "\\r\\n", "\\u2028", "\\u2029", "\\u0085", "\\v", "\\f", "\\t"] {
            let findings = Self.findings("pace: 'a\(end)b'")
            expectEqual(findings.count, 1)
            let isOneLine = findings.first.map { line in !line.contains { $0.isNewline || $0 == "\t" } }
            expectEqual(isOneLine, true, "\(end): \(findings)")
        }
    }

    @Test(
        "The top level knows its names",
        arguments: [
            (
                "nam: 'x'",
                "2:1: error: A fixture has nothing called \"nam\". Did you mean \"name\"? [unknown-name]"
            ),
            (
                "pase: 'natural'",
                "2:1: error: A fixture has nothing called \"pase\". Did you mean \"pace\"? [unknown-name]"
            ),
            ("name: 7", "2:7: error: \"name\" must be a text, not a number. [wrong-type]"),
            ("name: ''", "2:7: error: \"name\" must not be empty. [wrong-type]"),
            ("about: null", "2:8: error: \"about\" must be a text, not null. [wrong-type]"),
            ("agent: 'Lucia'", "2:8: error: An agent must be a block in { }, not a text. [wrong-type]"),
            ("agent: { avatar: 'https://a.b/c' }", "2:8: error: An agent needs \"name\". [missing-part]"),
            (
                "agent: { name: 'L', avatr: '' }",
                "2:21: error: An agent has nothing called \"avatr\". Did you mean \"avatar\"? [unknown-name]"
            ),
            (
                "agent: { name: 'L', avatar: 'lucia.png' }",
                "2:29: error: \"lucia.png\" is not a link. Write a whole address, such as https://example.com/map. [bad-link]"
            ),
            (
                "seed: -1",
                "2:7: error: \"seed\" must be a whole number of 0 or more, up to 2 to the power of 53. [wrong-type]"
            ),
            (
                "seed: 1.5",
                "2:7: error: \"seed\" must be a whole number of 0 or more, up to 2 to the power of 53. [wrong-type]"
            ),
            ("seed: NaN", "2:7: error: \"seed\" must be a number that ends. [wrong-type]"),
            (
                "clock: 'scaled 0x10'",
                "2:8: error: \"clock\" cannot be \"scaled 0x10\". Write \"real\", \"frozen\" or \"scaled 10\". [wrong-type]"
            ),
            (
                "clock: 'scaled 1e3'",
                "2:8: error: \"clock\" cannot be \"scaled 1e3\". Write \"real\", \"frozen\" or \"scaled 10\". [wrong-type]"
            ),
            (
                "clock: 'scaled +10'",
                "2:8: error: \"clock\" cannot be \"scaled +10\". Write \"real\", \"frozen\" or \"scaled 10\". [wrong-type]"
            ),
            (
                "clock: 'scaled 1.'",
                "2:8: error: \"clock\" cannot be \"scaled 1.\". Write \"real\", \"frozen\" or \"scaled 10\". [wrong-type]"
            ),
            (
                "clock: 'scaled 1e'",
                "2:8: error: \"clock\" cannot be \"scaled 1e\". Write \"real\", \"frozen\" or \"scaled 10\". [wrong-type]"
            ),
            (
                "clock: 'scaled '",
                "2:8: error: \"clock\" cannot be \"scaled \". Write \"real\", \"frozen\" or \"scaled 10\". [wrong-type]"
            ),
            (
                "clock: 'frosen'",
                "2:8: error: \"clock\" cannot be \"frosen\". Write \"real\", \"frozen\" or \"scaled 10\". [wrong-type]"
            ),
            (
                "clock: 'scaled 0'",
                "2:8: error: \"clock\" cannot be \"scaled 0\". Write \"real\", \"frozen\" or \"scaled 10\". [wrong-type]"
            ),
            (
                "greeting: 'Hi'",
                "2:11: error: \"greeting\" must be a list in [ ], not a text.\n"
                    + "  fix: write greeting: [{ say: 'Hi' }] [wrong-type]"
            ),
            ("stages: []", "2:9: error: \"stages\" must be a block in { }, not a list. [wrong-type]"),
            ("anywhere: {}", "2:11: error: \"anywhere\" must be a list in [ ], not a block. [wrong-type]"),
            (
                "fixture: 2",
                "2:1: error: \"fixture\" stands here a second time; the first is in line 1. [duplicate-key]"
            ),
            (
                "tools: { a: {}, a: { client: true } }, anywhere: [{ hears: 'x', replies: [{ tool: 'a' }] }]",
                "2:17: error: \"a\" stands here a second time; the first is in line 2. [duplicate-key]"
            ),
            (
                "session: { idle: 5 }",
                "2:18: error: 5 has no unit. Write \"5s\" for seconds, or \"5ms\" for milliseconds. [duration]"
            ),
            (
                "session: { streaming: 1 }",
                "2:23: error: \"streaming\" must be true or false, not a number. [wrong-type]"
            ),
            (
                "session: { connections: 0 }",
                "2:25: error: \"connections\" must be a whole number from 1 to 1000, not 0. [wrong-type]"
            ),
            (
                "session: { hartbeat: '5s' }",
                "2:12: error: A session has nothing called \"hartbeat\". Did you mean \"heartbeat\"? [unknown-name]"
            ),
            (
                "values: { a: true }",
                "2:14: error: A value must be a text or a number, not true or false. [wrong-type]"
            ),
            (
                "values: { now: 'x' }",
                "2:11: error: {now} has a meaning of its own; take another name. [reserved-name]"
            ),
            (
                "values: { 'a b': 'x' }",
                "2:11: error: \"a b\" cannot stand in a gap: a name has letters, digits, _ and -, and begins with a letter. [reserved-name]"
            ),
            (
                "values: { a: 'x' }, memory: { a: 1 }",
                "2:31: error: \"a\" stands in \"memory\" and in \"values\".\n  fix: give one of them another name [duplicate-key]"
            ),
            (
                "memory: { a: [] }",
                "2:14: error: Memory begins as null, a text or a number, not a list. [wrong-type]"
            ),
            (
                "pace: 'naturl'",
                "2:7: error: No pace is called \"naturl\". Did you mean \"natural\"? [unknown-pace]"
            ),
            (
                "paces: { a: { chunk: '3' } }",
                "2:22: error: \"3\" is not a size. Write \"3 words\", \"10 characters\", \"5 tokens\", \"1 sentence\", "
                    + "\"1 line\" or \"whole\". [wrong-type]"
            ),
            (
                "paces: { a: { chunk: '2 sentnces' } }",
                "2:22: error: \"2 sentnces\" is not a size. Did you mean \"2 sentences\"? [wrong-type]"
            ),
            (
                "greeting: [{ say: 'Hi', chunks: 'hole' }]",
                "2:33: error: \"hole\" is not a size. Did you mean \"whole\"? [wrong-type]"
            ),
            (
                "greeting: [{ say: 'Hi', chunks: 'line' }]",
                "2:33: error: \"line\" is not a size. Did you mean \"1 line\"? [wrong-type]"
            ),
            (
                "greeting: [{ chunks: 'whole' }]",
                "2:22: error: These \"chunks\" are a size: a \"say\" with the text is missing. [missing-part]"
            ),
            (
                "faults: { t: { at: 'token', do: { refuse: 503 }, per: 'session' } }",
                "2:55: error: There is no session at this moment: it counts per \"token\". [wrong-type]"
            ),
            (
                "paces: { a: { jitter: 0.2 } }",
                "2:23: error: \"jitter\" cannot be 0.2. Write a share such as \"20%\". [wrong-type]"
            ),
            (
                "paces: { a: { think: '1 second' } }",
                "2:22: error: \"1 second\" is not a length of time. Write \"1s\". [duration]"
            ),
            (
                "stages: { first: [] }",
                "2:1: error: The talk begins in the stage \"start\", and there is none.\n  fix: call a stage \"start\", or name the first one with \"begin\" [unknown-stage]"
            ),
            (
                "begin: 'strat', stages: { start: [] }",
                "2:8: error: No stage is called \"strat\". Did you mean \"start\"? [unknown-stage]"
            ),
        ] as [(String, String)])
    func topLevel(snippet: String, finding: String) {
        expectEqual(Self.findings(snippet), [finding])
    }

    @Test("A file must say its version, and be a block")
    func version() {
        let other = "{ fixture: 2, examples: [{ name: 'e', talk: ['agent: a'] }] }"
        expectEqual(
            Samples.findings(other),
            [
                "1:12: error: This file says fixture: 2; the version known here is 1. [version]"
            ])
        let none = "{ examples: [{ name: 'e', talk: ['agent: a'] }] }"
        let missing = "1:1: error: The file does not say which version of the format it uses."
        expectEqual(Samples.findings(none), [missing + "\n  fix: add fixture: 1 as the first line [version]"])
        expectEqual(
            Samples.findings("[]"),
            [
                "1:1: error: A fixture must be a block in { }, not a list. [wrong-type]"
            ])
    }
}
