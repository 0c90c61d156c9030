package import Patterns

/// Tokenized message, prepared once for all rules.
///
/// The message is split in two ways. An *atom* is a run of letters and digits; words of a phrase are compared
/// with atoms, so punctuation separates and `e-mail` contains `mail`. A *token* is one or more atoms that
/// belong together without a space: `7.30pm`, `19:30`, `3,50`, `AB-1234`, an e-mail address. Kinds take whole
/// tokens, so the number 7 is not found in `7.30pm`.
///
/// In scripts without spaces every character is a separate token (``LetterClass``), and so is every emoji. An
/// apostrophe disappears (`that's` is `thats`), except after an elided article or pronoun, where it also
/// separates: `l'addition` is matched by `addition` and by `laddition`.
package struct PreparedMessage: Sendable {
    struct Atom: Sendable {
        /// Range of ``letters``, without apostrophes.
        var lettersStart: Int32
        var lettersEnd: Int32
        /// Range of ``scalars``, with apostrophes.
        var start: Int32
        var end: Int32
        var hash: UInt64
        /// Hash of this atom and the next as one word; 0 without elision.
        var joinedHash: UInt64
        /// Index into ``tokens``.
        var token: Int32
    }

    struct Token: Sendable {
        var firstAtom: Int32
        var endAtom: Int32
        /// Range of ``scalars``, with a sign before and a percent sign after.
        var start: Int32
        var end: Int32
        var isEmail: Bool
    }

    /// Original message, up to ``MatchingLimits/messageBytes``.
    package let text: String
    /// Folded characters with punctuation, the input of patterns.
    let scalars: [UInt32]
    /// UTF-8 offset of each of ``scalars`` in ``text``, and of the end.
    let offsets: [Int32]
    let atoms: [Atom]
    let tokens: [Token]
    let letters: [UInt32]
    /// Bloom filter of the words.
    let sieve: WordSieve

    package init(_ text: String) {
        var reader = MessageReader(text)
        reader.cutTokens()
        self.text = reader.text
        scalars = reader.scalars
        offsets = reader.offsets
        atoms = reader.atoms
        tokens = reader.tokens
        letters = reader.letters
        sieve = reader.sieve
    }

    /// The words, folded, joined by spaces.
    package var folded: String {
        var result = String.UnicodeScalarView()
        for (index, atom) in atoms.enumerated() {
            if index > 0 { result.append(" ") }
            append(letters[Int(atom.lettersStart)..<Int(atom.lettersEnd)], to: &result)
        }
        return String(result)
    }

    /// The words, folded.
    package var words: [String] { atoms.indices.map(word) }

    func word(_ index: Int) -> String { Folding.text(of: spelling(of: atoms[index])) }

    func spelling(of atom: Atom) -> ArraySlice<UInt32> {
        letters[Int(atom.lettersStart)..<Int(atom.lettersEnd)]
    }

    func startsToken(_ atom: Int) -> Bool {
        atom < atoms.count && tokens[Int(atoms[atom].token)].firstAtom == atom
    }

    /// True for the start of a token or after an elision: "addition" in "l'addition".
    func startsWord(_ atom: Int) -> Bool {
        startsToken(atom) || atom > 0 && atom < atoms.count && atoms[atom - 1].joinedHash != 0
    }

    /// True if a token ends before atom `atom`.
    func endsToken(_ atom: Int) -> Bool { atom >= atoms.count || startsToken(atom) }

    func tokenEnd(_ atom: Int) -> Int { Int(tokens[Int(atoms[atom].token)].endAtom) }

    /// Original text of a range of ``scalars``.
    func original(_ range: Range<Int>) -> String {
        guard !range.isEmpty, range.upperBound <= scalars.count else { return "" }
        var end = range.upperBound
        // Includes a character that folds to two.
        while end < scalars.count, offsets[end] == offsets[end - 1] { end += 1 }
        let utf8 = text.utf8
        let from = utf8.index(utf8.startIndex, offsetBy: Int(offsets[range.lowerBound]))
        let to = utf8.index(utf8.startIndex, offsetBy: Int(offsets[end]))
        return String(text[from..<to])
    }

    /// Original character of ``scalars`` at `index`.
    func originalScalar(at index: Int) -> Unicode.Scalar {
        let utf8 = text.utf8
        return text.unicodeScalars[utf8.index(utf8.startIndex, offsetBy: Int(offsets[index]))]
    }

    /// Original text of the tokens of atoms `range`.
    func original(atoms range: Range<Int>) -> String {
        let first = tokens[Int(atoms[range.lowerBound].token)]
        let last = tokens[Int(atoms[range.upperBound - 1].token)]
        return original(Int(first.start)..<Int(last.end))
    }

    private func append(_ letters: ArraySlice<UInt32>, to result: inout String.UnicodeScalarView) {
        for value in letters {
            if let scalar = Unicode.Scalar(value) { result.append(scalar) }
        }
    }
}

/// Bloom filter of 128 bits, which excludes most rules.
struct WordSieve: Equatable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    mutating func insert(_ hash: UInt64) {
        let bit = hash >> 57
        if bit < 64 { low |= 1 << bit } else { high |= 1 << (bit - 64) }
    }

    func mayContain(_ other: WordSieve) -> Bool { other.low & ~low == 0 && other.high & ~high == 0 }
}

/// FNV-1a with one round per character and a final mix, so that the top bits differ too.
struct WordHash {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ value: UInt32) { state = (state ^ UInt64(value)) &* 0x0000_0100_0000_01B3 }

    var value: UInt64 {
        let mixed = (state ^ (state >> 32)) &* 0xBF58_476D_1CE4_E5B9
        return mixed == 0 ? 1 : mixed
    }

    static func of(_ letters: some Sequence<UInt32>) -> UInt64 {
        var hash = WordHash()
        for letter in letters { hash.add(letter) }
        return hash.value
    }
}

extension Folding {
    /// The words of `text`, folded, with one space between two words.
    package static func fold(_ text: String) -> String { PreparedMessage(text).folded }

    static func letters(of word: String) -> [UInt32] {
        var letters: [UInt32] = []
        for scalar in word.unicodeScalars { append(scalar.value, to: &letters) }
        return letters
    }

    static func text(of letters: some Sequence<UInt32>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: letters.lazy.compactMap { Unicode.Scalar($0) })
        return String(text)
    }
}
