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
        polymock record: a run of an agent as a fixture, to go on from.

        USAGE: polymock record <file | - | address> [flags]

          <file>               a recording: JSON lines of events, event-stream text as "curl -N" prints it, or an
                               export of polymock's wire; - is standard input
          <address>            an agent that speaks AG-UI, such as http://127.0.0.1:8787/ag-ui/weather: it is
                               asked for one run
          --say <text>         what the user says (default: Hello; of a recording, what it says itself)
          --header <field>     a field of the request, "Name: value"; may be repeated
          --body <file>        the whole request as JSON, in place of --say
          --name <text>        what the fixture is called
          --lines              print the events as JSON lines, and make no fixture
          --exact              keep measured times to the nanosecond (default: two digits, such as 30ms)
          --timeout <length>   listen for so long, such as 10s; what was sent by then becomes the fixture

        Each run becomes a rule: texts are joined, tools declared, pauses taken from stamps and arrivals. What
        no step sends the same way stands there as an "event". The fixture is played, and compared with the
        recording, but for ids and stamps; standard error says what became of it.

        Exit code: 0 the fixture sends the same, 1 it differs, 2 nothing could be recorded.

        EXAMPLE: polymock record capture.jsonl > mine.json5
        """

    static let replay = """
        polymock replay: play a scenario again, or show a recorded conversation to an app.

        USAGE: polymock replay '<scenario token>' [flags]
               polymock replay <file.jsonl | file.har> [--port <n>] [--pace <pace>]

        Scenario: mock time, the SDK as the user, the journal on standard output
          --say <text>         say this; may be repeated (default: what the user says in the first example)
          --example <name>     say what the user says in this example
          --until <n>          show the journal up to this event
          --streaming <when>   replies in chunks: on or off (default: on)
          --json               one JSON object per line
          --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)

        Both
          --timeout <length>   leave after so long, such as 10m

        Recorded file: a server whose clients see what was sent in the first session of the file
          --port <n>           TCP port; 0 picks a free one (default: 8787)
          --pace <pace>        own, the pauses of the recording; step, one message per Enter; once
                               (default: own)

        Exit code: 0 done, 1 the conversation could not go on, 2 nothing could be played.

        EXAMPLE: polymock replay 'mock:booking+tunnel@seed=7' --until 9
        """
}
