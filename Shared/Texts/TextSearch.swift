/// Search for a string in another. The standard library has such a search only since iOS 16.
extension StringProtocol where SubSequence == Substring {
    /// Returns the first occurrence of `word`, byte by byte; nil if there is none or `word` is empty.
    package func firstPlace(of word: String) -> Range<Index>? {
        var (text, word) = (self[...], word)
        let place = text.withUTF8 { text in
            word.withUTF8 { word in
                word.isEmpty || word.count > text.count
                    ? nil
                    : (0...text.count - word.count).first { start in
                        text[start] == word[0] && text[start...].starts(with: word)
                    }
            }
        }
        guard let start = place.map({ utf8.index(startIndex, offsetBy: $0) }) else { return nil }
        return start..<utf8.index(start, offsetBy: word.utf8.count)
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
