package import Clocks

extension ConversationEngine {
    /// How someone at the controls is named who gave no name.
    package static let controls = "controls"

    /// Does what a human at the controls wants, journalled with their name.
    ///
    /// Steps out of order are done where they can be told, with a ``Note/chair(action:by:unusual:)`` that says
    /// what is unusual about them.
    ///
    /// - Returns: nil when it was done; why not, when nothing was told.
    package mutating func act(
        _ action: ChairAction, in handle: SessionHandle, by name: String = ConversationEngine.controls,
        at now: Instant, into effects: inout [Effect]
    ) -> ChairRefusal? {
        var refusal: ChairRefusal? = .unknownSession
        mutate(handle, into: &effects) { conversation, outbox in
            // What was due comes first, and what is due again right after.
            conversation.advance(to: now, &outbox)
            refusal = conversation.act(action, by: name, at: now, &outbox)
            conversation.advance(to: now, &outbox)
        }
        return refusal
    }
}
