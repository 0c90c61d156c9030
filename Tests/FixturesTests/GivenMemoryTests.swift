import ConversationEngine
import Expectations
import Fixtures
import Matching
import Testing

@Suite("What a session knows from the start")
struct GivenMemoryTests {
    private static func scenario(_ line: String) throws -> Scenario {
        let text = """
            {
              fixture: 1,
              kinds: { size: { small: ["little"], large: [] } },
              memory: { open: "yes", people: null, size: null, guest: null, score: null, note: null, day: null },
              anywhere: [
                { hears: ["{people:number}", "on {day:day}"], replies: [ { say: "ok" } ] },
                { hears: "{size:size} for {guest:word}", replies: [ { say: "ok" }, { remember: { note: "later" } } ] },
                { hears: "x", if: { open: "no", score: { atLeast: 3 } }, replies: [ { say: "ok" } ] },
              ],
            }
            """
        let compiled = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "f.json5", name: "f")
        let script = try #require(compiled.script, "\(compiled.findings)")
        return try Scenario(try #require(try ScenarioLine(line)), playing: script)
    }

    @Test(
        "Values are read as the gaps of the fixture would catch them",
        arguments: [
            ("mock:f@memory.open=no", ["open": "no"]), ("mock:f@memory.open=NO", ["open": "no"]),
            ("mock:f@memory.open=YES", ["open": "yes"]), ("mock:f@memory.open=ajar", ["open": "ajar"]),
            ("mock:f@memory.people=4", ["people": "4"]),
            ("mock:f@memory.people=twelve", ["people": "12"]),
            ("mock:f@memory.size=Little", ["size": "small"]),
            ("mock:f@memory.day=friday@seed=3", ["day": "Friday"]),
            ("mock:f@memory.guest=Ann", ["guest": "Ann"]),
            ("mock:f@memory.note=a%40b%20c%25", ["note": "a@b c%"]),
            ("mock:f@memory.note=a=b", ["note": "a=b"]),
            ("mock:f@memory.open=no@memory.score=3.5", ["open": "no", "score": "3.5"]), ("mock:f", [:]),
        ] as [(String, [String: String])])
    func values(line: String, memory: [String: String]) throws {
        try expectEqual(Self.scenario(line).memory, memory)
    }

    @Test(
        "A name that is not there, and a value that makes no sense, are told",
        arguments: [
            ("mock:f@memory.opn=no", #"fixture "f" has no memory "opn": did you mean "open"?"#),
            ("mock:f@memory.people=many", #"memory "people" of fixture "f" takes a number, not "many""#),
            (
                "mock:f@memory.size=huge",
                #"memory "size" of fixture "f" takes one of small and large, not "huge""#
            ),
            ("mock:f@memory.score=high", #"memory "score" of fixture "f" takes a number, not "high""#),
            (
                "mock:f@memory.day=soon",
                #"memory "day" of fixture "f" takes a day such as Friday, not "soon""#
            ),
            ("mock:f@memory.open=", #""@memory.open=" has no value; write @seed=7 or @pace=natural"#),
            ("mock:f@memory.open=a@memory.open=b", #"a mock: line has "@memory.open" at most once"#),
            (
                "mock:f@open=no",
                #"a mock: line has no option "@open": there are @seed, @pace, @chunks, @greeting, @tag, @now, @stage and @memory.<name>"#
            ),
            ("mock:f@memory.open=%4", #""%4" has a % without two hexadecimal digits; a % itself is %25"#),
            ("mock:f@memory.open=%00", #""%00" is no text: it has control characters in it"#),
            ("mock:f@memory.open=%FF", #""%FF" is no text: it has control characters in it"#),
            ("mock:f@now=noon", #""noon" is no time of day; write 21:00, or Monday 21:00"#),
        ] as [(String, String)])
    func refused(line: String, sentence: String) throws {
        let problem = #expect(throws: ScenarioProblem.self) { try Self.scenario(line) }
        expectEqual(problem?.sentence, sentence)
    }

    @Test("A line can say when its talk begins")
    func now() throws {
        try expectEqual(Self.scenario("mock:f@now=9:05").localTime, WallTime(minute: 545))
        try expectEqual(
            Self.scenario("mock:f@now=Sunday%2021:00").localTime, WallTime(weekday: 6, minute: 1_260))
        try expectEqual(Self.scenario("mock:f@now=Monday 00:00").localTime, WallTime(weekday: 0, minute: 0))
        expectEqual(WallTime("23:59"), WallTime(minute: 1_439))
        for text in [
            "12:60", "24:00", "24:01", "25:00", "9:5", ":05", "9:", "9:05:00", "Monday  9:05", "9:05 ",
        ] {
            expectEqual(WallTime(text), nil)
        }
        expectEqual(["24:00", "24:01", "12:60"].map { WallTime.minute($0) }, [1_440, nil, nil])
    }

    @Test("What is written into a line is read out of it again")
    func encoded() throws {
        for text in ["a@b=c%d e+f", "überall", "日曜日", "it's", "1/2"] {
            let line = try #require(try ScenarioLine("mock:f@memory.note=" + ScenarioLine.encoded(text)))
            expectEqual(line.memory, ["note": text])
        }
    }
}
