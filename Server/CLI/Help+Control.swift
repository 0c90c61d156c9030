/// The texts about verbs that speak to a running server.
extension Help {
    /// What one text is made of.
    private struct Page {
        var about: String
        var usage: [String]
        var flags: [(flag: String, meaning: String)] = []
        /// Sentences, each line at most 110 columns.
        var notes: [String] = []
        var example: String
    }

    private static let session =
        "A session is named by its id, the beginning of it, or \"last\" for the newest."

    static func control(_ verb: String) -> String? {
        pages[verb].map { text($0, of: verb) }
    }

    private static func text(_ page: Page, of verb: String) -> String {
        let common =
            [
                (
                    "--url <address>",
                    "where the server listens (default: http://127.0.0.1:8787)"
                        + (ControlVerb.forSeveral.contains(verb) ? "; several show as one" : "")
                ),
                ("--token <token>", "the control token, for a server that asks for one"),
                ("--json", "the server's own JSON"),
            ]
            + (TimeLimit.verbs.contains(verb)
                ? [("--timeout <length>", "leave after so long, such as 10s")] : [])
        let flags = (page.flags + common).map { flag, meaning in
            "  " + TextTable.padded(flag, to: 21) + meaning
        }
        var lines = ["polymock \(verb): \(page.about)", ""]
        for (index, usage) in page.usage.enumerated() {
            lines.append(
                (index == 0 ? "USAGE: " : "       ") + "polymock \(verb)\(usage.isEmpty ? "" : " ")\(usage)")
        }
        lines += [""] + flags + [""]
        if !page.notes.isEmpty { lines += page.notes + [""] }
        lines += [
            "POLYMOCK_URL and POLYMOCK_CONTROL_TOKEN stand in for flags; POLYMOCK_TOKEN is for chat and load alone.",
            "Exit code: 0 fine, 1 refused or not reached, 2 when the command line cannot be followed.", "",
            "EXAMPLE: polymock \(page.example)",
        ]
        return lines.joined(separator: "\n")
    }

    private static let pages: [String: Page] = sessionPages.merging(timePages) { first, _ in first }
        .merging(wirePages) { first, _ in first }

    private static let sessionPages: [String: Page] = [
        "sessions": Page(
            about: "the sessions that a server holds.", usage: ["[--tag <tag>] [--state open|ended]"],
            flags: [
                ("--tag <tag>", "only those with this tag"),
                ("--state <state>", "only those that are open, or ended"),
            ], example: "sessions --state open"),
        "session": Page(
            about: "what a server knows of one session.", usage: ["<session>"], notes: [session],
            example: "session last"),
        "journal": Page(
            about: "the events of a session, in their order.", usage: ["<session> [--after <n>] [--follow]"],
            flags: [
                ("--after <n>", "only entries behind this one"),
                ("--follow", "go on with what happens; with --json one entry a line"),
            ], notes: [session], example: "journal last --follow"),
        "end": Page(
            about: "end a session.",
            usage: ["<session> [--reason natural|user|abandoned]", "<session> --forget"],
            flags: [
                ("--reason <reason>", "why it ends (default: natural)"),
                ("--forget", "end it as abandoned, and hold it no longer"),
            ], notes: [session], example: "end last --reason user"),
        "push": Page(
            about: "say something in a session, as the agent, a person or the user, or in raw events.",
            usage: [
                "<session> --as agent|person \"<text>\" [--suggest <text>] [--card <card>] [--call <call>]",
                "<session> --as user \"<text>\"",
                "<session> --raw <type> '<payload>'", "<session> --frame '<text>'",
            ],
            flags: [
                ("--as <speaker>", "agent, the live person, or the user: the script answers"),
                ("--by <name>", "the name of who speaks"),
                ("--suggest <text>", "a suggestion below it; may be repeated"),
                ("--card <card>", "an attachment, as \"<title> <link>\"; may be repeated"),
                ("--call <call>", "a call button, as \"<title> <number>\"; may be repeated"),
                ("--raw", "an event of any type, with a JSON object as payload"),
                ("--frame", "exactly this text as a frame, in no journal"),
            ], notes: [session], example: "push last --as agent \"One moment.\" --suggest Thanks"),
        "hold": Page(
            about: "look at each frame of a session before its clients get it.",
            usage: [
                "[list]", "on <session> [--release <length>]", "off <session>",
                "release <id> [--text <frame>]", "drop <id>",
            ],
            flags: [
                ("--release <length>", "how long each waits at most (default: 30s)"),
                ("--text <frame>", "what leaves in its place"),
            ],
            notes: [
                session,
                "Frames of a connection leave in their order. drop takes one away: the journal has it, its",
                "client never gets it. off, the reset of troubles and the end of the server let all go.",
            ], example: "hold on last --release 2m"),
        "runs": Page(
            about: "what an agent did in its runs, and answers in place of the client.",
            usage: [
                "<session> [--wires]", "<session> --ask <id> (--payload <json> | --cancel)",
                "<session> --call <id> [--content <text>] [--error <text>]",
            ],
            flags: [
                ("--wires", "the whole talk, side by side as each protocol tells it"),
                ("--ask <id>", "decide what the agent asks"),
                ("--payload <json>", "the decision"), ("--cancel", "refuse"),
                ("--call <id>", "answer for a tool that the client has"),
                ("--content <text>", "what the tool gave back"), ("--error <text>", "why it failed"),
            ], notes: [session], example: "runs last --ask ask_1 --payload '{\"approved\": true}'"),
        "agent": Page(
            about: "be the live agent of a session: lines are said, commands begin with a slash.",
            usage: ["[<session>]"],
            notes: [session + " Without one: the newest.", ""]
                + ChairCommand.helpText.split(separator: "\n").map { "  " + $0 } + [
                    "",
                    "On a pipe, lines are performed one after the other; with --json each event is one line.",
                ], example: "agent last"),
    ]

    private static let timePages: [String: Page] = [
        "trouble": Page(
            about: "make things go wrong, by name or by hand.",
            usage: [
                "[list]", "add <name> [--fixture <name>] [scope]",
                "add --at <place> --do <words> [--times <n>] [--per <span>] [--chance <share>] [scope]",
                "remove <id>", "clear",
            ],
            flags: [
                ("--at <place>", "where it strikes, such as \"reply 2 chunk 2\""),
                ("--do <words>", "what it does, as in a fixture: \"drop: 'connection'\"; or a JSON object"),
                ("--times <n>", "how often it strikes (default: 1), counted as --per says"),
                ("--per <span>", "session: anew in each; token: over all (see below)"),
                ("--chance <share>", "such as 20%, drawn from the seed"),
                ("--name <name>", "what to call it"), ("--fixture <name>", "whose trouble the name means"),
                ("--session <id>", "scope: one session"), ("--tag <tag>", "scope: sessions with a tag"),
                ("--connection <n>", "scope: one connection"),
            ],
            notes: [
                "\"token\", \"session\", \"handshake\" and \"connect\" count over all sessions (--per token), so that",
                "a client that answers a refusal with a new session gets through. Others count in each session.",
            ], example: "trouble add --at \"reply 2 chunk 2\" --do \"drop: 'connection'\""),
        "clock": Page(
            about: "the server's clock: look at it, stop it, move it.",
            usage: [
                "[show]", "freeze | real", "scale <factor>", "advance <length>", "quiet [--limit <length>]",
                "next",
            ],
            flags: [("--limit <length>", "how far \"quiet\" may go (default: the server's)")],
            notes: [
                "freeze stops it, real lets it run, scale makes it faster. It also moves by advance, next",
                "(to what is due first) and quiet (until nothing is due). Lengths: 500ms, 10s, 10m, 2h.",
            ], example: "clock advance 10m"),
        "timers": Page(
            about: "what will happen by itself, and when.", usage: ["[list]", "fire <id>", "cancel <id>"],
            notes: [
                "fire lets one run at once, the others stay; cancel takes one away, with what it would have done:",
                "of a reply, all that is left of it.",
            ], example: "timers"),
        "reset": Page(
            about: "bring a server back to its start, between two tests.",
            usage: ["[sessions] [troubles] [clock] [log] [fixtures]      (default: all of them)"],
            notes: ["The clock runs in real time again, from where it stands: time never goes back."],
            example: "reset sessions log"),
        "health": Page(
            about: "whether a server answers, and how it does.", usage: ["[--wait <length>]"],
            flags: [
                ("--wait <length>", "ask until it answers, so long at most: 500ms, 30s, 2m (default: once)")
            ],
            notes: [
                "--wait is for scripts that have just started a server; of several, each has to answer. A refusal that",
                "time does not change, such as that of another program, ends it at once.",
            ], example: "health --wait 30s"),
        "metrics": Page(
            about: "the counters of a server, as Prometheus reads them.", usage: [""], example: "metrics"),
        "fixtures": Page(
            about: "what a running server plays.",
            usage: [
                "[list]", "show <fixture>", "reload",
                "try <fixture> \"<message>\" [--stage <name>] [--rule <name>]",
                "add <name> <file>", "check <name> <file>", "save <name> <file> [--force]",
            ],
            flags: [
                ("--stage <name>", "where the talk stands (default: where the fixture begins)"),
                ("--rule <name>", "also say why this rule does not answer; a name, or a line"),
                ("--force", "save over a file that is there"),
            ],
            notes: [
                "\"polymock list\" shows the fixtures of this folder, this verb those of the server. reload",
                "looks at their files again; show tells one with its rules and how often they answered; add",
                "shelves one for as long as the server runs; save makes it a file of the server's folder. check",
                "ends with exit code 1 when there are errors.",
            ], example: "fixtures try booking \"a table for four\""),
    ]

    private static let wirePages: [String: Page] = [
        "wire": Page(
            about: "what crossed the wire, one line per row.",
            usage: [
                "[<session>] [--filter <filter>] [--after <n>] [--limit <n> | --last <n>]",
                "[<session>] --follow",
            ],
            flags: [
                ("--filter <filter>", "such as \"dir:out type:*_MESSAGE\"; see \"polymock help filters\""),
                ("--after <n>", "only rows behind this one"),
                ("--limit <n>", "at most so many, the oldest first (default: 1000)"),
                ("--last <n>", "only the newest so many"),
                ("--follow", "go on with what happens; with --json one row a line"),
            ], notes: [session + " Without one: all."], example: "wire last --filter dir:in --follow"),
        "wait": Page(
            about: "wait until rows are there that match a filter.",
            usage: ["<filter> [--count <n>] [--timeout <length>] [--after <n>]"],
            flags: [
                ("--count <n>", "how many rows (default: 1)"),
                ("--timeout <length>", "how long, by the server's clock unless it is stopped (default: 10s)"),
                ("--after <n>", "only rows behind this one"),
            ],
            notes: [
                "When the time is over, what was seen is shown and the exit code is 1. \"polymock help filters\"",
                "lists what filters are made of; a blank between two terms means that both must hold.",
            ],
            example: "wait type:USER_MESSAGE --count 2 --timeout 30s"),
        "unmatched": Page(
            about: "messages that no rule heard, requests that nothing answered, and what came near.",
            usage: ["[--after <n>] [--fail]"],
            flags: [
                ("--after <n>", "only those behind this one"),
                ("--fail", "exit code 1 when there is any, for scripts"),
            ], example: "unmatched"),
        "laws": Page(
            about: "what clients must do by the API's documentation, and which ones did not.",
            usage: ["[--fail]"],
            flags: [("--fail", "exit code 1 when there is any breach, for scripts")], example: "laws"),
        "export": Page(
            about: "what crossed the wire as a file.",
            usage: ["[<session>] [--format jsonl|har|transcript] [--filter <filter>] [-o <file>]"],
            flags: [
                ("--format <format>", "jsonl (the default), har, transcript or transcript.json"),
                ("--filter <filter>", "only rows that match, such as \"kind:ws -type:HEARTBEAT\""),
                ("--session <session>", "the same as the session alone"),
                ("-o, --output <file>", "where it goes (default: standard output)"),
            ],
            notes: [
                session + " Without one: all.",
                "With --json a transcript is JSON; with -o, --json tells the file and its size.",
            ], example: "export last --format har -o talk.har"),
        "import": Page(
            about: "show what was exported, jsonl or har, among the rows of a server.", usage: ["<file>"],
            example: "import talk.har"),
    ]
}
