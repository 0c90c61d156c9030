package import Patterns

/// Tokenized message, prepared once for all rules.
///
/// An *atom* is a run of letters and digits. Words of phrases are compared with atoms: `mail` matches in `e-mail`. A
/// *token* is one or more atoms without a space: `7.30pm`, `3,50`, `AB-1234`, an e-mail address. Entity types match
/// whole tokens: `7.30pm` does not contain the number 7.
///
/// In scripts without spaces every character is a token (``LetterClass``), and so is every emoji. Apostrophes are
/// removed (`o'clock` becomes `oclock`). After an elided word an apostrophe also separates atoms: `l'addition` matches
/// `addition` and `laddition`. A contraction matches its long form too: `I'm late` matches `I am late` and `im late`. A
/// phrase does not end inside a contraction: `I can` does not match `I can't`.
package struct PreparedMessage: Sendable {
    struct Atom: Sendable {
        var lettersStart: Int32
        var lettersEnd: Int32
        var start: Int32
        var end: Int32
        var hash: UInt64
        /// Hash of this atom and the next as one word; 0 if the next is a separate word.
        var joinedHash: UInt64
        /// Whether the next atom ends a contraction, as "am" in "I'm".
        var isContracted = false
        var token: Int32
    }

    struct Token: Sendable {
        var firstAtom: Int32
        var endAtom: Int32
        /// Range of the token in ``scalars``, with a leading sign and a percent sign.
        var start: Int32
        var end: Int32
        var isEmail: Bool
    }

    /// Original message, up to ``MatchingLimits/messageBytes``.
    package let text: String
    /// Folded characters with punctuation, for patterns.
    let scalars: [UInt32]
    /// UTF-8 offset in ``text`` of each scalar, and of the end.
    let offsets: [Int32]
    let atoms: [Atom]
    let tokens: [Token]
    let letters: [UInt32]
    /// Bloom filter of the words in the message.
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

    package var folded: String {
        var result = String.UnicodeScalarView()
        for (index, atom) in atoms.enumerated() {
            if index > 0 { result.append(" ") }
            append(letters[Int(atom.lettersStart)..<Int(atom.lettersEnd)], to: &result)
        }
        return String(result)
    }

    package var words: [String] { atoms.indices.map(word) }

    func word(_ index: Int) -> String { Folding.text(of: spelling(of: atoms[index])) }

    func spelling(of atom: Atom) -> ArraySlice<UInt32> {
        letters[Int(atom.lettersStart)..<Int(atom.lettersEnd)]
    }

    func startsToken(_ atom: Int) -> Bool {
        atom < atoms.count && tokens[Int(atoms[atom].token)].firstAtom == atom
    }

    /// Whether a word begins at the atom: at a token, or after an elision ("addition" in "l'addition").
    func startsWord(_ atom: Int) -> Bool {
        startsToken(atom)
            || atom > 0 && atom < atoms.count && atoms[atom - 1].joinedHash != 0 && !isInsideContraction(atom)
    }

    func isInsideContraction(_ atom: Int) -> Bool { atom > 0 && atoms[atom - 1].isContracted }

    func endsToken(_ atom: Int) -> Bool { atom >= atoms.count || startsToken(atom) }

    func tokenEnd(_ atom: Int) -> Int { Int(tokens[Int(atoms[atom].token)].endAtom) }

    func original(_ range: Range<Int>) -> String {
        guard !range.isEmpty, range.upperBound <= scalars.count else { return "" }
        var end = range.upperBound
        // One original character may fold to several scalars. All of them belong to the range.
        while end < scalars.count, offsets[end] == offsets[end - 1] { end += 1 }
        let utf8 = text.utf8
        let from = utf8.index(utf8.startIndex, offsetBy: Int(offsets[range.lowerBound]))
        let to = utf8.index(utf8.startIndex, offsetBy: Int(offsets[end]))
        return String(text[from..<to])
    }

    func originalScalar(at index: Int) -> Unicode.Scalar {
        let utf8 = text.utf8
        return text.unicodeScalars[utf8.index(utf8.startIndex, offsetBy: Int(offsets[index]))]
    }

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

/// Bloom filter of words (128 bits).
struct WordSieve: Equatable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    mutating func insert(_ hash: UInt64) {
        let bit = hash >> 57
        if bit < 64 { low |= 1 << bit } else { high |= 1 << (bit - 64) }
    }

    func mayContain(_ other: WordSieve) -> Bool { other.low & ~low == 0 && other.high & ~high == 0 }
}

/// FNV-1a, with one round per character. A final step mixes the bits, so that the top bits differ.
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
