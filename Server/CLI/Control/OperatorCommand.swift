import Texts

/// A line typed in `polymock takeover`.
enum OperatorCommand: Equatable {
    case say(String)
    case join(String)
    case take
    /// Returns the session to the script. With `answersLast`, the script answers the last message.
    case back(answersLast: Bool)
    case type(isOn: Bool)
    /// Parts of the next message: suggestions, a card or a call button.
    case suggest([String])
    case card(SpokenParts.Card)
    case call(SpokenParts.Call)
    case handoff, accept
    case queue(name: String?, position: Int64, waitSeconds: Int64?)
    case fail(String?)
    case timeOut(String?)
    case require(route: String?)
    case leave(String?)
    case end, quit, help
    case nothing
    case misuse(String)

    static let words = [
        "/join", "/take", "/back", "/type", "/suggest", "/card", "/call", "/handoff", "/accept", "/queue",
        "/fail", "/timeout", "/require", "/leave", "/end", "/quit", "/help",
    ]

    /// Parses a typed line. A line that begins with two slashes is a text that begins with one slash.
    init(_ line: String) {
        let line = line.trimmed
        guard line.hasPrefix("/"), !line.hasPrefix("//") else {
            self = line.isEmpty ? .nothing : .say(line.hasPrefix("//") ? String(line.dropFirst()) : line)
            return
        }
        let word = line.prefix { $0 != " " }.lowercased()
        let rest = line.drop { $0 != " " }.description.trimmed
        let text = rest.isEmpty ? nil : rest
        switch word {
        case "/join": self = text.map { .join($0) } ?? .misuse("/join takes a name, such as /join Marta")
        case "/suggest": self = Self.suggestions(rest)
        case "/card":
            self =
                SpokenParts.Card(rest).map { .card($0) }
                ?? .misuse("/card takes a title and a link, such as /card Our menu https://example.com/menu")
        case "/call":
            self =
                SpokenParts.Call(rest).map { .call($0) }
                ?? .misuse("/call takes a title and a number, such as /call Front desk +49 30 1234")
        case "/queue": self = Self.queue(rest)
        case "/fail": self = .fail(text)
        case "/timeout": self = .timeOut(text)
        case "/require": self = .require(route: text)
        case "/leave": self = .leave(text)
        case "/back":
            guard text == nil || text == "answer" else {
                self = .misuse(
                    "/back stands alone, or /back answer lets the script answer what was said last")
                return
            }
            self = .back(answersLast: text != nil)
        case "/type":
            guard ["on", "off", nil].contains(text) else {
                self = .misuse("/type stands alone, or /type off")
                return
            }
            self = .type(isOn: text != "off")
        default: self = Self.alone(word, text)
        }
    }

    private static func alone(_ word: String, _ text: String?) -> OperatorCommand {
        let commands: [String: OperatorCommand] = [
            "/take": .take, "/handoff": .handoff, "/accept": .accept, "/end": .end, "/quit": .quit,
            "/help": .help,
        ]
        if let command = commands[word] { return text == nil ? command : .misuse("\(word) stands alone") }
        if let meant = NearestName.suggestion(for: word, among: words) {
            return .misuse("there is no \(word); did you mean \(meant)?")
        }
        return .misuse("there is no \(word); /help lists what there is, and // says a slash")
    }

    private static func suggestions(_ rest: String) -> OperatorCommand {
        let texts = rest.split(separator: "|").map { String($0).trimmed }.filter { !$0.isEmpty }
        return texts.isEmpty
            ? .misuse("/suggest takes texts with bars between them, such as /suggest Yes | No")
            : .suggest(texts)
    }

    private static func queue(_ rest: String) -> OperatorCommand {
        let words = rest.split(separator: " ")
        let count = words.reversed().prefix { Int64($0) != nil }.count
        let numbers = words.suffix(min(2, count)).compactMap { Int64($0) }
        guard let position = numbers.first, numbers.allSatisfy({ $0 >= 0 }) else {
            return .misuse("/queue takes a position and seconds, such as /queue 3 45 or /queue Sales 3 45")
        }
        let name = words.dropLast(numbers.count).joined(separator: " ")
        return .queue(
            name: name.isEmpty ? nil : name, position: position,
            waitSeconds: numbers.count == 2 ? numbers[1] : nil)
    }

    static let helpText = """
        A line is said to the user; // says a slash.
        /take                 type as the current speaker; the script waits
        /back [answer]        let the script go on; with "answer" it answers what was said last
        /join <name>          a live agent joins, and you are that live agent
        /leave [reason]       the live agent leaves, and the agent takes over again
        /type [off]           show that somebody types
        /suggest <a> | <b>    go along with the next line, like
        /card <title> <link>  and
        /call <title> <number>
        /handoff  /accept  /queue [name] <position> [seconds]
        /fail [reason]  /timeout [reason]  /require [route]
        /end                  end the session        /quit  leave this program
        """
}

extension String {
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
