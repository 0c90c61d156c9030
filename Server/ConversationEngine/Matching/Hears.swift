/// What a rule listens for (fixtures 3, "What `hears` understands").
package indirect enum Hears: Equatable, Sendable {
    case anything
    /// The message contains this phrase: whole words, folded; `{slot:kind}` fills memory.
    case phrase(Phrase)
    /// The whole message is this phrase.
    case exactly(Phrase)
    case any([Hears])
    case all([Hears])
    /// None of them is heard.
    case none([Hears])
    case pattern(Pattern)
}
