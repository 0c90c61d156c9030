/// Splitter of replies into chunks.
package enum ChunkCutter {
    /// Returns chunks of `size` units.
    package static func cut(_ text: String, size: Int, unit: Pace.Unit) -> [String] {
        let size = max(size, 1)
        switch unit {
        case .words: return cutASCIIWords(text, size) ?? cutWords(text, size)
        case .characters: return cutCharacters(text, size)
        case .tokens: return grouped(tokens(of: text), size)
        case .sentences: return grouped(sentences(of: text), size)
        case .lines: return grouped(lines(of: text), size)
        case .whole: return text.isEmpty ? [] : [text]
        }
    }

    private static func grouped(_ units: [String], _ size: Int) -> [String] {
        guard size > 1 else { return units }
        return stride(from: 0, to: units.count, by: size).map { start in
            units[start..<min(start + size, units.count)].joined()
        }
    }

    /// Splits a text into sentences, at line ends and punctuation marks.
    private static func sentences(of text: String) -> [String] {
        var sentences: [String] = []
        var start = text.startIndex
        var (isMarked, isOver, hasWords) = (false, false, false)
        for index in text.indices {
            let character = text[index]
            if isOver, !character.isWhitespace {
                sentences.append(String(text[start..<index]))
                start = index
                (isMarked, isOver, hasWords) = (false, false, false)
            }
            switch character {
            case ".", "!", "?", "…", "؟", "۔", "।": isMarked = true
            case "。", "！", "？": (isMarked, isOver) = (true, true)
            case "\"", "'", "”", "’", "»", ")", "]", "*", "_", "`": break
            case _ where character.isNewline: isOver = hasWords
            case _ where character.isWhitespace: isOver = isOver || isMarked
            default: isMarked = false
            }
            if !character.isWhitespace { hasWords = true }
        }
        if start < text.endIndex { sentences.append(String(text[start...])) }
        return sentences
    }

    private static func lines(of text: String) -> [String] {
        var lines: [String] = []
        var start = text.startIndex
        var (hasWords, isBroken) = (false, false)
        for index in text.indices {
            if text[index].isNewline {
                if hasWords, !isBroken {
                    lines.append(String(text[start..<index]))
                    (start, hasWords) = (index, false)
                }
                isBroken = true
            } else {
                isBroken = false
                if !text[index].isWhitespace { hasWords = true }
            }
        }
        if start < text.endIndex { lines.append(String(text[start...])) }
        return lines
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

    /// Splits an ASCII text into words; nil for other texts. Faster than ``cutWords(_:_:)``.
    private static func cutASCIIWords(_ text: String, _ size: Int) -> [String]? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            var pieces: [String] = []
            var (start, words, isInWord) = (0, 0, false)
            func end(at index: Int) {
                pieces.append(
                    String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self))
            }
            for index in bytes.indices {
                let isBlank = bytes[index] == 0x20 || 0x09...0x0D ~= bytes[index]
                if !isBlank, !isInWord {
                    if words == size {
                        end(at: index)
                        (start, words) = (index, 0)
                    }
                    words += 1
                }
                isInWord = !isBlank
            }
            if start < bytes.count { end(at: bytes.count) }
            return pieces
        }
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

    private static func tokens(of text: String) -> [String] {
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
        return tokens
    }
}
