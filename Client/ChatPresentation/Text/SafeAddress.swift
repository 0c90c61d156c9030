enum SafeAddress {
    /// Returns a trimmed http, https, mailto or tel URL; nil if it is incomplete or has unsafe characters.
    static func link(_ text: some Collection<Unicode.Scalar>) -> String? {
        let text = Scalars.trimmed(Array(text))
        guard !text.contains(where: isOdd), isWhole(text) else { return nil }
        return Scalars.string(text)
    }

    static func web(_ text: String) -> String? {
        let scalars = Array(text.unicodeScalars)
        let isOdd = { (each: Unicode.Scalar) in
            Scalars.isSpace(each) || "<>\"\\".unicodeScalars.contains(each)
        }
        return startsWithHost(scalars) && !scalars.contains(where: isOdd) ? text : nil
    }

    /// Returns the text if it is a web URL or a `data:image/` URL (RFC 2397).
    static func picture(_ text: String) -> String? {
        web(text) ?? (Scalars.hasPrefix(Array(text.unicodeScalars), "data:image/") ? text : nil)
    }

    static func isOdd(_ each: Unicode.Scalar) -> Bool {
        switch each {
        case "<", ">", "\"", "\\", "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": true
        default: Scalars.isSpace(each)
        }
    }

    private static func startsWithHost(_ text: [Unicode.Scalar]) -> Bool {
        for scheme in ["http://", "https://"] where Scalars.hasPrefix(text, scheme) {
            return text.dropFirst(scheme.utf8.count).first.map { !"/?#".unicodeScalars.contains($0) } ?? false
        }
        return false
    }

    private static func isWhole(_ text: [Unicode.Scalar]) -> Bool {
        if startsWithHost(text) { return true }
        if Scalars.hasPrefix(text, "mailto:") {
            guard let at = text.dropFirst(7).firstIndex(of: "@") else { return false }
            return at > 7
        }
        guard Scalars.hasPrefix(text, "tel:") else { return false }
        let number = text.dropFirst(4)
        return (number.first == "+" ? number.dropFirst() : number).first.map(Scalars.isDigit) ?? false
    }
}

/// Functions on arrays of Unicode scalars, whose indexes are integers and whose elements never merge.
enum Scalars {
    static func string(_ text: some Collection<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: text)
        return String(view)
    }

    /// Whether a scalar is white space or a line end (ECMA-262, WhiteSpace and LineTerminator).
    static func isSpace(_ each: Unicode.Scalar) -> Bool {
        switch each.value {
        case 9...13, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }

    static func isDigit(_ each: Unicode.Scalar) -> Bool { ("0"..."9").contains(each) }

    static func isLetter(_ each: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(each) || ("A"..."Z").contains(each)
    }

    static func isWord(_ each: Unicode.Scalar) -> Bool { isLetter(each) || isDigit(each) }

    /// Whether a scalar is an ASCII punctuation mark (CommonMark 0.31, 2.1).
    static func isPunctuation(_ each: Unicode.Scalar) -> Bool {
        each.isASCII && each > " " && each != "\u{7F}" && !isWord(each)
    }

    /// Whether a scalar outside ASCII is a bracket, a quotation mark or punctuation: general categories Ps, Pe, Pi, Pf
    /// and Po (UAX #44), except dots that occur in names.
    static func isSentenceSign(_ each: Unicode.Scalar) -> Bool {
        guard !each.isASCII else { return false }
        switch each.properties.generalCategory {
        case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation: return true
        case .otherPunctuation:
            switch each {
            case "\u{B7}", "\u{387}", "\u{2027}", "\u{2E31}", "\u{30FB}", "\u{FF65}": return false
            default: return true
            }
        default: return false
        }
    }

    /// Replaces each backslash escape (the backslash and the mark after it) with two U+0000.
    static func withoutEscapes(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard var index = text.firstIndex(of: "\\") else { return text }
        var bare = text
        while index + 1 < bare.count {
            let isEscape = bare[index] == "\\" && isPunctuation(bare[index + 1])
            if isEscape { (bare[index], bare[index + 1]) = ("\0", "\0") }
            index += isEscape ? 2 : 1
        }
        return bare
    }

    static func lowercased(_ each: Unicode.Scalar) -> Unicode.Scalar {
        ("A"..."Z").contains(each) ? Unicode.Scalar(UInt8(each.value) | 0x20) : each
    }

    static func trimmed(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard let first = text.firstIndex(where: { !isSpace($0) }),
            let last = text.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return first == 0 && last == text.count - 1 ? text : Array(text[first...last])
    }

    /// Whether the lowercase `word` is at `index`, ignoring ASCII case.
    static func hasPrefix(_ text: [Unicode.Scalar], _ word: String, at index: Int = 0) -> Bool {
        var place = index
        for each in word.unicodeScalars {
            guard place < text.count, lowercased(text[place]) == each else { return false }
            place += 1
        }
        return true
    }

    static func find(_ word: String, in text: [Unicode.Scalar], from index: Int) -> Int? {
        guard let first = word.unicodeScalars.first else { return nil }
        var place = index
        while place < text.count {
            if lowercased(text[place]) == first, hasPrefix(text, word, at: place) { return place }
            place += 1
        }
        return nil
    }
}
