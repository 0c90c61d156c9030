import Expectations
import FixtureTools
import Foundation
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
        expectEqual(answer.lines, [])
        expectEqual(answer.talk.last?.hasSuffix("checked: nothing to complain about"), true)
        expectEqual(answer.code, 0)
    }

    @Test("Errors are lines in the order of the file and exit code 1")
    func errors() {
        let answer = FixtureCheck(paths: [Self.data + "/broken.json5"]).run()
        expectEqual(answer.lines.count, 8)
        #expect(answer.lines[0].hasPrefix(Self.data + "/broken.json5:28:65: error: A reply step"))
        expectEqual(answer.talk, ["1 fixture checked: 7 errors, 1 warning"])
        expectEqual(answer.code, 1)
    }

    @Test("A pipe that is named is read, one in a folder is not; what is there is not said to be missing")
    func unusualFiles() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let pipe = folder.path + "/talk.json5"
        try #require(mkfifo(pipe, 0o600) == 0)
        let fromFolder = FixtureCheck(paths: [folder.path]).run()
        expectEqual(
            fromFolder.lines,
            [
                "\(pipe):1:1: error: This file cannot be read: it is no regular file. [unreadable]"
            ])
        let text = try #require(FixtureText.fixture("booking", folder: nil).run().file)
        let writer = Thread { try? Data(text).write(to: URL(fileURLWithPath: pipe)) }
        writer.start()
        expectEqual(FixtureCheck(paths: [pipe]).run().code, 0)
        let endless = folder.path + "/endless.json5"
        try FileManager.default.createSymbolicLink(atPath: endless, withDestinationPath: "/dev/zero")
        let told = FixtureCheck(paths: [endless]).run()
        #expect(told.code == 1 && told.lines.first?.contains("the file is larger than") == true, "\(told)")
        let missing = folder.path + "/none.json5"
        expectEqual(
            FixtureCheck(paths: [missing]).run().talk,
            [
                "polymock: there is no file or folder \"\(missing)\""
            ])
    }

    @Test(
        "Ten former keys: each is named with its line, column and the word of now; --fix writes them, and no other byte"
    )
    func formerKeys() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let file = folder.path + "/old.json5"
        let text = try String(contentsOfFile: Self.data + "/former.json5", encoding: .utf8)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let found = FixtureCheck(paths: [file]).run()
        let former = found.lines.filter { $0.contains("\" is called \"") }
        expectEqual(
            former.map { $0.dropFirst(file.count + 1).split(separator: "\n")[0] },
            [
                "7:5: warning: \"unheard-suggestion\" is called \"unmatched-suggestion\" now.",
                "7:5: warning: \"unknown-trouble\" is called \"unknown-fault\" now.",
                "11:63: error: \"trouble\" is called \"fault\" now.",
                "12:70: error: \"fault\" is called \"unchecked\" now.",
                "17:7: error: \"person\" is called \"liveAgent\" now.",
                "18:23: error: \"person.name\" is called \"liveAgent.name\" now.",
                "22:3: error: \"troubles\" is called \"faults\" now.",
                "24:17: error: \"person joins\" is called \"live agent joins\" now.",
                "29:24: error: \"person:\" is called \"live agent:\" now.",
                "30:24: error: \"person:\" is called \"live agent:\" now.",
            ])
        var check = FixtureCheck(paths: [file])
        check.fixes = true
        let fixed = check.run()
        expectEqual(fixed.lines.map { $0.contains(": fixed: ") }, former.map { _ in true }, "\(fixed)")
        expectEqual(fixed.code, 0, "\(fixed)")
        let again = check.run()
        #expect(again.lines == [] && again.code == 0, "\(again)")
        let expected = try String(contentsOfFile: Self.data + "/former.fixed.json5", encoding: .utf8)
        try expectEqual(String(contentsOfFile: file, encoding: .utf8), expected)
    }

    @Test("--fix writes the only correction of an error, and leaves what is not sure")
    func sureCorrections() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let text = """
            { fixture: "1", stages: { start: [
              { name: "a", when: "bye", replies: ["So long"], goto: "last" },
              { name: "b", hears: "menu", replies: [ { say: "Soup", suggest: "Yes" } ], if: "day == 'monday'" } ],
              last: [] }, memory: ["day"], greeting: [ { say: "Hi" } ] }
            """
        let file = try folder.write("a.json5", Array(text.utf8))
        var check = FixtureCheck(paths: [file])
        check.fixes = true
        _ = check.run()
        try expectEqual(
            String(contentsOfFile: file, encoding: .utf8),
            """
            { fixture: 1, stages: { start: [
              { name: "a", hears: "bye", replies: [{ say: "So long" }], then: "last" },
              { name: "b", hears: "menu", replies: [ { say: "Soup", suggest: ["Yes"] } ], if: { day: "monday" } } ],
              last: [] }, memory: { day: null }, greeting: [ { say: "Hi" } ] }
            """)
    }

    @Test("--fix writes straight quotes for any number of printer's quotes, and leaves nested ones")
    func printersQuotes() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let lines = String(repeating: "  { hears: “a\u{1}”, replies: [ { say: “don’t” } ] },\n", count: 120)
            .split(separator: "\u{1}", omittingEmptySubsequences: false).enumerated()
            .reduce("") { $0 + ($1.offset == 0 ? "" : "\($1.offset)") + $1.element }
        let text = "{ fixture: 1, “anywhere”: [\n" + lines + "] }\n"
        let file = try folder.write("a.json5", Array(text.utf8))
        var check = FixtureCheck(paths: [file])
        check.fixes = true
        expectEqual(check.run().code, 0)
        let straight = text.replacing("“", with: "\"").replacing("”", with: "\"")
        try expectEqual(String(contentsOfFile: file, encoding: .utf8), straight)
        let nested = "{ fixture: 1, greeting: [ { say: “he said “no” to it” } ] }\n"
        let other = try folder.write("b.json5", Array(nested.utf8))
        check.paths = [other]
        expectEqual(check.run().talk.first, "--fix changed nothing: no correction is sure")
        try expectEqual(String(contentsOfFile: other, encoding: .utf8), nested)
    }

    @Test("A link to a file stays a link: --fix writes its target")
    func formerKeysOfALink() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let (file, link) = (folder.path + "/old.json5", folder.path + "/link.json5")
        try FileManager.default.copyItem(atPath: Self.data + "/former.json5", toPath: file)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        var check = FixtureCheck(paths: [link])
        check.fixes = true
        expectEqual(check.run().code, 0)
        try expectEqual(FileManager.default.destinationOfSymbolicLink(atPath: link), file)
        let expected = try String(contentsOfFile: Self.data + "/former.fixed.json5", encoding: .utf8)
        try expectEqual(String(contentsOfFile: file, encoding: .utf8), expected)
    }

    @Test("As JSON a finding is one object on one line")
    func json() {
        var check = FixtureCheck(paths: [Self.data + "/syntax.json5"])
        check.style = .json
        expectEqual(
            check.run().lines,
            [
                #"{"file":"\#(Self.data)/syntax.json5","line":38,"column":6,"severity":"error","code":"syntax","#
                    + #""message":"a comma is missing at the end of line 38","#
                    + #""replacement":{"line":38,"column":6,"length":0,"text":","}}"#
            ])
    }

    @Test("A finding shows its line with a caret, and in JSON the edit, with its replacement")
    func excerpt() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let file = folder.path + "/a.json5"
        let text = "{ fixture: 1,\n\tgreting: [ { say: \"Hi\" } ] }\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        var check = FixtureCheck(paths: [file])
        let excerpt = "\n     greting: [ { say: \"Hi\" } ] }\n     ^"
        #expect(check.run().lines.contains { $0.hasSuffix("[unknown-name]" + excerpt) })
        check.style = .json
        let edit = #""replacement":{"line":2,"column":2,"length":7,"text":"greeting"}"#
        #expect(check.run().lines.contains { $0.contains(edit) })
    }

    @Test("For GitHub a finding is an annotation at its line and column (workflow commands)")
    func github() {
        var check = FixtureCheck(paths: [Self.data + "/syntax.json5"])
        check.style = .github
        expectEqual(
            check.run().lines,
            [
                "::error file=\(Self.data)/syntax.json5,line=38,col=6,title=syntax::"
                    + "a comma is missing at the end of line 38"
            ])
    }

    @Test("Coverage and mutation are notes and talk; they fail nothing")
    func coverage() {
        var check = FixtureCheck(paths: [Self.fixtures + "/booking.json5"])
        check.showsCoverage = true
        check.mutates = true
        let answer = check.run()
        expectEqual(answer.lines.count, 5)
        #expect(answer.lines.allSatisfy { $0.hasSuffix("[unexercised]") })
        expectEqual(answer.talk[0], "\(Self.fixtures)/booking.json5: examples exercise 6 of 10 rules")
        expectEqual(answer.code, 0)
    }

    @Test("What a protocol has no words for is a note with its place; it fails nothing")
    func losses() {
        var check = FixtureCheck(paths: [Self.fixtures + "/refunds.json5", Self.fixtures + "/rich.json5"])
        expectEqual(check.run().lines, [])
        check.showsLosses = true
        check.isStrict = true
        let answer = check.run()
        #expect(answer.code == 0 && answer.lines.allSatisfy { $0.contains(": note: Clients of AG-UI ") })
        #expect(answer.lines.contains { $0.hasSuffix(" do not get these attachments. [lost]") })
    }

    @Test("A path that is not there is misuse; so is a folder without fixtures")
    func missing() {
        expectEqual(
            FixtureCheck(paths: ["/nowhere"]).run().talk,
            [
                #"polymock: there is no file or folder "/nowhere""#
            ])
        expectEqual(FixtureCheck(paths: [Self.root + "/Tests/CLITests"]).run().code, 2)
    }

    @Test("The catalogue has 28 texts with their names")
    func catalogue() {
        let lines = FixtureCheck.catalogue(asJSON: false).lines
        expectEqual(lines.count, 28)
        #expect(
            lines.contains {
                $0.hasPrefix("missing headers ") && $0.hasSuffix("  401  Missing authentication headers")
            })
        expectEqual(
            FixtureCheck.catalogue(asJSON: true).lines[0],
            #"{"name":"missing headers","status":401,"text":"Missing authentication headers"}"#)
    }

    @Test("list has every fixture once, in order, with its line")
    func list() {
        let inside = FixtureList().run()
        let both = FixtureList(folder: Self.fixtures).run()
        #expect(
            inside.lines.contains { $0.hasPrefix("booking ") && $0.contains("   Takes a table booking.") })
        expectEqual(both.lines.sorted(), both.lines)
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
        expectEqual(
            trial.run(),
            ToolAnswer(lines: [
                #""people-given" answers in stage "people", booking.json5:48."#, "  caught  people 4",
                #"  said    "For 4. Which day, and at what time?""#, "  stage   when",
            ]))
        let unmatched = FixtureTrial(fixture: "booking", message: "resevation for five").run()
        expectEqual(unmatched.code, 1)
        #expect(unmatched.lines[0].hasPrefix(#"Nothing heard "resevation for five" in stage "start""#))
        expectEqual(
            FixtureTrial(fixture: "bokking", message: "x").run().talk,
            [#"polymock: unknown fixture "bokking": did you mean "booking"?"#])
        expectEqual(FixtureTrial(fixture: Self.data + "/broken.json5", message: "x").run().code, 1)
    }

    @Test("try shows queue positions and replies in the order of their events")
    func tryOrder() {
        let answer = FixtureTrial(fixture: "booking", message: "a live person").run()
        let queue = answer.lines.firstIndex { $0.hasPrefix("  then    queue 3, queue 2, queue 1") }
        let person = answer.lines.lastIndex { $0.hasPrefix("  said    ") }
        #expect(queue != nil && person != nil && (queue ?? 0) < (person ?? 0), "\(answer.lines)")
    }

    @Test("simulate says which messages were off topic on purpose, and that each rule was reached")
    func simulate() {
        var simulation = FixtureSimulation(fixture: "booking")
        simulation.count = 300
        let lines = simulation.run().lines
        #expect(
            lines[1].contains(" messages met no rule, as is usual")
                && lines[1].contains("off topic on purpose"))
        expectEqual(lines.last?.hasPrefix("Nothing went wrong"), true)
    }

    @Test("A file that cannot be read is told with the system's reason")
    func unreadable() throws {
        expectEqual(
            FixtureTrial(fixture: "/nowhere/x.json5", message: "x").run().talk,
            ["polymock: the fixture /nowhere/x.json5 cannot be read: No such file or directory"])
        expectEqual(
            FixtureTrial(fixture: #filePath + "/x.json5", message: "x").run().talk,
            ["polymock: the fixture \(#filePath)/x.json5 cannot be read: Not a directory"])
    }

    @Test("try says several messages in one talk, and each is told what became of it")
    func tryTalk() {
        let answer = FixtureTrial(fixture: "booking", messages: ["a table", "resevation"]).run()
        expectEqual(
            answer.lines.prefix(2), ["> a table", #""book" answers in stage "start", booking.json5:34."#])
        #expect(answer.lines.contains("> resevation") && answer.code == 1)
        let over = FixtureTrial(
            fixture: "booking", messages: ["a table", "four", "Friday at 8", "yes", "hello?"]
        ).run()
        expectEqual(over.code, 1)
        expectEqual(over.talk, [#"polymock: the talk ends before "hello?", which nobody hears"#])
        var fine = FixtureTrial(fixture: "booking", messages: ["a table", "four", "Friday at 8", "yes"])
        fine.isJSON = true
        #expect(fine.run().lines.count == 4 && fine.run().code == 0)
    }

    @Test("try begins at a time and with what is known, or says what is wrong with them")
    func tryStart() {
        var trial = FixtureTrial(fixture: "pizza", message: "a pizza")
        trial.now = "Monday 20:00"
        #expect(trial.run().lines[0].hasPrefix("\"day-off\" answers"))
        trial.now = "Friday 20:00"
        trial.memory = ["oven": "Cold"]
        #expect(trial.run().lines[0].hasPrefix("\"cold\" answers"))
        trial.memory = ["ofen": "cold"]
        expectEqual(
            trial.run().talk, [#"polymock: fixture "pizza" has no memory "ofen": did you mean "oven"?"#])
        trial.memory = [:]
        trial.now = "soon"
        expectEqual(trial.run().talk, [#"polymock: "soon" is no time of day; write 21:00, or Monday 21:00"#])
        expectEqual(trial.run().code, 2)
    }

    @Test("schema and show print what stands in the repository")
    func texts() throws {
        for (text, file) in [
            (FixtureText.schema, "fixture-1.schema.json"), (.fixture("pizza", folder: nil), "pizza.json5"),
        ] {
            let path = Self.fixtures + "/" + file
            expectEqual(
                text.run(), ToolAnswer(file: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))))
        }
        expectEqual(
            FixtureText.fixture("bokking", folder: nil).run().talk,
            [#"polymock: unknown fixture "bokking": did you mean "booking"?"#])
    }

    @Test("check tells once how an editor gets a schema that is not there, for files with findings")
    func schemaAdvice() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schema-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("mine.json5").path
        let text = try #require(FixtureText.fixture("booking", folder: nil).run().file)
        try Data(text).write(to: URL(fileURLWithPath: file))
        var check = FixtureCheck(paths: [folder.path])
        check.advisesOnSchema = true
        expectEqual(check.run().talk, ["1 fixture checked: nothing to complain about"])
        for name in ["mine", "other"] {
            let faulty = String(decoding: text, as: UTF8.self).replacing("greeting:", with: "greting:")
            try faulty.write(toFile: folder.path + "/\(name).json5", atomically: true, encoding: .utf8)
        }
        let answer = check.run()
        #expect(answer.code == 1 && answer.talk.count == 2)
        let schema = folder.appendingPathComponent("fixture-1.schema.json").path
        expectEqual(
            answer.talk.first,
            "\(file): your editor finds no schema at ./fixture-1.schema.json; to put it there: "
                + "polymock schema > \(schema)")
        check.advisesOnSchema = false
        expectEqual(check.run().talk.count, 1)
        check.advisesOnSchema = true
        try "{}".write(toFile: schema, atomically: true, encoding: .utf8)
        expectEqual(check.run().talk.count, 1)
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
