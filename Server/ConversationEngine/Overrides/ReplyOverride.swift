/// Override of one rule by code (a stub), registered outside of the fixture.
package struct ReplyOverride: Sendable {
    package enum Scope: Hashable, Sendable {
        case everySession
        case session(SessionHandle)
    }

    /// Value of ``rule`` for every unmatched message, in place of `otherwise`.
    package static let unheard = "*"

    /// The rule's name as ``Note/heard(text:rule:place:stage:)`` tells it, such as `book`, `start 2` or
    /// `otherwise 1`; or ``unheard``.
    package var rule: String
    package var scope: Scope
    /// The steps that replace the rule's own; nil keeps those. Everything else of the rule holds: what it
    /// caught, its limit, the stage it leads to. Called while the engine decides, so it must not wait.
    package var steps: @Sendable (UnansweredMessage) -> [Step]?

    package init(
        rule: String, scope: Scope = .everySession, steps: @escaping @Sendable (UnansweredMessage) -> [Step]?
    ) {
        self.rule = rule
        self.scope = scope
        self.steps = steps
    }
}

/// The message to be answered by an override.
package struct UnansweredMessage: Equatable, Sendable {
    package var text: String
    /// What the talk remembers, with what the rule just caught.
    package var memory: [String: String]
    /// The user's messages count from 1 within the session.
    package var number: Int
    /// The name of the stage in which it was said; empty in a script without stages.
    package var stage: String
    package var sessionID: String
    /// The rule that matched, or the fallback rule; nil when nothing would answer.
    package var rule: String?
}

/// Handle for the removal of an ``ReplyOverride``.
package struct ReplyOverrideID: Hashable, Sendable {
    let number: Int
}

/// An override in the state of a session.
struct ActiveOverride: Sendable {
    var id: ReplyOverrideID
    var improvisation: ReplyOverride
}
