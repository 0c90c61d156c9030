import Expectations
import Testing

@testable import CLI

@Suite("Shell completions")
struct CompletionsTests {
    @Test("Flags are read from the help, both names of one and without its value")
    func flags() {
        let found = Completions.flags(
            of: """
                polymock x: explained.

                  --json               the JSON
                  -o, --output <file>  where it goes
                  more words  --no-flag
                """)
        expectEqual(found.map(\.flag), ["--json", "--output"])
        expectEqual(found.map(\.meaning), ["the JSON", "where it goes"])
    }

    @Test("Each script names every verb, and every flag of the help", arguments: Completions.allCases)
    func complete(_ shell: Completions) {
        let script = shell.script
        for command in Command.all {
            #expect(script.contains(command.name))
            for (flag, _) in Completions.flags(of: command.help() ?? "") {
                #expect(script.contains(shell == .fish ? "-l \(flag.dropFirst(2))" : flag), "\(command.name)")
            }
        }
        #expect(Completions.flags(of: Help.serve).count > 15)
    }

    @Test(
        "Another shell is refused with those there are",
        arguments: [[], ["ksh"], ["bash", "zsh"]] as [[String]])
    func refused(_ words: [String]) {
        expectEqual(
            Invocation(["completions"] + words, environment: { _ in nil }),
            .misuse("\"polymock completions\" takes a shell: bash, zsh or fish"))
    }
}
