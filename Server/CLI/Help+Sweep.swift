extension Help {
    static let sweep = """
        polymock sweep: cut the connection at every event of an example, damage each, and see that nothing is lost.

        USAGE: polymock sweep [flags] [<fixture> ...]      (default: every fixture)

          --example <name>     only this example (default: all; a fixture without any is swept in its opening)
          --lines <n>          only its first lines of the user
          --say <text>         say this in place of an example; may be repeated
          --streaming <when>   replies in chunks: on, off or both (default: both)
          --connect            talk over Amazon Connect chat, with its SDK
          --pairs              cut at every pair of events as well
          --cut <n>            only one run: cut after event n, which still arrives; may be repeated
          --lose <n>           the same, but event n is lost with its connection; may be repeated
          --skip, --spoil, --halve, --double <n>
                               the same, and the connection goes on: event n is missing, unusable, with half
                               characters, or comes twice
          --seed <n>           decides ids and pauses (default: 1)
          --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
          --junit <file>       also write a report for CI systems, with a case for each fixture
          --timeout <length>   leave after so long, such as 10m

        Events count from 1 as they reach the client; a batch of a history is one. Each run has its own server
        and its own client, in mock time; the chat and the journal must end as they do without interruption.
        A difference is shrunk to the fewest cuts and lines, and ends with the command that shows it again.

        Without --connect, examples of fixtures with runs are also asked for over AG-UI, and each stream is cut
        before each of its events: the client has to say why the run broke off, and the thread has to go on.
        While each run is under way, a second one of its thread is asked for, too: it comes after.

        Exit code: 0 no difference, 1 differences, 2 nothing could be swept.

        EXAMPLE: polymock sweep booking --example "four on Friday"
        """

    static let record = """
        polymock record: a conversation, or a run of an agent, as a fixture to go on from.

        USAGE: polymock record <file | - | address> [flags]

          <file>               a recording: HAR with WebSocket messages, an export of polymock's wire, JSON lines
                               of events, or event-stream text as "curl -N" prints it; - is standard input
          <address>            an agent that speaks AG-UI, such as http://127.0.0.1:8787/ag-ui/weather: it is
                               asked for one run
          --say <text>         what the user says (default: Hello; of a recording, what it says itself)
          --header <field>     a field of the request, "Name: value"; may be repeated
          --body <file>        the whole request as JSON, in place of --say
          --name <text>        what the fixture is called
          --session <id>       of a recording of several sessions, the one whose id begins so (default: the first)
          --cuts               of a conversation, the chunks that were seen (default: whole texts)
          --lines              print the events as JSON lines, and make no fixture
          --exact              keep measured times to the nanosecond (default: two digits, such as 30ms)
          --timeout <length>   listen for so long, such as 10s; what was sent by then becomes the fixture
                               (default: 30s for an agent to begin, and pauses of 2m at most)

        Of a conversation of the Messaging API or Amazon Connect chat, each message of the user becomes a rule,
        which answers once; live agents become handoffs, and pauses a pace from their medians. An example plays
        it. Ids, tokens and what looks like a secret are left out.

        Each run becomes a rule: texts are joined, tools declared, pauses taken from stamps and arrivals. What
        no step sends the same way stands there as an "event". The fixture is played, and compared with the
        recording, but for ids and stamps; standard error says what became of it, and what was left out.

        Exit code: 0 the fixture sends the same, 1 it differs, 2 nothing could be recorded.

        EXAMPLE: polymock record capture.jsonl > mine.json5
        """

    static let compare = """
        polymock compare: where a mock differs from the service that was recorded.

        USAGE: polymock compare <file.jsonl | file.har> [flags]

          --session <id>       the session whose id begins so (default: the first conversation)
          --against <address>  compare with this server in place of a mock, such as http://127.0.0.1:8787: one
                               session, at the recorded pace at most
          --yes-i-own <host>   needed for any host but this machine; must be the host of the address
          --token <text>       its connector token or contact flow (default: demo)
          --json               one JSON object per difference
          --junit <file>       also write a report for CI systems
          --timeout <length>   leave after so long, such as 10m

        The fixture that "polymock record" makes of the file is played in mock time, and asked what the recorded
        client asked. For https, put a proxy of yours in front, such as "socat" or "caddy". A difference names
        its row in the file, the event, the member, both values, and the section of the protocol's page. Ids are
        compared by where they return, stamps by their form, chunks by their joined text. An event that is not
        kept, such as thinking, may stand between other neighbours.

        Exit code: 0 no difference, 1 differences, 2 nothing could be compared.

        EXAMPLE: polymock compare capture.har
        """

    static let replay = """
        polymock replay: play a scenario again, or serve a recorded conversation to an app.

        USAGE: polymock replay '<scenario token>' [flags]
               polymock replay <file.jsonl | file.har> [--port <n>] [--session <id>]

        Scenario: mock time, the SDK as the user, the journal on standard output
          --say <text>         say this; may be repeated (default: what the user says in the first example)
          --example <name>     say what the user says in this example
          --until <n>          show the journal up to this event
          --streaming <when>   replies in chunks: on or off (default: on)
          --json               one JSON object per line
          --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)

        Both
          --timeout <length>   leave after so long, such as 10m

        Recorded file: a server that plays the fixture "polymock record" makes of it
          --port <n>           TCP port; 0 picks a free one (default: 8787)
          --session <id>       the session whose id begins so (default: the first conversation)

        Exit code: 0 done, 1 the conversation could not go on, 2 nothing could be played.

        EXAMPLE: polymock replay 'mock:booking+tunnel@seed=7' --until 9
        """
}
