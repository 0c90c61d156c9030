/// Syntax error in a phrase of a fixture.
package struct PhraseError: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The name after the colon is none of ``SlotKind``.
        case unknownKind(String)
        /// A `{` without its `}`.
        case unclosedGap
        /// A gap without a name: `{}` or `{:number}`.
        case emptyGap
        /// Neither a word nor a placeholder: nothing could match.
        case empty
        /// Names are letters, digits, `-` and `_`, and begin with a letter or `_`.
        case badSlotName(String)
        /// More words and gaps than ``MatchingLimits/phraseElements``.
        case tooLong
    }

    package var kind: Kind
    /// UTF-8 bytes from the start of the phrase to the mistake.
    package var offset: Int

    package init(_ kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}
