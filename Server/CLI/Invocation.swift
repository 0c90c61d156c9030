import MockServer

/// What the words of the command line ask for.
enum Invocation: Equatable {
    case serve(ServeOptions)
    case help
    case version
    /// One sentence with the fix.
    case misuse(String)

    static let verbs = ["serve", "help", "version"]

    init(_ arguments: [String]) {
        var words = arguments[...]
        if let verb = words.first, !verb.hasPrefix("-") {
            guard Self.verbs.contains(verb) else {
                self = .misuse(Self.unknownVerb(verb))
                return
            }
            words.removeFirst()
            if verb != "serve" {
                self = verb == "help" ? .help : .version
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

    private static func unknownVerb(_ verb: String) -> String {
        if let meant = Console.suggestion(for: verb, among: verbs) {
            return "there is no verb \"\(verb)\"; did you mean \"\(meant)\"?"
        }
        return "there is no verb \"\(verb)\"; \"polymock --help\" lists what there is"
    }
}

/// A command line that cannot be followed, in one sentence.
struct Misuse: Error, Equatable {
    var sentence: String
}
