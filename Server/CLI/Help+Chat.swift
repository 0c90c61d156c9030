extension Help {
    static let chat = """
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
          --say <text>         say this; may be repeated, each waits for the reply to the one before:
                               of a server on this machine all of it, with pauses and a queue, at most
                               --expect-timeout; of another, until 250 ms pass without a message
          --file <file>        say every line of a file; - is standard input
          --no-wait            wait for no reply in between
          --expect <regex>     the reply to the --say before it, or the agent's error, must match;
                               may be repeated
          --expect-timeout <s> how long a reply may take (default: 30)
          --fail-on-unmatched  fail when no rule of the server hears a message, and name the nearest rule;
                               POLYMOCK_CONTROL_TOKEN is the control token, where it asks for one
          --until <when>       leave when done (all said and answered, the default), or after the reply,
                               when idle for 2 seconds, or when the conversation has ended (given up
                               after 30 quiet seconds, unless --timeout says how long)
          --timeout <s>        leave after so many seconds
          --end                end the conversation when leaving

        Output
          --plain              finished lines instead of the full screen, of whose commands /help and
                               /quit are left
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

        Exit code: 0 done, 1 no connection or not admitted, 2 the command line cannot be followed,
        3 an expectation was not met, 4 too late, 5 a message was not heard, 130 interrupted.

        EXAMPLE: polymock chat --token mock:booking --say "a table, please" --expect "(?i)how many"
        """
}
