import ConversationEngine
import Expectations
import Fixtures
import Testing

@Suite("Examples")
struct ExampleTests {
    /// A fixture of these rules and these lines of one talk.
    static func fixture(
        _ rules: String, _ talk: String, rest: String = "", memory: String = "n: null"
    ) -> CompiledFixture {
        let text = """
            { fixture: 1, memory: { \(memory) }, greeting: [ { say: "Hello!" } ],
              anywhere: [ \(rules) ], \(rest)
              examples: [ { name: "talk", talk: [ \(talk) ] } ] }
            """
        return FixtureLoader.compile(bytes: Array(text.utf8), fileName: "f", name: "f").rehearsed()
    }

    static func failures(_ rules: String, _ talk: String, rest: String = "") -> [String] {
        fixture(rules, talk, rest: rest).findings.filter { $0.code == .exampleFails }.map(\.message)
    }

    static let tea =
        #"{ name: "tea", hears: "tea", replies: [ { say: "With milk?" }, { say: "Or lemon?" } ] }"#

    @Test(
        "A talk that goes as its lines say passes",
        arguments: [
            #""agent: hello", "user: tea", "agent: with milk", "agent: lemon""#,
            #""user: Tea, please!", "agent: LEMON?""#,
            #""agent: exactly: Hello""#, #""user: coffee""#, #""agent: !""#, "",
        ] as [String])
    func passes(talk: String) {
        #expect(Self.failures(Self.tea, talk).isEmpty)
    }

    @Test(
        "Lines count in their order, and only since the last user line",
        arguments: [
            (#""user: tea", "agent: lemon", "agent: milk""#, #""talk" expected the agent to say "milk"."#),
            (#""user: tea", "agent: with mil""#, #""talk" expected the agent to say "with mil"."#),
            (#""user: tea", "agent: ilk""#, #""talk" expected the agent to say "ilk"."#),
            (#""user: tea", "agent: hello""#, #""talk" expected the agent to say "hello"."#),
            (#""agent: milk", "user: tea""#, #""talk" expected the agent to say "milk"."#),
            (#""agent: exactly: hell""#, #""talk" expected the agent to say exactly "hell"."#),
            (#""agent: ?""#, #""talk" expected the agent to say "?"."#),
            (#""user: tea", "queue: 1""#, #""talk" expected to get position 1 in the queue."#),
            (#""user: tea", "end: user""#, #""talk" expected the session to end with "user"."#),
        ] as [(String, String)])
    func fails(talk: String, message: String) {
        expectEqual(Self.failures(Self.tea, talk), [message])
    }

    @Test(
        "Words are found whole: for 4 is not for 40, and signs end a word",
        arguments: [
            ("for 4", "For 40 people.", false), ("40", "1400", false), ("for 4", "For 4, then 40.", true),
            ("for 4", "For 40, or for 4.", true), ("caf", "Café", false), ("予約", "ご予約は", true),
        ] as [(String, String, Bool)])
    func wholeWords(words: String, said: String, isFound: Bool) {
        let rule = #"{ hears: "x", replies: [ { say: "\#(said)" } ] }"#
        expectEqual(Self.failures(rule, #""user: x", "agent: \#(words)""#).isEmpty, isFound)
    }

    @Test(
        "Of what a tool is called with any part is found",
        arguments: [("Paris", true), ("Par", true), ("ris", true), ("Rome", false)] as [(String, Bool)])
    func partOfCall(words: String, isFound: Bool) {
        let rule = #"{ hears: "x", replies: [ { tool: "look", with: { city: "Paris" }, gives: "1" } ] }"#
        let talk = #""user: x", "tool: look \#(words)""#
        expectEqual(Self.failures(rule, talk, rest: "tools: { look: {} },").isEmpty, isFound)
    }

    @Test("A failure says what was said instead, by which rule, and where the talk stands")
    func details() throws {
        let bytes = try Samples.text("fixtures/booking.json5")
            .replacing("With pleasure. For how many people?", with: "A table, then.")
            .replacing(#"{ name: "book","#, with: #"{ name: "anything-with-table","#)
        let fixture = FixtureLoader.compile(
            bytes: Array(bytes.utf8), fileName: "broken.json5", name: "broken")
        expectEqual(
            fixture.rehearsed().findings.first?.description,
            """
            broken.json5:127:53: error: "four on Friday" expected the agent to say "For how many people?". [example-fails]
              said   "A table, then."            rule anything-with-table, broken.json5:34
              stage  people     memory  people –  day –  time –  party your party
            """)
        #expect(fixture.rehearsed().script != nil)
    }

    @Test("Silence, a queue and an end are told as well, and what nobody heard")
    func silence() {
        let nothing = Self.fixture(Self.tea, #""user: rum", "agent: aye""#).findings.last
        expectEqual(
            nothing?.details, [#"said   nothing                     no rule hears "rum""#, "memory  n –"])
        let end = #"{ hears: "stop", replies: [ { end: "natural" } ] }"#
        let ended = Self.fixture(end, #""user: stop", "agent: bye""#).findings.last
        expectEqual(ended?.details, ["ended  natural", "memory  n –"])
        let late = Self.fixture(end, #""user: stop", "user: tea""#).findings.last
        expectEqual(late?.message, #""talk" goes on with "tea", but the session has ended."#)
    }

    @Test("A line of the wrong speaker is told who says it")
    func wrongSpeaker() {
        let fixture = Self.fixture(
            #"{ hears: "human", replies: [ { handoff: "desk" } ] }"#, #""user: human", "agent: Eva""#,
            rest: #"handoffs: { desk: { liveAgent: { name: "Eva" }, opens: [ { say: "Eva here" } ] } },"#)
        expectEqual(fixture.findings.last?.fix, #"begin the line with "live agent:", who says it"#)
    }

    @Test("The end of a user who goes away can be expected, heartbeats or not")
    func abandoned() {
        #expect(Self.failures(Self.tea, #""user: tea", "end: abandoned""#).isEmpty)
        let slow = #"{ hears: "wait", replies: [ { wait: "23h" }, { say: "Still here." } ] }"#
        #expect(
            Self.failures(slow, #""user: wait", "agent: still here""#, rest: #"session: { idle: "1s" },"#)
                .isEmpty)
    }

    @Test(
        "Each fixture of this repository goes as its examples say",
        arguments: try ShippedFixturesTests.names())
    func shipped(name: String) throws {
        let fixture = try ShippedFixturesTests.compile(name).rehearsed()
        expectEqual(fixture.findings.map(\.description), [])
        #expect(!fixture.examples.isEmpty)
    }

    @Test("A talk of many days, and one of many steps, are given up with a finding")
    func endless() {
        let waits = String(repeating: #"{ wait: "24h" }, "#, count: 10)
        expectEqual(
            Self.failures("{ hears: \"x\", replies: [ \(waits) ] }", #""user: x""#),
            [#""talk" does not come to an end: it takes too many steps."#])
        let steps = String(repeating: #"{ say: "a" }, "#, count: 2_000)
        let talk = String(repeating: #""user: x", "#, count: 200)
        expectEqual(
            Self.failures("{ hears: \"x\", replies: [ \(steps) ] }", talk),
            [#""talk" does not come to an end: it takes too many steps."#])
    }
}

@Suite("Rule coverage")
struct RuleCoverageTests {
    @Test("The booking fixture has four rules that no example exercises, and a last resort")
    func booking() throws {
        let coverage = try #require(try ShippedFixturesTests.compile("booking").coverage())
        expectEqual(coverage.unexercised.map(\.name), ["book-in-one-go", "no", "hours", "person"])
        #expect(coverage.exercised == (6, 10))
        let substitutes = coverage.entries.filter { $0.isSubstitute && !$0.isExercised }
        expectEqual(substitutes.map(\.name), ["front-desk otherwise 1"])
        #expect(coverage.entries.allSatisfy { $0.isProven == nil })
    }

    @Test("Every rule of the booking fixture that an example exercises is proven by one")
    func bookingIsProven() throws {
        let coverage = try #require(try ShippedFixturesTests.compile("booking").coverage(mutates: true))
        #expect(coverage.entries.allSatisfy { $0.isProven == $0.isExercised })
    }

    @Test("A rule without which all examples pass is told, with its place")
    func unproven() throws {
        let rules = """
            { name: "tea", hears: "tea", replies: [ { say: "Yes." } ] },
            { name: "hot", hears: ["hot tea", "tea"], replies: [ { say: "Yes." } ] },
            { hears: "rum", replies: [ { say: "No." } ] }
            """
        let fixture = ExampleTests.fixture(rules, #""user: tea", "agent: yes", "user: rum""#)
        let coverage = try #require(fixture.coverage(mutates: true))
        expectEqual(coverage.entries.map(\.name), ["tea", "hot", "anywhere 3"])
        expectEqual(coverage.entries.map(\.isExercised), [true, false, true])
        expectEqual(coverage.entries.map(\.isProven), [false, false, false])
        let both = coverage.notes(file: "f", asksForProof: true, asksForExercise: true)
        expectEqual(
            both.map(\.description),
            [
                #"f:2:15: note: Every example passes without "tea". [unproven]"#,
                #"f:3:1: note: No example makes "hot" answer. [unexercised]"#,
                #"f:4:1: note: Every example passes without "anywhere 3". [unproven]"#,
            ])
        #expect(coverage.notes(file: "f", asksForProof: false, asksForExercise: false).isEmpty)
    }

    @Test("A fixture with errors has no coverage")
    func broken() {
        expectEqual(FixtureLoader.compile(bytes: Array("{".utf8), fileName: "f", name: "f").coverage(), nil)
    }
}
