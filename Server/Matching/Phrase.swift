import Patterns

/// Words and placeholders, folded once when the fixture is loaded.
///
/// Words must be adjacent and whole; case, accents, apostrophes and punctuation are ignored. Placeholders capture
/// values (``SlotKind``); `{name}` is `{name:words}`. The phrase `*` matches any message.
package struct Phrase: Equatable, Sendable {
    package struct Slot: Equatable, Sendable {
        package var name: String
        /// `word` for the fixture's own kinds.
        package var kind: SlotKind
        /// A kind of the fixture; nil for a built-in one.
        package var own: OwnKind?
        /// UTF-8 bytes from the start of the phrase to the opening brace.
        package var offset: Int
    }

    enum Element: Sendable {
        case word(Word)
        /// An elision such as `l'addition`: matches as two words or one.
        case elision(Word, Word, joined: UInt64)
        /// Index into ``slots``.
        case gap(Int, SlotKind, bareTime: Bool)
        /// A value of a closed list.
        case choice(Int, OwnKind)
    }

    struct Word: Sendable {
        var hash: UInt64
        var letters: [UInt32]
    }

    /// A class, so a copied rule costs one reference count.
    final class Compiled: Sendable {
        let source: String
        let slots: [Slot]
        let elements: [Element]
        let required: WordSieve
        let isAnything: Bool
        let words: KindWords

        init(_ parser: PhraseParser) {
            source = parser.source
            slots = parser.slots
            elements = parser.elements
            required = parser.required
            isAnything = parser.isAnything
            words = parser.words
        }
    }

    let compiled: Compiled

    package init(_ source: String) throws(PhraseError) { try self.init(source, kinds: []) }

    /// - Parameters:
    ///   - source: the phrase in the fixture.
    ///   - words: the language of numbers, days and times.
    ///   - kinds: entity types for placeholders, in addition to ``SlotKind``.
    /// - Throws: the syntax error, with its position.
    package init(_ source: String, words: KindWords = .english, kinds: [OwnKind]) throws(PhraseError) {
        var parser = PhraseParser(source, words: words, kinds: kinds)
        try parser.parse()
        compiled = Compiled(parser)
    }

    package var source: String { compiled.source }
    package var slots: [Slot] { compiled.slots }
    /// The phrase is `*`.
    package var isAnything: Bool { compiled.isAnything }
    var elements: [Element] { compiled.elements }

    package static func == (left: Phrase, right: Phrase) -> Bool {
        left.compiled === right.compiled
            || left.source == right.source && left.compiled.words === right.compiled.words
                && left.slots == right.slots
    }

    /// Captures; nil without a match. With `isWhole` the phrase must be the whole message.
    func match(_ heard: PreparedMessage, isWhole: Bool, cost: inout MatchCost) -> Captures? {
        let compiled = compiled
        if compiled.isAnything { return Captures() }
        guard heard.sieve.mayContain(compiled.required) else { return nil }
        var search = PhraseSearch(compiled, isWhole: isWhole)
        guard search.run(heard, cost: &cost) else { return nil }
        var captures = Captures()
        for capture in search.captures.reversed() {
            captures[compiled.slots[capture.slot].name] = capture.value
        }
        return captures
    }

    /// Words of the phrase, folded.
    var literalWords: [Word] {
        elements.flatMap { element in
            switch element {
            case .word(let word): [word]
            case .elision(let first, let second, _): [first, second]
            case .gap, .choice: [Word]()
            }
        }
    }
}
