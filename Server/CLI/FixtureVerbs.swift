import FixtureTools
import SocketTransport
import Texts

/// Parsed command line of `polymock init`, `check`, `list`, `show`, `schema`, `try` or `simulate`.
enum FixtureVerb: Equatable {
    case check(FixtureCheck)
    case catalogue(isJSON: Bool)
    case list(FixtureList)
    case tryOut(FixtureTrial)
    case simulate(FixtureSimulation, junit: String?)
    case text(FixtureText)
    case begin(ProjectInit)

    static let commands = [
        Command(
            "init", "a new folder: fixture and first test",
            help: """
                polymock init: makes a folder with a fixture, its schema for editors, and a first test that passes.

                USAGE: polymock init [<folder>] [--language swift|python|node] [--package <address or folder>]

                  --language <name>    language of the test (default: swift)
                  --package <place>    swift: the package, from the new folder (default: this program's checkout)

                The folder is new or empty (default: this one). Tests of Python and Node start this program, or the one
                that POLYMOCK names.

                EXAMPLE: polymock init my-agent --language python
                """
        ) { given throws(Misuse) in .fixtures(try begin(given.words)) },
        Command(
            "list", "the fixtures there are",
            help: """
                polymock list: the fixtures there are, each with a line about it.

                USAGE: polymock list [--fixtures <folder>] [--json]

                  --fixtures <folder>  where fixtures are found (default: ./fixtures), besides those inside the binary
                  --json               one JSON object per fixture and line

                EXAMPLE: polymock list
                """
        ) { given throws(Misuse) in .fixtures(try list(given.words)) },
        Command(
            "show", "print a fixture, also one that is in the program",
            help: """
                polymock show: the text of a fixture, to begin one of your own with.

                USAGE: polymock show <fixture> [--fixtures <folder>]

                  --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)

                EXAMPLE: polymock show booking > mine.json5
                """
        ) { given throws(Misuse) in .fixtures(try show(given.words)) },
        Command(
            "schema", "print the schema that editors complete fixtures by",
            help: """
                polymock schema: the JSON schema of fixtures, by which editors complete and explain names.

                USAGE: polymock schema

                A fixture names it in its second line: $schema: "./fixture-1.schema.json"

                EXAMPLE: polymock schema > fixture-1.schema.json
                """
        ) { given throws(Misuse) in .fixtures(try schema(given.words)) },
        Command(
            "check", "mistakes in fixtures, and their examples played", takesTimeLimit: true,
            help: """
                polymock check: what is wrong with fixtures, their examples included.

                USAGE: polymock check [flags] [<file or folder> ...]      (default: ./fixtures)

                  --strict             fail on warnings too
                  --coverage           also name the rules that no example exercises
                  --mutate             take out each rule in turn; say so when every example still passes
                  --fix                write the corrections that are sure: former names, misspelt ones, forms of values
                  --losses             say what one protocol or another has no words for
                  --json               one JSON object per finding and line
                  --junit <file>       also write a report for CI systems, with a case for each fixture
                  --github             annotations for pull requests, as GitHub Actions reads them
                  --catalogue          list the documented error texts with the names that fixtures use
                  --timeout <length>   leave after so long, such as 10s

                A finding is a line, file:line:column: error: what is wrong [check], with its place below it. Silence
                a warning with a comment on its line or the line above: // lint: allow shadowed, the joke needs it

                Exit code: 0 without errors, 1 with errors, 2 when the command line cannot be followed.

                EXAMPLE: polymock check --coverage fixtures/booking.json5
                """
        ) { given throws(Misuse) in .fixtures(try check(given.words)) },
        Command(
            "try", "which rules would answer these messages, or which came near",
            help: """
                polymock try: which rule would answer each message of a conversation, or which came nearest.

                USAGE: polymock try <fixture> "<message>" ... [flags]

                  --stage <name>       where the conversation stands (default: where the fixture begins)
                  --now <time>         what its clock shows: "21:00", "Monday 21:00" (default: "Thursday 09:30")
                  --memory <name>=<value>  what is known from the start; may be repeated
                  --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
                  --json               one JSON object per message and line

                Exit code: 0 when rules hear every message, 1 when one is not heard, 2 when the command line cannot
                be followed.

                EXAMPLES: polymock try booking "a table, please" "four of us" "Friday at 8"
                          polymock try booking "four of us" --stage people
                """
        ) { given throws(Misuse) in .fixtures(try tryOut(given.words)) },
        Command(
            "simulate", "a thousand seeded users; what goes wrong is shrunk", takesTimeLimit: true,
            help: """
                polymock simulate: sends seeded users through a fixture, and shrinks what goes wrong.

                USAGE: polymock simulate <fixture> [flags]

                  --users <n>          how many of them (default 1000)
                  --length <n>         messages each of them says at most (default 20)
                  --seed <n>           decides all of it (default 1)
                  --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
                  --json               one JSON object
                  --junit <file>       also write a report for CI systems
                  --timeout <length>   leave after so long, such as 10m

                Users tap suggestions, say what the rules listen for with awkward values in the placeholders, go off
                topic, interrupt, lose their connection and hang up. After each event the conversation is checked:
                order, numbers, who may speak, echoes, streams.

                Exit code: 0 when nothing went wrong, 1 when something did, 2 when the command line cannot be followed.

                EXAMPLE: polymock simulate booking --users 2000 --seed 7
                """
        ) { given throws(Misuse) in .fixtures(try simulate(given.words)) },
    ]

    func run() -> ToolAnswer {
        switch self {
        case .check(let check): check.run()
        case .catalogue(let isJSON): FixtureCheck.catalogue(asJSON: isJSON)
        case .list(let list): list.run()
        case .tryOut(let trial): trial.run()
        case .simulate(let simulation, let junit):
            simulation.run().reported("simulate", simulation.fixture, in: junit)
        case .text(let text): text.run()
        case .begin(let project): project.run()
        }
    }

    private static func begin(_ words: ArraySlice<String>) throws(Misuse) -> FixtureVerb {
        let flags = try FlagReader(words, verb: "init", switches: [], valued: ["--language", "--package"])
        let folder = flags.rest.first ?? "."
        guard flags.rest.count <= 1, !folder.isEmpty else {
            throw Misuse(sentence: "\"polymock init\" takes one folder, such as: polymock init demo")
        }
        let name = flags.values["--language"] ?? ProjectInit.Language.swift.rawValue
        guard let language = ProjectInit.Language(rawValue: name) else {
            throw Misuse(sentence: "--language is swift, python or node, not \"\(name)\"")
        }
        if language != .swift { try flags.without(["--package"], "goes with --language swift") }
        return .begin(ProjectInit(folder: folder, language: language, package: flags.values["--package"]))
    }

    private static func check(_ words: ArraySlice<String>) throws(Misuse) -> FixtureVerb {
        let flags = try FlagReader(
            words, verb: "check",
            switches: [
                "--json", "--github", "--strict", "--coverage", "--mutate", "--losses", "--fix",
                "--catalogue",
            ], valued: ["--junit"])
        if flags.set.contains("--catalogue") {
            guard flags.rest.isEmpty, flags.set.isSubset(of: ["--catalogue", "--json"]) else {
                throw Misuse(sentence: "--catalogue goes with --json only, and with no file")
            }
            return .catalogue(isJSON: flags.set.contains("--json"))
        }
        guard flags.set.isDisjoint(with: ["--json", "--github"]) || !flags.set.contains("--fix") else {
            throw Misuse(sentence: "--fix prints what it wrote as lines; leave out --json and --github")
        }
        guard !flags.set.isSuperset(of: ["--json", "--github"]) else {
            throw Misuse(sentence: "--json and --github are two forms of one thing; choose one")
        }
        if flags.rest.isEmpty, !Console.isFolder("fixtures") {
            throw Misuse(sentence: "there is no folder \"fixtures\" here; name a file or a folder to check")
        }
        var check = FixtureCheck(paths: flags.rest.isEmpty ? ["fixtures"] : flags.rest)
        if flags.set.contains("--json") { check.style = .json }
        if flags.set.contains("--github") { check.style = .github }
        check.junit = flags.values["--junit"]
        check.isStrict = flags.set.contains("--strict")
        check.showsCoverage = flags.set.contains("--coverage")
        check.showsLosses = flags.set.contains("--losses")
        check.mutates = flags.set.contains("--mutate")
        check.fixes = flags.set.contains("--fix")
        check.advisesOnSchema = check.style == .text && Terminal.isTerminal(.standardError)
        return .check(check)
    }

    private static func schema(_ words: ArraySlice<String>) throws(Misuse) -> FixtureVerb {
        let flags = try FlagReader(words, verb: "schema", switches: [])
        guard flags.rest.isEmpty else {
            throw Misuse(
                sentence: "\"polymock schema\" takes nothing; send it to a file: "
                    + "polymock schema > fixture-1.schema.json")
        }
        return .text(.schema)
    }

    private static func list(_ words: ArraySlice<String>) throws(Misuse) -> FixtureVerb {
        let flags = try FlagReader(words, verb: "list", switches: ["--json"], valued: ["--fixtures"])
        if let word = flags.rest.first {
            throw Misuse(sentence: "\"\(word)\" is not understood here; \"polymock help list\" explains it")
        }
        var list = FixtureList(folder: try flags.fixturesFolder())
        list.isJSON = flags.set.contains("--json")
        return .list(list)
    }

    private static func tryOut(_ words: ArraySlice<String>) throws(Misuse) -> FixtureVerb {
        let flags = try FlagReader(
            words, verb: "try", switches: ["--json"],
            valued: ["--stage", "--fixtures", "--now", "--memory"])
        guard flags.rest.count >= 2 else {
            throw Misuse(
                sentence: "\"polymock try\" takes a fixture and messages in quotes, "
                    + "such as: polymock try booking \"a table\" \"four of us\"")
        }
        var trial = FixtureTrial(fixture: flags.rest[0], messages: Array(flags.rest.dropFirst()))
        trial.stage = flags.values["--stage"]
        trial.now = flags.values["--now"]
        for pair in flags.all["--memory"] ?? [] {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw Misuse(
                    sentence: "--memory \(pair) has no value; write a name and a value: --memory open=no")
            }
            trial.memory[String(parts[0])] = String(parts[1])
        }
        trial.folder = try flags.fixturesFolder()
        trial.isJSON = flags.set.contains("--json")
        return .tryOut(trial)
    }

    private static func simulate(_ words: ArraySlice<String>) throws(Misuse) -> FixtureVerb {
        let flags = try FlagReader(
            words, verb: "simulate", switches: ["--json"],
            valued: ["--users", "--length", "--seed", "--fixtures", "--junit"])
        var simulation = FixtureSimulation(
            fixture: try flags.only(
                "\"polymock simulate\" takes one fixture, such as: polymock simulate booking"))
        simulation.count = try flags.whole("--users", in: 1...10_000_000) ?? simulation.count
        simulation.length = try flags.whole("--length", in: 1...10_000) ?? simulation.length
        simulation.seed = UInt64(try flags.whole("--seed", in: 0...Int.max) ?? 1)
        simulation.folder = try flags.fixturesFolder()
        simulation.isJSON = flags.set.contains("--json")
        return .simulate(simulation, junit: flags.values["--junit"])
    }

    private static func show(_ words: ArraySlice<String>) throws(Misuse) -> FixtureVerb {
        let flags = try FlagReader(words, verb: "show", switches: [], valued: ["--fixtures"])
        let fixture = try flags.only(
            "\"polymock show\" takes one fixture, such as: polymock show booking > mine.json5")
        return .text(.fixture(fixture, folder: try flags.fixturesFolder()))
    }
}

extension ToolAnswer {
    /// Writes a JUnit report with this answer as the only case. Returns this answer, or an error if the report cannot
    /// be written.
    func reported(_ suite: String, _ name: String, in file: String?) -> ToolAnswer {
        guard let file, code != 2 else { return self }
        var report = JUnitReport(suite)
        report.add(name, self)
        return report.write(to: file).map { .misuse($0) } ?? self
    }
}

extension FlagReader {
    /// Returns the only argument that is no flag.
    func only(_ wanted: String) throws(Misuse) -> String {
        guard rest.count == 1 else { throw Misuse(sentence: wanted) }
        return rest[0]
    }

    /// Throws an error about the first of these flags that is given.
    func without(_ names: [String], _ reason: String) throws(Misuse) {
        for name in names where values[name] != nil || set.contains(name) {
            throw Misuse(sentence: "\(name) \(reason)")
        }
    }

    /// Returns the folder of `--fixtures`. Default `fixtures` if that folder exists, otherwise nil.
    func fixturesFolder() throws(Misuse) -> String? {
        guard let folder = values["--fixtures"] else {
            return Console.isFolder("fixtures") ? "fixtures" : nil
        }
        guard Console.isFolder(folder) else {
            throw Misuse(sentence: "--fixtures \(folder) is not a folder; name one with .json5 files")
        }
        return folder
    }
}
