import Patterns

/// Tokenizer of a message, which folds the text and splits it into atoms and tokens.
struct MessageReader {
    private(set) var text: String
    private(set) var scalars: [UInt32] = []
    private(set) var offsets: [Int32] = []
    private(set) var atoms: [PreparedMessage.Atom] = []
    private(set) var tokens: [PreparedMessage.Token] = []
    private(set) var letters: [UInt32] = []
    private(set) var sieve = WordSieve()
    private var hasAddress = false
    private var emails: [Range<Int>] = []
    private var email = 0..<0
    /// Whether the last atom is elided, as the "l" of "l'addition".
    private var isElided = false

    init(_ source: String) {
        text = source
        text.makeContiguousUTF8()
        var bytes = 0
        scalars.reserveCapacity(min(text.utf8.count, MatchingLimits.messageBytes))
        offsets.reserveCapacity(scalars.capacity + 1)
        for scalar in text.unicodeScalars {
            let width = UTF8.width(scalar)
            if bytes + width > MatchingLimits.messageBytes {
                text = String(text[..<text.utf8.index(text.utf8.startIndex, offsetBy: bytes)])
                break
            }
            let before = scalars.count
            Folding.append(scalar.value, to: &scalars)
            for _ in before..<scalars.count { offsets.append(Int32(bytes)) }
            if scalar == "@" || scalar.value == 0xFF20 { hasAddress = true }
            bytes += width
        }
        offsets.append(Int32(bytes))
    }

    mutating func cutTokens() {
        if hasAddress { findEmails() }
        var nextEmail = 0
        var index = 0
        while index < scalars.count {
            let kind = LetterClass(scalars[index])
            guard kind.isWord else {
                index += 1
                continue
            }
            while nextEmail < emails.count, emails[nextEmail].upperBound <= index { nextEmail += 1 }
            if nextEmail < emails.count, emails[nextEmail].contains(index) { email = emails[nextEmail] }
            index = kind == .lone ? readLone(at: index) : readWord(at: index)
        }
    }

    private mutating func readLone(at start: Int) -> Int {
        var end = start + 1
        while end < scalars.count, LetterClass(scalars[end]) == .mark { end += 1 }
        let lettersStart = letters.count
        letters += scalars[start..<end]
        finishAtom(start..<end, lettersFrom: lettersStart, isTied: false)
        return end
    }

    private mutating func readWord(at start: Int) -> Int {
        let lettersStart = letters.count
        var isTied = start > 0 && isTie(before: start)
        var atomStart = start
        var atomLetters = lettersStart
        var index = start
        while index < scalars.count {
            let value = scalars[index]
            if value == 0x27 || value == 0x60 {
                guard index + 1 < scalars.count, isInner(scalars[index + 1]) else { break }
                if Elisions.elides(letters[atomLetters...], before: scalars[index + 1]) {
                    finishAtom(atomStart..<index, lettersFrom: atomLetters, isTied: isTied)
                    isElided = true
                    isTied = true
                    atomStart = index + 1
                    atomLetters = letters.count
                }
            } else if isInner(value) {
                letters.append(value)
            } else {
                break
            }
            index += 1
        }
        if let long = Contractions.longForm(of: scalars[atomStart..<index]) {
            finishContraction(long, atomStart..<index, lettersFrom: atomLetters, isTied: isTied)
        } else {
            finishAtom(atomStart..<index, lettersFrom: atomLetters, isTied: isTied)
        }
        return index
    }

    /// Adds "i" and "am" of "I'm" as atoms of one token. The hash of the short form becomes the joined hash of the two
    /// atoms.
    private mutating func finishContraction(
        _ long: Contractions.LongForm, _ range: Range<Int>, lettersFrom: Int, isTied: Bool
    ) {
        let short = WordHash.of(letters[lettersFrom...])
        let middle = range.lowerBound + long.first.count
        letters.replaceSubrange(lettersFrom..., with: long.first)
        finishAtom(range.lowerBound..<middle, lettersFrom: lettersFrom, isTied: isTied)
        atoms[atoms.count - 1].joinedHash = short
        atoms[atoms.count - 1].isContracted = true
        sieve.insert(short)
        let second = letters.count
        letters += long.second
        finishAtom(middle..<range.upperBound, lettersFrom: second, isTied: true)
    }

    private func isInner(_ value: UInt32) -> Bool {
        let kind = LetterClass(value)
        return kind == .letter || kind == .digit || kind == .mark
    }

    private mutating func finishAtom(_ range: Range<Int>, lettersFrom: Int, isTied: Bool) {
        let hash = WordHash.of(letters[lettersFrom...])
        sieve.insert(hash)
        if isElided { joinElision(with: letters[lettersFrom...]) }
        if isTied, !tokens.isEmpty {
            tokens[tokens.count - 1].endAtom += 1
            tokens[tokens.count - 1].end = Int32(range.upperBound)
        } else {
            let start = hasSign(before: range.lowerBound) ? range.lowerBound - 1 : range.lowerBound
            tokens.append(
                PreparedMessage.Token(
                    firstAtom: Int32(atoms.count), endAtom: Int32(atoms.count + 1), start: Int32(start),
                    end: Int32(range.upperBound),
                    // The token is an e-mail address only if the address begins where the token begins.
                    isEmail: !email.isEmpty && email.lowerBound == range.lowerBound))
        }
        if range.upperBound < scalars.count, scalars[range.upperBound] == 0x25,
            isDigit(range.upperBound - 1)
        {
            tokens[tokens.count - 1].end += 1
        }
        atoms.append(
            PreparedMessage.Atom(
                lettersStart: Int32(lettersFrom), lettersEnd: Int32(letters.count),
                start: Int32(range.lowerBound), end: Int32(range.upperBound), hash: hash, joinedHash: 0,
                token: Int32(tokens.count - 1)))
    }

    /// Sets the last atom's ``PreparedMessage/Atom/joinedHash`` to the hash of its word and `next` written as one word.
    private mutating func joinElision(with next: ArraySlice<UInt32>) {
        isElided = false
        guard let last = atoms.last else { return }
        var hash = WordHash()
        for value in letters[Int(last.lettersStart)..<Int(last.lettersEnd)] { hash.add(value) }
        for value in next { hash.add(value) }
        atoms[atoms.count - 1].joinedHash = hash.value
        sieve.insert(hash.value)
    }

    /// Whether the single character before `start` joins its two neighbours into one token.
    private func isTie(before start: Int) -> Bool {
        guard let last = atoms.last, Int(last.end) <= start else { return false }
        if email.contains(start) { return Int(last.start) >= email.lowerBound }
        guard Int(last.end) + 1 == start, LetterClass(scalars[Int(last.end) - 1]) != .lone else {
            return false
        }
        switch scalars[start - 1] {
        case 0x2D, 0x5F: return true  // hyphen, underscore: AB-1234, twenty-five
        case 0x2E, 0x2C, 0x3A, 0x2F: return isDigit(start) && isDigit(start - 2)  // 7.30 1,000 19:30 5/5
        default: return false
        }
    }

    private func hasSign(before start: Int) -> Bool {
        guard start > 0, isDigit(start), scalars[start - 1] == 0x2D || scalars[start - 1] == 0x2B else {
            return false
        }
        return start == 1 || LetterClass(scalars[start - 2]) == .space || scalars[start - 2] == 0x28
    }

    private func isDigit(_ index: Int) -> Bool { scalars[index] &- 0x30 < 10 }

    // MARK: E-mail addresses

    private mutating func findEmails() {
        var floor = 0
        for at in scalars.indices where scalars[at] == 0x40 {
            var start = at
            while start > floor, isLocalPart(at: start - 1) { start -= 1 }
            while start < at, !isInner(scalars[start]) { start += 1 }
            var end = at + 1
            while end < scalars.count, isDomainPart(scalars[end]) { end += 1 }
            floor = end
            while end > at, !isInner(scalars[end - 1]) { end -= 1 }
            if start < at, scalars[at - 1] != 0x2E, isDomain(at + 1..<max(end, at + 1)),
                end - start <= MatchingLimits.emailCharacters
            {
                emails.append(start..<end)
            }
        }
    }

    /// Whether the character may be in the name of an e-mail address.
    private func isLocalPart(at index: Int) -> Bool {
        let value = scalars[index]
        if value == 0x27 { return index > 0 && isInner(scalars[index - 1]) && isInner(scalars[index + 1]) }
        return isInner(value) || value == 0x2E || value == 0x5F || value == 0x25 || value == 0x2B
            || value == 0x2D
    }

    private func isDomainPart(_ value: UInt32) -> Bool { isInner(value) || value == 0x2E || value == 0x2D }

    /// Whether the range is a domain name of two labels or more.
    private func isDomain(_ range: Range<Int>) -> Bool {
        var labels = 0
        var labelStart = range.lowerBound
        for index in range where scalars[index] == 0x2E || index == range.upperBound - 1 {
            let end = scalars[index] == 0x2E ? index : range.upperBound
            guard end > labelStart, isInner(scalars[labelStart]), isInner(scalars[end - 1]) else {
                return false
            }
            labels += 1
            if end == range.upperBound { return labels >= 2 && end - labelStart >= 2 && !isDigit(end - 1) }
            labelStart = index + 1
        }
        return false
    }
}

/// English contractions: "I'm" is "I am". A possessive such as "Anna's" is none.
enum Contractions {
    struct LongForm: Sendable {
        var first: [UInt32]
        var second: [UInt32]
    }

    /// Long forms by their folded short form, which includes the apostrophe.
    private static let longForms: [String: LongForm] = {
        var forms: [String: LongForm] = [:]
        func add(_ stems: String, _ ending: String, _ second: String) {
            for stem in stems.split(separator: " ") {
                forms[stem + ending] = LongForm(
                    first: stem.unicodeScalars.map(\.value), second: second.unicodeScalars.map(\.value))
            }
        }
        add("i", "'m", "am")
        add("you we they what who there", "'re", "are")
        add("he here how it she that there what when where who why", "'s", "is")
        add("let", "'s", "us")
        add("i you we they could might must should would", "'ve", "have")
        add("i you he she it we they that there who", "'ll", "will")
        add("i you he she it we they that there who", "'d", "would")
        add(
            "are could did do does had has have is might must need should was were would", "n't", "not")
        add("can", "not", "not")
        for (short, stem) in [("can't", "can"), ("won't", "will"), ("shan't", "shall")] {
            forms[short] = LongForm(
                first: stem.unicodeScalars.map(\.value), second: "not".unicodeScalars.map(\.value))
        }
        return forms
    }()
    private static let lengths = 3...8

    /// Returns the long form of a folded word; nil for other words.
    static func longForm(of word: ArraySlice<UInt32>) -> LongForm? {
        guard lengths.contains(word.count),
            word.contains(where: { $0 == 0x27 || $0 == 0x60 }) || isCannot(word)
        else { return nil }
        return longForms[Folding.text(of: word.lazy.map { $0 == 0x60 ? 0x27 : $0 })]
    }

    private static func isCannot(_ word: ArraySlice<UInt32>) -> Bool {
        word.elementsEqual([0x63, 0x61, 0x6E, 0x6E, 0x6F, 0x74])
    }
}

/// French and Italian elisions: an apostrophe separates two words.
enum Elisions {
    private static let words: Set<String> = [
        "l", "d", "j", "m", "t", "s", "c", "n", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu", "un", "dell",
        "all",
        "nell", "sull", "dall", "coll", "quest", "quell", "bell", "sant", "com", "dov", "cos", "anch", "gl",
        "v",
    ]
    private static let longest = 6

    /// Whether an apostrophe separates `word` from a word that begins with `next`.
    static func elides(_ word: ArraySlice<UInt32>, before next: UInt32) -> Bool {
        guard !word.isEmpty, word.count <= longest, isVowelOrH(next) else { return false }
        return words.contains(Folding.text(of: word))
    }

    private static func isVowelOrH(_ value: UInt32) -> Bool {
        switch value {
        case 0x61, 0x65, 0x69, 0x6F, 0x75, 0x79, 0x68: true
        default: false
        }
    }
}
