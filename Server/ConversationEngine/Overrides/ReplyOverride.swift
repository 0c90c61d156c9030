/// Stub: code that replies instead of a rule.
package struct ReplyOverride: Sendable {
    package enum Scope: Hashable, Sendable {
        case everySession
        case session(SessionHandle)
    }

    /// Value of ``rule`` for unmatched messages.
    package static let unmatched = "*"

    /// Name of the rule, such as `book`, `start 2` or `otherwise 1`; or ``unmatched``.
    package var rule: String
    package var scope: Scope
    /// Returns the steps to play, or nil to play the rule's own steps. Must not block.
    package var steps: @Sendable (UnansweredMessage) -> [Step]?

    package init(
        rule: String, scope: Scope = .everySession, steps: @escaping @Sendable (UnansweredMessage) -> [Step]?
    ) {
        self.rule = rule
        self.scope = scope
        self.steps = steps
    }
}

/// The message that an override answers.
package struct UnansweredMessage: Equatable, Sendable {
    package var text: String
    package var memory: [String: String]
    package var number: Int
    package var stage: String
    package var sessionID: String
    /// The matching or fallback rule; nil if none would answer.
    package var rule: String?
}

package struct ReplyOverrideID: Hashable, Sendable {
    let number: Int
}

struct ActiveOverride: Sendable {
    var id: ReplyOverrideID
    var replyOverride: ReplyOverride
}
