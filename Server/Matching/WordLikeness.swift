import Texts

/// Similarity of two folded words.
enum WordLikeness: Equatable {
    case none
    /// A common beginning or part: `book`, `booking`.
    case stem(close: Bool)
    /// Number of changed, missing, additional or swapped letters: 1 or 2.
    case letters(Int)
    case same

    init(_ left: String, _ right: String) {
        if left == right {
            self = .same
            return
        }
        let (first, second) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
        let shorter = min(first.count, second.count)
        let longer = max(first.count, second.count)
        guard shorter >= 3, longer <= MatchingLimits.nearMissCharacters else {
            self = .none
            return
        }
        let prefix = zip(first, second).prefix { $0 == $1 }.count
        if prefix == shorter, longer - shorter <= 4 {
            self = .stem(close: true)
            return
        }
        let distance = longer - shorter > 2 ? 3 : NearestName.distance(first, second)
        if distance == 1, longer >= 4 {
            self = .letters(1)
        } else if distance == 2, shorter >= 6 {
            self = .letters(2)
        } else if prefix >= 5, prefix * 2 >= longer || prefix >= shorter - 1 {
            self = .stem(close: true)
        } else if shorter >= 4, WordLikeness.isPart(first, second) || WordLikeness.isPart(second, first) {
            self = .stem(close: false)
        } else if prefix >= 4, prefix >= shorter - 1, longer - prefix <= 3 {
            self = .stem(close: false)
        } else {
            self = .none
        }
    }

    /// Similarity from 0 to 1.
    var degree: Double {
        switch self {
        case .none: 0
        case .stem(let close): close ? 0.8 : 0.6
        case .letters(let count): count == 1 ? 0.85 : 0.65
        case .same: 1
        }
    }

    func reason(word: String, heard: String) -> NearMiss.Reason {
        if case .letters(let count) = self { return .spelling(word: word, heard: heard, letters: count) }
        return .stem(word: word, heard: heard)
    }

    /// Returns the words of at least three letters in a pattern.
    static func words(ofPattern source: String) -> [String] {
        var plain = ""
        var isEscape = false
        for character in source.unicodeScalars {
            if isEscape || character == "\\" {
                plain += " "
                isEscape.toggle()
            } else {
                plain.unicodeScalars.append(character)
            }
        }
        return PreparedMessage(plain).words.filter { $0.unicodeScalars.count >= 3 }
    }

    private static func isPart(_ part: [Unicode.Scalar], _ whole: [Unicode.Scalar]) -> Bool {
        guard part.count <= whole.count else { return false }
        return (0...whole.count - part.count).contains { whole[$0..<$0 + part.count].elementsEqual(part) }
    }
}
