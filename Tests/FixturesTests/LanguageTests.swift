import ConversationEngine
import Expectations
import Fixtures
import Matching
import TestSupport
import Testing

/// Kinds of a fixture's own, the time of day, and people who give back: from the text to the talk.
@Suite("Own kinds, hours, giving back")
struct LanguageTests {
    /// A script that must have no finding but those `allowing`.
    static func script(_ text: String, allowing codes: FindingCode...) throws -> Script {
        let compiled = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "f.json5", name: "f")
        let others = compiled.findings.filter { !codes.contains($0.code) }
        try #require(others.isEmpty, "\(others.map(\.description))")
        return try #require(compiled.script)
    }

    static let sizes = """
        {
          fixture: 1,
          kinds: { size: { small: ["little"], "extra large": ["xl", "family size"], large: "big", "sì": [] } },
          memory: { size: null, rest: null },
          anywhere: [
            { name: "both", hears: "{size:size} with {rest:words}", replies: [ { say: "{size} and {rest}" } ] },
            { name: "size", hears: "{size:size}", replies: [ { say: "{size}" } ] },
          ],
          examples: [ { name: "e", talk: ["user: big", "agent: large"] } ],
        }
        """

    @Test(
        "A value is captured by its name, however it was said, and the longest goes first",
        arguments: [
            ("a little one", "small"), ("BIG!", "large"), ("extra large, please", "extra large"),
            ("Extra-Large", "extra large"), ("family size", "extra large"), ("family", nil), ("enlarge", nil),
            ("Si", "sì"), ("medium", nil), ("a big xl", "large"), ("large extra", "large"),
        ] as [(String, String?)])
    func values(message: String, value: String?) throws {
        let trial = try RuleProbe(of: Self.script(Self.sizes), saying: message)
        expectEqual(trial.answer?.captures["size"], value)
    }

    @Test("What follows a value is matched behind its end")
    func followed() throws {
        let trial = try RuleProbe(of: Self.script(Self.sizes), saying: "an xl with ham and cheese")
        expectEqual(trial.answer?.captures, ["size": "extra large", "rest": "ham and cheese"])
    }

    @Test("Behind an elided article a value is heard as a word is")
    func elision() throws {
        let script = try Self.script(
            """
            { fixture: 1, kinds: { plat: ["escalope", "addition"] }, memory: { plat: null },
              anywhere: [ { hears: "{plat:plat}", replies: [ { say: "{plat}" } ] } ],
              examples: [ { name: "e", talk: ["user: l'addition", "agent: addition"] } ] }
            """)
        try expectEqual(
            RuleProbe(of: script, saying: "l'Escalope, svp").answer?.captures, ["plat": "escalope"])
    }

    @Test("A message with part of it is told what came near")
    func nearMiss() throws {
        let report = try RuleProbe(of: Self.script(Self.sizes), saying: "a small pizza without ham").report
        expectEqual(report, nil)
        let script = try Self.script(
            """
            { fixture: 1, kinds: { size: ["small", "large"] }, memory: { size: null },
              anywhere: [ { name: "pizza", hears: "{size:size} pizza", replies: [ { say: "{size}" } ] } ],
              examples: [ { name: "e", talk: ["user: small pizza", "agent: small"] } ] }
            """)
        let miss = try #require(RuleProbe(of: script, saying: "a huge pizza").report?.misses.first)
        expectEqual(miss.explanation, "has \"pizza\", misses {size:size}")
    }

    @Test("A rule for a value is shadowed by one for all of them, and not the other way round")
    func shadowed() {
        func findings(_ first: String, _ second: String) -> [String] {
            Samples.findings(
                """
                { fixture: 1, kinds: { size: { small: [], large: ["big"] } }, memory: { size: null },
                  anywhere: [
                    { hears: "\(first)", replies: [ { say: "a" } ] }, { hears: "\(second)", replies: [ { say: "b" } ] } ],
                  examples: [ { name: "e", talk: ["user: big", "agent: a"] } ] }
                """)
        }
        expectEqual(findings("{size:size}", "big").map { $0.suffix(10) }, ["[shadowed]"])
        #expect(findings("big", "{size:size}").isEmpty)
    }

    // MARK: The time of day

    static func hours(_ condition: String, zone: String = "UTC") throws -> Script {
        try script(
            """
            { fixture: 1, zone: "\(zone)",
              anywhere: [ { hears: "hi", if: { now: \(condition) }, replies: [ { say: "open" } ] } ],
              otherwise: [ { replies: [ { say: "closed at {now}" } ] } ],
              examples: [ { name: "e", now: "Monday 12:00", talk: ["user: x", "agent: closed"] } ] }
            """)
    }

    @Test(
        "Hours begin with their first minute, end before their last, and may go over midnight",
        arguments: [
            (#"{ from: "17:00", to: "22:00" }"#, "16:59", false),
            (#"{ from: "17:00", to: "22:00" }"#, "17:00", true),
            (#"{ from: "17:00", to: "22:00" }"#, "21:59", true),
            (#"{ from: "17:00", to: "22:00" }"#, "22:00", false),
            (#"{ from: "17:00" }"#, "23:59", true), (#"{ from: "17:00" }"#, "0:00", false),
            (#"{ to: "9:30" }"#, "0:00", true), (#"{ to: "9:30" }"#, "09:30", false),
            (#"{ to: "24:00" }"#, "23:59", true),
            (#"{ days: "Sunday" }"#, "Sunday 00:00", true), (#"{ days: "Sunday" }"#, "Monday 00:00", false),
            (#"{ days: ["Friday", "Monday"] }"#, "Monday 08:00", true),
            (#"{ from: "22:00", to: "02:00", days: "Friday" }"#, "Friday 01:59", false),
            (#"{ from: "22:00", to: "02:00", days: "Friday" }"#, "Friday 22:00", true),
            (#"{ from: "22:00", to: "02:00", days: "Friday" }"#, "Saturday 01:59", true),
            (#"{ from: "22:00", to: "02:00", days: "Friday" }"#, "Saturday 02:00", false),
            (#"{ from: "22:00", to: "02:00", days: "Sunday" }"#, "Monday 01:00", true),
            (#"{ from: "08:00", to: "08:00" }"#, "07:59", true),
        ] as [(String, String, Bool)])
    func hours(condition: String, time: String, isOpen: Bool) throws {
        let time = try #require(WallTime(time))
        let trial = try RuleProbe.talk(of: Self.hours(condition), saying: ["hi"], localTime: time)
        expectEqual(trial[0].said, [isOpen ? "open" : "closed at \(WallTime.text(ofMinute: time.minute))"])
    }

    @Test("The zone moves the clock of the talk: rehearsals begin at 09:30 UTC, on a Thursday")
    func zones() throws {
        func said(_ zone: String) throws -> String? {
            try RuleProbe(of: Self.hours("{ days: \"Sunday\" }", zone: zone), saying: "x").said.first
        }
        try expectEqual(said("UTC"), "closed at 09:30")
        try expectEqual(said("+01:00"), "closed at 10:30")
        try expectEqual(said("-05:30"), "closed at 04:00")
        try expectEqual(said("+14:00"), "closed at 23:30")
        try expectEqual(said("-10:00"), "closed at 23:30")
        let west = try RuleProbe(of: Self.hours("{ days: \"Wednesday\" }", zone: "-10:00"), saying: "hi")
        expectEqual(west.said, ["open"])
    }

    @Test("A rule that is silent because of the time says so")
    func silentByTime() throws {
        let script = try Self.hours(#"{ from: "17:00", to: "22:00", days: ["Friday", "Monday"] }"#)
        let miss = try #require(RuleProbe(of: script, saying: "hi").report?.misses.first)
        expectEqual(
            miss.explanation,
            "would fit, but its \"if\" does not hold: {now} is 09:30, not 17:00 to 22:00 on Friday or "
                + "Monday")
    }

    @Test("Simulations begin at times, and with values, that rules ask for")
    func simulations() throws {
        let script = try #require(ShippedFixturesTests.compile("pizza").script)
        let report = Simulator(script, seed: 1).run(Strength.of(100, full: 400))
        #expect(report.failures.isEmpty)
        #expect(report.unreached.isEmpty, "\(report.unreached)")
    }

    // MARK: Several messages

    @Test("Messages are said one after the other in one talk, until it ends")
    func talk() throws {
        let script = try #require(ShippedFixturesTests.compile("booking").script)
        let trials = try RuleProbe.talk(
            of: script, saying: ["a table", "four", "gibberish", "Friday at 8", "yes", "more"])
        expectEqual(trials.map { $0.answer?.rule }, ["book", "people-given", nil, "day-and-time", "yes"])
        expectEqual(trials.map { $0.report == nil }, [true, true, false, true, true])
        expectEqual(trials[2].report?.message, "gibberish")
    }
}
