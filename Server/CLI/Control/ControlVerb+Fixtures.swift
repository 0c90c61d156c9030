import ControlClient
import FixtureTools
import Texts

extension ControlVerb {
    static let fixtureVerbs = [
        Verb(
            name: "fixtures", about: "what the server plays", title: "what a running server plays.",
            usage: [
                "[list]", "show <fixture>", "reload",
                "try <fixture> \"<message>\" [--stage <name>] [--rule <name>]",
                "add <name> <file>", "check <name> <file>", "save <name> <file> [--force]",
            ],
            flags: [
                ("--stage <name>", "where the conversation stands (default: where the fixture begins)"),
                ("--rule <name>", "also say why this rule does not answer; a name, or a line"),
                ("--force", "save over a file that is there"),
            ],
            notes: [
                "\"polymock list\" shows the fixtures of this folder, this verb those of the server. reload",
                "looks at their files again; show prints one with its rules and how often they answered; add",
                "shelves one for as long as the server runs; save makes it a file of the server's folder. check",
                "ends with exit code 1 when there are errors.",
            ], example: "fixtures try booking \"a table for four\"", parse: fixtures)
    ]

    static func fixtures(_ words: ControlWords) throws(Misuse) -> Job {
        let task = try words.task(
            ["list", "show", "reload", "try", "add", "check", "save"],
            owned: ["try": ["--stage", "--rule"], "save": ["--force"]])
        switch task {
        case "list":
            try words.alone(task)
            return .ask(ControlRequest("GET", "fixtures"), .fixtures)
        case "reload":
            try words.alone(task)
            return .ask(ControlRequest("POST", "fixtures", "reload"), .reloaded)
        case "show":
            let name = try words.exactly(2, "a fixture after \"show\"")[1]
            return .ask(ControlRequest("GET", "fixtures", name), .fixture)
        case "try":
            let rest = try words.exactly(3, "a fixture and a message in quotes after \"try\"")
            let body = JSONObject(present: [
                ("fixture", .string(rest[1])), ("message", .string(rest[2])),
                ("stage", words.string("--stage")), ("rule", words.string("--rule")),
            ])
            return .ask(ControlRequest("POST", "fixtures", "try", body: body), .tried)
        default:
            let rest = try words.exactly(3, "a name and a file after \"\(task)\"")
            let become: FixtureTask =
                switch task {
                case "check": .check
                case "save": .save(isForced: words.has("--force"))
                default: .add
                }
            return .sendFixture(become, name: rest[1], file: rest[2])
        }
    }

    static func request(
        _ task: FixtureTask, _ name: String, _ text: JSONValue
    ) -> (ControlRequest, ControlDisplay) {
        let named: JSONObject = ["name": .string(name), "text": text]
        switch task {
        case .add:
            return (
                ControlRequest("POST", "fixtures", body: named),
                .done("\(name) is among the server's fixtures")
            )
        case .check: return (ControlRequest("POST", "fixtures", "check", body: named), .checked)
        case .save(let isForced):
            let body: JSONObject = ["text": text, "version": .null, "force": .bool(isForced)]
            return (ControlRequest("PUT", "fixtures", name, body: body), .saved)
        }
    }
}

extension ControlDisplay {
    static let fixtures = Self("fixtures") { json in
        var answer = table(
            json, "fixtures",
            [
                field("FIXTURE", "name"), field("DEFAULT", "default"), field("FILE", "file"),
                (.init("ABOUT"), about),
            ], empty: "no fixture")
        for fixture in json["fixtures"]?.array ?? [] {
            guard let error = fixture["error"]?.string?.prefix(while: { !$0.isNewline }) else { continue }
            answer.talk.append("\(ValueText.text(fixture["name"])): \(error)")
        }
        return answer
    }

    private static func about(_ fixture: JSONValue) -> String {
        guard fixture["error"]?.string != nil else {
            return ValueText.text(fixture["about"]?.string == nil ? fixture["title"] : fixture["about"])
        }
        let isPlayed = fixture["title"]?.string != nil
        return isPlayed ? "HAS ERRORS: the previous version plays" : "HAS ERRORS: does not load"
    }

    /// Shows the server's report. Without a report, shows the members of the answer.
    static let tried = Self("tried") { json in
        var answer = ToolAnswer()
        if let report = json["report"]?.string, !report.isEmpty {
            answer.lines = ControlDisplay.lines(of: report)
        } else {
            answer.lines = ValueText.facts(json, except: ["asked"])
        }
        if let asked = json["asked"] {
            let advice = asked["advice"]?.string.map { "; \($0)" } ?? ""
            answer.lines.append("\(ValueText.text(asked["rule"])): \(ValueText.text(asked["why"]))\(advice)")
        }
        return answer
    }

    static let reloaded = Self("reloaded") { json in
        let news = (json["news"]?.array ?? []).map { joined($0) }
        return news.isEmpty ? ToolAnswer(talk: ["nothing has changed"]) : ToolAnswer(lines: news)
    }

    static let fixture = Self("fixture") { json in
        let lists: Set = ["text", "findings", "stages", "faults", "handoffs", "rules"]
        var answer = ToolAnswer(lines: ValueText.facts(json, except: lists) + findings(json))
        let rules = table(
            json, "rules",
            [
                field("RULE", "name"), field("LINE", "line", isNumber: true), field("WHERE", "where"),
                field("HEARS", "hears"), field("USES", "uses", isNumber: true),
            ], empty: "no rule")
        answer.lines += rules.lines
        answer.talk += rules.talk
        return answer
    }

    static let checked = Self("checked") { json in
        let findings = findings(json)
        return findings.isEmpty
            ? ToolAnswer(talk: ["nothing to complain about"]) : ToolAnswer(lines: findings)
    }

    static let saved = Self("saved") { json in
        let isPlayed = json["inForce"]?.bool ?? false
        let what =
            isPlayed ? "new sessions play it" : "it has mistakes, so the previous version stays in force"
        return ToolAnswer(
            lines: findings(json), talk: ["\(ValueText.text(json["file"])) is saved: \(what)"])
    }

    static func hasErrors(_ json: JSONValue?) -> Bool {
        json?["findings"]?.array?.contains { $0["severity"]?.string == "error" } ?? true
    }

    private static func findings(_ json: JSONValue) -> [String] {
        (json["findings"]?.array ?? []).flatMap { ControlDisplay.lines(of: ValueText.text($0["text"])) }
    }
}
