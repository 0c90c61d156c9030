import Patterns

/// Phrase of a rule: words and placeholders. The words must be whole words of the message, next to each other. Case,
/// accents, apostrophes and punctuation are ignored. Placeholders capture values (``SlotKind``), and `{name}` means
/// `{name:words}`. The phrase `*` matches any message.
package struct Phrase: Equatable, Sendable {
    package struct Slot: Equatable, Sendable {
        package var name: String
        /// Built-in entity type. If ``own`` is set, this is `word`.
        package var kind: SlotKind
        /// Entity type that the fixture declares; nil if the entity type is built in.
        package var own: OwnKind?
        /// Offset of the placeholder's opening brace, in UTF-8 bytes from the start of the phrase.
        package var offset: Int
    }

    enum Element: Sendable {
        case word(Word)
        /// Elision such as `l'addition`. Matches a message that has the elision as two words or as one word.
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

    /// Compiled phrase. This is a class, so that copying a rule updates only one reference count.
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
    ///   - words: the language's words for numbers, days and times.
    ///   - kinds: the fixture's entity types, for use in placeholders in addition to ``SlotKind``.
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

    /// Returns the captured values. Nil if the message does not match. If `isWhole` is true, the phrase must match the
    /// whole message.
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
