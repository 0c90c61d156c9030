import TerminalChat
import Texts

/// What the words of the command line ask for.
indirect enum Invocation: Equatable, Sendable {
    case serve(ServeOptions)
    case fixtures(FixtureVerb)
    case chat(ChatOptions)
    case control(ControlVerb)
    case sweeping(SweepVerb)
    case load(LoadOptions)
    /// A verb that must not take longer.
    case limited(TimeLimit, verb: String, Invocation)
    case help
    /// The help text of one verb.
    case helpAbout(String)
    case version
    /// One sentence with the fix.
    case misuse(String)
    /// The same for `chat`, whose exit codes are its own.
    case chatMisuse(String)

    static let verbs =
        ["serve"] + FixtureVerb.names + SweepVerb.names + ["load", "chat"] + Verb.all.map(\.name) + [
            "help", "version",
        ]

    init(_ arguments: [String], environment: (String) -> String? = TerminalChat.environment) {
        var words = arguments[...]
        if let verb = words.first, !verb.hasPrefix("-") {
            guard Self.verbs.contains(verb) else {
                self = .misuse(Self.unknownVerb(verb))
                return
            }
            words.removeFirst()
            if verb != "serve" {
                self = Self.tool(verb, words, environment)
                return
            }
        }
        if words.contains(where: { $0 == "--help" || $0 == "-h" }) {
            self = .help
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

    /// Any known verb but `serve`.
    private static func tool(
        _ verb: String, _ words: ArraySlice<String>, _ environment: (String) -> String?
    ) -> Invocation {
        if verb == "version" { return .version }
        if verb == "help" {
            guard let topic = words.first else { return .help }
            if Help.text(about: topic) != nil { return .helpAbout(topic) }
            return verbs.contains(topic) ? .help : .misuse(unknownVerb(topic))
        }
        // Behind "--" a message may say --help.
        if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            return .helpAbout(verb)
        }
        if verb == "chat" { return chat(words, environment) }
        do throws(Misuse) {
            let (limit, words) = try TimeLimit.taken(from: words, of: verb)
            let job = try job(verb, words, limit, environment)
            return limit.map { .limited($0, verb: verb, job) } ?? job
        } catch {
            return .misuse(error.sentence)
        }
    }

    private static func job(
        _ verb: String, _ words: ArraySlice<String>, _ limit: TimeLimit?,
        _ environment: (String) -> String?
    ) throws(Misuse) -> Invocation {
        if let verb = Verb.named(verb) {
            return .control(try ControlVerb(verb, words, environment: environment))
        }
        if verb == "load" { return .load(try LoadOptions(words, environment: environment)) }
        if SweepVerb.names.contains(verb) {
            return .sweeping(try SweepVerb(verb, words, timeout: limit?.length))
        }
        return .fixtures(try FixtureVerb(verb, words))
    }

    private static func chat(
        _ words: ArraySlice<String>, _ environment: (String) -> String?
    ) -> Invocation {
        do throws(Misuse) {
            return .chat(try ChatOptions(words, environment: environment))
        } catch {
            return .chatMisuse(error.sentence)
        }
    }

    private static func unknownVerb(_ verb: String) -> String {
        if let meant = NearestName.suggestion(for: verb, among: verbs) {
            return "there is no verb \"\(verb)\"; did you mean \"\(meant)\"?"
        }
        return "there is no verb \"\(verb)\"; \"polymock --help\" lists what there is"
    }
}
