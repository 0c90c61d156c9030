/// Limits of matching, for every fixture and message.
package enum MatchingLimits {
    /// Bytes of a message that are read: the API's limit for an event (128 KiB). The rest is ignored.
    package static let messageBytes = 131_072
    /// Words and placeholders of a phrase. The limit bounds the stack, because the search recurses once per element.
    package static let phraseElements = 128
    /// Steps of one rule for one message, about 5 ms in a release build. Beyond the limit the rule does not match. An
    /// automaton reads 8 characters per step (`PatternLimits`), so 16,384 steps search the longest message.
    package static let matchSteps = 200_000
    /// Steps of all rules for one message, beyond which only `otherwise` answers. Twice the steps of one rule, so that
    /// one slow pattern does not exclude the others.
    package static let messageSteps = 400_000
    /// Characters of a token, except for `email`, `word` and `words`.
    package static let kindCharacters = 64
    /// Characters of an e-mail address: 64 for the name, 255 for the domain, one for the at sign (RFC 5321 §4.5.3.1).
    package static let emailCharacters = 320
    /// Characters of a message in the near-miss report.
    package static let reportCharacters = 1_024
    /// Words of a message in the near-miss report.
    package static let nearMissTokens = 64
    /// Rules in the near-miss report: more than a stage usually has.
    package static let nearMissRules = 500
    /// Steps of the matcher in a near-miss report. Later rules count as not matching.
    package static let nearMissSteps = 100_000
    package static let nearMissCharacters = 32
}
