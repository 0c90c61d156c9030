/// Cuts a reply into pieces whose concatenation is the reply, never inside a character.
enum ChunkCutter {
    /// Pieces of `size` units each; a size below 1 counts as 1. Words keep the blanks behind them; a token is
    /// up to four characters of a word.
    static func cut(_ text: String, size: Int, unit: Pace.Unit) -> [String] {
        let size = max(size, 1)
        switch unit {
        case .words: return cutWords(text, size)
        case .characters: return cutCharacters(text, size)
        case .tokens: return cutTokens(text, size)
        }
    }

    private static func cutWords(_ text: String, _ size: Int) -> [String] {
        var pieces: [String] = []
        var start = text.startIndex
        var words = 0
        var isInWord = false
        for index in text.indices {
            let isBlank = text[index].isWhitespace
            if !isBlank, !isInWord {
                if words == size {
                    pieces.append(String(text[start..<index]))
                    start = index
                    words = 0
                }
                words += 1
            }
            isInWord = !isBlank
        }
        if start < text.endIndex { pieces.append(String(text[start...])) }
        return pieces
    }

    private static func cutCharacters(_ text: String, _ size: Int) -> [String] {
        var pieces: [String] = []
        var start = text.startIndex
        while start < text.endIndex {
            let end = text.index(start, offsetBy: size, limitedBy: text.endIndex) ?? text.endIndex
            pieces.append(String(text[start..<end]))
            start = end
        }
        return pieces
    }

    private static func cutTokens(_ text: String, _ size: Int) -> [String] {
        var tokens: [String] = []
        var current = ""
        var letters = 0
        for character in text {
            let opensWord = character.isWhitespace && current.last?.isWhitespace == false
            if !current.isEmpty, letters == 4 || opensWord {
                tokens.append(current)
                current = ""
                letters = 0
            }
            current.append(character)
            if !character.isWhitespace { letters += 1 }
        }
        if !current.isEmpty { tokens.append(current) }
        return stride(from: 0, to: tokens.count, by: size).map { start in
            tokens[start..<min(start + size, tokens.count)].joined()
        }
    }
}
