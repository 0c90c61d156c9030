import ControlClient
import FixtureTools
import Texts

extension ControlVerb {
    static let sessionVerbs = [
        Verb(
            name: "sessions", about: "who is talking", title: "the sessions that a server holds.",
            usage: ["[--tag <tag>] [--state open|ended]"],
            flags: [
                ("--tag <tag>", "only those with this tag"),
                ("--state <state>", "only those that are open, or ended"),
            ], example: "sessions --state open", parse: sessions),
        Verb(
            name: "session", about: "what is known of one session",
            title: "what a server knows of one session.", usage: ["[<session>]"],
            notes: [Verb.sessionNote + " Without one: the newest."],
            example: "session last", parse: session),
        Verb(
            name: "journal", about: "the events of a session, in their order",
            title: "the events of a session, in their order.", usage: ["<session> [--after <n>] [--follow]"],
            flags: [
                ("--after <n>", "only entries after this one"),
                ("--follow", "go on with what happens; with --json one entry a line"),
            ], notes: [Verb.sessionNote], example: "journal last --follow", parse: journal),
    ]

    static let speechVerbs = [
        Verb(
            name: "push", about: "say something in a session",
            title: "say something in a session, as the agent, a live agent or the user, or in raw events.",
            usage: [
                "<session> --as agent|live-agent \"<text>\" [--suggest <text>] [--card <card>]",
                "<session> --as agent|live-agent \"<text>\" [--call <call>]",
                "<session> --as user \"<text>\"",
                "<session> --raw <type> '<payload>'", "<session> --frame '<text>'",
            ],
            flags: [
                ("--as <speaker>", "agent, the live agent, or the user: the script answers"),
                ("--by <name>", "the name of who speaks"),
                ("--suggest <text>", "a suggestion below it; may be repeated"),
                ("--card <card>", "an attachment, as \"<title> <link>\"; may be repeated"),
                ("--call <call>", "a call button, as \"<title> <number>\"; may be repeated"),
                ("--raw", "an event of any type, with a JSON object as payload"),
                ("--frame", "exactly this text as a frame, in no journal"),
            ], notes: [Verb.sessionNote], example: "push last --as agent \"One moment.\" --suggest Thanks",
            parse: push),
        Verb(
            name: "change", about: "edit or withdraw a message",
            title: "change a message of a session whose client asked for changes.",
            usage: [
                "<session> [<message>] --text \"<text>\" [--as agent|user]",
                "<session> [<message>] --deleted [--as agent|user]",
                "<session> [<message>] --reaction <text> [--off] [--as agent|user]",
            ],
            flags: [
                ("--text <text>", "the new text"), ("--deleted", "withdraw it"),
                ("--reaction <text>", "react to it, such as with an emoji"),
                ("--off", "take the reaction back"),
                ("--as <speaker>", "agent (default), or the user: the script answers reactions"),
                ("--by <name>", "the name of who does it"),
            ],
            notes: [
                Verb.sessionNote,
                "Without the id of a message: the author's last one, for a reaction that of the other side.",
            ], example: "change last --text \"Half past seven.\"", parse: change),
        Verb(
            name: "takeover", about: "speak as the agent or a live agent",
            title: "be the live agent of a session: lines are said, commands begin with a slash.",
            usage: ["[<session>]"],
            notes: [Verb.sessionNote + " Without one: the newest.", ""]
                + OperatorCommand.helpText.split(separator: "\n").map { "  " + $0 } + [
                    "",
                    "On a pipe, lines are performed one after the other; with --json each event is one line.",
                ], example: "takeover last",
            parse: { words throws(Misuse) in
                .takeOver(session: try words.upTo(1, "one session at most").first ?? "last")
            }),
        Verb(
            name: "intercept", about: "look at frames before clients get them",
            title: "look at each frame of a session before its clients get it.",
            usage: [
                "[list]", "on <session> [--release <length>]", "off <session>",
                "resume <id> [--text <frame>]", "drop <id>",
            ],
            flags: [
                ("--release <length>", "how long each waits at most (default: 30s)"),
                ("--text <frame>", "what leaves in its place"),
            ],
            notes: [
                Verb.sessionNote,
                "Frames of a connection leave in their order. drop takes one away: the journal has it, its",
                "client never gets it. off, the reset of faults and the end of the server let all go.",
            ], example: "intercept on last --release 2m", parse: intercept),
    ]

    static func sessions(_ words: ControlWords) throws(Misuse) -> Job {
        try words.nothing()
        _ = try words.oneOf("--state", ["open", "ended"])
        return .ask(ControlRequest("GET", "sessions", query: words.parameters("tag", "state")), .sessions)
    }

    static func session(_ words: ControlWords) throws(Misuse) -> Job {
        .ask(ControlRequest("GET", "sessions", try words.rest.isEmpty ? "last" : words.session()), .session)
    }

    static func journal(_ words: ControlWords) throws(Misuse) -> Job {
        let session = try words.session()
        let after = try words.number("--after")
        if words.has("--follow") { return .followJournal(session: session, after: after ?? 0) }
        return .ask(journalRequest(session, after: after), .journal)
    }

    static func journalRequest(_ session: String, after: UInt64?) -> ControlRequest {
        ControlRequest(
            "GET", "sessions", session, "journal", query: after.map { [.init("after", String($0))] } ?? [])
    }

    static func end(_ words: ControlWords) throws(Misuse) -> Job {
        let session = try words.session()
        let reason = try words.oneOf("--reason", ["natural", "user", "abandoned"])
        guard !words.has("--forget") else {
            try words.flags.without(["--reason"], "means nothing with --forget, which ends as abandoned")
            return .ask(ControlRequest("DELETE", "sessions", session), .ended)
        }
        let body: JSONObject = ["reason": .string(reason ?? "natural")]
        return .ask(ControlRequest("POST", "sessions", session, "end", body: body), .ended)
    }

    static func push(_ words: ControlWords) throws(Misuse) -> Job {
        let body: JSONObject
        if words.has("--raw") || words.has("--frame") {
            body = try rawPush(words)
        } else {
            let rest = try words.exactly(
                2, "a session and a text in quotes, such as: polymock push last --as agent \"Hello\"")
            guard let speaker = try words.oneOf("--as", ["agent", "live-agent", "user"]) else {
                throw Misuse(
                    sentence: "\"polymock push\" needs --as agent, --as live-agent or --as user, or --raw")
            }
            if speaker == "user" {
                try words.flags.without(
                    ["--suggest", "--card", "--call"], "goes with --as agent or live-agent only")
            }
            var parts = SpokenParts(suggestions: words.flags.all["--suggest"] ?? [])
            parts.cards = try words.each("--card", "a title and a link") { SpokenParts.Card($0) }
            parts.calls = try words.each("--call", "a title and a number") { SpokenParts.Call($0) }
            let message = JSONObject(present: [
                ("as", .string(speaker)), ("by", words.string("--by")), ("text", .string(rest[1])),
            ])
            body = JSONObject(message.members + parts.members)
        }
        return .ask(ControlRequest("POST", "sessions", words.rest[0], "events", body: body), .pushed)
    }

    static func change(_ words: ControlWords) throws(Misuse) -> Job {
        let changes = ["--text", "--deleted", "--reaction"].filter { words.has($0) || words.value($0) != nil }
        guard changes.count == 1 else {
            throw Misuse(
                sentence: "\"polymock change\" needs one of --text, --deleted and --reaction, such as: "
                    + "polymock change last --text \"Half past seven.\"")
        }
        if changes != ["--reaction"] { try words.flags.without(["--off"], "goes with --reaction only") }
        let rest = try words.upTo(2, "a session and a message")
        guard let session = rest.first else {
            throw Misuse(
                sentence: "\"polymock change\" needs a session, such as: polymock change last --deleted")
        }
        _ = try words.oneOf("--as", ["agent", "user"])
        let body = JSONObject(present: [
            ("message", rest.count > 1 ? .string(rest[1]) : nil), ("as", words.string("--as")),
            ("by", words.string("--by")),
            ("text", words.string("--text")), ("deleted", words.has("--deleted") ? .bool(true) : nil),
            ("reaction", words.string("--reaction")), ("on", words.has("--off") ? .bool(false) : nil),
        ])
        return .ask(ControlRequest("POST", "sessions", session, "changes", body: body), .pushed)
    }

    private static func rawPush(_ words: ControlWords) throws(Misuse) -> JSONObject {
        try words.flags.without(
            ["--as", "--by", "--suggest", "--card", "--call"], "means nothing with --raw or --frame")
        guard !words.has("--frame") else {
            guard !words.has("--raw") else {
                throw Misuse(sentence: "--raw and --frame are two forms of one thing; choose one")
            }
            let rest = try words.exactly(2, "a session and the exact text of a frame with --frame")
            return ["as": .string("raw"), "frame": .string(rest[1])]
        }
        let rest = try words.exactly(
            3,
            "a session, a type and a payload with --raw, "
                + "such as: polymock push last --raw EVENT_TYPE_SESSION_IDLE_WARNING '{}'")
        guard let payload = json(rest[2]), payload.object != nil else {
            throw Misuse(sentence: "the payload of --raw is a JSON object such as {}, not \(rest[2])")
        }
        return ["as": .string("raw"), "type": .string(rest[1]), "payload": payload]
    }

    static func intercept(_ words: ControlWords) throws(Misuse) -> Job {
        let task = try words.task(
            ["list", "on", "off", "resume", "drop"], owned: ["on": ["--release"], "resume": ["--text"]])
        switch task {
        case "list":
            try words.alone(task)
            return .ask(ControlRequest("GET", "intercepted"), .intercepted)
        case "on", "off":
            let session = try words.exactly(2, "a session after \"\(task)\"")[1]
            let length = try words.value("--release").map { text throws(Misuse) in
                JSONValue.string(try words.length(text, "--release"))
            }
            let body = JSONObject(present: [("intercept", .bool(task == "on")), ("release", length)])
            let done =
                task == "on"
                ? "its frames wait for you; \"polymock intercept\" lists them" : "its frames leave at once"
            return .ask(ControlRequest("POST", "sessions", session, "intercept", body: body), .done(done))
        default:
            let id = try words.exactly(2, "the id of a frame; \"polymock intercept\" shows them")[1]
            guard task == "resume" else {
                return .ask(ControlRequest("DELETE", "intercepted", id), .done("frame \(id) is never sent"))
            }
            let body = JSONObject(present: [("text", words.string("--text"))])
            return .ask(ControlRequest("POST", "intercepted", id, body: body), .done("frame \(id) has left"))
        }
    }
}

extension ControlDisplay {
    static let sessions = Self("sessions") { json in
        table(
            json, "sessions",
            [
                field("SESSION", "id"), field("STATE", "state"), field("FIXTURE", "fixture"),
                field("STAGE", "stage"), field("TAG", "tag"),
                field("CONNECTIONS", "connections", isNumber: true),
                field("ENTRIES", "entries", isNumber: true), field("USER", "userMessages", isNumber: true),
                field("REPLIES", "replies", isNumber: true), time("OPENED", "openedAt"),
            ], empty: "no session yet")
    }

    static let session = Self("session") { json in
        let lists: Set = ["faults", "timers", "ruleUses", "memory"]
        var lines = ValueText.facts(json, except: lists)
        for member in json["memory"]?.object?.members ?? [] {
            lines.append("remembers  \(TextTable.oneLine(member.name)) = \(ValueText.text(member.value))")
        }
        for (list, title) in [("ruleUses", "rule"), ("faults", "fault"), ("timers", "timer")] {
            for item in json[list]?.array ?? [] {
                lines.append(TextTable.padded(title, to: 11) + joined(item))
            }
        }
        return ToolAnswer(lines: lines)
    }

    static let journal = Self("journal") { json in
        var text = EventText()
        return table(
            json, "entries",
            [
                field("ENTRY", "sequence", isNumber: true), time("TIME", "time"),
                (.init("AUTHOR"), { author($0) }),
                (.init("TYPE"), { EventText.shortType(ValueText.text($0["kind"] ?? $0["event"]?["type"])) }),
                (.init("WHAT"), { text.line(ofEntry: $0) ?? "…" }),
            ], empty: "no entry yet")
    }

    /// Returns the author of a journal entry. For a pushed entry, the name follows in parentheses: `pushed (Ada)`.
    private static func author(_ entry: JSONValue) -> String {
        let name = ValueText.text(entry["by"])
        return ValueText.text(entry["author"]) + (name.isEmpty ? "" : " (\(name))")
    }

    static let ended = Self("ended") { _ in ToolAnswer(talk: ["the session has ended"]) }

    static let pushed = Self("pushed") { json in
        let sequences = (json["sequences"]?.array ?? []).map { ValueText.text($0) }
        guard !sequences.isEmpty else { return ToolAnswer(talk: ["sent; nothing is added to the journal"]) }
        let noun = sequences.count == 1 ? "entry" : "entries"
        return ToolAnswer(talk: ["sent as \(noun) \(sequences.joined(separator: ", "))"])
    }

    static let intercepted = Self("intercepted") { json in
        table(
            json, "intercepted",
            [
                field("FRAME", "id", isNumber: true), field("SESSION", "session"),
                field("CONNECTION", "connection", isNumber: true), field("TYPE", "type"),
                field("ENTRY", "seq", isNumber: true), time("LEAVES", "releaseAt"), field("TEXT", "text"),
            ], empty: "no frame waits")
    }
}
