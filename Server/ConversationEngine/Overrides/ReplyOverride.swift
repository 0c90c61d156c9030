/// Override of a rule by code (a stub).
package struct ReplyOverride: Sendable {
    package enum Scope: Hashable, Sendable {
        case everySession
        case session(SessionHandle)
    }

    /// ``rule`` for all unmatched messages, instead of `otherwise`.
    package static let unmatched = "*"

    /// Name of the rule as in ``Note/heard(text:rule:place:stage:)``, such as `book`, `start 2` or `otherwise 1`; or
    /// ``unmatched``.
    package var rule: String
    package var scope: Scope
    /// Replacement steps; nil keeps the rule's own. Captures, limit and next stage still apply. Called by the engine,
    /// so it must not wait.
    package var steps: @Sendable (UnansweredMessage) -> [Step]?

    package init(
        rule: String, scope: Scope = .everySession, steps: @escaping @Sendable (UnansweredMessage) -> [Step]?
    ) {
        self.rule = rule
        self.scope = scope
        self.steps = steps
    }
}

/// The message for an override.
package struct UnansweredMessage: Equatable, Sendable {
    package var text: String
    /// Slots with the rule's captures.
    package var memory: [String: String]
    /// Number of the user's message, from 1.
    package var number: Int
    /// Current stage; empty without stages.
    package var stage: String
    package var sessionID: String
    /// The matching or fallback rule; nil if nothing answers.
    package var rule: String?
}

/// Handle for the removal of an ``ReplyOverride``.
package struct ReplyOverrideID: Hashable, Sendable {
    let number: Int
}

/// An override in the state of a session.
struct ActiveOverride: Sendable {
    var id: ReplyOverrideID
    var replyOverride: ReplyOverride
}
