extension Help {
    static let load = """
        polymock load: many users at once, each with the SDK, against a server of yours; how it takes it.

        USAGE: polymock load [flags] [<address>...]   (default: a new polymock, on a free port)

        Users
          --sessions <n>       open at once (default: 100)
          --fixture <name>     they say what the users of its examples say (default: booking); a polymock plays it
          --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
          --pace <name>        how fast the fixture's agent talks, such as instant (default: as the fixture says)
          --say <text>         say this in place of a fixture's examples, again and again; may be repeated
          --echo-only          wait for the echo of a message, and not for the reply

        Load
          --rate <n>           messages per second over all sessions, on a fixed schedule: latency counts from
                               when a message was due, also when no session was free for it
                               (default: each session speaks as soon as it is answered)
          --ramp <time>        open the sessions over so long, and let the rate grow (default: all at once, and
                               talk when they are open)
          --duration <time>    how long to talk, the ramp included (default: 10s; with --messages: no limit)
          --messages <n>       how many to send
          --timeout <length>   leave after so long, such as 10m, and without a summary
          --patience <time>    how long a session may take to open, and an answer to come (default: 10s)
          --seed <n>           decides ids, pauses and who says what (default: 1)

        Server
          --url <address>      the same as the address alone; may be repeated: sessions are shared out evenly,
                               each stays at its server, and a server that fails fails alone
          --processes <n>      drive them from so many processes, whose histograms are added up (default: 1)
          --token <token>      of the connector (default: mock:<fixture>, or demo); POLYMOCK_TOKEN keeps it out
                               of sight
          --host <name>        sent as X-Host (default: the server's own address)
          --yes-i-own <host>   needed for any host but this machine; must be the host of the address

        Output
          --json               the summary as one JSON object on standard output; lengths in milliseconds
          --quiet              no progress

        Latencies: connect is from asking for a token to SESSION_START, echo from a message to its own echo,
        reply from a message to the first word of the answer. Ctrl-C ends early, with a summary.

        Exit code: 0 without errors, 1 with errors, 2 when the command line cannot be followed.

        EXAMPLE: polymock load --sessions 100 --fixture booking --rate 50 --duration 5s
        """
}
