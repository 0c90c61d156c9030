import ControlClient
import FixtureTools
import Texts

extension ControlVerb {
    static let wireVerbs = [
        Verb(
            name: "wire", about: "every request and frame, one line each",
            title: "what crossed the wire, one line per row.",
            usage: [
                "[<session>] [--filter <filter>] [--after <n>] [--limit <n> | --last <n>]",
                "[<session>] --follow [--last 0]",
            ],
            flags: [
                ("--filter <filter>", "such as \"dir:out type:*_MESSAGE\"; see \"polymock help filters\""),
                ("--after <n>", "only rows after this one"),
                ("--limit <n>", "at most so many, the oldest first (default: 1000)"),
                ("--last <n>", "only the newest so many; 0 with --follow: only what happens from now on"),
                ("--follow", "go on with what happens; with --json one row a line"),
            ], notes: [Verb.sessionNote + " Without one: all."],
            example: "wire last --filter dir:in --follow",
            parse: wire),
        Verb(
            name: "wait", about: "until rows of the wire match a filter",
            title: "wait until rows are there that match a filter.",
            usage: ["<filter> [--count <n>] [--timeout <length>] [--after <n>]"],
            flags: [
                ("--filter <filter>", "the same as the filter alone"),
                ("--count <n>", "how many rows (default: 1)"),
                ("--timeout <length>", "how long, by the server's clock unless it is stopped (default: 10s)"),
                ("--after <n>", "only rows after this one"),
            ],
            notes: [
                "When the time is over, what was seen is shown and the exit code is 1. \"polymock help filters\"",
                "lists what filters are made of; a blank between two terms means that both must hold.",
            ],
            example: "wait type:USER_MESSAGE --count 2 --timeout 30s", parse: wait(_:)),
        Verb(
            name: "unmatched", about: "messages that no rule heard, requests that nothing answered",
            title: "messages that no rule heard, requests that nothing answered, and the closest matches.",
            usage: ["[--after <n>] [--fail]"],
            flags: [
                ("--after <n>", "only those after this one"),
                ("--fail", "exit code 1 when there is any, for scripts"),
            ], example: "unmatched", parse: unmatched),
        Verb(
            name: "violations", about: "what clients must do, and which ones did not",
            title: "what clients must do by the API's documentation, and which ones did not.",
            usage: ["[--fail]"],
            flags: [("--fail", "exit code 1 when there is any violation, for scripts")],
            example: "violations",
            parse: violations),
    ]

    static let fileVerbs = [
        Verb(
            name: "export", about: "the wire as a file: JSON lines, HAR or a transcript",
            title: "what crossed the wire as a file.",
            usage: ["[<session>] [--format jsonl|har|transcript] [--filter <filter>] [-o <file>]"],
            flags: [
                ("--format <format>", "jsonl (the default), har, transcript or transcript.json"),
                ("--filter <filter>", "only rows that match, such as \"kind:ws -type:HEARTBEAT\""),
                ("--session <session>", "the same as the session alone"),
                ("-o, --output <file>", "where it goes (default: standard output)"),
            ],
            notes: [
                Verb.sessionNote + " Without one: all.",
                "With --json a transcript is JSON; with -o, --json prints the file and its size.",
            ], example: "export last --format har -o talk.har", parse: export),
        Verb(
            name: "import", about: "show an exported file among the rows of a server",
            title: "show what was exported, jsonl or har, among the rows of a server.", usage: ["<file>"],
            example: "import talk.har",
            parse: { words throws(Misuse) in
                .importFile(try words.exactly(1, "one file, such as: polymock import talk.jsonl")[0])
            }),
    ]

    static func wire(_ words: ControlWords) throws(Misuse) -> Job {
        let session = try words.atMostOneSession()
        let after = try words.number("--after")
        _ = try words.number("--limit", atLeast: 1)
        let isFollowed = words.has("--follow")
        let last = try words.number("--last", atLeast: isFollowed ? 0 : 1)
        let filter = [session.map { term(session: $0) }, words.value("--filter")].compactMap { $0 }
            .joined(separator: " ")
        if isFollowed {
            try words.flags.without(["--limit"], "means nothing with --follow, which has no end")
            if let last, last > 0 {
                throw Misuse(sentence: "--last takes 0 with --follow: only what happens from now on")
            }
            // With `--last 0`, the feed begins with the next new row; otherwise after `--after`, or with the oldest
            // kept row.
            return .followWire(filter: filter.isEmpty ? nil : filter, after: last == 0 ? nil : after ?? 0)
        }
        if words.value("--limit") != nil {
            try words.flags.without(["--last"], "and --limit both say how many; choose one")
        }
        let query = filter.isEmpty ? [] : [ControlRequest.Parameter("filter", filter)]
        return .ask(
            ControlRequest("GET", "wire", query: query + words.parameters("after", "limit", "last")), .wire)
    }

    private static func term(session: String) -> String {
        let isPlain = session.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        return "session:" + (isPlain ? session : "\"\(session.filter { $0 != "\"" && $0 != "\\" })\"")
    }

    static func wait(_ words: ControlWords) throws(Misuse) -> Job {
        let terms = words.rest + [words.value("--filter")].compactMap { $0 }
        guard !terms.isEmpty else {
            throw Misuse(
                sentence: "\"polymock wait\" takes a filter, such as: polymock wait type:USER_MESSAGE")
        }
        _ = try words.number("--after")
        _ = try words.number("--count", atLeast: 1)
        if let text = words.value("--timeout") { _ = try words.length(text, "--timeout") }
        let filter = ControlRequest.Parameter("filter", terms.joined(separator: " "))
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

    static func violations(_ words: ControlWords) throws(Misuse) -> Job {
        try words.nothing()
        let request = ControlRequest("GET", "violations")
        return words.has("--fail")
            ? .judge(request, .violations, member: "violations") : .ask(request, .violations)
    }

    static func export(_ words: ControlWords) throws(Misuse) -> Job {
        let formats = ["jsonl", "har", "transcript", "transcript.json"]
        if let word = words.rest.first, formats.contains(word) {
            throw Misuse(sentence: "a format stands after its flag: --format \(word)")
        }
        let session = try words.atMostOneSession()
        if session != nil {
            try words.flags.without(
                ["--session"], "names a session, and so does \"\(words.rest[0])\"; choose one")
        }
        var format = try words.oneOf("--format", formats) ?? "jsonl"
        if format == "transcript", words.has("--json") { format = "transcript.json" }
        let named = session.map { [ControlRequest.Parameter("session", $0)] } ?? words.parameters("session")
        let query = [.init("format", format)] + named + words.parameters("filter")
        return .export(
            ControlRequest("GET", "export", query: query), file: words.value("--output") ?? words.value("-o"))
    }
}

extension ControlDisplay {
    static let wire = Self("wire") { json in
        let rows = json["rows"]?.array ?? []
        var answer = ToolAnswer(lines: rows.map { row($0) })
        if rows.isEmpty { answer.talk.append("no row" + (json["hint"]?.string.map { ": \($0)" } ?? "")) }
        if let dropped = json["dropped"]?.integer, dropped > 0 {
            answer.talk.append("\(Counted.text(Int(dropped), "older row")) no longer kept")
        }
        return answer
    }

    /// The display ``wire`` for a call without a client-side time limit (``ControlRun``).
    static let waited = Self("waited", wire.show)

    /// Shows the answer to a wait with too few rows (status 408): found rows, other rows, and near misses.
    static func tooFew(_ json: JSONValue) -> ToolAnswer {
        var answer = ToolAnswer(lines: (json["rows"]?.array ?? []).map { row($0) })
        let seen = json["seen"]?.array ?? []
        if !seen.isEmpty { answer.talk.append("seen besides:") }
        answer.talk += seen.map { row($0) }
        for near in json["near"]?.array ?? [] {
            let missing = (near["missing"]?.array ?? []).map { ValueText.text($0) }.joined(separator: " ")
            answer.talk.append("row \(ValueText.text(near["row"]?["n"])) misses \(missing)")
        }
        return answer
    }

    /// Formats a row as one line.
    static func row(_ row: JSONValue) -> String {
        let session = ValueText.text(row["session"])
        var line = [
            TextTable.padded(ValueText.text(row["n"]), to: 6, atStart: true),
            TextTable.padded(ValueText.clockTime(row["mt"] ?? row["t"]), to: 12),
            TextTable.padded(ValueText.text(row["dir"]), to: 3),
            TextTable.padded(ValueText.text(row["kind"]), to: 7),
            TextTable.padded(session.isEmpty ? "-" : String(session.prefix(8)), to: 8),
            ValueText.text(row["type"]),
        ]
        func add(_ name: String, _ form: (String) -> String) {
            let text = ValueText.text(row[name])
            if !text.isEmpty { line.append(form(text)) }
        }
        add("seq") { "#" + $0 }
        add("status") { $0 }
        add("size") { $0 == "0" ? "" : $0 + " B" }
        add("lat") { Self.tenths($0) + " ms" }
        add("rule") { "rule \($0)" }
        add("fault") { "fault \($0)" }
        for flag in row["flags"]?.array ?? [] { line.append("[" + ValueText.text(flag) + "]") }
        if let text = saying(row) { line.append(text) }
        let shard = row["shard"].map { [ValueText.text($0)] } ?? []
        return TextTable.oneLine((shard + line.filter { !$0.isEmpty }).joined(separator: "  "))
    }

    private static func tenths(_ text: String) -> String {
        guard text.contains("."), let number = Double(text) else { return text }
        return "\((number * 10).rounded() / 10)"
    }

    /// Returns the text of a message or chunk in quotes, from the row's raw frame.
    private static func saying(_ row: JSONValue) -> String? {
        guard
            ValueText.text(row["type"]).hasSuffix("MESSAGE")
                || ValueText.text(row["type"]).hasSuffix("CHUNK"),
            let raw = row["raw"]?.string, let event = ControlVerb.json(raw),
            let text = event["payload"]?["text"]?.string
        else { return nil }
        return "\"" + (text.count > VerbLimits.cell ? text.prefix(VerbLimits.cell) + "…" : text) + "\""
    }

    static let unmatched = Self("unmatched") { json in
        var answer = ToolAnswer()
        for item in json["unmatched"]?.array ?? [] {
            let facts = [
                ValueText.text(item["number"]), ValueText.clockTime(item["time"]),
                ValueText.text(item["session"]), ValueText.text(item["kind"]),
                "\"" + ValueText.text(item["text"]) + "\"",
            ]
            answer.lines.append(TextTable.oneLine(facts.filter { !$0.isEmpty }.joined(separator: "  ")))
            for line in ControlDisplay.lines(of: ValueText.text(item["report"])) {
                answer.lines.append("    " + line)
            }
        }
        if answer.lines.isEmpty { answer.talk.append("everything was answered") }
        let policy = ValueText.text(json["policy"])
        if !policy.isEmpty { answer.talk.append("policy: \(policy)") }
        return answer
    }

    static let violations = Self("violations") { json in
        let broken = (json["protocolRules"]?.array ?? []).filter { ($0["violations"]?.integer ?? 0) > 0 }
        let isClean = json["violations"]?.array?.isEmpty != false
        var answer = table(
            isClean ? json["protocolRules"]?.array ?? [] : broken,
            [
                field("VIOLATIONS", "violations", isNumber: true), field("RULE", "id"),
                field("SAYS", "title"),
                field("STATEMENT", "source"),
            ],
            empty: "the server has no protocol rules")
        if let statement = json["protocolRules"]?.array?.first?["source"]?.string {
            answer.talk.append("the server shows a statement at /docs#/Shared/Docs/\(statement)")
        }
        for violation in json["violations"]?.array ?? [] {
            let protocolRule =
                ValueText.text(violation["protocolRule"]).isEmpty
                ? violation["id"] : violation["protocolRule"]
            let detail = ["detail", "message"].lazy.compactMap { violation[$0]?.string }.first
            let facts = [
                ValueText.text(violation["shard"]), ValueText.clockTime(violation["time"]),
                ValueText.text(protocolRule),
                ValueText.text(violation["session"]),
                detail ?? ValueText.compact(violation),
            ]
            answer.lines.append(TextTable.oneLine(facts.filter { !$0.isEmpty }.joined(separator: "  ")))
        }
        return answer
    }

    static let imported = Self("imported") { json in
        let count = Counted.text(Int(json["imported"]?.integer ?? 0), "row")
        return ToolAnswer(lines: ["\(count) imported as \(ValueText.text(json["session"]))"])
    }
}
