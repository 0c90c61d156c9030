import ConversationEngine
import Expectations
import Fixtures
import Matching
import Testing

@Suite("Trying one message")
struct TrialTests {
    private func script() throws -> Script {
        let fixture = FixtureLoader.compile(
            bytes: try Samples.file("fixtures/booking.json5"), fileName: "booking.json5", name: "booking")
        return try #require(fixture.script)
    }

    @Test("The rule that answers, what it caught, what is said, and where the talk goes")
    func heard() throws {
        let trial = try RuleProbe(of: try script(), saying: "Table for 4 on... no: table for 4 friday at 7pm")
        expectEqual(trial.answer?.rule, "book-in-one-go")
        expectEqual(trial.answer?.place.line, 28)
        expectEqual(trial.answer?.captures, ["people": "4", "day": "Friday", "time": "19:00"])
        expectEqual(trial.said, ["4 people, Friday at 19:00. Shall I confirm?"])
        #expect((trial.stage, trial.stageAfter) == ("start", "confirm"))
        expectEqual(trial.report, nil)
    }

    @Test("What comes of it besides words: a queue, a live agent, the end")
    func consequences() throws {
        let handoff = try RuleProbe(of: try script(), saying: "twelve", in: "people")
        expectEqual(handoff.answer?.rule, "large-party")
        expectEqual(handoff.consequences, ["queue 3", "queue 2", "queue 1"])
        expectEqual(handoff.said.last, "Hello, Marta speaking. A table for 12, is that right?")
        let end = try RuleProbe(of: try script(), saying: "ok", in: "confirm")
        expectEqual(end.consequences, ["the session ends (natural)"])
    }

    @Test("An unmatched message has a report")
    func unmatched() throws {
        let trial = try RuleProbe(of: try script(), saying: "resevation for five")
        expectEqual(trial.answer, nil)
        expectEqual(
            trial.report?.text,
            """
            Nothing heard "resevation for five" in stage "start" (session try, message 1).
              1  book           booking.json5:34   "reservation" is one letter away from "resevation"
              2  people-given   booking.json5:48   would fit ({people} = 5), but belongs to stage "people"
              3  large-party    booking.json5:41   would fit ({people} = 5), but its "if" does not hold: \
            {people} is below 9
              memory  people –  day –  time –  party your party
              said    "Sorry, could you say that another way?"   \
            from otherwise 1, used 1 of 2, booking.json5:96
              fix?    add "resevation" to line 35, or start with stage "people"
            """)
    }

    @Test("A stage that is not there is told the likely spelling")
    func unknownStage() throws {
        let script = try script()
        #expect(
            throws: RuleProbe.Failure.unknownStage(
                "confrim", suggestion: "confirm", known: script.stages.map(\.name))
        ) {
            try RuleProbe(of: script, saying: "x", in: "confrim")
        }
        expectEqual(
            RuleProbe.Failure.unknownStage("x", suggestion: nil, known: ["a", "b"]).description,
            #"no stage is called "x"; there are "a" and "b""#)
        expectEqual(
            RuleProbe.Failure.unknownStage("x", suggestion: nil, known: []).description,
            #"no stage is called "x"; this fixture has no stages"#)
    }

    @Test("A greeting that ends the session leaves nothing to try")
    func endedByGreeting() {
        let script = Script(name: "s", greeting: [Step(.end(.natural))])
        #expect(throws: RuleProbe.Failure.noTalk("the greeting of this fixture ends the session")) {
            try RuleProbe(of: script, saying: "x")
        }
    }
}
