import FixtureTools
import Texts

/// `polymock check`, `list` and `try`: their words become a job.
enum FixtureVerb: Equatable {
    case check(FixtureCheck)
    case catalogue(isJSON: Bool)
    case list(FixtureList)
    case tryOut(FixtureTrial)
    case walk(FixtureWalk)
    case text(FixtureText)

    static let names = ["check", "list", "show", "schema", "try", "walk"]

    init(_ verb: String, _ words: ArraySlice<String>) throws(Misuse) {
        switch verb {
        case "check": self = try Self.check(words)
        case "list": self = try Self.list(words)
        case "walk": self = try Self.walk(words)
        case "show": self = try Self.show(words)
        case "schema":
            let flags = try FlagReader(words, verb: "schema", switches: [])
            guard flags.rest.isEmpty else {
                throw Misuse(
                    sentence: "\"polymock schema\" takes nothing; send it to a file: "
                        + "polymock schema > fixture-1.schema.json")
            }
            self = .text(.schema)
        default: self = try Self.tryOut(words)
        }
    }

    func run() -> ToolAnswer {
        switch self {
        case .check(let check): check.run()
        case .catalogue(let isJSON): FixtureCheck.catalogue(asJSON: isJSON)
        case .list(let list): list.run()
        case .tryOut(let trial): trial.run()
        case .walk(let walk): walk.run()
        case .text(let text): text.run()
        }
    }

    private static var standardFolder: String? { Console.isFolder("fixtures") ? "fixtures" : nil }

    private static func check(_ words: ArraySlice<String>) throws(Misuse) -> FixtureVerb {
        let flags = try FlagReader(
            words, verb: "check",
            switches: ["--json", "--github", "--strict", "--coverage", "--mutate", "--losses", "--catalogue"])
        if flags.set.contains("--catalogue") {
            guard flags.rest.isEmpty, flags.set.isSubset(of: ["--catalogue", "--json"]) else {
                throw Misuse(sentence: "--catalogue goes with --json only, and with no file")
            }
            return .catalogue(isJSON: flags.set.contains("--json"))
        }
        guard !flags.set.isSuperset(of: ["--json", "--github"]) else {
            throw Misuse(sentence: "--json and --github are two forms of one thing; choose one")
        }
        if flags.rest.isEmpty, standardFolder == nil {
            throw Misuse(sentence: "there is no folder \"fixtures\" here; name a file or a folder to check")
        }
        var check = FixtureCheck(paths: flags.rest.isEmpty ? ["fixtures"] : flags.rest)
        if flags.set.contains("--json") { check.style = .json }
        if flags.set.contains("--github") { check.style = .github }
        check.isStrict = flags.set.contains("--strict")
        check.showsCoverage = flags.set.contains("--coverage")
        check.showsLosses = flags.set.contains("--losses")
        check.mutates = flags.set.contains("--mutate")
        return .check(check)
    }

    private static func list(_ words: ArraySlice<String>) throws(Misuse) -> FixtureVerb {
        let flags = try FlagReader(words, verb: "list", switches: ["--json"], valued: ["--fixtures"])
        if let word = flags.rest.first {
            throw Misuse(sentence: "\"\(word)\" is not understood here; \"polymock help list\" explains it")
        }
        var list = FixtureList(folder: try folder(flags))
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
        trial.folder = try folder(flags)
        trial.isJSON = flags.set.contains("--json")
        return .tryOut(trial)
    }

    private static func walk(_ words: ArraySlice<String>) throws(Misuse) -> FixtureVerb {
        let flags = try FlagReader(
            words, verb: "walk", switches: ["--json"],
            valued: ["--walks", "--length", "--seed", "--fixtures"])
        guard flags.rest.count == 1 else {
            throw Misuse(sentence: "\"polymock walk\" takes one fixture, such as: polymock walk booking")
        }
        var walk = FixtureWalk(fixture: flags.rest[0])
        walk.count = try flags.whole("--walks", in: 1...10_000_000) ?? walk.count
        walk.length = try flags.whole("--length", in: 1...10_000) ?? walk.length
        walk.seed = UInt64(try flags.whole("--seed", in: 0...Int.max) ?? 1)
        walk.folder = try folder(flags)
        walk.isJSON = flags.set.contains("--json")
        return .walk(walk)
    }

    private static func show(_ words: ArraySlice<String>) throws(Misuse) -> FixtureVerb {
        let flags = try FlagReader(words, verb: "show", switches: [], valued: ["--fixtures"])
        guard flags.rest.count == 1 else {
            throw Misuse(
                sentence: "\"polymock show\" takes one fixture, such as: polymock show booking > mine.json5")
        }
        return .text(.fixture(flags.rest[0], folder: try folder(flags)))
    }

    private static func folder(_ flags: FlagReader) throws(Misuse) -> String? {
        guard let folder = flags.values["--fixtures"] else { return standardFolder }
        guard Console.isFolder(folder) else {
            throw Misuse(sentence: "--fixtures \(folder) is not a folder; name one with .json5 files")
        }
        return folder
    }
}
