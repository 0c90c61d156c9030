import ControlClient
import FixtureTools
import Fixtures
import Texts

extension ControlVerb {
    static let timeVerbs = [
        Verb(
            name: "fault", about: "make things go wrong: cut, delay, damage",
            title: "make things go wrong, by name or by hand.",
            usage: [
                "[list]", "add <name> [--fixture <name>] [scope]",
                "add --at <place> --do <words> [--times <n>] [--per <span>] [--chance <share>] [scope]",
                "remove <id>", "clear",
            ],
            flags: [
                ("--at <place>", "where it fires, such as \"reply 2 chunk 2\""),
                ("--do <words>", "what it does, as in a fixture: \"drop: 'connection'\"; or a JSON object"),
                ("--times <n>", "how often it fires (default: 1), counted as --per says"),
                ("--per <span>", "session: anew in each; token: over all (see below)"),
                ("--chance <share>", "such as 20%, drawn from the seed"),
                ("--name <name>", "what to call it"), ("--fixture <name>", "whose fault the name means"),
                ("--session <id>", "scope: one session"), ("--tag <tag>", "scope: sessions with a tag"),
                ("--connection <n>", "scope: one connection"),
            ],
            notes: [
                "\"token\", \"session\", \"handshake\" and \"connect\" count over all sessions (--per token), so that",
                "a client that answers a refusal with a new session gets through. Others count in each session.",
            ], example: "fault add --at \"reply 2 chunk 2\" --do \"drop: 'connection'\"", parse: fault),
        Verb(
            name: "clock", about: "stop time, or move it ahead",
            title: "the server's clock: look at it, stop it, move it.",
            usage: [
                "[show]", "freeze | real", "scale <factor>", "advance <length>",
                "until-idle [--limit <length>]",
                "next",
            ],
            flags: [("--limit <length>", "how far \"until-idle\" may go (default: the server's)")],
            notes: [
                "freeze stops it, real lets it run, scale makes it faster. It also moves by advance, next",
                "(to what is due first) and until-idle (until no script has a step left). Lengths: 500ms, 10s,",
                "10m, 2h.",
                "After a jump, real goes on from where the clock stands, ahead: time never goes back.",
            ], example: "clock advance 10m", parse: clock),
    ]

    static let timerVerbs = [
        Verb(
            name: "timers", about: "what will happen without a client, and when",
            title: "what will happen without a client, and when.",
            usage: ["[list] [<session>]", "fire <id>", "cancel <id>"],
            notes: [
                Verb.sessionNote + " Without one: all.", "",
                "fire lets one run at once, the others stay; cancel takes one away, with what it would have done:",
                "of a reply, all that is left of it.",
            ], example: "timers", parse: timers)
    ]

    static func clock(_ words: ControlWords) throws(Misuse) -> Job {
        let task = try words.task(
            ["show", "freeze", "real", "scale", "advance", "until-idle", "next"],
            owned: ["until-idle": ["--limit"]])
        let body: JSONObject
        switch task {
        case "show":
            try words.alone(task)
            return .ask(ControlRequest("GET", "clock"), .clock)
        case "scale":
            let text = try words.exactly(2, "a factor after \"scale\", such as: polymock clock scale 10")[1]
            guard let factor = Double(text), factor.isFinite, factor > 0 else {
                throw Misuse(
                    sentence: "\"polymock clock scale\" takes a factor above 0 such as 10, not \"\(text)\"")
            }
            let scale = Int64(exactly: factor).map { JSONValue.integer($0) } ?? .double(factor)
            body = ["mode": .string("scaled"), "scale": scale]
        case "advance":
            let text = try words.exactly(
                2, "a length of time after \"advance\", such as: polymock clock advance 10m")[1]
            guard !text.hasPrefix("-") else {
                throw Misuse(
                    sentence: "time never goes back, so \"polymock clock advance\" takes no \"\(text)\", "
                        + "but a length such as 5m")
            }
            body = ["advance": .string(try words.length(text, "\"polymock clock advance\""))]
        default:
            try words.alone(task)
            switch task {
            case "freeze": body = ["mode": .string("frozen")]
            case "real": body = ["mode": .string("real")]
            case "next": body = ["next": .bool(true)]
            default:
                if let text = words.value("--limit") { _ = try words.length(text, "--limit") }
                body = JSONObject(present: [("untilIdle", .bool(true)), ("limit", words.string("--limit"))])
            }
        }
        return .ask(ControlRequest("POST", "clock", body: body), .clock)
    }

    static func timers(_ words: ControlWords) throws(Misuse) -> Job {
        let tasks = ["list", "fire", "cancel"]
        // "last" names the last session, although it resembles the task "list".
        if let word = words.rest.first, !tasks.contains(word),
            word == "last" || NearestName.suggestion(for: word, among: tasks) == nil
        {
            return .ask(ControlRequest("GET", "sessions", try words.session()), .timers)
        }
        let task = try words.task(tasks)
        guard task != "list" else {
            let session = try words.upTo(2, "one session at most after \"list\"").dropFirst().first
            return .ask(
                session.map { ControlRequest("GET", "sessions", $0) } ?? ControlRequest("GET", "timers"),
                .timers)
        }
        let id = try words.exactly(2, "the id of a timer; \"polymock timers\" shows them")[1]
        guard task == "fire" else {
            return .ask(ControlRequest("DELETE", "timers", id), .done("the timer is taken away"))
        }
        return .ask(ControlRequest("POST", "timers", id, "fire"), .ran)
    }

    static func fault(_ words: ControlWords) throws(Misuse) -> Job {
        let flags = [
            "--at", "--do", "--times", "--per", "--chance", "--session", "--tag", "--connection", "--fixture",
            "--name",
        ]
        let task = try words.task(["list", "add", "remove", "clear"], owned: ["add": flags])
        switch task {
        case "list":
            try words.alone(task)
            return .ask(ControlRequest("GET", "faults"), .faults)
        case "clear":
            try words.alone(task)
            return .ask(ControlRequest("DELETE", "faults"), .done("no fault is active any more"))
        case "remove":
            let id = try words.exactly(2, "the id of a fault; \"polymock fault list\" shows them")[1]
            return .ask(ControlRequest("DELETE", "faults", id), .done("fault \(id) is removed"))
        default: return .ask(ControlRequest("POST", "faults", body: try newFault(words)), .added)
        }
    }

    private static func newFault(_ words: ControlWords) throws(Misuse) -> JSONObject {
        let example = "such as: polymock fault add --at \"reply 2\" --do \"drop: 'connection'\""
        let named = try words.upTo(2, "one name after \"add\", or --at and --do, \(example)").dropFirst()
            .first
        var members: [(String, JSONValue?)] = []
        if words.value("--at") != nil || words.value("--do") != nil {
            guard let place = words.value("--at"), let text = words.value("--do") else {
                throw Misuse(sentence: "a new fault needs both --at and --do, \(example)")
            }
            guard named == nil else {
                throw Misuse(sentence: "--at and --do make a fault of their own; name it with --name")
            }
            try words.flags.without(
                ["--fixture"], "goes with the name of a fixture's fault, not with --at and --do")
            let effect = try effect(text, at: place)
            members = [
                ("name", words.string("--name")), ("at", .string(place)), ("do", effect),
                ("times", try words.number("--times", atLeast: 1).map { .integer(Int64($0)) }),
                ("per", words.string("--per")), ("chance", try chance(words)),
            ]
        } else {
            guard let named, !named.isEmpty else {
                throw Misuse(
                    sentence:
                        "\"polymock fault add\" takes the name of a fault, or --at and --do, \(example)")
            }
            try words.flags.without(
                ["--times", "--per", "--chance", "--name"],
                "goes with --at and --do, not with a fault that has them"
            )
            members = [("name", .string(named)), ("fixture", words.string("--fixture"))]
        }
        let scopes = ["--session", "--tag", "--connection"].filter { words.value($0) != nil }
        guard scopes.count < 2 else {
            throw Misuse(sentence: "\(scopes[0]) and \(scopes[1]) both say whom it hits; choose one")
        }
        members += [
            ("session", words.string("--session")), ("tag", words.string("--tag")),
            ("connection", try words.number("--connection", atLeast: 1).map { .integer(Int64($0)) }),
        ]
        return JSONObject(present: members)
    }

    /// Reads the value of `--do`: a JSON object, or the text between the braces of `do` in a fixture.
    private static func effect(_ text: String, at place: String) throws(Misuse) -> JSONValue {
        if let object = json(text), object.object != nil { return object }
        if case .failure(let problem) = FaultReader.read(at: place, do: text) {
            throw Misuse(sentence: "--at and --do make no fault: \(problem.sentence)")
        }
        return .string(text)
    }

    private static func chance(_ words: ControlWords) throws(Misuse) -> JSONValue? {
        guard let text = words.value("--chance") else { return nil }
        guard text.hasSuffix("%"), let share = Double(text.dropLast()), share >= 0, share <= 100 else {
            throw Misuse(sentence: "--chance takes a share such as 20%, not \"\(text)\"")
        }
        return .string(text)
    }
}

extension ControlDisplay {
    private static var faultFields: [Field] {
        [
            field("FAULT", "id"), field("NAME", "name"), field("AT", "at"), field("DO", "do"),
            (.init("TIMES", isNumber: true), { times($0) }),
            (.init("CHANCE", isNumber: true), { chance($0["chance"]) }),
            field("FIRED", "fired", isNumber: true), field("SCOPE", "scope"),
        ]
    }

    private static func times(_ value: JSONValue) -> String {
        guard let times = value["times"] else { return ValueText.text(nil) }
        return ValueText.text(times) + (value["per"]?.string == "token" ? " in all" : " a session")
    }

    /// Returns a percentage, from `"20%"` or `0.2`.
    private static func chance(_ value: JSONValue?) -> String {
        let share: Double
        switch value {
        case .integer(let number)?: share = Double(number)
        case .double(let number)?: share = number
        default: return ValueText.text(value)
        }
        let percent = (share * 1_000).rounded() / 10
        guard let whole = Int64(exactly: percent) else { return "\(percent)%" }
        return whole == 100 ? "always" : "\(whole)%"
    }

    static let faults = Self("faults") { json in
        var answer = table(json, "faults", faultFields, empty: "no fault is active")
        func names(_ list: JSONValue?) -> [String] { (list?.array ?? []).map { ValueText.text($0) } }
        let own = names(json["fixture"]?["faults"])
        // A fault of the fixture takes the place of the preset with its name.
        let presets = names(json["presets"]).filter { !own.contains($0) }
        if !presets.isEmpty { answer.talk.append("ready to add: " + presets.joined(separator: ", ")) }
        if !own.isEmpty {
            answer.talk.append(
                "of the fixture \(ValueText.text(json["fixture"]?["name"])): " + own.joined(separator: ", "))
        }
        return answer
    }

    static let added = Self("added") { json in
        table(json, "faults", faultFields, empty: "nothing was added")
    }

    static let clock = Self("clock") { json in
        let now = ValueText.text(json["now"])
        let mode = ValueText.text(json["mode"])
        var lines: [String] = []
        switch mode {
        case "frozen": lines.append("frozen at \(now)")
        case "scaled": lines.append("scaled by \(ValueText.text(json["scale"])), now \(now)")
        default: lines.append("\(mode.isEmpty ? "unknown" : mode), now \(now)")
        }
        if let ran = json["ran"]?.array {
            let names = ran.map { ValueText.text($0) }
            lines.append(names.isEmpty ? "nothing was due" : "ran: " + names.joined(separator: ", "))
        }
        if let isQuiet = json["idle"]?.bool {
            lines.append(isQuiet ? "idle: no script has a step left" : "not idle: there is more to come")
        }
        return ToolAnswer(lines: lines)
    }

    static let timers = Self("timers") { json in
        table(
            json, "timers",
            [
                field("IN", "dueIn", isNumber: true), time("DUE", "due"), field("SESSION", "session"),
                field("SCRIPT", "script"), field("ID", "id"), field("TIMER", "name"),
            ], empty: "nothing is due")
    }

    static let ran = Self("ran") { json in
        ToolAnswer(lines: (json["ran"]?.array ?? []).map { "ran: " + ValueText.text($0) })
    }
}
