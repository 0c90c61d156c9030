/// Code that answers in place of one rule, beside the fixture.
package struct Improvisation: Sendable {
    package enum Scope: Hashable, Sendable {
        case everySession
        case session(SessionHandle)
    }

    /// As ``rule``: answers every message that no rule heard, in place of `otherwise`.
    package static let unheard = "*"

    /// The rule's name as ``Note/heard(text:rule:place:stage:)`` tells it, such as `book`, `start 2` or
    /// `otherwise 1`; or ``unheard``.
    package var rule: String
    package var scope: Scope
    /// The steps that replace the rule's own; nil keeps those. Everything else of the rule holds: what it
    /// caught, its limit, the stage it leads to. Called while the engine decides, so it must not wait.
    package var steps: @Sendable (Said) -> [Step]?

    package init(
        rule: String, scope: Scope = .everySession, steps: @escaping @Sendable (Said) -> [Step]?
    ) {
        self.rule = rule
        self.scope = scope
        self.steps = steps
    }
}

/// What an improvisation answers.
package struct Said: Equatable, Sendable {
    package var text: String
    /// What the talk remembers, with what the rule just caught.
    package var memory: [String: String]
    /// The user's messages count from 1 within the session.
    package var number: Int
    /// The name of the stage in which it was said; empty in a script without stages.
    package var stage: String
    package var sessionID: String
    /// The rule that heard it, or that answers in place of one; nil when nothing would answer.
    package var rule: String?
}

/// Takes an ``Improvisation`` back again.
package struct ImprovisationID: Hashable, Sendable {
    let number: Int
}

/// An improvisation as a session holds it.
struct Improvising: Sendable {
    var id: ImprovisationID
    var improvisation: Improvisation
}
