/// The help text; a golden test holds it.
enum Help {
    /// A verb, and a word about it.
    struct Entry {
        var name: String
        var about: String

        init(_ name: String, _ about: String) {
            self.name = name
            self.about = about
        }
    }

    /// The verbs that the general help lists, in its order.
    static let groups: [(title: String, entries: [Entry])] = [
        (
            "Serve and talk",
            [
                Entry("serve", "run the server; what polymock does without a verb"),
                Entry("chat", "talk to a server, at the keyboard or by a script"),
                Entry("load", "many users at once against a server; latencies and errors"),
            ]
        ),
        (
            "Fixtures: the files that say how an agent behaves",
            [
                Entry("list", "the fixtures there are"),
                Entry("show", "print a fixture, also one that is in the program"),
                Entry("schema", "print the schema that editors complete fixtures by"),
                Entry("check", "mistakes in fixtures, and their examples played"),
                Entry("try", "which rules would answer these messages, or which came near"),
                Entry("walk", "a thousand seeded users; what goes wrong is shrunk"),
                Entry("sweep", "cut the connection after every event; nothing may be lost"),
                Entry("replay", "play a scenario again, or show a recorded talk to an app"),
                Entry("record", "make a fixture of a run that an agent tells"),
            ]
        ),
        (
            "Look at a running server",
            [
                Entry("sessions", "who is talking"),
                Entry("session", "what is known of one session"),
                Entry("journal", "the events of a session, in their order"),
                Entry("wire", "every request and frame, one line each"),
                Entry("wait", "until rows of the wire match a filter"),
                Entry("unmatched", "messages that no rule heard, requests that nothing answered"),
                Entry("laws", "what clients must do, and which ones did not"),
                Entry("timers", "what will happen by itself, and when"),
                Entry("fixtures", "what the server plays"),
                Entry("metrics", "its counters, as Prometheus reads them"),
                Entry("health", "whether it answers"),
                Entry("export", "the wire as a file: JSON lines, HAR or a transcript"),
                Entry("import", "show an exported file among the rows of a server"),
            ]
        ),
        (
            "Steer a running server",
            [
                Entry("trouble", "make things go wrong: cut, delay, damage"),
                Entry("clock", "stop time, or move it ahead"),
                Entry("push", "say something in a session, at once"),
                Entry("agent", "be the live agent of a session"),
                Entry("hold", "look at each frame before a client gets it"),
                Entry("runs", "what an agent did, and answer what it asks"),
                Entry("end", "end a session"),
                Entry("reset", "everything as at the start, between two tests"),
            ]
        ),
        (
            "Help",
            [
                Entry("help", "\"help <verb>\" explains one, \"help filters\" the filters of wire and wait"),
                Entry("version", "print the version"),
            ]
        ),
    ]

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
