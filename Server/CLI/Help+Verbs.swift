extension Help {
    /// The text about one verb; nil when it has none of its own.
    static func text(about verb: String) -> String? {
        switch verb {
        case "serve": text
        case "check": check
        case "list": list
        case "try": tryOut
        default: nil
        }
    }

    private static let check = """
        polymock check: what is wrong with fixtures, their examples included.

        USAGE: polymock check [flags] [<file or folder> ...]      (default: ./fixtures)

          --strict             fail on warnings too
          --coverage           also name the rules that no example exercises
          --mutate             take out each rule in turn; say so when every example still passes
          --json               one JSON object per finding and line
          --github             annotations for pull requests, as GitHub Actions reads them
          --catalogue          list the documented error texts with the names that fixtures use

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

    private static let tryOut = """
        polymock try: which rule would answer a message, or which came nearest.

        USAGE: polymock try <fixture> "<message>" [--stage <name>] [--fixtures <folder>] [--json]

          --stage <name>       where the talk stands (default: where the fixture begins)
          --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
          --json               one JSON object

        Exit code: 0 when a rule hears the message, 1 when none does, 2 when the command line cannot be
        followed.

        EXAMPLE: polymock try booking "four of us" --stage people
        """
}
