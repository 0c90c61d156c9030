import ConversationEngine

/// The one place where the compiler meets the engine's phrases and patterns.
enum Listening {
    struct Problem: Error, Equatable {
        var code: FindingCode
        var message: String
        /// UTF-8 bytes from the start of the text.
        var offset: Int
    }

    struct Gap: Equatable {
        var slot: String
        var offset: Int
    }

    static let kinds = ["number", "day", "time", "word", "words", "email", "phone", "code"]

    static func phrase(_ source: String) throws(Problem) -> (phrase: Phrase, gaps: [Gap]) {
        (Phrase(source), try gaps(source))
    }

    /// The names of a pattern's groups stand behind `groups`.
    static func pattern(_ source: String) throws(Problem) -> (pattern: Pattern, groups: [String]) {
        (Pattern(source), [])
    }

    private static func gaps(_ source: String) throws(Problem) -> [Gap] {
        let bytes = Array(source.utf8)
        var gaps: [Gap] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "{") else {
                index += 1
                continue
            }
            guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
                throw Problem(
                    code: .badPhrase,
                    message: "This \"{\" is never closed. A gap looks like {people:number}.",
                    offset: index)
            }
            let inside = String(decoding: bytes[(index + 1)..<close], as: UTF8.self)
            let parts = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw Problem(
                    code: .badPhrase,
                    message: "A gap needs a name and a kind, as in {people:number}.", offset: index)
            }
            let kind = String(parts[1])
            guard kinds.contains(kind) else { throw unknownKind(kind, at: index) }
            gaps.append(Gap(slot: String(parts[0]), offset: index))
            index = close + 1
        }
        return gaps
    }

    private static func unknownKind(_ kind: String, at offset: Int) -> Problem {
        let help =
            NearestName.suggestion(for: kind, among: kinds).map { "Did you mean \"\($0)\"?" }
            ?? "The kinds are \(Words.alternatives(kinds))."
        return Problem(
            code: .unknownKind, message: "There is no kind \"\(Words.shortened(kind))\". \(help)",
            offset: offset)
    }
}
