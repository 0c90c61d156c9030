/// Limits of matching.
package enum MatchingLimits {
    /// Maximum bytes of a message that are read: 128 KiB, as for an event.
    package static let messageBytes = 131_072
    /// Maximum number of elements of a phrase.
    package static let phraseElements = 128
    /// Maximum steps for one rule and message: about 5 ms in a release build.
    package static let matchSteps = 200_000
    /// Steps for one message after which only rules that match any message can still answer.
    package static let messageSteps = 400_000
    /// Maximum characters of a token that an entity type matches, except for `email`, `word` and `words`.
    package static let kindCharacters = 64
    /// Maximum characters of an e-mail address (RFC 5321 §4.5.3.1): 64 for the name, 1 for "@", 255 for the domain.
    package static let emailCharacters = 320
    /// Maximum characters of a message that a near-miss report shows.
    package static let reportCharacters = 1_024
    /// Maximum number of words of a message that a near-miss report compares.
    package static let nearMissTokens = 64
    /// Maximum number of rules that a near-miss report compares.
    package static let nearMissRules = 500
    /// Maximum matcher steps of a near-miss report.
    package static let nearMissSteps = 100_000
    package static let nearMissCharacters = 32
}
