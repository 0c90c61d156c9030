import Patterns

/// Parser of phrases: words and placeholders such as `{name}` or `{name:kind}`. `{{` and `}}` are punctuation.
struct PhraseParser {
    let source: String
    let words: KindWords
    let kinds: [OwnKind]
    private(set) var slots: [Phrase.Slot] = []
    private(set) var elements: [Phrase.Element] = []
    private(set) var required = WordSieve()
    private(set) var isAnything = false
    private let bytes: [UInt8]

    init(_ source: String, words: KindWords, kinds: [OwnKind]) {
        self.source = source
        self.words = words
        self.kinds = kinds
        bytes = Array(source.utf8)
    }

    mutating func parse() throws(PhraseError) {
        if bytes.filter({ $0 != 0x20 && $0 != 0x09 }) == [0x2A] {
            isAnything = true
            return
        }
        var index = 0
        var textStart = 0
        while index < bytes.count {
            guard bytes[index] == 0x7B else {
                index += 1
                continue
            }
            if index + 1 < bytes.count, bytes[index + 1] == 0x7B {
                index += 2
                continue
            }
            try addWords(textStart..<index)
            let end = try parseGap(at: index)
            index = end
            textStart = end
        }
        try addWords(textStart..<bytes.count)
        if elements.isEmpty { throw PhraseError(.empty, offset: 0) }
    }

    private mutating func parseGap(at open: Int) throws(PhraseError) -> Int {
        guard let close = bytes[open...].firstIndex(of: 0x7D), !bytes[(open + 1)..<close].contains(0x7B)
        else { throw PhraseError(.unclosedGap(PhraseError.name(in: bytes, after: open)), offset: open) }
        let colon = bytes[open..<close].firstIndex(of: 0x3A)
        let name = trim((open + 1)..<(colon ?? close))
        guard !name.isEmpty else { throw PhraseError(.emptyGap, offset: open) }
        let nameText = text(name)
        guard isName(nameText) else { throw PhraseError(.badSlotName(nameText), offset: name.lowerBound) }
        var kind = SlotKind.words
        if let colon {
            let range = trim((colon + 1)..<close)
            if let own = kinds.first(where: { $0.name == text(range) }) {
                slots.append(Phrase.Slot(name: nameText, kind: .word, own: own, offset: open))
                try append(.choice(slots.count - 1, own), offset: open)
                return close + 1
            }
            guard let known = SlotKind(rawValue: text(range)) else {
                throw PhraseError(.unknownKind(text(range)), offset: range.lowerBound)
            }
            kind = known
        }
        slots.append(Phrase.Slot(name: nameText, kind: kind, offset: open))
        try append(.gap(slots.count - 1, kind, bareTime: kind == .time && followsTimeLead), offset: open)
        return close + 1
    }

    private mutating func addWords(_ range: Range<Int>) throws(PhraseError) {
        let heard = PreparedMessage(text(range))
        var index = 0
        while index < heard.atoms.count {
            let atom = heard.atoms[index]
            let word = Phrase.Word(hash: atom.hash, letters: Array(heard.spelling(of: atom)))
            if atom.joinedHash != 0, index + 1 < heard.atoms.count {
                let next = heard.atoms[index + 1]
                let second = Phrase.Word(hash: next.hash, letters: Array(heard.spelling(of: next)))
                try append(.elision(word, second, joined: atom.joinedHash), offset: range.lowerBound)
                index += 2
            } else {
                required.insert(atom.hash)
                try append(.word(word), offset: range.lowerBound)
                index += 1
            }
        }
    }

    private mutating func append(_ element: Phrase.Element, offset: Int) throws(PhraseError) {
        guard elements.count < MatchingLimits.phraseElements else {
            throw PhraseError(.tooLong, offset: offset)
        }
        elements.append(element)
    }

    private var followsTimeLead: Bool {
        guard case .word(let word)? = elements.last else { return false }
        return words.timeLeads.contains(word)
    }

    private func trim(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start] == 0x20 { start += 1 }
        while end > start, bytes[end - 1] == 0x20 { end -= 1 }
        return start..<end
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else {
            return false
        }
        return text.unicodeScalars.allSatisfy {
            $0 == "_" || $0 == "-" || $0.properties.isAlphabetic || LetterClass($0.value).isWord
        }
    }
}

package struct PhraseError: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case unknownKind(String)
        /// A `{` has no `}`. The name and kind after it, possibly empty.
        case unclosedGap(String)
        /// A placeholder has no name: `{}` or `{:number}`.
        case emptyGap
        case empty
        /// The name of a placeholder has other characters than letters, digits, `-` and `_`, or does not begin with a
        /// letter or `_`.
        case badSlotName(String)
        case tooLong
    }

    package var kind: Kind
    /// UTF-8 offset of the error in the phrase.
    package var offset: Int

    package init(_ kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// Returns the name after the brace at `open`, with its kind: `people:number` of `{people:number at`.
    package static func name(in bytes: [UInt8], after open: Int) -> String {
        let rest = String(decoding: bytes[(open + 1)...], as: UTF8.self)
        var name = rest.prefix { $0.isLetter || $0.isNumber || "_-:.".contains($0) }
        while let last = name.last, "-:.".contains(last) { name.removeLast() }
        return String(name)
    }
}
