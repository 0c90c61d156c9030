/// Limits of matching, for any fixture and message.
package enum MatchingLimits {
    /// Bytes of a message that are read, the API's limit for an event (128 KiB); the rest is ignored.
    package static let messageBytes = 131_072
    /// Words and placeholders of a phrase. The search recurses once for each element, so the limit bounds the
    /// stack.
    package static let phraseElements = 128
    /// Steps of a rule for a message; beyond it the rule does not match. 200,000: about 5 ms in a release build. An
    /// automaton reads 8 characters per step (`PatternLimits`), so 16,384 of them can search the longest message.
    package static let matchSteps = 200_000
    /// Steps of all rules for a message; then only `otherwise` answers. Twice the steps of one rule: one slow pattern
    /// does not exclude the others, a thousand do not delay other clients.
    package static let messageSteps = 400_000
    /// Characters of a token, except for `email`, `word` and `words`.
    package static let kindCharacters = 64
    /// Characters of an e-mail address (RFC 5321 §4.5.3.1: 64 for the name, 255 for the domain, one sign).
    package static let emailCharacters = 320
    /// Characters of a message in the near-miss report.
    package static let reportCharacters = 1_024
    /// Tokens of a message, and characters of each, in the near-miss report.
    package static let nearMissTokens = 64
    /// Rules in the near-miss report: more than a stage usually has.
    package static let nearMissRules = 500
    /// Steps of a near-miss report; later rules count as not matching.
    package static let nearMissSteps = 100_000
    package static let nearMissCharacters = 32
}
