package import Clocks

extension ConversationEngine {
    /// Default name of an operator.
    package static let controls = "controls"

    /// Applies an action of an operator, journaled with their name.
    ///
    /// Steps out of order are applied where events for them exist, with a ``Note/takeover(action:by:unusual:)`` that
    /// names the difference from production.
    ///
    /// - Returns: nil when it was applied; else the refusal, and no event was recorded.
    package mutating func apply(
        _ action: OperatorAction, in handle: SessionHandle, by name: String = ConversationEngine.controls,
        at now: Instant, into effects: inout [Effect]
    ) -> OperatorRefusal? {
        var refusal: OperatorRefusal? = .unknownSession
        mutate(handle, into: &effects) { conversation, outbox in
            // What was due comes first, and what is due again right after.
            conversation.advance(to: now, &outbox)
            refusal = conversation.apply(action, by: name, at: now, &outbox)
            conversation.advance(to: now, &outbox)
        }
        return refusal
    }
}
