/// Searching for a word of more than one character. The standard library has it since iOS 16 (`firstRange(of:)`,
/// `contains(_:)` of a text, `replacing(_:with:)`), and tests of an iOS 15 app link this.
extension StringProtocol where SubSequence == Substring {
    /// The first place where `word` stands, byte for byte; nil when it stands nowhere, or is empty.
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

    /// Whether `word` stands somewhere; the empty one stands everywhere.
    package func holds(_ word: String) -> Bool {
        word.isEmpty || firstPlace(of: word) != nil
    }

    /// The pieces before, between and after the occurrences of `word`: one more than there are occurrences.
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
