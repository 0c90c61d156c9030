/// The help text; a golden test holds it.
enum Help {
    /// A verb, and a word about it.
    typealias Entry = (name: String, about: String)

    /// The verbs that the general help lists, in its order.
    static let groups: [(title: String, entries: [Entry])] = [
        (
            "Serve and talk",
            [
                ("serve", "run the server; what polymock does without a verb"),
                ("chat", "talk to a server, at the keyboard or by a script"),
                ("load", "many users at once against a server; latencies and errors"),
            ]
        ),
        (
            "Fixtures: the files that say how an agent behaves",
            [
                ("list", "the fixtures there are"),
                ("show", "print a fixture, also one that is in the program"),
                ("schema", "print the schema that editors complete fixtures by"),
                ("check", "mistakes in fixtures, and their examples played"),
                ("try", "which rules would answer these messages, or which came near"),
                ("walk", "a thousand seeded users; what goes wrong is shrunk"),
                ("sweep", "cut the connection after every event; nothing may be lost"),
                ("replay", "play a scenario again, or show a recorded talk to an app"),
                ("record", "make a fixture of a run that an agent tells"),
            ]
        ),
        (
            "Look at a running server",
            entries(
                "sessions", "session", "journal", "wire", "wait", "unmatched", "laws", "timers", "fixtures",
                "metrics", "health", "export", "import")
        ),
        (
            "Steer a running server",
            entries(
                "trouble", "clock", "push", "agent", "hold", "runs", "end", "reset")
        ),
        (
            "Help",
            [
                ("help", "\"help <verb>\" explains one, \"help filters\" the filters of wire and wait"),
                ("version", "print the version"),
            ]
        ),
    ]

    private static func entries(_ names: String...) -> [Entry] {
        names.compactMap { Verb.named($0) }.map { ($0.name, $0.about) }
    }

    static let text: String = {
        var lines = ["polymock: a mock messaging server with a scripted agent.", ""]
        lines += ["USAGE: polymock [serve] [flags]", "       polymock <verb> ..."]
        for group in groups {
            lines += ["", group.title]
            lines += group.entries.map { "  " + TextTable.padded($0.name, to: 12) + $0.about }
        }
        return (lines + ["", flags]).joined(separator: "\n")
    }()

    private static let flags = """
        Flags of serve
          --host <name>        address to listen on (default: 127.0.0.1; localhost takes IPv4 and IPv6)
          --port <n>           TCP port; 0 picks a free one (default: 8787)
          --fixture <name>     how the agent behaves: a name, or a path ending in .json5 (default: webchat)
          --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
          --seed <n>           the same seed gives the same ids and pauses (default: drawn, and printed)
          --shard <k>/<n>      one of several servers behind a proxy: makes only ids of shard k of n, 256 at most
          --signing-key <file> 32 bytes or more that sign tokens; servers with the same file take each other's
          --trusted-proxy <a>  address of a proxy in front: its X-Forwarded-For names the client; may be repeated
          --log <style>        text (standard error), json (standard output) or quiet (default: text)
          --expires-in <s>     seconds that access tokens are valid (default: 86400); the published
                               SDKs get no further with 300 or less
          --config <file>      settings in JSON5; flags win over it
          --unmatched <policy> unheard messages and stray requests: pass, warn (default), or fail (exit code 1)
          --control-token <t>  what requests to /_mock/ carry as X-Mock-Token: a file with it, or the text (the
                               verbs read it from POLYMOCK_CONTROL_TOKEN)
          --no-control         serve nothing under /_mock/ but health
          --open               show the chat page and the inspector in a browser (BROWSER, else the system's)
          --pages <folder>     read the pages from there at each request, for those who edit them
          --echo               also serve a plain WebSocket echo at /_mock/echo, for conformance tools
          --deflate            compress WebSocket messages of clients that offer permessage-deflate
          --version            print the version
          -h, --help           print this text

        EXAMPLE: polymock --fixture booking      then open http://127.0.0.1:8787/
        """
}
