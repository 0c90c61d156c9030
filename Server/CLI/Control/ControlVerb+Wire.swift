import ControlClient
import MessagingWire

/// `polymock wire`, `wait`, `unmatched`, `export`, `fixtures`, `metrics` and `reset`.
extension ControlVerb {
    static func wire(_ words: ControlWords) throws(Misuse) -> Job {
        try words.nothing()
        let after = try words.number("--after")
        _ = try words.number("--limit", atLeast: 1)
        if words.has("--follow") {
            try words.without(["--limit"], "means nothing with --follow, which has no end")
            return .followWire(filter: words.value("--filter"), after: after)
        }
        return .ask(
            ControlRequest("GET", "wire", query: words.parameters("filter", "after", "limit")), .wire)
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
        return .ask(ControlRequest("GET", "unmatched", query: words.parameters("after")), .unmatched)
    }

    static func export(_ words: ControlWords) throws(Misuse) -> Job {
        try words.nothing()
        var format =
            try words.oneOf("--format", ["jsonl", "har", "transcript", "transcript.json"]) ?? "jsonl"
        if format == "transcript", words.has("--json") { format = "transcript.json" }
        let query = [.init("format", format)] + words.parameters("session", "filter")
        return .export(
            ControlRequest("GET", "export", query: query), file: words.value("--output") ?? words.value("-o"))
    }

    static func fixtures(_ words: ControlWords) throws(Misuse) -> Job {
        let task = try words.task(["list", "reload", "try", "add"]) ?? "list"
        if task != "try" { try words.without(["--stage"], "goes with \"polymock fixtures try\" only") }
        switch task {
        case "list":
            _ = try words.upTo(1, "nothing behind \"list\"")
            return .ask(ControlRequest("GET", "fixtures"), .fixtures)
        case "reload":
            _ = try words.upTo(1, "nothing behind \"reload\"")
            return .ask(ControlRequest("POST", "fixtures/reload"), .reloaded)
        case "try":
            let rest = try words.exactly(3, "a fixture and a message in quotes behind \"try\"")
            let body = JSONObject(present: [
                ("fixture", .string(rest[1])), ("message", .string(rest[2])),
                ("stage", words.value("--stage").map { .string($0) }),
            ])
            return .ask(ControlRequest("POST", "fixtures/try", body: .json(.object(body))), .tried)
        default:
            let rest = try words.exactly(3, "a name and a file behind \"add\"")
            return .shelve(name: rest[1], file: rest[2])
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
