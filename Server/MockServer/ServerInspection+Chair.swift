import Clocks
package import ConversationEngine

/// What people and code beside the fixture do in sessions, and what sessions are about to do.
extension ServerInspection {
    /// Does what a human at the controls wants in the session `id`.
    ///
    /// - Returns: nil when it was done; why not, when nothing was told.
    package func act(_ action: ChairAction, in id: String, by name: String) -> ChairRefusal? {
        guard let handle = loop.server.engine.handle(of: id) else { return .unknownSession }
        var refusal: ChairRefusal?
        perform { refusal = act(action, in: handle, by: name) }
        return refusal
    }

    /// Lets code answer in place of a rule until ``stopImprovising(_:)``.
    package func improvise(_ improvisation: Improvisation) -> ImprovisationID {
        loop.server.engine.improvise(improvisation)
    }

    package func stopImprovising(_ id: ImprovisationID) {
        loop.server.engine.stopImprovising(id)
    }

    /// Nothing of a script is left to happen, and nothing is on its way to a client.
    package var isQuiet: Bool { nextScriptDeadline == nil }
}
