/// The help text; a golden test holds it.
enum Help {
    static let text = """
        polymock: a mock messaging server with a scripted agent.

        USAGE: polymock [serve] [flags]
               polymock check | list | show | schema | try | walk | sweep | replay | load | chat ...
                                                           (see "polymock help check")
               polymock <verb> ...                         of a running server, by one of these verbs:
                 sessions, session, journal, end, push, agent, trouble, clock, timers, wire, wait,
                 unmatched, laws, export, import, fixtures, metrics, reset, health

          --host <name>        address to listen on (default: 127.0.0.1; localhost takes IPv4 and IPv6)
          --port <n>           TCP port; 0 picks a free one (default: 8787)
          --fixture <name>     how the agent behaves: a name, or a path ending in .json5 (default: webchat)
          --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
          --seed <n>           the same seed gives the same ids and pauses (default: drawn, and printed)
          --log <style>        text (standard error), json (standard output) or quiet (default: text)
          --expires-in <s>     seconds that access tokens are valid (default: 86400); the published
                               SDKs get no further with 300 or less
          --config <file>      settings in JSON5; flags win over it
          --unmatched <policy> unheard messages and stray requests: pass, warn (default), or fail (exit code 1)
          --control-token <t>  what requests to /_mock/ carry as X-Mock-Token: a file with it, or the text
          --no-control         serve nothing under /_mock/ but health
          --echo               also serve a plain WebSocket echo at /_mock/echo, for conformance tools
          --deflate            compress WebSocket messages of clients that offer permessage-deflate
          --version            print the version
          -h, --help           print this text

        EXAMPLE: polymock --fixture booking      then open http://127.0.0.1:8787/
        """
}
