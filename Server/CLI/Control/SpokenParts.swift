import Texts

/// Parts of a message in addition to its text: suggestions, cards and call buttons.
struct SpokenParts: Equatable {
    struct Card: Equatable {
        var title: String
        var link: String

        init?(_ text: String) {
            guard let (title, link) = SpokenParts.split(text, { $0.contains(":") || $0.hasPrefix("/") }),
                !link.contains(" ")
            else { return nil }
            self.title = title
            self.link = link
        }
    }

    struct Call: Equatable {
        var title: String
        var number: String

        /// Parses a title and the phone number after it, which begins with a digit, "+" or "(".
        init?(_ text: String) {
            guard
                let (title, number) = SpokenParts.split(
                    text, { word in word.first.map { $0 == "+" || $0 == "(" || $0.isNumber } ?? false })
            else { return nil }
            self.title = title
            self.number = number
        }
    }

    var suggestions: [String] = []
    var cards: [Card] = []
    var calls: [Call] = []

    var isEmpty: Bool { suggestions.isEmpty && cards.isEmpty && calls.isEmpty }

    var members: [JSONObject.Member] {
        let lists: [(String, [JSONValue])] = [
            ("suggestions", suggestions.map { .string($0) }),
            ("attachments", cards.map { .object(["link": .string($0.link), "title": .string($0.title)]) }),
            ("calls", calls.map { .object(["title": .string($0.title), "number": .string($0.number)]) }),
        ]
        return lists.filter { !$0.1.isEmpty }.map { .init($0, .array($1)) }
    }

    /// Splits a text before the first word, other than its first, for which `begins` is true.
    private static func split(
        _ text: String, _ begins: (Substring) -> Bool
    ) -> (String, String)? {
        let words = text.split(separator: " ")
        guard let start = words.dropFirst().firstIndex(where: begins) else { return nil }
        return (words[..<start].joined(separator: " "), words[start...].joined(separator: " "))
    }
}
