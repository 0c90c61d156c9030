import Texts

/// A verb that calls a running server: its flags, help and parser.
struct Verb: Sendable {
    let name: String
    let about: String
    let title: String
    let usage: [String]
    /// Flags besides those of ``ControlOptions``, as in the help. A flag with `<name>` takes a value.
    var flags: [(flag: String, meaning: String)] = []
    /// Additional help text, in lines of at most 110 columns.
    var notes: [String] = []
    let example: String
    let parse: @Sendable (ControlWords) throws(Misuse) -> ControlVerb.Job

    static let looking =
        ControlVerb.sessionVerbs + ControlVerb.wireVerbs + ControlVerb.timerVerbs + ControlVerb.fixtureVerbs
        + ControlVerb.serverVerbs + ControlVerb.fileVerbs
    static let changing =
        ControlVerb.timeVerbs + ControlVerb.speechVerbs + ControlVerb.runVerbs + ControlVerb.endVerbs
    static let all = looking + changing

    /// `wait` has a different flag named `--timeout`.
    private var takesTimeLimit: Bool { name != "wait" }

    var command: Command {
        Command(name, about, takesTimeLimit: takesTimeLimit, help: text) { given throws(Misuse) in
            .control(try ControlVerb(self, given.words, environment: given.environment))
        }
    }

    static let sessionNote =
        "A session is named by its id, the beginning of it, or \"last\" for the newest."

    var switches: [String] { names(taking: false) }
    var valued: [String] { names(taking: true) }

    /// Returns the names of the flags that take a value, or of the others if `value` is false. `-o, --output <file>`
    /// has two names.
    private func names(taking value: Bool) -> [String] {
        flags.map(\.flag).filter { $0.contains("<") == value }.flatMap { flag in
            flag.split(separator: ",").map { name in
                String(name.drop { $0 == " " }.prefix { $0 != " " })
            }
        }
    }

    var text: String {
        let common =
            [
                (
                    "--url <address>",
                    "where the server listens (default: http://127.0.0.1:8787)"
                        + (ControlVerb.forSeveral.contains(name) ? "; may be repeated" : "")
                ),
                ("--token <token>", "the control token, or a file with it, for a server that asks for one"),
                ("--json", "the server's own JSON"),
            ]
            + (takesTimeLimit
                ? [("--timeout <length>", "leave after so long, such as 10s")] : [])
        let explained = (flags + common).map { flag, meaning in
            "  " + TextTable.padded(flag, to: 21) + meaning
        }
        var lines = ["polymock \(name): \(title)", ""]
        for (index, form) in usage.enumerated() {
            lines.append(
                (index == 0 ? "USAGE: " : "       ") + "polymock \(name)\(form.isEmpty ? "" : " ")\(form)")
        }
        lines += [""] + explained + [""]
        if !notes.isEmpty { lines += notes + [""] }
        lines += [
            "POLYMOCK_URL and POLYMOCK_CONTROL_TOKEN stand in for flags; POLYMOCK_TOKEN is for chat and load alone.",
            "Exit code: 0 fine, 1 refused or not reached, 2 when the command line cannot be followed.", "",
            "EXAMPLE: polymock \(example)",
        ]
        return lines.joined(separator: "\n")
    }
}
