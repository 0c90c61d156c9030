import Expectations
import Fixtures
import Testing

@Suite("Fixture linter: warnings")
struct FixtureLintTests {
    /// The snippet stands from line 2 on.
    static func findings(_ snippet: String) -> [String] {
        FixtureErrorTests.findings(snippet)
    }

    /// Warnings about two rules of a stage, each on a line of its own.
    static func two(_ first: String, _ second: String) -> [String] {
        findings(
            """
            memory: { n: 1, day: "x" }, stages: { start: [
            { \(first), replies: [{ say: "a" }] },
            { \(second), replies: [{ say: "b" }] },
            ] }
            """)
    }

    static func shadowed(_ words: String, _ reach: String) -> [String] {
        ["4:1: warning: \"\(words)\" is never heard here: line 3 already answers \(reach). [shadowed]"]
    }

    @Test(
        "A rule whose words are always taken by an earlier one is shadowed",
        arguments: [
            ("hears: 'table'", "hears: 'a big table'", "a big table", "anything with \"table\""),
            ("hears: 'TABLE'", "hears: 'a täble, please'", "a täble, please", "anything with \"TABLE\""),
            (
                "hears: 'table'", "hears: ['tables at the table', { exactly: 'table' }]",
                "tables at the table", "anything with \"table\""
            ),
            ("hears: '*'", "hears: 'book'", "book", "anything"),
            ("hears: '*'", "hears: { regex: 'a+' }", "a+", "anything"),
            ("hears: ['x', 'book']", "hears: 'book'", "book", "anything with \"book\""),
            ("hears: { exactly: 'yes' }", "hears: { exactly: 'Yes!' }", "Yes!", "\"yes\""),
            (
                "hears: '{n:number}'", "hears: 'table for {n:number}'", "table for {n:number}",
                "anything with \"{n:number}\""
            ),
            ("hears: '{n:number}'", "hears: 'a 7'", "a 7", "anything with \"{n:number}\""),
            (
                "hears: 'table'", "hears: { all: ['window', 'table'] }", "window, table",
                "anything with \"table\""
            ),
            ("hears: { all: ['a', 'b'] }", "hears: { all: ['b', 'a'] }", "b, a", "anything with \"a, b\""),
            ("hears: { regex: 'a+' }", "hears: { regex: 'a+' }", "a+", "anything with \"a+\""),
        ] as [(String, String, String, String)])
    func shadowed(first: String, second: String, words: String, reach: String) {
        expectEqual(Self.two(first, second), Self.shadowed(words, reach))
    }

    @Test(
        "A rule that something is left for is not shadowed",
        arguments: [
            ("hears: 'a big table'", "hears: 'table'"), ("hears: 'table'", "hears: ['table', 'book']"),
            ("hears: 'table'", "hears: 'tables'"), ("hears: { exactly: 'yes' }", "hears: 'yes'"),
            ("hears: 'table', if: { n: 4 }", "hears: 'table'"),
            ("hears: 'table', limit: 2", "hears: 'table'"),
            ("hears: 'book'", "hears: '*'"), ("hears: { none: 'x' }", "hears: 'y'"),
            ("hears: { regex: 'a' }", "hears: 'a'"),
            ("hears: 'table'", "hears: { regex: 'table' }"), ("hears: 'table'", "hears: { none: 'table' }"),
            ("hears: 'for {n:number}'", "hears: '{n:number}'"),
            ("hears: 'table for 4'", "hears: 'table for {n:number}'"),
            ("hears: '{n:number}'", "hears: '{day:phone}'"), ("hears: '{n:code}'", "hears: '{day:phone}'"),
            ("hears: '{n:number}'", "hears: '{day:time}'"), ("hears: '{n:number}'", "hears: '{day:code}'"),
            ("hears: 'for {n:word} now'", "hears: 'for {day:number} now'"),
            ("hears: '{n:time}'", "hears: 'at {day:time}'"),
            ("hears: '{n:number}'", "hears: { all: ['{day:phone}', 'ring'] }"),
            ("hears: '{n:word} {day:word} {n:word}'", "hears: { all: ['a', 'b'] }"),
            ("hears: 'Friday'", "hears: '{day:day}'"), ("hears: { all: ['a', 'b'] }", "hears: 'a'"),
            ("hears: { all: ['a', { none: 'b' }] }", "hears: 'a'"),
        ] as [(String, String)])
    func notShadowed(first: String, second: String) {
        expectEqual(Self.two(first, second), [])
    }

    @Test(
        "A comparison with what is neither a value of the kind nor the initial one is never true",
        arguments: [("small", false), ("none", false), ("x", true), ("huge", true)] as [(String, Bool)])
    func neverEqual(value: String, isTold: Bool) {
        let findings = Self.findings(
            """
            kinds: { size: ["small", "large"] }, memory: { other: "x", size: "none" }, anywhere: [
            { hears: "pizza", if: { size: "\(value)" }, replies: [{ say: "a" }] },
            { hears: "{size:size}", replies: [{ say: "b" }] } ]
            """)
        expectEqual(
            findings.contains { $0.contains("\"size\" is never \"\(value)\"") }, isTold, "\(findings)")
    }

    @Test("Rules for anywhere are out of reach only when every stage answers anything")
    func behindStages() {
        func source(_ second: String) -> String {
            """
            stages: { start: [ { hears: "*", replies: [{ say: "x" }], then: "next" } ],
                      next: [ { hears: "\(second)", replies: [{ end: "natural" }] } ] },
            anywhere: [ { hears: "a", replies: [{ say: "x" }] } ]
            """
        }
        expectEqual(
            Self.findings(source("b")),
            [
                "2:20: warning: This rule hears anything, so in stage \"start\" no rule of \"anywhere\" is heard, "
                    + "not even \"a\" (line 4).\n  fix: let it hear less, or put rules for what must be heard here "
                    + "above it [swallows]"
            ])
        expectEqual(
            Self.findings(source("*")),
            [
                "4:13: warning: This rule is never reached: in every stage a rule answers before it, "
                    + "whatever was said. [unreachable]"
            ])
    }

    @Test(
        "A rule swallows when it hears any words, always, and something of anywhere is lost",
        arguments: [
            ("hears: '{n:words}'", true), ("hears: '{n:word}'", true), ("hears: ['b', '{n:words}']", true),
            ("hears: { exactly: '{n:words}' }", true), ("hears: { regex: '(?<n>.+)' }", true),
            ("hears: { none: 'b' }", true), ("hears: { none: 'a' }", false), ("hears: 'at {n:words}'", false),
            ("hears: '{n:number}'", false), ("hears: { exactly: '{n:word}' }", false),
            ("hears: '{n:words}', limit: 1", false), ("hears: '{n:words}', if: { n: null }", false),
            ("hears: { all: ['{n:words}', { none: 'a' }] }", false),
        ] as [(String, Bool)])
    func swallows(hears: String, isTold: Bool) {
        let source = """
            memory: { n: null },
            stages: { start: [ { \(hears), replies: [{ remember: { n: "x" } }, { say: "{n}" }], then: "next" } ],
                      next: [ { hears: "b", replies: [{ end: "natural" }] } ] },
            anywhere: [ { hears: "a", replies: [{ say: "x" }] } ]
            """
        expectEqual(Self.findings(source).map { $0.hasSuffix("[swallows]") }, isTold ? [true] : [])
    }

    @Test("A rule above the one that hears anything keeps what it hears")
    func swallowsTheRest() {
        func findings(_ above: String) -> [String] {
            Self.findings(
                """
                memory: { n: null },
                stages: { start: [ { hears: \(above), replies: [{ say: "x" }] },
                                   { hears: "{n:words}", replies: [{ say: "{n}" }], then: "next" } ],
                          next: [ { hears: "b", replies: [{ end: "natural" }] } ] },
                anywhere: [ { hears: ["a", "c"], replies: [{ say: "x" }] } ]
                """)
        }
        expectEqual(findings("['a', 'c']"), [])
        expectEqual(findings("'a'").count, 1)
    }

    @Test("Only rules of one stage shadow each other")
    func shadowedElsewhere() {
        let source = """
            stages: { start: [ { hears: "a", replies: [{ say: "x" }], then: "next" } ],
                      next: [ { hears: "a", replies: [{ end: "natural" }] } ] },
            anywhere: [ { hears: "a", replies: [{ say: "x" }] } ]
            """
        expectEqual(Self.findings(source), [])
    }

    @Test("Memory that nothing fills; what a rule hears, a pattern catches or a step remembers is filled")
    func neverFilled() {
        let source = """
            memory: { a: null, b: 4, heard: null, caught: null, kept: null }, anywhere: [
              { hears: ["{heard:number}", { regex: "(?<caught>x)" }], replies: [{ remember: { kept: "y" } }] } ]
            """
        let expected =
            "2:11: warning: Nothing ever fills \"a\": no rule hears it, no step remembers it.\n"
            + "  fix: write hears: \"… {a} …\" in a rule, or remember: { a: \"…\" } in a step [never-filled]"
        expectEqual(Self.findings(source), [expected])
    }

    @Test("A stage no \"then\" leads to, also when only unused stages lead there")
    func unusedStage() {
        let source = """
            stages: {
            start: [{ hears: "a", replies: [{ end: "natural" }] }],
            lost: [{ hears: "a", replies: [], then: "loster" }],
            loster: [{ hears: "a", replies: [], then: "start" }],
            found: [{ hears: "a", replies: [], then: "start" }] },
            otherwise: [{ replies: [], then: "found" }]
            """
        let message = "no \"then\" leads there. [unused-stage]"
        expectEqual(
            Self.findings(source),
            [
                "4:1: warning: The talk never comes to the stage \"lost\": \(message)",
                "5:1: warning: The talk never comes to the stage \"loster\": \(message)",
            ])
    }

    @Test("A stage that nothing leads out of; a fixture of one stage is meant so")
    func deadEnd() {
        let source = """
            stages: { start: [{ hears: "a", replies: [], then: "pit" }],
            pit: [{ hears: "a", replies: [{ say: "b" }], then: "pit" }] }
            """
        let expected =
            "3:1: warning: Nothing leads out of the stage \"pit\": no rule there goes on, hands over or ends the talk. "
            + "[dead-end-stage]"
        expectEqual(Self.findings(source), [expected])
        expectEqual(Self.findings(source + ", anywhere: [{ hears: 'x', replies: [{ end: 'user' }] }]"), [])
        expectEqual(Self.findings("stages: { start: [{ hears: 'a', replies: [{ say: 'b' }] }] }"), [])
    }

    @Test("A handoff nobody asks for")
    func unusedHandoff() {
        let expected = "2:13: warning: No step asks for the handoff \"desk\". [unused-handoff]"
        expectEqual(Self.findings("handoffs: { desk: {} }"), [expected])
    }

    @Test("What stands behind the end, or behind a rule that always answers, is unreachable")
    func unreachable() {
        let steps = "greeting: [{ end: 'natural' },\n{ say: 'a' }, { say: 'b' }]"
        expectEqual(
            Self.findings(steps),
            [
                "3:1: warning: This step is never reached: line 2 ends the session. [unreachable]"
            ])
        for step in ["fail: 'no'", "cancel: true"] {
            let steps = "anywhere: [{ hears: 'a', replies: [{ \(step) },\n{ say: 'a' }] }]"
            #expect(
                Self.findings(steps).contains(
                    "3:1: warning: This step is never reached: line 2 ends the run. [unreachable]"))
        }
        let rules = """
            otherwise: [{ limit: 1, replies: [{ say: "a" }] },
            { replies: [{ say: "b" }] },
            { replies: [{ say: "c" }] }]
            """
        let expected =
            "4:1: warning: This rule is never reached: line 3 answers before it, whatever was said. [unreachable]"
        expectEqual(Self.findings(rules), [expected])
    }

    @Test(
        "A button whose text no rule hears where it leads",
        arguments: [
            (
                "greeting: [{ say: 'a', suggest: ['Yes',\n'No'] }], anywhere: [{ hears: 'yes', replies: [{ say: 'a' }] }]",
                "3:1", "No"
            ),
            (
                "greeting: [{ say: 'a', suggest: [\n'Next'] }], begin: 'a', stages: { a: [{ hears: 'b', replies: [], then: 'b' }], "
                    + "b: [{ hears: 'next', replies: [{ end: 'user' }] }] }", "3:1", "Next"
            ),
            (
                "stages: { start: [{ hears: 'x', replies: [{ say: 'a', suggest: [\n'X'] }], then: 'b' }], "
                    + "b: [{ hears: 'y', replies: [{ end: 'user' }] }] }", "3:1", "X"
            ),
            (
                "greeting: [{ handoff: 'h' }], handoffs: { h: { opens: [{ say: 'a', suggest: [\n'Bye'] }], "
                    + "rules: [{ hears: 'thanks', replies: [{ leave: 'x' }] }] } }", "3:1", "Bye"
            ),
        ] as [(String, String, String)])
    func unmatched(source: String, place: String, text: String) {
        let expected =
            "\(place): warning: No rule hears \"\(text)\", the text of this button. [unmatched-suggestion]"
        expectEqual(Self.findings(source), [expected])
    }

    @Test(
        "A button is heard where its rule goes, anywhere, by the live agent who comes, or has gaps",
        arguments: [
            "stages: { start: [{ hears: 'x', replies: [{ say: 'a', suggest: ['Y'] }], then: 'b' }], "
                + "b: [{ hears: 'y', replies: [{ end: 'user' }] }] }",
            "greeting: [{ say: 'a', suggest: ['Hi', '{message}'] }], anywhere: [{ hears: 'hi', replies: [{ say: 'a' }] }]",
            "anywhere: [{ hears: 'x', replies: [{ say: 'a', suggest: ['Bye'] }, { handoff: 'h' }] }], handoffs: { h: { "
                + "rules: [{ hears: 'bye', replies: [{ leave: 'x' }] }] } }",
            "values: { v: 'hi' }, greeting: [{ say: 'a', suggest: ['{v}!'] }], "
                + "anywhere: [{ hears: 'hi', replies: [{ say: 'a' }] }]",
        ] as [String])
    func heardButtons(source: String) {
        expectEqual(Self.findings(source), [])
    }

    static func fault(_ at: String, _ effect: String) -> [String] {
        findings(
            "pace: 'p', paces: { p: { chunk: '2 words' } }, greeting: [{ say: 'one two three' }], "
                + "anywhere: [{ hears: 'h', replies: [{ handoff: 'h' }, { handoff: 'c' }] }], "
                + "handoffs: { h: { outcome: 'fails', queue: { positions: [2, 1] } }, c: { mode: 'client' } },\n"
                + "faults: { t: { do: { \(effect) },\nat: '\(at)' } }")
    }

    @Test(
        "A moment that cannot come, or an effect that it does not allow",
        arguments: [
            (
                "reply 1 chunk 3", "drop: 'connection'",
                "No reply of this fixture has a chunk 3; the longest ends with chunk 2."
            ),
            (
                "queue update 3", "drop: 'connection'",
                "There is no queue update 3 in this fixture: the longest queue has 2."
            ),
            ("live agent joins", "drop: 'connection'", "In this fixture no handoff lets a live agent join."),
            ("reply 1", "refuse: 429", "Only a token, a session, a handshake or a request can be refused."),
            ("token", "close: 1011", "There is no open connection at this moment."),
            ("session", "lose: 'event'", "No event is sent at this moment."),
            ("handshake 1", "agentError: 'high load'", "The agent has nothing to say at this moment."),
            ("token", "handoff: 'fails'", "No handoff is under way at this moment."),
            (
                "request Rum 1", "refuse: 503",
                "No protocol has the operation \"Rum\". Did you mean \"Run\"?"
            ),
        ] as [(String, String, String)])
    func impossible(at: String, effect: String, message: String) {
        expectEqual(Self.fault(at, effect), ["4:5: warning: \(message) [impossible-moment]"])
    }

    @Test(
        "Moments that can come are fine",
        arguments: [
            ("reply 1 chunk 2", "drop: 'connection'"), ("queue update 2", "handoff: 'times out'"),
            ("token", "refuse: 429"),
            ("handshake 3", "refuse: 500"), ("any event", "garble: 'event'"), ("reply 9", "lose: 'event'"),
            ("token", "stall: 'forever'"), ("request JoinThread 1", "refuse: 404"),
            ("request SendMessage 2", "drop: 'connection'"),
        ] as [(String, String)])
    func possible(at: String, effect: String) {
        expectEqual(Self.fault(at, effect), [])
    }

    @Test("Chunks are counted by exact cuts, and a text with gaps has any number of them")
    func chunkCounts() {
        func moment(_ say: String, _ more: String = "") -> [String] {
            Self.findings(
                "greeting: [{ \(say) }], faults: { t: { at: 'reply 1 chunk 4', do: { lose: 'event' } } }\(more)"
            )
        }
        expectEqual(moment("chunks: ['a', 'b', 'c', 'd']"), [])
        expectEqual(moment("chunks: ['a', 'b', 'c']").count, 1)
        expectEqual(moment("say: '{message}'"), [])
        expectEqual(moment("say: '{message}'", ", session: { streaming: false }").count, 1)
    }

    @Test("A message over 128 KB is told")
    func tooLong() {
        let text = String(repeating: "a", count: 131_072)
        expectEqual(Self.findings("greeting: [{ say: '\(text)' }]"), [])
        let expected = "2:19: warning: This text has 131073 bytes; a message carries 131072. [too-long]"
        expectEqual(Self.findings("greeting: [{ say: '\(text)b' }]"), [expected])
    }

    @Test(
        "A text that looks like a token or key is told, wherever it stands",
        arguments: [
            "sk-abcdefgh12345678abcd", "ghp_0123456789abcdefABCDEF", "AKIA1234567890ABCDEF",
            "xoxb-123456789012-abcdef",
            "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
            "eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.dozjgNry", "eyJhbGciOiJub25lIn0.eyJhIjoxLCJiIjoyLCJjIjozfQ.",
            "-----BEGIN PRIVATE KEY-----",
        ] as [String])
    func secrets(text: String) {
        let found = Self.findings("values: { key: '\(text)' }")
        let fix = "replace it with an invented one: fixtures are shared"
        expectEqual(found, ["2:16: warning: This text looks like a token or a key.\n  fix: \(fix) [secret]"])
    }

    @Test(
        "Ordinary words are no secrets",
        arguments: [
            "sk-ating", "ask-me-anything-you-like-today", "eyJ is short", "AKIA", "a.b.c",
            "eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.dozjgNr",
        ] as [String])
    func noSecrets(text: String) {
        expectEqual(Self.findings("values: { key: '\(text)' }"), [])
    }

    @Test("A fixture without examples is told to have some")
    func exampleMissing() {
        for source in ["{ fixture: 1 }", "{ fixture: 1, examples: [] }"] {
            let found = Samples.findings(source)
            #expect(found.count == 1 && found[0].hasPrefix("1:1: warning: This fixture has no examples"))
            #expect(found[0].hasSuffix("[example-missing]"))
        }
    }

    @Test("Warnings do not stop a file from loading, errors do")
    func severity() {
        let warned = FixtureLoader.compile(bytes: Array("{ fixture: 1 }".utf8), fileName: "f", name: "f")
        #expect(!warned.findings.isEmpty && warned.script != nil && !warned.hasErrors)
        let doubled = FixtureLoader.compile(
            bytes: Array("{ fixture: 1, fixture: 1 }".utf8), fileName: "f", name: "f")
        expectEqual(doubled.script, nil)
    }
}

@Suite("Comments for the linter")
struct LintCommentTests {
    static func findings(_ above: String, _ behind: String) -> [String] {
        Samples.findings(
            "{ fixture: 1, examples: [{ name: 'e', talk: ['agent: a'] }], values: {\n\(above)\n"
                + "  key: 'AKIA1234567890ABCDEF', \(behind)\n} }")
    }

    @Test(
        "A comment above a line or behind it silences the named checks there",
        arguments: [
            ("// lint: allow secret, it is invented", ""), ("", "// lint: allow secret"),
            ("// lint: allow shadowed secret", ""),
            ("// lint: allow secret\n// lint: allow shadowed, both", ""), ("  //lint:allow secret,x", ""),
        ] as [(String, String)])
    func silenced(above: String, behind: String) {
        expectEqual(Self.findings(above, behind), [])
    }

    @Test(
        "Other checks, other lines and errors are not silenced",
        arguments: [
            ("// lint: allow shadowed", ""), ("// lint: allow secret\n", ""), ("// allow secret", ""),
            ("", "// say: lint: allow secret"),
        ] as [(String, String)])
    func notSilenced(above: String, behind: String) {
        expectEqual(Self.findings(above, behind).count, 1)
    }

    @Test("An error stays an error")
    func errors() {
        let found = Samples.findings(
            "{ fixture: 1,\n// lint: allow unknown-name\nnam: 'x', examples: [{ name: 'e', talk: ['agent: a'] }] }"
        )
        #expect(found.count == 1 && found[0].hasSuffix("[unknown-name]"))
    }

    @Test("A misspelt check, or a comment that allows nothing, is told")
    func misspelt() {
        let found = Self.findings("  // lint: allow secrit", "")
        expectEqual(
            found.first,
            "2:3: warning: No check is called \"secrit\". Did you mean \"secret\"? [unknown-name]")
        let form = Self.findings("// lint: secret", "")
        expectEqual(
            form.first,
            "2:1: warning: A comment for the linter looks like \"// lint: allow shadowed, the reason\". [unknown-name]"
        )
    }
}
