import Expectations
import Testing
import Timeline

@testable import CLI

@Suite("Help of the verbs")
struct VerbHelpTests {
    @Test("The help of check is this text")
    func check() {
        expectEqual(
            Help.text(about: "check"),
            """
            polymock check: what is wrong with fixtures, their examples included.

            USAGE: polymock check [flags] [<file or folder> ...]      (default: ./fixtures)

              --strict             fail on warnings too
              --coverage           also name the rules that no example exercises
              --mutate             take out each rule in turn; say so when every example still passes
              --fix                write the corrections that are sure: former names, misspelt ones, forms of values
              --losses             say what one protocol or another has no words for
              --json               one JSON object per finding and line
              --junit <file>       also write a report for CI systems, with a case for each fixture
              --github             annotations for pull requests, as GitHub Actions reads them
              --catalogue          list the documented error texts with the names that fixtures use
              --timeout <length>   leave after so long, such as 10s

            A finding is a line, file:line:column: error: what is wrong [check], with its place below it. Silence
            a warning with a comment on its line or the line above: // lint: allow shadowed, the joke needs it

            Exit code: 0 without errors, 1 with errors, 2 when the command line cannot be followed.

            EXAMPLE: polymock check --coverage fixtures/booking.json5
            """)
    }

    @Test("The help of list is this text")
    func list() {
        expectEqual(
            Help.text(about: "list"),
            """
            polymock list: the fixtures there are, each with a line about it.

            USAGE: polymock list [--fixtures <folder>] [--json]

              --fixtures <folder>  where fixtures are found (default: ./fixtures), besides those inside the binary
              --json               one JSON object per fixture and line

            EXAMPLE: polymock list
            """)
    }

    @Test("The help of try is this text")
    func tryOut() {
        expectEqual(
            Help.text(about: "try"),
            """
            polymock try: which rule would answer each message of a conversation, or which came nearest.

            USAGE: polymock try <fixture> "<message>" ... [flags]

              --stage <name>       where the conversation stands (default: where the fixture begins)
              --now <time>         what its clock shows: "21:00", "Monday 21:00" (default: "Thursday 09:30")
              --memory <name>=<value>  what is known from the start; may be repeated
              --fixtures <folder>  where names are found (default: ./fixtures, else those inside the binary)
              --json               one JSON object per message and line

            Exit code: 0 when rules hear every message, 1 when one is not heard, 2 when the command line cannot
            be followed.

            EXAMPLES: polymock try booking "a table, please" "four of us" "Friday at 8"
                      polymock try booking "four of us" --stage people
            """)
    }

    @Test("The general help names the verbs, and lines fit a terminal")
    func general() {
        let listed = Command.groups.flatMap(\.commands)
        expectEqual(listed.map(\.name).sorted(), Invocation.verbs.sorted())
        #expect(listed.allSatisfy { !$0.about.isEmpty })
        for verb in listed.map(\.name) + ["filters"] where !["help", "version"].contains(verb) {
            let lines = (Help.text(about: verb) ?? "").split(separator: "\n")
            #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 110 })
        }
        expectEqual(Help.text(about: "x"), nil)
    }

    /// Every verb's text, and that of the filters.
    private static let texts = (Invocation.verbs + ["filters"]).compactMap { verb in
        Help.text(about: verb).map { (verb: verb, text: $0) }
    }

    @Test("The example of every text is a command line that can be followed")
    func examples() throws {
        expectEqual(Self.texts.count, Invocation.verbs.count - 1)
        for (verb, text) in Self.texts {
            let line = try #require(text.split(separator: "\n").last { $0.contains("EXAMPLE") }, "\(verb)")
            let example = try #require(line.split(separator: ": polymock ").last, "\(verb)")
            // What stands behind ">" is the shell's.
            let words = Array(Self.words(example.split(separator: "      ")[0]).prefix { $0 != ">" })
            switch Invocation(words, environment: { _ in nil }) {
            case .misuse(let sentence): Issue.record("\(example): \(sentence)")
            default: #expect(verb == "serve" || verb == "filters" || words.first == verb, "\(example)")
            }
        }
    }

    @Test("Every filter that a help text shows can be read, and the list of fields is whole")
    func filters() throws {
        var count = 0
        for (verb, text) in Self.texts {
            for line in text.split(separator: "\n") where line.contains("--filter ") {
                guard let start = line.firstRange(of: "such as \"") ?? line.firstRange(of: "--filter \"")
                else {
                    continue
                }
                let filter = String(line[start.upperBound...].prefix { $0 != "\"" })
                #expect(throws: Never.self, "\(verb): \(filter)") { try RowFilter(filter) }
                count += 1
            }
        }
        #expect(count >= 3)
        let terms = Help.filters.split(separator: "\n").filter {
            $0.hasPrefix("  ") && !$0.hasPrefix("     ")
        }
        .map { $0.trimmingPrefix("  ").split(separator: "  ")[0] }
        for term in terms { #expect(throws: Never.self, "\(term)") { try RowFilter(String(term)) } }
        for field in RowFilter.fields {
            #expect(Help.filters.contains("\(field):"), "\(field)")
        }
    }

    /// A command line as a shell parts it: blanks outside of quotes.
    private static func words(_ line: Substring) -> [String] {
        var words = [""]
        var quote: Character?
        for character in line {
            switch (quote, character) {
            case (character?, _): quote = nil
            case (nil, "\""), (nil, "'"): quote = character
            case (nil, " "): words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.isEmpty }
    }
}
