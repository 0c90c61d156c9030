/// Search for a string in another. The standard library has such a search only since iOS 16.
extension StringProtocol where SubSequence == Substring {
    /// Returns the first occurrence of `word`, byte by byte; nil if there is none or `word` is empty.
    package func firstPlace(of word: String) -> Range<Index>? {
        guard let first = word.utf8.first else { return nil }
        var rest = self[...].utf8
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: word.utf8) {
                return start..<rest.index(start, offsetBy: word.utf8.count)
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    package func holds(_ word: String) -> Bool {
        word.isEmpty || firstPlace(of: word) != nil
    }

    package func pieces(between word: String) -> [Substring] {
        var pieces: [Substring] = []
        var rest = self[...]
        while let place = rest.firstPlace(of: word) {
            pieces.append(rest[..<place.lowerBound])
            rest = rest[place.upperBound...]
        }
        return pieces + [rest]
    }
}
