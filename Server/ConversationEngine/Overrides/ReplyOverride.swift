/// A stub: code that provides a reply instead of the reply of a rule.
package struct ReplyOverride: Sendable {
    package enum Scope: Hashable, Sendable {
        case everySession
        case session(SessionHandle)
    }

    /// The value of ``rule`` for all unmatched messages. The override then replaces `otherwise`.
    package static let unmatched = "*"

    /// The name of the rule, such as `book`, `start 2` or `otherwise 1`, or ``unmatched``.
    package var rule: String
    package var scope: Scope
    /// Returns the steps to play; nil means the rule's own steps. Captures, limit and next stage of the rule still
    /// apply. The engine waits for the result, so the closure must not block.
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
    /// The slots, including the rule's captures.
    package var memory: [String: String]
    /// The number of the user's message, from 1.
    package var number: Int
    /// The current stage; empty if the script has no stages.
    package var stage: String
    package var sessionID: String
    /// The matching rule or fallback rule; nil if no rule would answer.
    package var rule: String?
}

/// The id for the removal of an override.
package struct ReplyOverrideID: Hashable, Sendable {
    let number: Int
}

struct ActiveOverride: Sendable {
    var id: ReplyOverrideID
    var replyOverride: ReplyOverride
}
