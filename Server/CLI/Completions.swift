/// Shell for which `polymock completions` prints a completion script.
enum Completions: String, CaseIterable {
    case bash, zsh, fish

    var script: String {
        switch self {
        case .bash: bash
        // `bashcompinit` lets zsh run completion functions of bash.
        case .zsh: "autoload -U +X bashcompinit && bashcompinit\n" + bash
        case .fish: fish
        }
    }

    /// Returns the flags in a verb's help, each with its text.
    static func flags(of help: String) -> [(flag: String, meaning: String)] {
        help.split(separator: "\n").flatMap { line -> [(flag: String, meaning: String)] in
            guard line.hasPrefix("  -"), let gap = line.dropFirst(2).firstRange(of: "  ") else { return [] }
            let names = line[..<gap.lowerBound].split { $0 == " " || $0 == "," }.filter { $0.hasPrefix("--") }
            let meaning = String(line[gap.upperBound...].drop { $0 == " " })
            return names.map { (String($0), meaning) }
        }
    }

    private static var verbs: [(name: String, about: String, flags: [(flag: String, meaning: String)])] {
        Command.all.map { command in
            (command.name, command.about, flags(of: command.help() ?? ""))
        }
    }

    private var bash: String {
        let cases = Self.verbs.filter { !$0.flags.isEmpty }.map { verb in
            "        \(verb.name)) words=\"\(verb.flags.map(\.flag).joined(separator: " "))\" ;;"
        }
        return """
            _polymock() {
                local word="${COMP_WORDS[COMP_CWORD]}" words=""
                if [ "$COMP_CWORD" -eq 1 ] && [ "${word#-}" = "$word" ]; then
                    words="\(Self.verbs.map(\.name).joined(separator: " "))"
                elif [ "${word#-}" != "$word" ]; then
                    case "${COMP_WORDS[1]#-*}" in
            \(cases.joined(separator: "\n"))
                    *) words="\(Self.verbs[0].flags.map(\.flag).joined(separator: " "))" ;;
                    esac
                else
                    COMPREPLY=($(compgen -f -- "$word"))
                    return
                fi
                COMPREPLY=($(compgen -W "$words" -- "$word"))
            }
            complete -o filenames -F _polymock polymock
            """
    }

    private var fish: String {
        func quoted(_ text: String) -> String {
            "'" + text.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] } + "'"
        }
        let lines = Self.verbs.flatMap { verb in
            ["complete -c polymock -n __fish_use_subcommand -f -a \(verb.name) -d \(quoted(verb.about))"]
                + verb.flags.map { flag, meaning in
                    let place =
                        verb.name == "serve" ? "" : " -n '__fish_seen_subcommand_from \(verb.name)'"
                    return "complete -c polymock\(place) -l \(flag.dropFirst(2)) -d \(quoted(meaning))"
                }
        }
        return lines.joined(separator: "\n")
    }
}
