import Patterns

/// Phrase of a rule: whole words that are adjacent in the message, and placeholders that capture values (``SlotKind``).
/// Case, accents, apostrophes and punctuation are ignored. `{name}` means `{name:words}`, and `*` matches any message.
package struct Phrase: Equatable, Sendable {
    package struct Slot: Equatable, Sendable {
        package var name: String
        /// Built-in entity type; `word` if ``own`` is set.
        package var kind: SlotKind
        /// Entity type of the fixture; nil for a built-in one.
        package var own: OwnKind?
        /// UTF-8 offset of the placeholder's opening brace in the phrase.
        package var offset: Int
    }

    enum Element: Sendable {
        case word(Word)
        /// Elision such as `l'addition`. A message may contain the elision as two words or as one.
        case elision(Word, Word, joined: UInt64)
        case gap(Int, SlotKind, bareTime: Bool)
        case choice(Int, OwnKind)
    }

    struct Word: Sendable {
        var hash: UInt64
        var letters: [UInt32]
    }

    /// Compiled phrase. A class, so that copying a rule changes only one reference count.
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
    package var isAnything: Bool { compiled.isAnything }
    var elements: [Element] { compiled.elements }

    package static func == (left: Phrase, right: Phrase) -> Bool {
        left.compiled === right.compiled
            || left.source == right.source && left.compiled.words === right.compiled.words
                && left.slots == right.slots
    }

    /// Returns the captured values; nil if the message does not match. `isWhole`: the phrase must be the whole message.
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
