import SocketTransport
import TerminalChat
import Texts

indirect enum Invocation: Equatable, Sendable {
    case serve(ServeOptions)
    case fixtures(FixtureVerb)
    case chat(ChatOptions)
    case control(ControlVerb)
    case sweeping(SweepVerb)
    case load(LoadOptions)
    case limited(TimeLimit, verb: String, Invocation)
    case help
    case helpAbout(String)
    case version
    case completions(Completions)
    /// The command line is wrong. The text says what is wrong and what to write instead.
    case misuse(String)

    static let verbs = Command.all.map(\.name)

    init(_ arguments: [String], environment: @escaping (String) -> String? = Terminal.environment) {
        var words = FormerNames.command(arguments)[...]
        let given = words.count
        if let verb = words.first, !verb.hasPrefix("-") {
            words.removeFirst()
            if verb != "serve" {
                self =
                    Command.named(verb).map { Self.tool($0, words, environment) }
                    ?? .misuse(Command.unknown(verb))
                return
            }
        }
        if words.contains(where: { $0 == "--help" || $0 == "-h" }) {
            self = words.count < given ? .helpAbout("serve") : .help
        } else if words.contains("--version") {
            self = .version
        } else {
            do throws(Misuse) {
                self = .serve(try ServeOptions(words))
            } catch {
                self = .misuse(error.sentence)
            }
        }
    }

    private static func tool(
        _ command: Command, _ words: ArraySlice<String>, _ environment: @escaping (String) -> String?
    ) -> Invocation {
        // Words after "--" are messages, so a `--help` among them does not request help.
        let asksForHelp = words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
        if asksForHelp, command.help() != nil { return .helpAbout(command.name) }
        do throws(Misuse) {
            let (limit, words) = try TimeLimit.taken(from: words, of: command.name)
            let given = Command.Given(words: words, limit: limit?.length, environment: environment)
            let job = try command.read(given)
            return limit.map { .limited($0, verb: command.name, job) } ?? job
        } catch {
            return .misuse(error.sentence)
        }
    }
}
