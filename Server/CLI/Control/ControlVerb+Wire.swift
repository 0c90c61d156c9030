import ControlClient
import Texts

/// `polymock wire`, `wait`, `unmatched`, `export`, `fixtures`, `metrics` and `reset`.
extension ControlVerb {
    static func wire(_ words: ControlWords) throws(Misuse) -> Job {
        let session = try words.atMostOneSession()
        let after = try words.number("--after")
        _ = try words.number("--limit", atLeast: 1)
        _ = try words.number("--last", atLeast: 1)
        let filter = [session.map { term(session: $0) }, words.value("--filter")].compactMap { $0 }
            .joined(separator: " ")
        if words.has("--follow") {
            try words.without(["--limit", "--last"], "means nothing with --follow, which has no end")
            return .followWire(filter: filter.isEmpty ? nil : filter, after: after)
        }
        if words.value("--limit") != nil {
            try words.without(["--last"], "and --limit both say how many; choose one")
        }
        let query = filter.isEmpty ? [] : [ControlRequest.Parameter("filter", filter)]
        return .ask(
            ControlRequest("GET", "wire", query: query + words.parameters("after", "limit", "last")), .wire)
    }

    /// The term of a filter that takes the rows of one session; also `last`, also the beginning of an id.
    private static func term(session: String) -> String {
        let isPlain = session.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        return "session:" + (isPlain ? session : "\"\(session.filter { $0 != "\"" && $0 != "\\" })\"")
    }

    static func wait(_ words: ControlWords) throws(Misuse) -> Job {
        guard !words.rest.isEmpty else {
            throw Misuse(
                sentence: "\"polymock wait\" takes a filter, such as: polymock wait type:USER_MESSAGE")
        }
        _ = try words.number("--after")
        _ = try words.number("--count", atLeast: 1)
        if let text = words.value("--timeout") { _ = try words.length(text, "--timeout") }
        let filter = ControlRequest.Parameter("filter", words.rest.joined(separator: " "))
        return .ask(
            ControlRequest("GET", "wait", query: [filter] + words.parameters("count", "after", "timeout")),
            .waited)
    }

    static func unmatched(_ words: ControlWords) throws(Misuse) -> Job {
        try words.nothing()
        _ = try words.number("--after")
        let request = ControlRequest("GET", "unmatched", query: words.parameters("after"))
        return words.has("--fail")
            ? .judge(request, .unmatched, member: "unmatched") : .ask(request, .unmatched)
    }

    static func laws(_ words: ControlWords) throws(Misuse) -> Job {
        try words.nothing()
        let request = ControlRequest("GET", "laws")
        return words.has("--fail") ? .judge(request, .laws, member: "breaches") : .ask(request, .laws)
    }

    static func export(_ words: ControlWords) throws(Misuse) -> Job {
        let formats = ["jsonl", "har", "transcript", "transcript.json"]
        if let word = words.rest.first, formats.contains(word) {
            throw Misuse(sentence: "a format stands behind its flag: --format \(word)")
        }
        let session = try words.atMostOneSession()
        if session != nil {
            try words.without(["--session"], "names a session, and so does \"\(words.rest[0])\"; choose one")
        }
        var format = try words.oneOf("--format", formats) ?? "jsonl"
        if format == "transcript", words.has("--json") { format = "transcript.json" }
        let named = session.map { [ControlRequest.Parameter("session", $0)] } ?? words.parameters("session")
        let query = [.init("format", format)] + named + words.parameters("filter")
        return .export(
            ControlRequest("GET", "export", query: query), file: words.value("--output") ?? words.value("-o"))
    }

    static func fixtures(_ words: ControlWords) throws(Misuse) -> Job {
        let task = try words.task(["list", "show", "reload", "try", "add", "check", "save"]) ?? "list"
        if task != "try" {
            try words.without(["--stage", "--rule"], "goes with \"polymock fixtures try\" only")
        }
        if task != "save" { try words.without(["--force"], "goes with \"polymock fixtures save\" only") }
        switch task {
        case "list":
            _ = try words.upTo(1, "nothing behind \"list\"")
            return .ask(ControlRequest("GET", "fixtures"), .fixtures)
        case "reload":
            _ = try words.upTo(1, "nothing behind \"reload\"")
            return .ask(ControlRequest("POST", "fixtures/reload"), .reloaded)
        case "show":
            let name = try words.exactly(2, "a fixture behind \"show\"")[1]
            return .ask(ControlRequest("GET", ControlRequest.path("fixtures", name)), .fixture)
        case "try":
            let rest = try words.exactly(3, "a fixture and a message in quotes behind \"try\"")
            let body = JSONObject(present: [
                ("fixture", .string(rest[1])), ("message", .string(rest[2])),
                ("stage", words.value("--stage").map { .string($0) }),
                ("rule", words.value("--rule").map { .string($0) }),
            ])
            return .ask(ControlRequest("POST", "fixtures/try", body: .json(.object(body))), .tried)
        default:
            let rest = try words.exactly(3, "a name and a file behind \"\(task)\"")
            let become: FixtureTask =
                switch task {
                case "check": .check
                case "save": .save(isForced: words.has("--force"))
                default: .add
                }
            return .sendFixture(become, name: rest[1], file: rest[2])
        }
    }

    /// The call that sends a fixture, and how its answer is shown.
    static func request(
        _ task: FixtureTask, _ name: String, _ text: JSONValue
    ) -> (ControlRequest, ControlDisplay) {
        let named: JSONObject = ["name": .string(name), "text": text]
        switch task {
        case .add:
            return (
                ControlRequest("POST", "fixtures", body: .json(.object(named))),
                .done("\(name) is on the server's shelf")
            )
        case .check: return (ControlRequest("POST", "fixtures/check", body: .json(.object(named))), .checked)
        case .save(let isForced):
            let body: JSONObject = ["text": text, "version": .null, "force": .bool(isForced)]
            return (
                ControlRequest("PUT", ControlRequest.path("fixtures", name), body: .json(.object(body))),
                .saved
            )
        }
    }

    static func metrics(_ words: ControlWords) throws(Misuse) -> Job {
        try words.nothing()
        return .ask(ControlRequest("GET", words.has("--json") ? "metrics.json" : "metrics"), .text)
    }

    static func reset(_ words: ControlWords) throws(Misuse) -> Job {
        let names = ["sessions", "troubles", "clock", "log", "fixtures"]
        for word in words.rest where !names.contains(word) {
            throw Misuse(sentence: "\"polymock reset\" takes \(ControlWords.choice(names)), not \"\(word)\"")
        }
        let chosen = names.filter { words.rest.contains($0) }
        let body = JSONObject(chosen.map { .init($0, .bool(true)) })
        let told = chosen.isEmpty ? "everything is" : chosen.joined(separator: ", ") + ":"
        return .ask(
            ControlRequest("POST", "reset", body: .json(.object(body))), .done("\(told) as at the start"))
    }
}
