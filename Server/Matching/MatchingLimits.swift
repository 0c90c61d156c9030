/// Limits of matching, for any fixture and message.
package enum MatchingLimits {
    /// Bytes of a message that are looked at: the API's own limit for one event (128 KiB); the rest is not
    /// heard.
    package static let messageBytes = 131_072
    /// Words and gaps of one phrase. The search recurses once for each, so this bounds the stack.
    package static let phraseElements = 128
    /// Steps one rule may spend on one message; beyond it the rule does not match. 200,000: about 5 ms in a release build.
    /// An automaton reads 8 characters for a step (`PatternLimits`), so that a pattern is looked for in the longest
    /// message with 16,384 of them.
    package static let matchSteps = 200_000
    /// Steps that all rules together may spend on one message; after that only `otherwise` answers. Twice
    /// the steps of one rule: one slow pattern does not silence the others, a thousand do not keep other
    /// clients
    /// waiting.
    package static let messageSteps = 400_000
    /// Characters of one token that a kind other than `email`, `word` or `words` accepts.
    package static let kindCharacters = 64
    /// Characters of an e-mail address (RFC 5321 §4.5.3.1: 64 for the name, 255 for the domain, one sign).
    package static let emailCharacters = 320
    /// Characters of a message that the near-miss report looks at: its first words say what was meant.
    package static let reportCharacters = 1_024
    /// Tokens of a message, and characters of each, that the near-miss report compares.
    package static let nearMissTokens = 64
    /// Rules that the near-miss report compares: more than a person has in one stage.
    package static let nearMissRules = 500
    /// Steps of the matcher for one near-miss report; rules after that count as not matching.
    package static let nearMissSteps = 100_000
    package static let nearMissCharacters = 32
}
