import ControlClient
import FixtureTools
import Texts

extension ControlVerb {
    static let serverVerbs = [
        Verb(
            name: "metrics", about: "its counters, as Prometheus reads them",
            title: "the counters of a server, as Prometheus reads them.", usage: [""], example: "metrics",
            parse: metrics),
        Verb(
            name: "health", about: "whether it answers", title: "whether a server answers, and how it does.",
            usage: ["[--wait <length>]"],
            flags: [
                ("--wait <length>", "ask until it answers, so long at most: 500ms, 30s, 2m (default: once)")
            ],
            notes: [
                "--wait is for scripts that have just started a server; of several, each has to answer. A refusal that",
                "time does not change, such as that of another program, ends it at once.",
            ], example: "health --wait 30s", parse: health),
    ]

    static let endVerbs = [
        Verb(
            name: "end", about: "end a session", title: "end a session.",
            usage: ["<session> [--reason natural|user|abandoned]", "<session> --forget"],
            flags: [
                ("--reason <reason>", "why it ends (default: natural)"),
                ("--forget", "end it as abandoned, and hold it no longer"),
            ], notes: [Verb.sessionNote], example: "end last --reason user", parse: end),
        Verb(
            name: "reset", about: "everything as at the start",
            title: "bring a server back to its start, between two tests.",
            usage: ["[sessions] [faults] [clock] [log] [fixtures]      (default: all of them)"],
            notes: ["The clock runs in real time again, from where it stands: time never goes back."],
            example: "reset sessions log", parse: reset),
    ]

    static func metrics(_ words: ControlWords) throws(Misuse) -> Job {
        try words.nothing()
        return .ask(ControlRequest("GET", words.has("--json") ? "metrics.json" : "metrics"), .text)
    }

    static func reset(_ words: ControlWords) throws(Misuse) -> Job {
        let names = ["sessions", "faults", "clock", "log", "fixtures"]
        for word in words.rest where !names.contains(word) {
            throw Misuse(sentence: "\"polymock reset\" takes \(ControlWords.choice(names)), not \"\(word)\"")
        }
        let chosen = names.filter { words.rest.contains($0) }
        let body = JSONObject(chosen.map { .init($0, .bool(true)) })
        let what = chosen.isEmpty ? "everything is" : chosen.joined(separator: ", ") + ":"
        return .ask(ControlRequest("POST", "reset", body: body), .done("\(what) as at the start"))
    }

    static func health(_ words: ControlWords) throws(Misuse) -> Job {
        try words.nothing()
        return .ask(ControlRequest("GET", "health"), .health)
    }
}

extension ControlDisplay {
    static let health = Self("health") { json in ToolAnswer(lines: ValueText.facts(json)) }
}
