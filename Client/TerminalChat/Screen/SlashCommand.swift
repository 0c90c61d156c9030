enum SlashCommand: Equatable, Sendable {
    case help, quit, end, new, resume
    /// Number of a failed message, from 1. Nil means the last failed message.
    case retry(Int?)
    case discard(Int?)
    case typing(Bool)
    case heartbeat
    case raw(String)
    case open(Int)
    /// Copy the address of the card with this number. Nil copies the text of the agent's last message.
    case copy(Int?)
    case export(String)
    case file(String)
    case debug
    case misuse(String)

    /// Parses a line; nil for a message.
    init?(_ line: String) {
        guard line.hasPrefix("/"), !line.hasPrefix("//") else { return nil }
        let parts = line.split(separator: " ", maxSplits: 1)
        let word = String(parts[0])
        let rest = parts.count > 1 ? String(parts[1]) : ""
        switch word {
        case "/typing" where rest == "on" || rest == "off": self = .typing(rest == "on")
        case "/typing": self = .misuse("/typing on or /typing off")
        case "/raw": self = rest.isEmpty ? .misuse("/raw takes JSON, such as /raw {\"type\": …}") : .raw(rest)
        case "/file": self = rest.isEmpty ? .misuse("/file takes the path of a file") : .file(rest)
        case "/export":
            self =
                rest.isEmpty ? .misuse("/export takes a file ending in .txt, .json or .jsonl") : .export(rest)
        case "/retry", "/discard", "/copy", "/open":
            let number = Int(rest)
            guard rest.isEmpty || (number ?? 0) > 0 else {
                self = .misuse("\(word) takes a number, such as \(word) 1")
                return
            }
            switch word {
            case "/retry": self = .retry(number)
            case "/discard": self = .discard(number)
            case "/copy": self = .copy(number)
            default: self = number.map { .open($0) } ?? .misuse("/open takes the number of a card")
            }
        default: self = Self.plain[word] ?? .misuse("there is no \(word); /help lists what there is")
        }
    }

    private static let plain: [String: SlashCommand] = [
        "/help": .help, "/quit": .quit, "/end": .end, "/new": .new, "/resume": .resume,
        "/heartbeat": .heartbeat, "/debug": .debug,
    ]

    static let helpText = """
        /help  /quit  /end  /new  /resume
        /retry [n]  /discard [n]      messages that were not delivered
        /typing on|off  /heartbeat  /raw <json>
        /open n  /copy [n]            the address of a card; without a number, the last reply
        /export <file>                .txt, .json or .jsonl
        /file <path>                  sends a file to a contact (--connect)
        /debug                        more in the line at the bottom
        A number alone sends that suggestion; a space in front sends the digit. // says a slash.
        Alt+Enter begins a new line, PageUp and PageDown scroll, Ctrl+C asks before it leaves.
        """
}
