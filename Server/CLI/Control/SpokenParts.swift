import Texts

/// What goes along with a text that is said: suggestions, cards and call buttons.
struct SpokenParts: Equatable {
    struct Card: Equatable {
        var title: String
        var link: String

        /// A title, and a link as the last word.
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

        /// A title, and a number that begins with a digit, "+" or "(" and goes on to the end.
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

    /// Members of a request; those that are empty are left out.
    var members: [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        if !suggestions.isEmpty {
            members.append(.init("suggestions", .array(suggestions.map { .string($0) })))
        }
        if !cards.isEmpty {
            members.append(
                .init(
                    "attachments",
                    .array(cards.map { .object(["link": .string($0.link), "title": .string($0.title)]) })))
        }
        if !calls.isEmpty {
            members.append(
                .init(
                    "calls",
                    .array(calls.map { .object(["title": .string($0.title), "number": .string($0.number)]) })
                ))
        }
        return members
    }

    /// The words before the first that `begins` the second part, and the rest; nil when either is missing.
    private static func split(
        _ text: String, _ begins: (Substring) -> Bool
    ) -> (String, String)? {
        let words = text.split(separator: " ")
        guard let start = words.dropFirst().firstIndex(where: begins) else { return nil }
        return (words[..<start].joined(separator: " "), words[start...].joined(separator: " "))
    }
}
