import Expectations
import FixtureTools
import Testing

@testable import CLI

@Suite("polymock check, list and try: their words")
struct FixtureVerbTests {
    @Test("check looks at ./fixtures unless files or folders are named, and takes its flags anywhere")
    func check() throws {
        var check = FixtureCheck(paths: ["a.json5", "b"])
        check.isStrict = true
        check.showsCoverage = true
        check.mutates = true
        check.showsLosses = true
        check.style = .github
        expectEqual(
            Invocation([
                "check", "a.json5", "--strict", "--coverage", "--losses", "--mutate", "--github", "b",
            ]),
            .fixtures(.check(check)))
        var fix = FixtureCheck(paths: ["a.json5"])
        fix.fixes = true
        expectEqual(Invocation(["check", "--fix", "a.json5"]), .fixtures(.check(fix)))
        expectEqual(Invocation(["check", "--catalogue", "--json"]), .fixtures(.catalogue(isJSON: true)))
    }

    @Test("try takes a fixture and a message; behind -- a message may begin with a hyphen")
    func tryOut() {
        var trial = FixtureTrial(fixture: "a.json5", message: "-h")
        trial.stage = "start"
        trial.isJSON = true
        trial.folder = Console.isFolder("fixtures") ? "fixtures" : nil
        expectEqual(
            Invocation(["try", "--stage=start", "--json", "--", "a.json5", "-h"]), .fixtures(.tryOut(trial))
        )
    }

    @Test("try takes several messages, a time of day and what is known")
    func tryTalk() {
        var trial = FixtureTrial(fixture: "a.json5", messages: ["a", "b"])
        trial.now = "Monday 21:00"
        trial.memory = ["open": "no", "x": "a=b"]
        trial.folder = Console.isFolder("fixtures") ? "fixtures" : nil
        let words = ["a.json5", "a", "b", "--now", "Monday 21:00", "--memory", "open=no", "--memory=x=a=b"]
        expectEqual(Invocation(["try"] + words), .fixtures(.tryOut(trial)))
        expectEqual(
            Invocation(["try", "a", "b", "--memory", "open"]),
            .misuse("--memory open has no value; write a name and a value: --memory open=no"))
    }

    @Test("schema takes nothing, show one fixture")
    func texts() {
        expectEqual(Invocation(["schema"]), .fixtures(.text(.schema)))
        let folder = Console.isFolder("fixtures") ? "fixtures" : nil
        expectEqual(Invocation(["show", "shop"]), .fixtures(.text(.fixture("shop", folder: folder))))
        expectEqual(
            Invocation(["show"]),
            .misuse(
                "\"polymock show\" takes one fixture, such as: polymock show booking > mine.json5"))
        guard case .misuse(let sentence) = Invocation(["schema", "x"]) else {
            Issue.record("taken")
            return
        }
        #expect(sentence.hasPrefix("\"polymock schema\" takes nothing"))
    }

    @Test("Every verb explains itself", arguments: ["check", "list", "try", "show", "schema"] as [String])
    func help(verb: String) {
        expectEqual(Invocation([verb, "--help"]), .helpAbout(verb))
        expectEqual(Invocation([verb, "x", "-h"]), .helpAbout(verb))
        expectEqual(Invocation(["help", verb]), .helpAbout(verb))
    }

    @Test(
        "A slip is told with what was probably meant",
        arguments: [
            (["chekc"], #"there is no verb "chekc"; did you mean "check"?"#),
            (["help", "lsit"], #"there is no verb "lsit"; did you mean "list"?"#),
            (["try", "--fixture", "x"], "a fixture is named without a flag: polymock try booking"),
            (["check", "--stict"], "there is no flag --stict; did you mean --strict?"),
            (
                ["check", "--frobnicate"],
                #""polymock check" has no flag --frobnicate; "polymock help check" lists them"#
            ),
            (["check", "--strict=yes"], "--strict takes no value"),
            (["check", "--json", "--github"], "--json and --github are two forms of one thing; choose one"),
            (["check", "--catalogue", "x"], "--catalogue goes with --json only, and with no file"),
            (["list", "booking"], #""booking" is not understood here; "polymock help list" explains it"#),
            (["list", "--fixtures"], #"--fixtures needs a value; "polymock help list" shows an example"#),
            (
                ["list", "--fixtures", "/nowhere"],
                "--fixtures /nowhere is not a folder; name one with .json5 files"
            ),
            (
                ["try", "booking"],
                #""polymock try" takes a fixture and messages in quotes, such as: polymock try booking "a table" "four of us""#
            ),
        ] as [([String], String)])
    func misuse(words: [String], sentence: String) {
        expectEqual(Invocation(words), .misuse(sentence))
    }
}
