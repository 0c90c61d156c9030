import Patterns

/// Phrase of a rule: words and placeholders. The words must be adjacent and whole; case, accents, apostrophes and
/// punctuation are ignored. Placeholders capture values (``SlotKind``); `{name}` means `{name:words}`. The phrase `*`
/// matches any message.
package struct Phrase: Equatable, Sendable {
    package struct Slot: Equatable, Sendable {
        package var name: String
        /// Built-in entity type; `word` for types of the fixture.
        package var kind: SlotKind
        /// Entity type of the fixture; nil for a built-in one.
        package var own: OwnKind?
        /// UTF-8 bytes from the start of the phrase to the opening brace.
        package var offset: Int
    }

    enum Element: Sendable {
        case word(Word)
        /// Elision such as `l'addition`, which matches as two words or as one.
        case elision(Word, Word, joined: UInt64)
        /// Placeholder; the number is an index into ``slots``.
        case gap(Int, SlotKind, bareTime: Bool)
        /// Placeholder with an entity type of the fixture.
        case choice(Int, OwnKind)
    }

    struct Word: Sendable {
        var hash: UInt64
        var letters: [UInt32]
    }

    /// Compiled phrase. A class, so that the copy of a rule costs only one reference count.
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
    ///   - source: the phrase as written in the fixture.
    ///   - words: words of the language for numbers, days and times.
    ///   - kinds: entity types for placeholders, in addition to ``SlotKind``.
    /// - Throws: the syntax error, with its position.
    package init(_ source: String, words: KindWords = .english, kinds: [OwnKind]) throws(PhraseError) {
        var parser = PhraseParser(source, words: words, kinds: kinds)
        try parser.parse()
        compiled = Compiled(parser)
    }

    package var source: String { compiled.source }
    package var slots: [Slot] { compiled.slots }
    /// Whether the phrase is `*`.
    package var isAnything: Bool { compiled.isAnything }
    var elements: [Element] { compiled.elements }

    package static func == (left: Phrase, right: Phrase) -> Bool {
        left.compiled === right.compiled
            || left.source == right.source && left.compiled.words === right.compiled.words
                && left.slots == right.slots
    }

    /// Returns the captured values; nil without a match. With `isWhole` the phrase must be the whole message.
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

    /// Words of the phrase after folding, without placeholders.
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
