import Texts

/// Texts of a chat in one language, with English as the fallback.
///
/// ```swift
/// let strings = ChatStrings(language: "de", packs: [german])     // ChatStrings.Pack(json:), a file of the app
/// print(strings.say("typing.one", ["name": "Ada"]))              // Ada schreibt
/// ```
public struct ChatStrings: Sendable {
    /// The value of a placeholder in a text.
    public enum Argument: Equatable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        case text(String)
        /// A number. The number of the placeholder `n` selects the plural form of the text.
        case number(Int)

        /// A text.
        public init(stringLiteral words: String) { self = .text(words) }
        /// A number.
        public init(integerLiteral number: Int) { self = .number(number) }

        var words: String {
            switch self {
            case .text(let words): words
            case .number(let number): String(number)
            }
        }
    }

    /// Values of the placeholders in a text, by name.
    public typealias Arguments = [String: Argument]

    /// The texts of one language, by key. A text may have placeholders such as `{name}`.
    public struct Pack: Equatable, Sendable {
        enum Entry: Equatable, Sendable {
            case text(String)
            /// Texts by plural category (Unicode CLDR): `one`, `other` and so on.
            case forms([String: String])
        }

        var entries: [String: Entry]

        init(_ entries: [String: Entry]) {
            self.entries = entries
        }

        /// Reads `{"key": "text", "key": {"one": "text", "other": "text"}}`. Nil for anything but a JSON object.
        public init?(json: [UInt8]) {
            guard let object = (try? JSONReader.read(json))?.object else { return nil }
            entries = [:]
            for member in object.members {
                switch member.value {
                case .string(let text): entries[member.name] = .text(text)
                case .object(let forms):
                    let texts = forms.members.compactMap { form in form.value.string.map { (form.name, $0) } }
                    entries[member.name] = .forms(Dictionary(texts) { _, last in last })
                default: break
                }
            }
        }
    }

    /// The language's tag, such as `fr-CA`.
    public let language: String
    private let packs: [Pack]

    /// Makes the texts. `packs` are in order of preference; English is added as the last.
    public init(language: String = "en", packs: [Pack] = []) {
        self.language = language
        self.packs = packs + [.english]
    }

    /// The module's packs, by language.
    public static let packs: [String: Pack] = [
        "ar": .arabic, "de": .german, "en": .english, "es": .spanish, "fr": .frenchOfCanada, "he": .hebrew,
    ]

    /// Makes the texts of the first language with a pack, or English. `own` takes precedence in every language.
    public init(preferring languages: [String], own: [Pack] = []) {
        let found = languages.first { Self.packs[Self.base($0)] != nil }
        self.init(
            language: found ?? "en",
            packs: own + [found.flatMap { Self.packs[Self.base($0)] }].compactMap { $0 })
    }

    /// Whether the language is written from right to left.
    public var isRightToLeft: Bool { ["ar", "fa", "he", "ur"].contains(Self.base(language)) }

    /// Returns the names of the packs for a language, best first; for example `fr-CA`, then `fr`. `en` is left out,
    /// because its pack is always added.
    public static func candidates(_ language: String) -> [String] {
        let names = [language, base(language)]
        return (names[0] == names[1] ? [language] : names).filter { $0 != "en" }
    }

    /// Returns the text of a key with the placeholders filled, or the key itself if no pack has it.
    public func say(_ key: String, _ arguments: Arguments = [:]) -> String {
        guard let entry = packs.lazy.compactMap({ $0.entries[key] }).first else { return key }
        switch entry {
        case .text(let text): return Self.filled(text, arguments)
        case .forms(let forms):
            var form: String?
            if case .number(let number)? = arguments["n"] { form = forms[category(number)] }
            return Self.filled(form ?? forms["other"] ?? key, arguments)
        }
    }

    /// Returns the name of a message's speaker.
    public func speaker(of message: RowMessage) -> String {
        switch message.speaker {
        case .user: say("you")
        case .agent: message.name
        case .person: say("live", ["name": .text(message.name)])
        }
    }

    /// Returns the title of an attachment, or the name of a file, and its state.
    public func text(of attachment: RowAttachment) -> String {
        let state: String =
            switch attachment.state {
            case .complete: ""
            case .uploading(let percent): say("file.uploading") + (percent.map { " \($0) %" } ?? "")
            case .cancelled: say("file.cancelled")
            case .failed: say("file.failed")
            }
        return [attachment.title ?? "", state].filter { !$0.isEmpty }.joined(separator: " – ")
    }

    /// Returns the server's own text of a notice, or else the text of the notice's key.
    public func text(of notice: RowNotice) -> String { notice.text ?? say(notice.key, notice.arguments) }

    /// Returns the text for a screen reader, with at most 300 characters of a message.
    public func text(of announcement: Announcement) -> String {
        switch announcement {
        case .words(let key, let arguments, let text): return text ?? say(key, arguments)
        case .message(let message, let suggestionCount):
            let words = message.plainText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            var parts = ["\(speaker(of: message)): \(words.prefix(300))"]
            let counts = [("attachments", message.attachments.count), ("suggestions", suggestionCount)]
            for (kind, count) in counts where count > 0 {
                parts.append(say("announce." + kind, ["n": .number(count)]))
            }
            return parts.joined(separator: ", ")
        }
    }

    private static func base(_ language: String) -> String {
        language.split(separator: "-").first.map { $0.lowercased() } ?? language
    }

    private static func filled(_ text: String, _ arguments: Arguments) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let gap = rest[open...close]
            result += rest[..<open] + (arguments[String(gap.dropFirst().dropLast())]?.words ?? String(gap))
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// Returns the plural category of a whole number (Unicode CLDR 46, cardinal rules), for the languages with packs.
    private func category(_ number: Int) -> String {
        let number = number.magnitude
        switch Self.base(language) {
        case "ar":
            switch (number, number % 100) {
            case (0, _): return "zero"
            case (1, _): return "one"
            case (2, _): return "two"
            case (_, 3...10): return "few"
            case (_, 11...): return "many"
            default: return "other"
            }
        case "he": return number == 1 ? "one" : number == 2 ? "two" : "other"
        case "fr" where number < 2: return "one"
        case "es", "fr": return number == 1 ? "one" : number > 0 && number % 1_000_000 == 0 ? "many" : "other"
        default: return number == 1 ? "one" : "other"
        }
    }
}

/// A text for a screen reader. A streamed reply is announced when complete, a history not at all.
public enum Announcement: Equatable, Sendable {
    case message(RowMessage, suggestionCount: Int)
    /// The text of `key` in ``ChatStrings``, unless `text` is given.
    case words(key: String, arguments: ChatStrings.Arguments = [:], text: String? = nil)
}
