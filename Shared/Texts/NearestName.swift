/// Spelling suggestion for an unknown name.
package enum NearestName {
    /// Maximum number of compared names, and maximum characters of the unknown name.
    private static let candidates = 500
    private static let characters = 40

    /// Returns the most similar name, ignoring case; nil if none is similar. A name of up to three letters may differ
    /// in one edit, a longer name in two. A swap of neighbours and a plural (`replies`, `reply`) are one edit each.
    package static func suggestion<Names: Sequence<String>>(for name: String, among names: Names) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars)
        guard !wanted.isEmpty, wanted.count <= characters else { return nil }
        var best: String?
        var bestDistance = wanted.count <= 3 ? 2 : 3
        for candidate in names.prefix(candidates) {
            let letters = Array(candidate.lowercased().unicodeScalars)
            // A similar name is at most two letters longer or shorter, as "-ies" for "-y".
            guard abs(letters.count - wanted.count) <= 2 else { continue }
            let isPlural = singular(wanted) == singular(letters)
            let distance = isPlural ? min(1, distance(wanted, letters)) : distance(wanted, letters)
            if distance < bestDistance {
                best = candidate
                bestDistance = distance
            }
        }
        return best
    }

    private static func singular(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        if word.count > 3, word.suffix(3) == ["i", "e", "s"] { return word.dropLast(3) + ["y"] }
        return word.count > 2 && word.last == "s" ? word.dropLast() : word
    }

    /// Returns the restricted Damerau-Levenshtein distance (optimal string alignment).
    package static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for column in 0..<right.count {
                var cost = min(last[column + 1], current[column]) + 1
                cost = min(cost, last[column] + (letter == right[column] ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
