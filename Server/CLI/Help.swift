/// The help texts, compared with golden files by a test.
enum Help {
    static func text(about topic: String) -> String? {
        switch topic {
        case "filters": filters
        default: Command.named(topic)?.help()
        }
    }

    static let text: String = {
        var lines = [
            "polymock: a mock messaging server with a scripted agent.", "",
            "USAGE: polymock [serve] [flags]", "       polymock <verb> ...", "",
            "  polymock --fixture booking     serve an agent at http://127.0.0.1:8787",
            "  polymock chat                  talk to it, in a second terminal",
            "  polymock wire --follow         see each request and frame; or open http://127.0.0.1:8787/inspect",
        ]
        for group in Command.groups {
            lines += ["", group.title]
            lines += group.commands.map { "  " + TextTable.padded($0.name, to: 12) + $0.about }
        }
        return
            (lines + [
                "",
                "\"polymock help <verb>\" has a verb's flags; \"polymock help serve\" those of the server.",
            ])
            .joined(separator: "\n")
    }()

    static let serve = """
        polymock serve: run the server; the word serve may be left out.

        USAGE: polymock [serve] [flags]

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
          --unmatched <policy> unmatched messages and requests: pass, warn (default), or fail (exit code 1)
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
