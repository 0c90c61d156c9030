import Clocks
package import ConversationEngine

/// What people and code beside the fixture do in sessions, and what sessions are about to do.
extension Server {
    /// Does what a human at the controls wants in the session `id`.
    ///
    /// - Returns: nil when it was done; why not, when nothing was told.
    package func act(_ action: OperatorAction, in id: String, by name: String) -> OperatorRefusal? {
        guard let handle = engine.handle(of: id) else { return .unknownSession }
        return act(action, in: handle, by: name)
    }

    /// Lets code answer in place of a rule until ``stopImprovising(_:)``.
    package func improvise(_ improvisation: ReplyOverride) -> ReplyOverrideID {
        engine.improvise(improvisation)
    }

    package func stopImprovising(_ id: ReplyOverrideID) {
        engine.stopImprovising(id)
    }

    /// Nothing of a script is left to happen, and nothing is on its way to a client.
    package var isQuiet: Bool { nextScriptDeadline == nil }
}
