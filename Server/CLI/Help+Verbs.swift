extension Help {
    /// The text about one verb; nil when it has none of its own.
    static func text(about verb: String) -> String? {
        switch verb {
        case "serve": text
        case "check": check
        case "list": list
        case "show": show
        case "schema": schema
        case "try": tryOut
        case "walk": walk
        case "chat": chat
        case "sweep": sweep
        case "replay": replay
        case "record": record
        case "load": load
        case "filters": filters
        default: Verb.named(verb)?.text
        }
    }

    private static let check = """
        polymock check: what is wrong with fixtures, their examples included.

        USAGE: polymock check [flags] [<file or folder> ...]      (default: ./fixtures)

          --strict             fail on warnings too
          --coverage           also name the rules that no example exercises
          --mutate             take out each rule in turn; say so when every example still passes
          --losses             say what one protocol or another has no words for
          --json               one JSON object per finding and line
          --github             annotations for pull requests, as GitHub Actions reads them
          --catalogue          list the documented error texts with the names that fixtures use
          --timeout <length>   leave after so long, such as 10s

        A finding is one line: file:line:column: error: what is wrong [check]. Silence a warning with
        a comment on its line or the line above: // lint: allow shadowed, the joke needs it

        Exit code: 0 without errors, 1 with errors, 2 when the command line cannot be followed.

        EXAMPLE: polymock check --coverage fixtures/booking.json5
        """

    private static let list = """
        polymock list: the fixtures there are, each with a line about it.

        USAGE: polymock list [--fixtures <folder>] [--json]

          --fixtures <folder>  where fixtures are found (default: ./fixtures), besides those inside the binary
          --json               one JSON object per fixture and line

        EXAMPLE: polymock list
        """

    private static let show = """
        polymock show: the text of a fixture, to begin one of your own with.

        USAGE: polymock show <fixture> [--fixtures <folder>]

          --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)

        EXAMPLE: polymock show booking > mine.json5
        """

    private static let schema = """
        polymock schema: the JSON schema of fixtures, by which editors complete and explain names.

        USAGE: polymock schema

        A fixture names it in its second line: $schema: "./fixture-1.schema.json"

        EXAMPLE: polymock schema > fixture-1.schema.json
        """

    private static let tryOut = """
        polymock try: which rule would answer each message of a talk, or which came nearest.

        USAGE: polymock try <fixture> "<message>" ... [flags]

          --stage <name>       where the talk stands (default: where the fixture begins)
          --now <time>         what its clock shows: "21:00", "Monday 21:00" (default: "Thursday 09:30")
          --memory <name>=<value>  what is known from the start; may be repeated
          --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
          --json               one JSON object per message and line

        Exit code: 0 when rules hear every message, 1 when one is not heard, 2 when the command line cannot
        be followed.

        EXAMPLES: polymock try booking "a table, please" "four of us" "Friday at 8"
                  polymock try booking "four of us" --stage people
        """

    private static let walk = """
        polymock walk: sends seeded users through a fixture, and shrinks what goes wrong.

        USAGE: polymock walk <fixture> [flags]

          --walks <n>          how many users (default 1000)
          --length <n>         messages each of them says at most (default 20)
          --seed <n>           decides all of it (default 1)
          --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
          --json               one JSON object
          --timeout <length>   leave after so long, such as 10m

        Users tap suggestions, say what the rules listen for with awkward values in the gaps, go off topic,
        interrupt, lose their connection and hang up. After each event the talk is checked: order, numbers, who
        may speak, echoes, streams.

        Exit code: 0 when nothing went wrong, 1 when something did, 2 when the command line cannot be followed.

        EXAMPLE: polymock walk booking --walks 2000 --seed 7
        """

    private static let chat = """
        polymock chat: talk to a server, at the keyboard or by a script.

        USAGE: polymock chat [flags]

        Server
          --url <address>      where it listens (default: http://127.0.0.1:8787)
          --token <token>      of the connector (default: demo); POLYMOCK_TOKEN keeps it out of sight
          --host <name>        sent as X-Host (default: the server's own address)
          --connect            speak Amazon Connect chat: begins a contact, with the token as its
                               ContactFlowId, and talks in it; not with --resume and --host
          --new | --resume     begin a new session, or go on with the last one (default: --resume at the
                               keyboard, --new for scripts and pipes)
          --[no-]stream        ask for replies in pieces, or whole (default: --stream)

        Script
          --say <text>         say this; may be repeated, each waits for the reply to the one before
          --file <file>        say every line of a file; - is standard input
          --no-wait            wait for no reply in between
          --expect <regex>     the reply to the --say before it must match; may be repeated
          --expect-timeout <s> how long a reply may take (default: 30)
          --fail-on-unmatched  fail when no rule of the server hears a message, and name the nearest rule;
                               POLYMOCK_CONTROL_TOKEN is the control token, where it asks for one
          --until <when>       leave when done (all said and answered, the default), or after the reply,
                               when idle for 2 seconds, or when the conversation has ended (given up
                               after 30 quiet seconds, unless --timeout says how long)
          --timeout <s>        leave after so many seconds
          --end                end the conversation when leaving

        Output
          --plain              finished lines instead of the full screen
          --json               one JSON object for each event and line
          --[no-]progressive   show replies while they grow (default: full screen only); with --json the
                               pieces are lines
          --color <when>       auto, always or never
          --ascii              no marks beyond ASCII
          --width <n>          columns to use (default: all of them)
          --no-progress        nothing that moves while waiting
          --quiet              nothing but what agents say
          -v, --verbose        say on standard error what the connection does

        Without --say and --file, lines are read from standard input. POLYMOCK_URL, POLYMOCK_TOKEN and
        POLYMOCK_HOST stand in for flags that are not given. At the keyboard, /help lists what else there is.

        Exit code: 0 done, 1 the command line cannot be followed, 2 no connection or not admitted,
        3 an expectation was not met, 4 too late, 5 a message was not heard, 130 interrupted.

        EXAMPLE: polymock chat --token mock:booking --say "a table, please" --expect "(?i)how many"
        """
}
