import Matching
import Patterns

enum TextDifference {
    /// Returns the likeness, from 0 (nothing in common) to 1 (equal words), and a text that shows the differing words.
    static func compare(_ wanted: String, with said: String) -> (likeness: Double, words: String) {
        let wantedWords = Folding.fold(wanted).split(separator: " ").map(String.init)
        let saidWords = Folding.fold(said).split(separator: " ").map(String.init)
        guard !wantedWords.isEmpty, !saidWords.isEmpty else { return (0, "nothing to compare") }
        var best: (score: Double, start: Int) = (-1, 0)
        for start in 0..<saidWords.count {
            var score = 0.0
            for (offset, word) in wantedWords.enumerated() where start + offset < saidWords.count {
                score += likeness(word, saidWords[start + offset])
            }
            if score > best.score { best = (score, start) }
        }
        let likeness = best.score / Double(wantedWords.count)
        if likeness < 0.2 { return (likeness, "no word in common") }
        for (offset, word) in wantedWords.enumerated() {
            let index = best.start + offset
            guard index < saidWords.count else { return (likeness, "ends before \"\(word)\"") }
            if saidWords[index] != word {
                return (likeness, "has \"\(saidWords[index])\" where \"\(word)\" was expected")
            }
        }
        return (likeness, "")
    }

    /// Returns the similarity by Levenshtein distance: 1 for equal words, at most 0.5 for others.
    private static func likeness(_ left: String, _ right: String) -> Double {
        if left == right { return 1 }
        let (left, right) = (Array(left), Array(right))
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var corner = row[0]
            row[0] = index + 1
            for column in right.indices {
                let above = row[column + 1]
                row[column + 1] = min(
                    corner + (letter == right[column] ? 0 : 1), above + 1, row[column] + 1)
                corner = above
            }
        }
        let closeness = 1 - Double(row[right.count]) / Double(max(left.count, right.count))
        return closeness > 0.5 ? closeness / 2 : 0
    }
}
