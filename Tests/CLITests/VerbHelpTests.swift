import Testing

@testable import CLI

@Suite("Help of the verbs")
struct VerbHelpTests {
    @Test("The help of check is this text")
    func check() {
        #expect(
            Help.text(about: "check") == """
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
                """)
    }

    @Test("The help of list is this text")
    func list() {
        #expect(
            Help.text(about: "list") == """
                polymock list: the fixtures there are, each with a line about it.

                USAGE: polymock list [--fixtures <folder>] [--json]

                  --fixtures <folder>  where fixtures are found (default: ./fixtures), besides those inside the binary
                  --json               one JSON object per fixture and line

                EXAMPLE: polymock list
                """)
    }

    @Test("The help of try is this text")
    func tryOut() {
        #expect(
            Help.text(about: "try") == """
                polymock try: which rule would answer a message, or which came nearest.

                USAGE: polymock try <fixture> "<message>" [--stage <name>] [--fixtures <folder>] [--json]

                  --stage <name>       where the talk stands (default: where the fixture begins)
                  --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
                  --json               one JSON object

                Exit code: 0 when a rule hears the message, 1 when none does, 2 when the command line cannot be
                followed.

                EXAMPLE: polymock try booking "four of us" --stage people
                """)
    }

    @Test("The general help names the verbs, and lines fit a terminal")
    func general() {
        #expect(Help.text.contains("polymock check | list | try | walk | sweep | replay | load | chat"))
        for verb in ["serve", "check", "list", "try", "walk", "sweep", "replay", "load", "chat"] {
            let lines = (Help.text(about: verb) ?? "").split(separator: "\n")
            #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 110 })
        }
        #expect(Help.text(about: "x") == nil)
    }
}
