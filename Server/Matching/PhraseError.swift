/// Why a phrase of a fixture cannot be heard.
package struct PhraseError: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// What stands after the colon is none of ``SlotKind``.
        case unknownKind(String)
        /// A `{` without its `}`.
        case unclosedGap
        /// A gap without a name: `{}` or `{:number}`.
        case emptyGap
        /// Neither a word nor a gap: nothing could be heard.
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
