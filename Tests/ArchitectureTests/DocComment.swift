/// The comment above a public declaration.
struct DocComment {
    /// What is declared.
    var name: String
    /// A class, an actor or a protocol.
    var hasBehaviour: Bool
    /// Without the slashes.
    var text: String

    /// Those of `public` and `open` declarations that have one.
    static func all(in source: String) -> [DocComment] {
        var found: [DocComment] = []
        var text: [Substring] = []
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("///") {
                text.append(code.dropFirst(code.hasPrefix("/// ") ? 4 : 3))
                continue
            }
            // Attributes stand between a comment and its declaration, alone or in front.
            let words = code.split { " :<({=".contains($0) }.filter { !$0.hasPrefix("@") && $0 != ")" }
            if words.isEmpty, code.hasPrefix("@") { continue }
            if let access = words.first, ["public", "open"].contains(access), !text.isEmpty,
                let keyword = words.firstIndex(where: { keywords.contains($0) }), keyword + 1 < words.count
            {
                found.append(
                    DocComment(
                        name: String(words[keyword + 1]),
                        hasBehaviour: ["actor", "class", "protocol"].contains(words[keyword]),
                        text: text.joined(separator: "\n")))
            }
            text = []
        }
        return found
    }

    private static let keywords: Set<Substring> = [
        "actor", "class", "enum", "func", "init", "let", "protocol", "struct", "typealias", "var",
    ]
}
