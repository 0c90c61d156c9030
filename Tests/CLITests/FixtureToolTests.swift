import MockServer
import Testing

@testable import CLI

@Suite("polymock check, list and try: their answers")
struct FixtureToolTests {
    /// The repository, seen from this file.
    static let root = String(
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/"))
    static let fixtures = root + "/fixtures"
    static let data = root + "/Tests/Data/fixtures"

    @Test("The shipped fixtures are clean, also strictly")
    func clean() {
        var check = FixtureCheck(paths: [Self.fixtures])
        check.isStrict = true
        let answer = check.run()
        #expect(answer.lines == [])
        #expect(answer.talk.last?.hasSuffix("checked: nothing to complain about") == true)
        #expect(answer.code == 0)
    }

    @Test("Errors are lines in the order of the file and exit code 1")
    func errors() {
        let answer = FixtureCheck(paths: [Self.data + "/broken.json5"]).run()
        #expect(answer.lines.count == 8)
        #expect(answer.lines[0].hasPrefix(Self.data + "/broken.json5:28:65: error: A reply step"))
        #expect(answer.talk == ["1 fixture checked: 7 errors, 1 warning"])
        #expect(answer.code == 1)
    }

    @Test("As JSON a finding is one object on one line")
    func json() {
        var check = FixtureCheck(paths: [Self.data + "/syntax.json5"])
        check.style = .json
        #expect(
            check.run().lines == [
                #"{"file":"\#(Self.data)/syntax.json5","line":40,"column":5,"severity":"error","code":"syntax","#
                    + #""message":"expected \",\" or \"}\" after the value of \"start\" (which starts at line 27)"}"#
            ])
    }

    @Test("For GitHub a finding is an annotation at its line and column (workflow commands)")
    func github() {
        var check = FixtureCheck(paths: [Self.data + "/syntax.json5"])
        check.style = .github
        #expect(
            check.run().lines == [
                "::error file=\(Self.data)/syntax.json5,line=40,col=5,title=syntax::expected \",\" or \"}\" "
                    + "after the value of \"start\" (which starts at line 27)"
            ])
    }

    @Test("Coverage and mutation are notes and talk; they fail nothing")
    func coverage() {
        var check = FixtureCheck(paths: [Self.fixtures + "/booking.json5"])
        check.showsCoverage = true
        check.mutates = true
        let answer = check.run()
        #expect(answer.lines.count == 5)
        #expect(answer.lines.allSatisfy { $0.hasSuffix("[unexercised]") })
        #expect(answer.talk[0] == "\(Self.fixtures)/booking.json5: examples exercise 6 of 10 rules")
        #expect(answer.code == 0)
    }

    @Test("A path that is not there is misuse; so is a folder without fixtures")
    func missing() {
        #expect(
            FixtureCheck(paths: ["/nowhere"]).run().talk == [
                #"polymock: there is no file or folder "/nowhere""#
            ])
        #expect(FixtureCheck(paths: [Self.root + "/Tests/CLITests"]).run().code == 2)
    }

    @Test("The catalogue has 28 texts with their names (TS-2)")
    func catalogue() {
        let lines = FixtureCheck.catalogue(asJSON: false).lines
        #expect(lines.count == 28)
        #expect(
            lines.contains {
                $0.hasPrefix("missing headers ") && $0.hasSuffix("  401  Missing authentication headers")
            })
        #expect(
            FixtureCheck.catalogue(asJSON: true).lines[0]
                == #"{"name":"missing headers","status":401,"text":"Missing authentication headers"}"#)
    }

    @Test("list has every fixture once, in order, with its line")
    func list() {
        let inside = FixtureList().run()
        let both = FixtureList(folder: Self.fixtures).run()
        #expect(
            inside.lines.contains { $0.hasPrefix("booking ") && $0.contains("   Takes a table booking.") })
        #expect(both.lines.sorted() == both.lines)
        var json = FixtureList(folder: Self.data)
        json.isJSON = true
        #expect(
            json.run().lines.contains {
                $0.hasPrefix(#"{"name":"broken","file":"#) && $0.contains(#""errors":7"#)
            })
    }

    @Test("try shows the rule, or what came nearest, and says so in its exit code")
    func tryOut() {
        var trial = FixtureTrial(fixture: "booking", message: "four of us")
        trial.stage = "people"
        #expect(
            trial.run()
                == ToolAnswer(lines: [
                    #""people-given" answers in stage "people", booking.json5:48."#, "  caught  people 4",
                    #"  said    "For 4. Which day, and at what time?""#, "  stage   when",
                ]))
        let unheard = FixtureTrial(fixture: "booking", message: "resevation for five").run()
        #expect(unheard.code == 1)
        #expect(unheard.lines[0].hasPrefix(#"Nothing heard "resevation for five" in stage "start""#))
        #expect(
            FixtureTrial(fixture: "bokking", message: "x").run().talk
                == [#"polymock: unknown fixture "bokking": did you mean "booking"?"#])
        #expect(FixtureTrial(fixture: Self.data + "/broken.json5", message: "x").run().code == 1)
    }

    @Test("try as JSON is one object")
    func tryJSON() {
        var trial = FixtureTrial(fixture: "booking", message: "ok")
        trial.stage = "confirm"
        trial.isJSON = true
        #expect(
            trial.run().lines[0].hasPrefix(
                #"{"message":"ok","heard":true,"stage":"confirm","rule":{"name":"yes","file":"booking.json5","#
            ))
    }
}
