import Clocks
import TerminalChat
import Texts

/// Description of a command-line verb, for the argument parser and the help text.
struct Command: Sendable {
    struct Given {
        var words: ArraySlice<String>
        var limit: Interval?
        var environment: (String) -> String?
    }

    let name: String
    let about: String
    let takesTimeLimit: Bool
    /// Returns the verb's help text, or nil.
    let help: @Sendable () -> String?
    let read: @Sendable (Given) throws(Misuse) -> Invocation

    init(
        _ name: String, _ about: String, takesTimeLimit: Bool = false,
        help: @autoclosure @escaping @Sendable () -> String?,
        read: @escaping @Sendable (Given) throws(Misuse) -> Invocation
    ) {
        (self.name, self.about, self.takesTimeLimit) = (name, about, takesTimeLimit)
        (self.help, self.read) = (help, read)
    }

    static let groups: [(title: String, commands: [Command])] = [
        ("Serve and talk", [serve, chat, load]),
        (
            "Fixtures: the files that say how an agent behaves",
            FixtureVerb.commands + SweepVerb.commands
        ),
        ("Look at a running server", Verb.looking.map(\.command)),
        ("Steer a running server", Verb.changing.map(\.command)),
        ("Help", [explain, completions, version]),
    ]

    static let all = groups.flatMap(\.commands)

    static func named(_ name: String) -> Command? { all.first { $0.name == name } }

    static let serve = Command(
        "serve", "run the server; what polymock does without a verb", help: Help.serve
    ) { given throws(Misuse) in .serve(try ServeOptions(given.words)) }

    private static let chat = Command(
        "chat", "talk to a server, at the keyboard or by a script", help: Help.chat
    ) { given throws(Misuse) in .chat(try ChatOptions(given.words, environment: given.environment)) }

    private static let load = Command(
        "load", "many users at once against a server; latencies and errors", takesTimeLimit: true,
        help: Help.load
    ) { given throws(Misuse) in .load(try LoadOptions(given.words, environment: given.environment)) }

    private static let explain = Command(
        "help", "\"help <verb>\" explains one, \"help filters\" those of wire", help: nil
    ) { given throws(Misuse) in
        guard let topic = given.words.first else { return .help }
        if Help.text(about: topic) != nil { return .helpAbout(topic) }
        if named(topic) != nil { return .help }
        throw Misuse(sentence: unknown(topic))
    }

    private static let completions = Command(
        "completions", "completion of words in bash, zsh or fish",
        help: """
            polymock completions: a script by which a shell completes verbs and flags.

            USAGE: polymock completions bash|zsh|fish

            EXAMPLES: polymock completions bash > /etc/bash_completion.d/polymock
                      polymock completions fish > ~/.config/fish/completions/polymock.fish
                      source <(polymock completions zsh)
            """
    ) { given throws(Misuse) in
        guard given.words.count == 1, let shell = given.words.first.flatMap(Completions.init(rawValue:))
        else {
            throw Misuse(sentence: "\"polymock completions\" takes a shell: bash, zsh or fish")
        }
        return .completions(shell)
    }

    private static let version = Command("version", "print the version", help: nil) { _ in .version }

    /// Verbs with which other programs start a server.
    private static let starting: Set = ["start", "run", "up"]

    static func unknown(_ verb: String) -> String {
        if starting.contains(verb) { return "there is no verb \"\(verb)\"; did you mean \"serve\"?" }
        if let meant = NearestName.suggestion(for: verb, among: all.map(\.name)) {
            return "there is no verb \"\(verb)\"; did you mean \"\(meant)\"?"
        }
        return "there is no verb \"\(verb)\"; \"polymock --help\" lists what there is"
    }
}
