/// Limits of matching, for every fixture and message.
package enum MatchingLimits {
    /// Maximum bytes of a message that are read: the API's limit for an event (128 KiB). Further bytes are ignored.
    package static let messageBytes = 131_072
    /// Maximum number of words and placeholders of a phrase. The limit bounds the stack, because the search recurses
    /// once per element.
    package static let phraseElements = 128
    /// Maximum number of steps for one rule and one message: about 5 ms in a release build. Beyond the limit, the rule
    /// does not match. An automaton reads 8 characters per step (`PatternLimits`), so 16,384 steps are enough to search
    /// the longest message.
    package static let matchSteps = 200_000
    /// Maximum number of steps for all rules and one message. Beyond the limit, only the rules of `otherwise` answer.
    /// The value is twice the limit of one rule, so that one slow pattern does not exclude the other rules.
    package static let messageSteps = 400_000
    /// Maximum characters of a token that an entity type matches. The types `email`, `word` and `words` are exempt.
    package static let kindCharacters = 64
    /// Maximum characters of an e-mail address. 320: 64 for the name, 255 for the domain, one for the at sign (RFC 5321
    /// §4.5.3.1).
    package static let emailCharacters = 320
    /// Maximum characters of a message that a near-miss report shows.
    package static let reportCharacters = 1_024
    /// Maximum number of words of a message that a near-miss report compares.
    package static let nearMissTokens = 64
    /// Maximum number of rules compared for a near-miss report. 500: a stage usually has fewer.
    package static let nearMissRules = 500
    /// Maximum number of matcher steps for a near-miss report. When the steps are used up, the remaining rules count as
    /// not matching.
    package static let nearMissSteps = 100_000
    package static let nearMissCharacters = 32
}
