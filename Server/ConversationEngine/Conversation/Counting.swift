import Matching

/// The text of `{slot.words}`: counting from one, for replies whose length the user chooses.
enum Counting {
    /// No reply counts further than this; the number of words is the user's choice.
    static let mostWords = 500

    /// `"3"` gives `one two three`; empty for anything that is not a positive whole number.
    static func upTo(_ text: String) -> String {
        guard let count = Double(text), count >= 1 else { return "" }
        let last = Int(min(count, Double(mostWords)))
        return (1...last).map { EnglishNumbers.word(for: $0) }.joined(separator: " ")
    }
}
